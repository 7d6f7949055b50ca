// Package sharedtest finds the specification and its data for tests: the folder
// shared beside the module. It leaves out what is read there.
package sharedtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Path is a file or folder below shared. Where it is absent the test is skipped, and
// it fails where TERFYN_REQUIRE contains "shared".
func Path(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{module(t), "..", "shared"}, parts...)...)
	switch _, err := os.Stat(path); {
	case err == nil:
	case strings.Contains(os.Getenv("TERFYN_REQUIRE"), "shared"):
		t.Fatalf("the specification's own data is absent, and TERFYN_REQUIRE asks for it: %v", err)
	default:
		t.Skipf("the specification's own data is absent: %v", err)
	}
	return path
}

// module is the folder of the module that the running test belongs to.
func module(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err = os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if above := filepath.Dir(dir); above != dir && errors.Is(err, fs.ErrNotExist) {
			dir, err = above, nil
		}
	}
	t.Fatalf("find the module of the test: %v", err)
	return ""
}
