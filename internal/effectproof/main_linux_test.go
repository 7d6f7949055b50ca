//go:build amd64 || arm64

package effectproof

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"terfyn/internal/cage"
	"terfyn/internal/cage/probe"
)

func TestMain(m *testing.M) {
	probe.Main()
	code := m.Run()
	if err := built.remove(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// built is the program under test.
var built program

// program is terfyn, built once for all tests, where every user can run it.
type program struct {
	once sync.Once
	dir  string
	err  error
}

func (p *program) path(t testing.TB) string {
	t.Helper()
	p.once.Do(func() { p.err = p.build() })
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.file()
}

func (p *program) file() string { return filepath.Join(p.dir, "terfyn") }

func (p *program) build() error {
	var err error
	if p.dir, err = openFolder("effectproof-bin-"); err != nil {
		return err
	}
	if out, err := exec.Command("go", "build", "-o", p.file(), "terfyn/cmd/terfyn").CombinedOutput(); err != nil {
		return fmt.Errorf("build terfyn: %w\n%s", err, out)
	}
	return nil
}

func (p *program) remove() error {
	if p.dir == "" {
		return nil
	}
	return os.RemoveAll(p.dir)
}

// openFolder makes a temporary folder that every user may enter, unlike those of the
// testing package.
func openFolder(prefix string) (string, error) {
	dir, err := os.MkdirTemp("", prefix)
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", fmt.Errorf("open the temporary folder: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", fmt.Errorf("find the temporary folder: %w", err)
	}
	return dir, nil
}

// require ends a test where there is no cage, and fails it where the cage lets
// anything through: then nothing that runs in it proves anything.
func require(t testing.TB) {
	t.Helper()
	cage.Require(t)
	if err := bites(); err != nil {
		t.Fatal(err)
	}
}

// bites shows once per run that the cage is shut: what is forbidden works outside and
// fails inside (case B01).
var bites = sync.OnceValue(func() error {
	dir, err := openFolder("effectproof-bite-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all []error
	for _, b := range forbidden {
		all = append(all, b.check(dir))
	}
	return errors.Join(all...)
})
