//go:build amd64 || arm64

package cage

import (
	"syscall"
	"unsafe"
)

const (
	optionExitKill = 0x100000 // PTRACE_O_EXITKILL: the process ends with its tracer
	options        = syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | syscall.PTRACE_O_TRACEFORK |
		syscall.PTRACE_O_TRACEVFORK | syscall.PTRACE_O_TRACEEXEC | optionExitKill
	callStop = 0x80 // what PTRACE_O_TRACESYSGOOD adds to SIGTRAP at a system call

	getCallInfo = 0x420e // PTRACE_GET_SYSCALL_INFO
	callEntry   = 1
	callExit    = 2

	waitAll       = 0x40000000 // __WALL: threads as well
	waitOwnThread = 0x20000000 // __WNOTHREAD: leave the children of other threads to them
)

// callInfo is the kernel's ptrace_syscall_info; number and args hold at the entry.
type callInfo struct {
	op     uint8
	_      [3]uint8
	arch   uint32
	_      [2]uint64 // instruction and stack pointer
	number uint64
	args   [6]uint64
}

func currentCall(tid int) (callInfo, error) {
	var info callInfo
	err := ptrace(getCallInfo, tid, unsafe.Sizeof(info), unsafe.Pointer(&info))
	return info, err
}

// ptrace makes a request that package syscall has no function for.
func ptrace(request, tid int, addr uintptr, data unsafe.Pointer) error {
	if _, _, e := syscall.Syscall6(syscall.SYS_PTRACE, uintptr(request), uintptr(tid), addr, uintptr(data), 0, 0); e != 0 {
		return e
	}
	return nil
}

// wait waits for a thread that this thread traces; -1 = any.
func wait(tid int, status *syscall.WaitStatus) (int, error) {
	for {
		got, err := syscall.Wait4(tid, status, waitAll|waitOwnThread, nil)
		if err != syscall.EINTR {
			return got, err
		}
	}
}

// textAt reads the text at an address of the process up to its NUL; ok is false when
// the address is bad or the text longer than a path can be.
func textAt(tid int, addr uint64) (string, bool) {
	const longest = 4096
	var text []byte
	for len(text) <= longest {
		word, ok := bytesAt(tid, addr+uint64(len(text)), 8-int((addr+uint64(len(text)))%8))
		if !ok {
			return "", false
		}
		for i, b := range word {
			if b == 0 {
				return string(append(text, word[:i]...)), true
			}
		}
		text = append(text, word...)
	}
	return "", false
}

// bytesAt reads n bytes at an address of the process.
func bytesAt(tid int, addr uint64, n int) ([]byte, bool) {
	b := make([]byte, n)
	got, err := syscall.PtracePeekData(tid, uintptr(addr), b)
	return b, err == nil && got == n
}
