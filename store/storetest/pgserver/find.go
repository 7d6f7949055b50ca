package pgserver

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// ErrNoBinaries tells that PostgreSQL is not installed.
var ErrNoBinaries = errors.New("initdb and postgres are neither on PATH nor in /usr/lib/postgresql/*/bin")

// packaged is where Debian and its relatives keep one folder per major version.
const packaged = "/usr/lib/postgresql"

// Find returns the folder with initdb and postgres: the one on PATH, else the
// newest packaged version. ErrNoBinaries when there is none.
func Find() (string, error) { return find(packaged) }

func find(packaged string) (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		// The link on PATH leads to the folder that holds the rest.
		if real, err := filepath.EvalSymlinks(path); err == nil && complete(filepath.Dir(real)) {
			return filepath.Dir(real), nil
		}
	}
	folders, err := filepath.Glob(filepath.Join(packaged, "*", "bin"))
	if err != nil {
		return "", fmt.Errorf("look for PostgreSQL in %s: %w", packaged, err)
	}
	slices.SortFunc(folders, func(a, b string) int { return cmp.Compare(major(b), major(a)) })
	for _, dir := range folders {
		if complete(dir) {
			return dir, nil
		}
	}
	return "", ErrNoBinaries
}

// major reads the version of ".../15/bin"; 0 when it is no number.
func major(bin string) float64 {
	v, err := strconv.ParseFloat(filepath.Base(filepath.Dir(bin)), 64)
	if err != nil {
		return 0
	}
	return v
}

func complete(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}
