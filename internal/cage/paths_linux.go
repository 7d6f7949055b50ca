//go:build amd64 || arm64

package cage

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// budget is what may be written: files, and folders with a slash at the end.
type budget []string

func newBudget(paths []string) (budget, error) {
	var b budget
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			return nil, fmt.Errorf("the budget of a cage holds absolute paths, and %q is not one", p)
		}
		resolved := resolve(p, true, os.Getpid())
		if strings.HasSuffix(p, "/") {
			resolved += "/"
		}
		b = append(b, resolved)
	}
	return b, nil
}

// allows tells whether a resolved path may be made, changed or removed.
func (b budget) allows(path string) bool {
	for _, p := range b {
		if path == strings.TrimSuffix(p, "/") || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// mostLinks is how many links one path may lead through, as in the kernel.
const mostLinks = 40

// resolve follows the links of an absolute path as thread tid sees it; the last
// component only if last is true. What is not there is kept as it is written.
func resolve(path string, last bool, tid int) string {
	todo := strings.Split(path, "/")
	done, links := "/", 0
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		switch {
		case name == "" || name == ".":
			continue
		case name == "..":
			done = filepath.Dir(done)
			continue
		case done == "/proc" && name == "self", done == "/proc" && name == "thread-self":
			// For us this link is about us.
			name = strconv.Itoa(tid)
		}
		next := filepath.Join(done, name)
		target, err := os.Readlink(next)
		if err != nil || links == mostLinks || len(todo) == 0 && !last {
			done = next
			continue
		}
		links++
		if filepath.IsAbs(target) {
			done = "/"
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return done
}

// at is the resolved path that a call names.
func (c *call) at(p place) string {
	name, ok := "", true
	if c.args[p.text] != 0 {
		name, ok = textAt(c.tid, c.args[p.text])
	}
	last := p.last == follows || p.last >= 0 && c.args[p.last]&noFollow == 0
	switch {
	case !ok:
		return fmt.Sprintf("(no text at %#x)", c.args[p.text])
	case filepath.IsAbs(name):
		return resolve(name, last, c.tid)
	}
	base := c.base(p.dir)
	if name == "" {
		return base // the descriptor itself
	}
	return resolve(base+"/"+name, last, c.tid)
}

// noFollow is AT_SYMLINK_NOFOLLOW.
const noFollow = 0x100

// base is where the relative paths of a call begin: at the descriptor in an argument,
// or in the working directory.
func (c *call) base(dir int) string {
	const workingDirectory = -100 // AT_FDCWD
	if dir == noArgument || int32(c.args[dir]) == workingDirectory {
		return c.process("cwd")
	}
	return c.descriptor(dir)
}

// descriptor is what the descriptor in an argument is open on.
func (c *call) descriptor(arg int) string {
	return c.process("fd/" + strconv.Itoa(int(int32(c.args[arg]))))
}

// process reads one of the links that the kernel has for a thread.
func (c *call) process(link string) string {
	path := fmt.Sprintf("/proc/%d/%s", c.tid, link)
	target, err := os.Readlink(path)
	if err != nil {
		return "(unknown " + link + ")"
	}
	return target
}
