//go:build amd64 || arm64

package probe

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// effect is a probe: it has its effect on what the arguments name.
type effect func(args []string) error

var all = map[string]effect{
	"nothing": func([]string) error { return nil },
	"threads": threads,
	"crash":   func([]string) error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	"forever": func([]string) error { select {} },
	"device":  func([]string) error { return closed(os.Open("/dev/ptmx")) }, // makes a terminal
	"input":   func([]string) error { _, err := io.Copy(os.Stdout, os.Stdin); return err },

	"look": func(a []string) error { _, err := os.Stat(a[0]); return err },
	"environment": func([]string) error {
		for _, v := range os.Environ() {
			fmt.Println(v)
		}
		return nil
	},

	// Network.
	"dial":     func(a []string) error { return closed(net.DialTimeout(a[0], a[1], 10*time.Second)) },
	"listen":   func([]string) error { return closed(net.Listen("tcp", "127.0.0.1:0")) },
	"listenon": func(a []string) error { return closed(net.Listen("unix", a[0])) },
	"datagram": func([]string) error { return closed(net.ListenPacket("udp", "127.0.0.1:0")) },
	"lookup":   lookup,
	"netlink":  func([]string) error { _, err := net.Interfaces(); return err },
	"connect":  connect,

	// Processes.
	"spawn":  func([]string) error { return exec.Command("/proc/self/exe", Flag, "nothing").Run() },
	"become": func([]string) error { return syscall.Exec("/proc/self/exe", []string{"self", Flag, "nothing"}, nil) },
	"signal": func([]string) error { return syscall.Kill(os.Getppid(), 0) },
	// A thread that no tracer sees. Outside of the cage the flags are not enough for one,
	// so that no thread without a stack of its own begins.
	"untraced": func([]string) error {
		_, _, e := syscall.RawSyscall6(syscall.SYS_CLONE, syscall.CLONE_VM|syscall.CLONE_THREAD|syscall.CLONE_UNTRACED, 0, 0, 0, 0, 0)
		return e
	},
	// A descriptor that somebody left open.
	"inherited": func(a []string) error {
		fd, err := strconv.Atoi(a[0])
		if err != nil {
			return err
		}
		_, err = syscall.Write(fd, []byte("inherited"))
		return err
	},

	// Files.
	"create":   func(a []string) error { return closed(os.Create(a[0])) },
	"write":    func(a []string) error { return os.WriteFile(a[0], []byte("changed"), 0o600) },
	"append":   func(a []string) error { return closed(os.OpenFile(a[0], os.O_APPEND|os.O_WRONLY, 0)) },
	"folder":   func(a []string) error { return os.Mkdir(a[0], 0o755) },
	"fifo":     func(a []string) error { return syscall.Mkfifo(a[0], 0o600) },
	"remove":   func(a []string) error { return os.Remove(a[0]) },
	"rename":   func(a []string) error { return os.Rename(a[0], a[1]) },
	"link":     func(a []string) error { return os.Link(a[0], a[1]) },
	"symlink":  func(a []string) error { return os.Symlink(a[0], a[1]) },
	"mode":     func(a []string) error { return os.Chmod(a[0], 0o600) },
	"owner":    func(a []string) error { return os.Chown(a[0], os.Getuid(), os.Getgid()) },
	"times":    func(a []string) error { return os.Chtimes(a[0], time.Unix(1, 0), time.Unix(1, 0)) },
	"truncate": func(a []string) error { return os.Truncate(a[0], 0) },
	"lock":     lock,
	"below":    below,
	"unnamed":  unnamed,

	// Ways around calls with paths.
	"rings":  rings,
	"memory": memory,
	"notice": func([]string) error { return raw(syscall.SYS_INOTIFY_INIT1, 0, nil) },
}

// threads keeps many threads busy, which the runtime interrupts with signals, and ends
// while most of them still run.
func threads([]string) error {
	var enough sync.WaitGroup
	for range 48 {
		enough.Add(1)
		go func() {
			runtime.LockOSThread()
			enough.Done()
			for n := 1; ; n++ {
				if n%(1<<16) == 0 {
					runtime.GC()
				}
			}
		}()
	}
	enough.Wait()
	return nil
}

// closed closes what an effect opened.
func closed(c interface{ Close() error }, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}

// lookup asks the name server at an address for a name.
func lookup(a []string) error {
	var mu sync.Mutex
	var refused error // the resolver's own error does not wrap it
	r := net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, "udp", a[0])
		mu.Lock()
		defer mu.Unlock()
		refused = err
		return c, err
	}}
	_, err := r.LookupHost(context.Background(), a[1])
	mu.Lock()
	defer mu.Unlock()
	if err != nil && refused != nil {
		return refused
	}
	return err
}

// connect connects without making a socket: descriptor 0 stands for one that a
// program was given.
func connect([]string) error {
	address := syscall.SockaddrInet4{Port: 443, Addr: [4]byte{192, 0, 2, 7}}
	return syscall.Connect(0, &address)
}

// lock locks a file that it may only read.
func lock(a []string) error {
	f, err := os.Open(a[0])
	if err != nil {
		return err
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH)
}

// below makes a file relative to the descriptor of a folder.
func below(a []string) error {
	root, err := os.OpenRoot(a[0])
	if err != nil {
		return err
	}
	defer root.Close()
	return closed(root.Create(a[1]))
}

// unnamed makes a file without a name in a folder.
func unnamed(a []string) error {
	const temporary = 0x410000 // O_TMPFILE, with O_DIRECTORY
	fd, err := syscall.Open(a[0], temporary|syscall.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return syscall.Close(fd)
}

// rings sets up a queue of calls that no tracer sees.
func rings([]string) error {
	const setup = 425 // io_uring_setup, which package syscall has no name for
	var parameters [120]byte
	return raw(setup, 1, unsafe.Pointer(&parameters))
}

// memory makes a file that is nowhere.
func memory([]string) error {
	name := [2]byte{'m'}
	if _, _, e := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(&name)), 0, 0); e != 0 {
		return e
	}
	return nil
}

func raw(call, a uintptr, b unsafe.Pointer) error {
	if _, _, e := syscall.Syscall(call, a, uintptr(b), 0); e != 0 {
		return e
	}
	return nil
}
