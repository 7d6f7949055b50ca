package cage

import "syscall"

// Places of registers in what PTRACE_POKEUSR writes to.
const (
	registerNumber = 15 * 8 // orig_rax
	registerResult = 10 * 8 // rax
)

// skipCall makes the kernel not make the call that a thread has entered.
func skipCall(tid int) error { return setRegister(tid, registerNumber, -1) }

// setResult sets what the call a thread is leaving returns.
func setResult(tid, value int) error { return setRegister(tid, registerResult, value) }

func setRegister(tid int, place uintptr, value int) error {
	_, _, e := syscall.Syscall6(syscall.SYS_PTRACE, syscall.PTRACE_POKEUSR, uintptr(tid), place, uintptr(value), 0, 0)
	if e != 0 {
		return e
	}
	return nil
}
