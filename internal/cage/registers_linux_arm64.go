package cage

import (
	"syscall"
	"unsafe"
)

// Sets of registers.
const (
	generalRegisters = 1     // NT_PRSTATUS
	callRegister     = 0x404 // NT_ARM_SYSTEM_CALL
)

// skipCall makes the kernel not make the call that a thread has entered.
func skipCall(tid int) error {
	number := int32(-1)
	v := syscall.Iovec{Base: (*byte)(unsafe.Pointer(&number)), Len: uint64(unsafe.Sizeof(number))}
	return ptrace(syscall.PTRACE_SETREGSET, tid, callRegister, unsafe.Pointer(&v))
}

// setResult sets what the call a thread is leaving returns.
func setResult(tid, value int) error {
	var regs syscall.PtraceRegs
	v := syscall.Iovec{Base: (*byte)(unsafe.Pointer(&regs)), Len: uint64(unsafe.Sizeof(regs))}
	if err := ptrace(syscall.PTRACE_GETREGSET, tid, generalRegisters, unsafe.Pointer(&v)); err != nil {
		return err
	}
	regs.Regs[0] = uint64(value)
	return ptrace(syscall.PTRACE_SETREGSET, tid, generalRegisters, unsafe.Pointer(&v))
}
