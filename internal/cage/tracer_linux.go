//go:build amd64 || arm64

package cage

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
)

// tracer follows one process and all of its threads. Everything in it belongs to the
// thread that started the process.
type tracer struct {
	leader  int
	budget  budget
	threads map[int]*thread
	result  Result
	known   map[record]bool
}

// thread is what the tracer keeps of one thread.
type thread struct {
	refused syscall.Errno // what the call it is in returns instead of being made; 0 = it is made
}

// record is one line of a list of the result.
type record struct {
	list *[]string
	path string
}

func newTracer(pid int, b budget) *tracer {
	return &tracer{leader: pid, budget: b, threads: map[int]*thread{pid: {}}, known: map[record]bool{}}
}

// follow lets the process run to its end and returns how it ended.
func (t *tracer) follow() (syscall.WaitStatus, error) {
	var status syscall.WaitStatus
	if _, err := wait(t.leader, &status); err != nil {
		return status, fmt.Errorf("wait for the caged process to start: %w", err)
	}
	if !status.Stopped() {
		return status, fmt.Errorf("%w: the process was not stopped to be traced (status %#x)", ErrUnavailable, uint32(status))
	}
	if err := syscall.PtraceSetOptions(t.leader, options); err != nil {
		return status, fmt.Errorf("%w: trace the process: %w", ErrUnavailable, err)
	}
	for tid, deliver := t.leader, syscall.Signal(0); ; {
		// A thread may have been killed while it was stopped; its end is reported like any.
		if err := syscall.PtraceSyscall(tid, int(deliver)); err != nil && !errors.Is(err, syscall.ESRCH) {
			return status, fmt.Errorf("let thread %d of the caged process go on: %w", tid, err)
		}
		var err error
		if tid, err = t.nextStop(&status); err != nil || tid == 0 {
			return status, err
		}
		if deliver, err = t.stopped(tid, status); err != nil {
			return status, err
		}
	}
}

// nextStop waits until a thread stops; 0 = the process has ended with that status.
// The kernel reports the end of the leader after those of all other threads.
func (t *tracer) nextStop(status *syscall.WaitStatus) (int, error) {
	for {
		tid, err := wait(-1, status)
		if err != nil {
			return 0, fmt.Errorf("wait for the caged process: %w", err)
		}
		if status.Stopped() {
			return tid, nil
		}
		delete(t.threads, tid)
		if tid == t.leader {
			return 0, nil
		}
	}
}

// stopped handles one stop and returns the signal to go on with. A stop for a signal
// must pass that signal on: the Go runtime preempts with SIGURG.
func (t *tracer) stopped(tid int, status syscall.WaitStatus) (syscall.Signal, error) {
	th, known := t.threads[tid]
	if !known {
		// A new thread may stop before its creator's clone event is seen. It begins with
		// a SIGSTOP that tracing put there.
		th = &thread{}
		t.threads[tid] = th
	}
	signal := status.StopSignal()
	switch {
	case signal == syscall.SIGTRAP|callStop:
		return 0, t.atCall(tid, th)
	case signal == syscall.SIGTRAP && status.TrapCause() == syscall.PTRACE_EVENT_CLONE:
		return 0, nil
	case signal == syscall.SIGTRAP && status.TrapCause() > 0:
		return 0, fmt.Errorf("the caged process made a process or became another program (event %d), which its calls should not have let it", status.TrapCause())
	case !known && signal == syscall.SIGSTOP:
		return 0, nil
	case slices.Contains([]syscall.Signal{syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU}, signal):
		return 0, nil // nobody is there to continue it
	}
	return signal, nil
}

// atCall handles the beginning and the end of a system call.
func (t *tracer) atCall(tid int, th *thread) error {
	info, err := currentCall(tid)
	switch {
	case errors.Is(err, syscall.ESRCH):
		return nil // killed meanwhile
	case err != nil:
		return fmt.Errorf("%w: read a system call of the caged process: %w", ErrUnavailable, err)
	case info.op == callEntry:
		th.refused = t.decide(tid, info)
		if th.refused != 0 {
			err = skipCall(tid)
		}
	case info.op == callExit && th.refused != 0:
		err = setResult(tid, -int(th.refused))
		th.refused = 0
	}
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("refuse a system call of the caged process: %w", err)
	}
	return nil
}

// decide returns the error a call is refused with; 0 = it is made.
func (t *tracer) decide(tid int, info callInfo) syscall.Errno {
	c := &call{tracer: t, tid: tid, name: callName(info.number), args: info.args}
	if info.arch != auditArch {
		c.name = fmt.Sprintf("system call %d of architecture %#x", info.number, info.arch)
		return c.refuse(syscall.EPERM, "")
	}
	if decide, ok := rules[c.name]; ok {
		return decide(c)
	}
	return c.refuse(syscall.EPERM, "")
}

// note adds path to a list of the result, once. What is below /proc/ID of the process
// itself is shown as /proc/self, the same in every call.
func (t *tracer) note(list *[]string, path string) {
	if rest, own := strings.CutPrefix(path, fmt.Sprintf("/proc/%d/", t.leader)); own {
		path = "/proc/self/" + rest
	}
	r := record{list, path}
	if !t.known[r] {
		t.known[r] = true
		*list = append(*list, path)
	}
}
