// Package golden compares what a test produced with what is kept beside it, and
// rewrites it when UPDATE_GOLDEN=1 is set. It knows plain files and sections of
// txtar archives; it leaves out how output is produced. Only tests import it.
package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/ordered"
)

// Updating reports whether goldens are being rewritten.
func Updating() bool { return os.Getenv("UPDATE_GOLDEN") == "1" }

// File compares got with the file at path.
func File(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if Updating() {
		if bytes.Equal(want, got) {
			return
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v; run with UPDATE_GOLDEN=1 to write it", err)
	}
	if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
		t.Errorf("%s differs (-want +got), UPDATE_GOLDEN=1 rewrites it:\n%s", path, diff)
	}
}

// Archives runs fn for every .txtar file under dir. fn gets the archive's input
// files, those whose names do not start with "out/", and gives the outputs by
// section name without that prefix; they are compared with the out/ sections, and
// a section that nothing produced is an error.
func Archives(t *testing.T, dir string, fn func(t *testing.T, in map[string][]byte) map[string]string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no .txtar file under %s", dir)
	}
	for _, p := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(p), ".txtar"), func(t *testing.T) {
			t.Parallel()
			one(t, p, fn)
		})
	}
}

func one(t *testing.T, path string, fn func(*testing.T, map[string][]byte) map[string]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := parseArchive(text)
	in := map[string][]byte{}
	kept := archive{comment: whole.comment}
	var order []string
	for _, f := range whole.files {
		if name, out := strings.CutPrefix(f.name, "out/"); out {
			order = append(order, name)
			continue
		}
		in[f.name] = f.data
		kept.files = append(kept.files, f)
	}
	got := fn(t, in)
	for _, name := range order {
		if _, produced := got[name]; !produced && !Updating() {
			t.Errorf("%s: nothing produces the section out/%s", path, name)
		}
	}
	kept.files = append(kept.files, sections(got)...)
	File(t, path, kept.format())
}

// sections puts the outputs in name order.
func sections(got map[string]string) []section {
	var out []section
	for _, name := range ordered.Keys(got) {
		text := got[name]
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		out = append(out, section{name: "out/" + name, data: []byte(text)})
	}
	return out
}

func lines(b []byte) []string { return strings.Split(string(b), "\n") }
