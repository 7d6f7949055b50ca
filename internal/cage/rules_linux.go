//go:build amd64 || arm64

package cage

import (
	"slices"
	"strings"
	"syscall"
)

// call is one system call at its entry.
type call struct {
	*tracer
	tid  int
	name string
	args [6]uint64
}

// rule decides a call: the error to refuse it with, 0 to let it be made.
type rule func(*call) syscall.Errno

// refuse records a call as a violation.
func (c *call) refuse(e syscall.Errno, target string) syscall.Errno {
	c.result.Violations = append(c.result.Violations, Violation{Call: c.name, Target: target})
	return e
}

// rules has a rule for every call that is not refused out of hand.
var rules = allRules()

func allRules() map[string]rule {
	all := map[string]rule{}
	for _, group := range harmless {
		for _, name := range strings.Fields(group.calls) {
			all[name] = func(*call) syscall.Errno { return 0 }
		}
	}
	for _, more := range []map[string]rule{fileRules(), processRules(), networkRules()} {
		for name, r := range more {
			all[name] = r
		}
	}
	return all
}

// harmless are the calls that change nothing outside of the process.
var harmless = []struct{ why, calls string }{
	{"its own memory", "brk mmap munmap mremap mprotect madvise mincore msync mlock munlock"},
	{
		"descriptors it has; one that can be written to was opened inside of the budget, or is its output",
		"read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek close close_range dup dup2 dup3" +
			" fstat fstatfs fadvise64 readahead sendfile copy_file_range splice tee getdents getdents64 getcwd fchdir" +
			" poll ppoll select pselect6 pipe pipe2 eventfd eventfd2" +
			" epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2",
	},
	{
		"its own threads, their signals and their end",
		"exit exit_group futex futex_waitv futex_wait futex_wake futex_requeue get_robust_list set_robust_list" +
			" set_tid_address rseq membarrier sched_yield sched_getaffinity arch_prctl restart_syscall" +
			" rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack",
	},
	{"time", "clock_gettime clock_getres clock_nanosleep gettimeofday nanosleep time times"},
	{
		"what it is and what it runs on",
		"getpid gettid getppid getpgid getpgrp getsid getuid geteuid getgid getegid getgroups getresuid getresgid" +
			" getrlimit getrusage getcpu getrandom sysinfo uname umask capget",
	},
}

// processRules let threads start and refuse processes.
func processRules() map[string]rule {
	return map[string]rule{
		"clone":             func(c *call) syscall.Errno { return c.thread(c.args[0]) },
		"clone3":            clone3,
		"execve":            func(c *call) syscall.Errno { return c.refuse(syscall.EPERM, c.at(place{noArgument, 0, follows})) },
		"execveat":          func(c *call) syscall.Errno { return c.refuse(syscall.EPERM, c.at(place{0, 1, follows})) },
		"kill":              func(c *call) syscall.Errno { return c.toItself(0) },
		"tgkill":            func(c *call) syscall.Errno { return c.toItself(0) },
		"rt_sigqueueinfo":   func(c *call) syscall.Errno { return c.toItself(0) },
		"rt_tgsigqueueinfo": func(c *call) syscall.Errno { return c.toItself(0) },
		"prctl":             prctl,
		// Limits of its own: the Go runtime raises the number of open files.
		"prlimit64": func(c *call) syscall.Errno {
			if c.args[0] == 0 || c.args[2] == 0 {
				return 0
			}
			return c.toItself(0)
		},
		"setrlimit": func(*call) syscall.Errno { return 0 },
	}
}

// thread lets a thread of the same process start, with the flags that runtimes and
// C libraries use. Another flag could take the thread out of the tracer's sight, as
// CLONE_UNTRACED does, or into a namespace of its own.
func (c *call) thread(flags uint64) syscall.Errno {
	const needed = syscall.CLONE_VM | syscall.CLONE_THREAD
	const usual = needed | syscall.CLONE_FS | syscall.CLONE_FILES | syscall.CLONE_SIGHAND | syscall.CLONE_SYSVSEM |
		syscall.CLONE_SETTLS | syscall.CLONE_PARENT_SETTID | syscall.CLONE_CHILD_CLEARTID | syscall.CLONE_CHILD_SETTID
	if flags&needed != needed {
		return c.refuse(syscall.EPERM, "a new process")
	}
	if strange := flags &^ usual; strange != 0 {
		return c.refuse(syscall.EPERM, number("a thread with the flags", strange))
	}
	return 0
}

// clone3 is clone with its arguments in memory, the flags first.
func clone3(c *call) syscall.Errno {
	b, ok := bytesAt(c.tid, c.args[0], 8)
	if !ok {
		return c.refuse(syscall.EPERM, "with arguments that cannot be read")
	}
	return c.thread(nativeEndian.Uint64(b))
}

// toItself lets a call act on the process itself, whose id is in an argument.
func (c *call) toItself(arg int) syscall.Errno {
	if int(int32(c.args[arg])) == c.leader {
		return 0
	}
	return c.refuse(syscall.EPERM, "another process")
}

// prctl lets the process name itself and its memory, and ask.
func prctl(c *call) syscall.Errno {
	const (
		getDumpable, getName, setName = 3, 16, 15
		setMemoryName                 = 0x53564d41 // PR_SET_VMA
	)
	if slices.Contains([]uint64{getDumpable, getName, setName, setMemoryName}, c.args[0]) {
		return 0
	}
	return c.refuse(syscall.EPERM, number("option", c.args[0]))
}
