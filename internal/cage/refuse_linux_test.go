//go:build amd64 || arm64

package cage_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"terfyn/internal/cage"
	"terfyn/internal/cage/probe"
)

// effects are the probes with what the cage must record. A call has more than one name
// where architectures differ; a target that begins with a slash is in the folder.
var effects = []struct {
	probe  string // name and arguments
	calls  string
	target string
	// elsewhere marks a probe that need not succeed outside of the cage: the machine may
	// not have it, or it needs what no test gives it.
	elsewhere bool
}{
	{probe: "dial tcp LISTENER", calls: "socket", target: "inet stream"},
	{probe: "dial unix /socket", calls: "socket", target: "unix stream", elsewhere: true},
	{probe: "listen", calls: "socket", target: "inet stream"},
	{probe: "listenon /socket", calls: "socket", target: "unix stream"},
	{probe: "datagram", calls: "socket", target: "inet datagram"},
	{probe: "lookup NAMESERVER probe.example", calls: "socket", target: "inet datagram"},
	{probe: "netlink", calls: "socket", target: "netlink raw"},
	{probe: "connect", calls: "connect", target: "192.0.2.7:443", elsewhere: true},

	{probe: "spawn", calls: "clone clone3", target: "a new process"},
	{probe: "untraced", calls: "clone", target: "a thread with the flags 0x800000", elsewhere: true},
	{probe: "become", calls: "execve", target: "SELF"},
	{probe: "signal", calls: "kill", target: "another process"},

	{probe: "device", calls: "openat", target: "the device /dev/ptmx", elsewhere: true},
	{probe: "create /new", calls: "openat", target: "/new"},
	{probe: "write /file", calls: "openat", target: "/file"},
	{probe: "write /link", calls: "openat", target: "/file"},
	{probe: "append /file", calls: "openat", target: "/file"},
	{probe: "folder /new", calls: "mkdir mkdirat", target: "/new"},
	{probe: "fifo /new", calls: "mknod mknodat", target: "/new"},
	{probe: "remove /file", calls: "unlink unlinkat", target: "/file"},
	{probe: "remove /link", calls: "unlink unlinkat", target: "/link"},
	{probe: "rename /file /new", calls: "rename renameat", target: "/file"},
	{probe: "link /file /new", calls: "link linkat", target: "/file"},
	{probe: "symlink /file /new", calls: "symlink symlinkat", target: "/new"},
	{probe: "mode /link", calls: "chmod fchmodat", target: "/file"},
	{probe: "owner /file", calls: "chown fchownat", target: "/file"},
	{probe: "times /link", calls: "utimensat", target: "/file"},
	{probe: "truncate /file", calls: "truncate", target: "/file"},
	{probe: "lock /file", calls: "flock", target: "/file"},
	{probe: "below / new", calls: "openat", target: "/new"},
	{probe: "unnamed /", calls: "openat openat2", target: "/"},

	{probe: "rings", calls: "io_uring_setup", elsewhere: true},
	{probe: "memory", calls: "memfd_create"},
	{probe: "notice", calls: "inotify_init1"},
}

// TestNothingIsInherited leaves a descriptor open that programs inherit.
func TestNothingIsInherited(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	f, err := os.Create(filepath.Join(t.TempDir(), "left-open"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	inherited, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(inherited) })
	if r := inside(t, cage.Command{}, "inherited", strconv.Itoa(inherited)); r.ExitCode == probe.Done {
		t.Errorf("the probe wrote to a descriptor of this process: %s%s", r.Stdout, r.Stderr)
	}
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("%v, the file has %d bytes", err, info.Size())
	}
}

// TestEffectsAreRefused runs every probe outside of the cage, where it succeeds, and
// inside, where it fails with EPERM or EACCES, is recorded and leaves nothing behind.
func TestEffectsAreRefused(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	server := nameServer(t)
	for _, e := range effects {
		t.Run(e.probe, func(t *testing.T) {
			t.Parallel()
			args := func(dir string) []string {
				r := strings.NewReplacer("LISTENER", listener(t), "NAMESERVER", server)
				return in(dir, strings.Fields(r.Replace(e.probe)))
			}
			if code, said := outside(t, args(folder(t))...); code != probe.Done && !e.elsewhere {
				t.Fatalf("outside of the cage the probe ended with %d: %s", code, said)
			}
			dir := folder(t)
			before := listing(t, dir)
			r := inside(t, cage.Command{}, args(dir)...)
			if r.ExitCode != probe.Refused {
				t.Errorf("inside of the cage the probe ended with %d: %s%s", r.ExitCode, r.Stdout, r.Stderr)
			}
			target := strings.NewReplacer("SELF", self(t)).Replace(e.target)
			if strings.HasPrefix(e.target, "/") {
				target = strings.TrimSuffix(dir+e.target, "/")
			}
			if !slices.ContainsFunc(r.Violations, func(v cage.Violation) bool {
				return slices.Contains(strings.Fields(e.calls), v.Call) && v.Target == target
			}) {
				t.Errorf("no violation %s %s among %v", e.calls, target, r.Violations)
			}
			if after := listing(t, dir); !slices.Equal(before, after) {
				t.Errorf("the folder was\n%v\nand is\n%v", before, after)
			}
			if len(r.Writes) > 0 {
				t.Errorf("without a budget the probe wrote %v", r.Writes)
			}
		})
	}
}

// listing describes all in a folder but the times of access.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, info.Name()+" "+info.Mode().String()+" "+info.ModTime().String())
	}
	return out
}

// listener is the address of a server that accepts connections.
func listener(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

// nameServer is the address of a server that knows an address for every name.
func nameServer(t *testing.T) string {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	go func() {
		b := make([]byte, 512)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			if n > 12 {
				_, _ = c.WriteTo(answer(b[:n]), from)
			}
		}
	}()
	return c.LocalAddr().String()
}

// answer answers a question about a name with the address 192.0.2.7.
func answer(question []byte) []byte {
	const header = 12
	end := header
	for end < len(question) && question[end] != 0 {
		end += int(question[end]) + 1
	}
	end = min(end+5, len(question)) // the root label, type and class
	out := append([]byte{}, question[:end]...)
	copy(out[2:], []byte{0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0})
	return append(out, 0xc0, header, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7)
}
