//go:build amd64 || arm64

package cage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestNumbers compares the names of system calls with the numbers that package syscall
// has for this architecture.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]uint64{
		"read": syscall.SYS_READ, "openat": syscall.SYS_OPENAT, "clone": syscall.SYS_CLONE, "execve": syscall.SYS_EXECVE,
		"socket": syscall.SYS_SOCKET, "sendto": syscall.SYS_SENDTO, "ptrace": syscall.SYS_PTRACE, "mount": syscall.SYS_MOUNT,
		"renameat": syscall.SYS_RENAMEAT, "utimensat": syscall.SYS_UTIMENSAT, "prlimit64": syscall.SYS_PRLIMIT64,
		"perf_event_open": syscall.SYS_PERF_EVENT_OPEN, "recvmmsg": syscall.SYS_RECVMMSG,
		"io_uring_setup": 425, "clone3": 435, "openat2": 437, "fchmodat2": 452, "system call 9999": 9999,
	} {
		if got := callName(n); got != name {
			t.Errorf("call %d is %s, want %s", n, got, name)
		}
	}
}

// TestRulesHaveNumbers finds rules for calls that do not exist, such as a misspelt one.
func TestRulesHaveNumbers(t *testing.T) {
	t.Parallel()
	// Calls that one of the two architectures does not have.
	missing := strings.Fields("open creat stat lstat access readlink chmod chown lchown mkdir rmdir mknod link unlink symlink rename" +
		" utime utimes futimesat select poll pipe dup2 eventfd epoll_create epoll_wait getdents time getpgrp arch_prctl")
	for name := range rules {
		has := false
		for _, known := range callNames {
			has = has || known == name
		}
		if !has && !slices.Contains(missing, name) {
			t.Errorf("there is a rule for %s, which is no system call", name)
		}
	}
}

// TestUnknownCallsAreRefused shows calls without a rule, and calls that another
// architecture numbers.
func TestUnknownCallsAreRefused(t *testing.T) {
	t.Parallel()
	for _, info := range []callInfo{
		{arch: auditArch, number: 9999},
		{arch: auditArch, number: syscall.SYS_READ | 1<<30},
		{arch: auditArch, number: syscall.SYS_PTRACE},
		{arch: auditArch, number: syscall.SYS_MOUNT},
		{arch: auditArch, number: syscall.SYS_UNSHARE},
		{arch: 3, number: syscall.SYS_READ},
	} {
		tr := newTracer(os.Getpid(), budget{"/"})
		if e := tr.decide(os.Getpid(), info); e != syscall.EPERM || len(tr.result.Violations) != 1 {
			t.Errorf("%+v: %v, violations %v", info, e, tr.result.Violations)
		}
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"short": "a/b", "up": "a/../a", "far": dir + "/a", "gone": "missing/x", "loop": "loop", "a/b/back": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path string
		last bool
		want string
	}{
		{"/short", true, "/a/b"},
		{"/short", false, "/short"},
		{"/short/x", false, "/a/b/x"},
		{"/short/..", true, "/a"},
		{"/up/b/./back//b", true, "/a/b"},
		{"/far/b", true, "/a/b"},
		{"/gone", true, "/missing/x"},
		{"/missing/../short", true, "/a/b"},
		{"/loop", true, "/loop"},
	} {
		if got := resolve(dir+c.path, c.last, os.Getpid()); got != dir+c.want {
			t.Errorf("resolve(%s, %t) = %s, want %s", c.path, c.last, strings.TrimPrefix(got, dir), c.want)
		}
	}
	if got := resolve("/proc/self/status", true, 42); got != "/proc/42/status" {
		t.Errorf("/proc/self of thread 42 is %s", got)
	}
}
