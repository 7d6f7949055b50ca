//go:build amd64 || arm64

package cage

import (
	"os"
	"slices"
	"syscall"
)

// place says which arguments of a call name a path: a folder's descriptor, or
// noArgument, and the text.
type place struct {
	dir, text int
	// last is follows, stays, or the argument with the flags that may say "stays".
	last int
}

const (
	noArgument = -1
	follows    = -1 // a link at the end of the path is followed
	stays      = -2 // such a link is what the call is about
)

// asking are the calls that ask about a path.
var asking = map[string]place{
	"stat": {noArgument, 0, follows}, "lstat": {noArgument, 0, stays}, "newfstatat": {0, 1, 3}, "statx": {0, 1, 2},
	"access": {noArgument, 0, follows}, "faccessat": {0, 1, follows}, "faccessat2": {0, 1, 3},
	"readlink": {noArgument, 0, stays}, "readlinkat": {0, 1, stays},
	"statfs": {noArgument, 0, follows}, "chdir": {noArgument, 0, follows},
	"getxattr": {noArgument, 0, follows}, "lgetxattr": {noArgument, 0, stays},
}

// changing are the calls that make, change or remove what paths name.
var changing = map[string][]place{
	"mkdir": {{noArgument, 0, stays}}, "mkdirat": {{0, 1, stays}},
	"mknod": {{noArgument, 0, stays}}, "mknodat": {{0, 1, stays}},
	"rmdir": {{noArgument, 0, stays}}, "unlink": {{noArgument, 0, stays}}, "unlinkat": {{0, 1, stays}},
	"symlink": {{noArgument, 1, stays}}, "symlinkat": {{1, 2, stays}},
	"link": {{noArgument, 0, follows}, {noArgument, 1, stays}}, "linkat": {{0, 1, follows}, {2, 3, stays}},
	"rename": {{noArgument, 0, stays}, {noArgument, 1, stays}}, "renameat": {{0, 1, stays}, {2, 3, stays}},
	"renameat2": {{0, 1, stays}, {2, 3, stays}},
	"chmod":     {{noArgument, 0, follows}}, "fchmodat": {{0, 1, follows}}, "fchmodat2": {{0, 1, 3}},
	"chown": {{noArgument, 0, follows}}, "lchown": {{noArgument, 0, stays}}, "fchownat": {{0, 1, 4}},
	"truncate": {{noArgument, 0, follows}},
	"utime":    {{noArgument, 0, follows}}, "utimes": {{noArgument, 0, follows}}, "futimesat": {{0, 1, follows}}, "utimensat": {{0, 1, 3}},
	"setxattr": {{noArgument, 0, follows}}, "lsetxattr": {{noArgument, 0, stays}},
	"removexattr": {{noArgument, 0, follows}}, "lremovexattr": {{noArgument, 0, stays}},
}

// changingOpen are the calls that change, or lock, what their first argument is open on.
var changingOpen = []string{
	"fchmod", "fchown", "ftruncate", "fallocate", "flock", "fsync", "fdatasync", "sync_file_range", "fsetxattr", "fremovexattr",
}

func fileRules() map[string]rule {
	all := map[string]rule{
		"open":    func(c *call) syscall.Errno { return c.open(noArgument, 0, c.args[1]) },
		"openat":  func(c *call) syscall.Errno { return c.open(0, 1, c.args[2]) },
		"openat2": openat2,
		"creat":   func(c *call) syscall.Errno { return c.open(noArgument, 0, syscall.O_CREAT|syscall.O_WRONLY) },
		"ioctl":   ioctl,
		"fcntl":   fcntl,
	}
	for name, p := range asking {
		all[name] = func(c *call) syscall.Errno {
			c.note(&c.result.Looks, c.at(p))
			return 0
		}
	}
	for name, places := range changing {
		all[name] = func(c *call) syscall.Errno {
			for _, p := range places {
				if e := c.change(c.at(p)); e != 0 {
					return e
				}
			}
			return 0
		}
	}
	for _, name := range changingOpen {
		all[name] = func(c *call) syscall.Errno { return c.change(c.descriptor(0)) }
	}
	return all
}

// change decides about changing a resolved path.
func (c *call) change(path string) syscall.Errno {
	if !c.budget.allows(path) {
		return c.refuse(syscall.EACCES, path)
	}
	c.note(&c.result.Writes, path)
	return 0
}

// open decides about opening; a folder's descriptor and the path are in arguments.
func (c *call) open(dir, text int, flags uint64) syscall.Errno {
	const (
		pathOnly      = 0x200000 // O_PATH: the descriptor can neither read nor write
		temporaryFile = 0x400000 // the bit of O_TMPFILE that is its own
		writes        = syscall.O_WRONLY | syscall.O_RDWR | syscall.O_CREAT | syscall.O_TRUNC | syscall.O_APPEND | temporaryFile
		anew          = syscall.O_CREAT | syscall.O_EXCL
	)
	p := place{dir, text, follows}
	if flags&syscall.O_NOFOLLOW != 0 || flags&anew == anew {
		p.last = stays
	}
	path := c.at(p)
	switch {
	case flags&pathOnly != 0:
		c.note(&c.result.Looks, path)
	case flags&writes == 0 && acts(path):
		return c.refuse(syscall.EACCES, "the device "+path)
	case flags&writes == 0:
		c.note(&c.result.Reads, path)
	case path == os.DevNull:
		// The Go runtime puts it where a standard descriptor is closed.
	default:
		return c.change(path)
	}
	return 0
}

// acts reports whether opening a path does something also where nothing is written:
// a device may, but those that only give bytes do not.
func acts(path string) bool {
	switch path {
	case os.DevNull, "/dev/zero", "/dev/random", "/dev/urandom":
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeDevice != 0
}

// openat2 is openat with its arguments in memory: flags, mode, and how to resolve.
func openat2(c *call) syscall.Errno {
	const inRoot = 0x10 // RESOLVE_IN_ROOT: absolute paths and links begin at the folder
	how, ok := bytesAt(c.tid, c.args[2], 24)
	if !ok {
		return c.refuse(syscall.EACCES, "with arguments that cannot be read")
	}
	if nativeEndian.Uint64(how[16:])&inRoot != 0 {
		return c.refuse(syscall.EACCES, "below a root of its own: "+c.at(place{0, 1, follows}))
	}
	return c.open(0, 1, nativeEndian.Uint64(how))
}

// ioctl lets the process ask whether a descriptor is a terminal, and how large it is.
func ioctl(c *call) syscall.Errno {
	if c.args[1] == syscall.TCGETS || c.args[1] == syscall.TIOCGWINSZ {
		return 0
	}
	return c.refuse(syscall.EPERM, number("request", c.args[1])+" on "+c.descriptor(0))
}

// fcntl lets the process set up its descriptors; a lock is a change of the file.
func fcntl(c *call) syscall.Errno {
	const (
		duplicate          = 1030   // F_DUPFD_CLOEXEC
		getPrivate         = 36     // F_OFD_GETLK
		setPrivate, waitIt = 37, 38 // F_OFD_SETLK, F_OFD_SETLKW
	)
	switch command := int(c.args[1]); {
	case slices.Contains([]int{syscall.F_DUPFD, duplicate, syscall.F_GETFD, syscall.F_SETFD, syscall.F_GETFL, syscall.F_SETFL, syscall.F_GETLK, getPrivate}, command):
		return 0
	case slices.Contains([]int{syscall.F_SETLK, syscall.F_SETLKW, setPrivate, waitIt}, command):
		return c.change(c.descriptor(0))
	}
	return c.refuse(syscall.EPERM, number("command", c.args[1])+" on "+c.descriptor(0))
}
