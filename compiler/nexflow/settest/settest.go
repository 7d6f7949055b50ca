// Package settest makes manifest sets for tests: from texts, from the sample sets,
// and from either with single values changed. It reads files and fails tests, and
// only tests may use it. It checks nothing: sets with mistakes are what tests need.
package settest

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/yamlprofile"
	"terfyn/internal/canon"
	"terfyn/internal/sharedtest"
)

// Files is the documents of a set by file name. Edits give a new one.
type Files map[string]canon.Value

// Parse reads documents that are separated by lines "-- FILE".
func Parse(t testing.TB, text string) Files {
	t.Helper()
	out := Files{}
	for _, part := range strings.Split("\n"+text, "\n-- ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		out[strings.TrimSpace(name)] = value(t, name, []byte(body))
	}
	return out
}

// Sample reads every document of a folder below the sample sets of NexFlow. The
// test is skipped where they are not beside the project.
func Sample(t testing.TB, folder string) Files {
	t.Helper()
	return Folder(t, sharedtest.Path(t, "data", "nexflow", filepath.FromSlash(folder)))
}

// Folder reads every document of a folder.
func Folder(t testing.TB, dir string) Files {
	t.Helper()
	out := Files{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || entry.IsDir() || ext != ".yaml" && ext != ".yml" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(name)] = value(t, path, b)
		return nil
	})
	if err != nil {
		t.Fatalf("read the documents of %s: %v", dir, err)
	}
	return out
}

func value(t testing.TB, name string, b []byte) canon.Value {
	t.Helper()
	v, refused := yamlprofile.Parse(b)
	if refused != nil {
		t.Fatalf("%s, line %d: %s", name, refused.Line, refused.Reason)
	}
	return v
}

// Index is the index of the set.
func (f Files) Index() *refs.Index {
	var docs []*manifest.Document
	for _, name := range f.Names() {
		docs = append(docs, &manifest.Document{File: name, Kind: manifest.Kind(f[name].Str("kind")), Root: f[name]})
	}
	return refs.NewIndex(manifest.NewSet(docs))
}

// Names is the files in order.
func (f Files) Names() []string {
	var out []string
	for name := range f {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Without is the set without a file.
func (f Files) Without(name string) Files {
	out := f.clone()
	delete(out, name)
	return out
}

// Put sets the value at a pointer, given as JSON; a pointer that ends in /- appends
// to the list, which is made where it is missing.
func (f Files) Put(t testing.TB, name, pointer, json string) Files {
	t.Helper()
	v, err := canon.Parse([]byte(json))
	if err != nil {
		t.Fatalf("value for %s%s: %v", name, pointer, err)
	}
	return f.PutValue(t, name, pointer, v)
}

// PutValue is Put with a value.
func (f Files) PutValue(t testing.TB, name, pointer string, v canon.Value) Files {
	t.Helper()
	return f.change(t, name, pointer, func(canon.Value, bool) (canon.Value, bool) { return v, true })
}

// Drop removes the value at a pointer, which must be there.
func (f Files) Drop(t testing.TB, name, pointer string) Files {
	t.Helper()
	return f.change(t, name, pointer, func(_ canon.Value, exists bool) (canon.Value, bool) {
		if !exists {
			t.Fatalf("%s%s is not there", name, pointer)
		}
		return canon.Null(), false
	})
}

// At is the value at a pointer and whether there is one.
func (f Files) At(name, pointer string) (canon.Value, bool) {
	v, ok := f[name]
	for _, segment := range segments(pointer) {
		if !ok {
			break
		}
		if v.Kind() == canon.KindList {
			i, err := strconv.Atoi(segment)
			if ok = err == nil && i < len(v.Items()); ok {
				v = v.Items()[i]
			}
			continue
		}
		v, ok = v.Get(segment)
	}
	return v, ok
}

func (f Files) clone() Files {
	out := make(Files, len(f))
	for name, v := range f {
		out[name] = v
	}
	return out
}

type edit func(old canon.Value, exists bool) (v canon.Value, keep bool)

func (f Files) change(t testing.TB, name, pointer string, e edit) Files {
	t.Helper()
	root, ok := f[name]
	if !ok {
		t.Fatalf("the set has no file %s", name)
	}
	out := f.clone()
	out[name] = within(root, segments(pointer), e)
	return out
}

func segments(pointer string) []string {
	if pointer == "" {
		return nil
	}
	return strings.Split(pointer[1:], "/")
}

// within applies an edit below v. Members that are missing on the way are made.
func within(v canon.Value, path []string, e edit) canon.Value {
	if len(path) == 0 {
		out, _ := e(v, true)
		return out
	}
	if _, err := strconv.Atoi(path[0]); err == nil || path[0] == "-" {
		return withinList(v.Items(), path, e)
	}
	old, exists := v.Get(path[0])
	if len(path) > 1 {
		return v.With(path[0], within(old, path[1:], e))
	}
	changed, keep := e(old, exists)
	if !keep {
		return v.Without(path[0])
	}
	return v.With(path[0], changed)
}

func withinList(items []canon.Value, path []string, e edit) canon.Value {
	items = slices.Clone(items)
	i, err := strconv.Atoi(path[0])
	if err != nil || i == len(items) {
		return canon.List(append(items, within(canon.Null(), path[1:], e))...)
	}
	if len(path) > 1 {
		items[i] = within(items[i], path[1:], e)
		return canon.List(items...)
	}
	changed, keep := e(items[i], true)
	if !keep {
		return canon.List(slices.Delete(items, i, i+1)...)
	}
	items[i] = changed
	return canon.List(items...)
}
