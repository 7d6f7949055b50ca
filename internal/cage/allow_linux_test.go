//go:build amd64 || arm64

package cage_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terfyn/internal/cage"
	"terfyn/internal/cage/probe"
)

// TestBudget runs probes that may write some paths and not others.
func TestBudget(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	for _, c := range []struct {
		name, probe, budget string
		wrote               string // empty = refused
	}{
		{"a named file", "create /new", "/new", "/new"},
		{"a file beside it", "create /newer", "/new", ""},
		{"a file below a named file", "create /file/new", "/file", ""},
		{"all in a folder", "create /new", "/", "/new"},
		{"a folder whose name goes on", "create /files", "/file/", ""},
		{"through a link to a file of the budget", "write /link", "/file", "/file"},
		{"through a link out of the budget", "write /link", "/link/", "/file"},
		{"a link itself", "remove /link", "/file", ""},
		{"out of the folder and back", "create /x/../new", "/new", "/new"},
		{"out of the budget by dots", "create /file/../new", "/file/", ""},
		{"both ends of a rename", "rename /file /new", "/file /new", "/file /new"},
		{"one end of a rename", "rename /file /new", "/file", ""},
		{"relative to a folder's descriptor", "below / new", "/new", "/new"},
		{"a lock", "lock /file", "/file", "/file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t)
			if err := os.Mkdir(filepath.Join(dir, "x"), 0o755); err != nil {
				t.Fatal(err)
			}
			r := inside(t, cage.Command{Budget: in(dir, strings.Fields(c.budget))}, in(dir, strings.Fields(c.probe))...)
			if c.wrote == "" {
				if r.ExitCode != probe.Refused || len(r.Violations) == 0 {
					t.Errorf("the probe ended with %d (%s), violations %v", r.ExitCode, r.Stderr, r.Violations)
				}
				return
			}
			if r.ExitCode != probe.Done || len(r.Violations) > 0 {
				t.Errorf("the probe ended with %d (%s), violations %v", r.ExitCode, r.Stderr, r.Violations)
			}
			if want := in(dir, strings.Fields(c.wrote)); !slices.Equal(r.Writes, want) {
				t.Errorf("wrote %v, want %v", r.Writes, want)
			}
		})
	}
}

// TestBudgetIsAbsolute refuses a budget that depends on a working directory.
func TestBudgetIsAbsolute(t *testing.T) {
	t.Parallel()
	if _, err := cage.Run(cage.Command{Path: self(t), Budget: []string{"here"}}); err == nil {
		t.Error("a relative path is in a budget")
	}
}

// TestReadsAreRecorded tells what was opened to read from what was only asked about.
func TestReadsAreRecorded(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	dir := folder(t)
	r := inside(t, cage.Command{Dir: dir, Budget: []string{dir + "/file"}}, "lock", "link")
	if r.ExitCode != probe.Done || !slices.Contains(r.Reads, dir+"/file") || slices.Contains(r.Reads, dir+"/link") {
		t.Errorf("reading a file through a relative path and a link ended with %d (%s), and it read %v", r.ExitCode, r.Stderr, r.Reads)
	}
	r = inside(t, cage.Command{Dir: dir}, "look", "link")
	if r.ExitCode != probe.Done || !slices.Contains(r.Looks, dir+"/file") || slices.Contains(r.Reads, dir+"/file") {
		t.Errorf("asking about a file ended with %d (%s), it read %v and asked about %v", r.ExitCode, r.Stderr, r.Reads, r.Looks)
	}
}
