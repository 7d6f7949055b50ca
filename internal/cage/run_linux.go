//go:build amd64 || arm64

package cage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Run runs c in the cage and returns what it did. The error is about the cage, never
// about the program; it is an [ErrUnavailable] where this machine permits no cage.
func Run(c Command) (Result, error) {
	budget, err := newBudget(c.Budget)
	if err != nil {
		return Result{}, err
	}
	o := onOwnThread(c, budget)
	return o.Result, o.err
}

type outcome struct {
	Result
	err error
}

// onOwnThread runs c from one thread, which starts, traces and waits: the kernel ties a
// traced process to it. The thread is never unlocked, so it ends with the goroutine,
// and with it whatever it did to its own mounts. A thread that has started another
// process of this program is not taken, since waiting would end that one's story.
func onOwnThread(c Command, b budget) outcome {
	done := make(chan outcome, 1)
	go func() {
		runtime.LockOSThread()
		if hasChildren() {
			done <- onOwnThread(c, b) // this thread is held meanwhile, so that another is taken
			return
		}
		r, err := run(c, b)
		done <- outcome{r, err}
	}()
	return <-done
}

// hasChildren reports whether the calling thread has started processes that are there.
func hasChildren() bool {
	b, err := os.ReadFile("/proc/thread-self/children")
	return err == nil && len(b) > 0
}

func run(c Command, b budget) (Result, error) {
	if err := mountReadOnly(c.ReadOnly); err != nil {
		return Result{}, err
	}
	var out, errs stream
	defer out.close()
	defer errs.close()
	files, closeFiles, err := descriptors(c, &out, &errs)
	if err != nil {
		return Result{}, err
	}
	pid, err := start(c, files)
	closeFiles()
	if err != nil {
		return Result{}, err
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return Result{}, fmt.Errorf("find the caged process: %w", err)
	}
	defer process.Release()
	limit := c.Timeout
	if limit == 0 {
		limit = time.Minute
	}
	late := time.AfterFunc(limit, func() { _ = process.Kill() })
	t := newTracer(pid, b)
	status, err := t.follow()
	if err != nil {
		_ = process.Kill()
		return Result{}, err
	}
	if !late.Stop() {
		return Result{}, fmt.Errorf("%s %v did not end within %s in the cage", c.Path, c.Args, limit)
	}
	r := t.result
	r.ExitCode = status.ExitStatus()
	r.Stdout, r.Stderr = out.bytes(), errs.bytes()
	return r, nil
}

// start starts c, stopped before its first instruction and traced by this thread.
func start(c Command, files []uintptr) (int, error) {
	keepDescriptors()
	var err error
	for _, flags := range namespaces() {
		attr := &syscall.ProcAttr{Dir: c.Dir, Env: c.Env, Files: files, Sys: &syscall.SysProcAttr{Ptrace: true, Cloneflags: flags}}
		if attr.Env == nil {
			attr.Env = []string{} // nil would be the environment of the caller
		}
		if flags&syscall.CLONE_NEWUSER != 0 {
			attr.Sys.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
			attr.Sys.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		}
		if c.User != nil {
			attr.Sys.Credential = &syscall.Credential{Uid: c.User.UID, Gid: c.User.GID}
		}
		var pid int
		pid, _, err = syscall.StartProcess(c.Path, append([]string{c.Path}, c.Args...), attr)
		if err == nil {
			return pid, nil
		}
		if !refused(err) {
			return 0, fmt.Errorf("start %s in the cage: %w", c.Path, err)
		}
	}
	return 0, fmt.Errorf("%w: tracing or namespaces are not permitted here: start %s: %w", ErrUnavailable, c.Path, err)
}

// keepDescriptors marks the descriptors of this process that the program would
// inherit beside its own three; somebody may have left one open for writing.
func keepDescriptors() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // then nothing can be traced either
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// namespaces are the ways to an empty network, the first that works is taken. Only
// root may have one without a user namespace.
func namespaces() []uintptr {
	own := uintptr(syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET)
	if os.Geteuid() == 0 {
		return []uintptr{syscall.CLONE_NEWNET, own}
	}
	return []uintptr{own}
}

// refused tells an error of a machine that does not let us from others: no right, no
// such namespace, none left, no such call.
func refused(err error) bool {
	for _, e := range []syscall.Errno{syscall.EPERM, syscall.EINVAL, syscall.ENOSPC, syscall.EUSERS, syscall.ENOSYS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// mountReadOnly makes the folders read-only for this thread and what it starts.
func mountReadOnly(folders []string) error {
	if len(folders) == 0 {
		return nil
	}
	if err := syscall.Unshare(syscall.CLONE_NEWNS); err != nil {
		return fmt.Errorf("%w: read-only mounts are not permitted here: %w", ErrUnavailable, err)
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	for _, f := range folders {
		if err := syscall.Mount(f, f, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("mount %s on itself: %w", f, err)
		}
		if err := syscall.Mount("", f, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("mount %s read-only: %w", f, err)
		}
	}
	return nil
}

// descriptors opens what the program gets as 0, 1 and 2; closeFiles closes this
// process's copies of it.
func descriptors(c Command, out, errs *stream) (files []uintptr, closeFiles func(), err error) {
	in := ^uintptr(0) // closed
	var opened []*os.File
	closeFiles = func() {
		for _, f := range opened {
			_ = f.Close()
		}
	}
	if !c.NoStdin {
		f, err := os.Open(os.DevNull)
		if err != nil {
			return nil, nil, fmt.Errorf("open an empty input: %w", err)
		}
		opened, in = append(opened, f), f.Fd()
	}
	files = []uintptr{in}
	for _, s := range []*stream{out, errs} {
		w, err := s.open()
		if err != nil {
			closeFiles()
			return nil, nil, err
		}
		opened, files = append(opened, w), append(files, w.Fd())
	}
	return files, closeFiles, nil
}

// stream collects what a program writes.
type stream struct {
	read *os.File
	buf  bytes.Buffer
	wait sync.WaitGroup
}

// open returns the end to write to.
func (s *stream) open() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open a pipe for the output: %w", err)
	}
	s.read = r
	s.wait.Go(func() { _, _ = io.Copy(&s.buf, r) })
	return w, nil
}

// bytes waits for the end of the output.
func (s *stream) bytes() []byte {
	s.wait.Wait()
	return s.buf.Bytes()
}

func (s *stream) close() {
	if s.read != nil {
		_ = s.read.Close()
	}
}
