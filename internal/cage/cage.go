package cage

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Command is one call of a program in the cage.
type Command struct {
	Path string   // of the executable, absolute
	Args []string // without the name of the program
	Dir  string   // working directory; empty = that of the caller
	Env  []string // the whole environment, NAME=VALUE; nil = an empty one
	// Budget lists what may be made, changed and removed: a path is that file alone,
	// one that ends in a slash is that folder with everything below it. Links in it
	// are resolved before the program starts.
	Budget []string
	// NoStdin starts the program with a closed descriptor 0; otherwise it is empty.
	NoStdin bool
	// User runs the program as another user; only root may ask for it.
	User *User
	// ReadOnly lists folders that are read-only mounts for the program; only root
	// may ask for them.
	ReadOnly []string
	// Timeout ends a program that does not end; 0 = one minute.
	Timeout time.Duration
}

// User is whom a program runs as.
type User struct{ UID, GID uint32 }

// Result is what a program did. The lists hold absolute paths with links resolved,
// each once, in the order of the first call; a call that failed counts as well. The
// process's own folder below /proc is called /proc/self.
type Result struct {
	ExitCode       int // -1 when a signal ended the program
	Stdout, Stderr []byte
	Violations     []Violation // what was refused
	Reads          []string    // files and folders it opened to read
	Looks          []string    // paths it asked about (stat, access, readlink) without opening them
	Writes         []string    // paths inside of the budget that it made, changed or removed
}

// Violation is one refused system call.
type Violation struct {
	Call   string // name of the system call
	Target string // path, address or what else tells which one; may be empty
}

// String is the call with its target.
func (v Violation) String() string { return strings.TrimSpace(v.Call + " " + v.Target) }

// ErrUnavailable says that this machine cannot run the cage, and why.
var ErrUnavailable = errors.New("the cage is not available")

// Require ends the test where the cage is not available: it is skipped, and it
// fails where TERFYN_REQUIRE contains "cage".
func Require(t testing.TB) {
	t.Helper()
	err := available()
	switch {
	case err == nil:
	case strings.Contains(os.Getenv("TERFYN_REQUIRE"), "cage"):
		t.Fatalf("%v, and TERFYN_REQUIRE asks for it", err)
	default:
		t.Skipf("skipped: %v", err)
	}
}

// available tries the cage once, on a listing of no tests by the running test.
var available = sync.OnceValue(func() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("%w: find this test's executable: %w", ErrUnavailable, err)
	}
	r, err := Run(Command{Path: self, Args: []string{"-test.list=^$"}})
	if err != nil {
		return err
	}
	if r.ExitCode != 0 {
		return fmt.Errorf("%w: a program in it ended with %d: %s %v", ErrUnavailable, r.ExitCode, r.Stderr, r.Violations)
	}
	return nil
})
