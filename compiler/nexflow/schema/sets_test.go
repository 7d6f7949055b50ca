package schema

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/canon"
)

// full is one document of every kind with every field.
func full(t testing.TB) settest.Files {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "full.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return settest.Parse(t, string(b))
}

func set(files settest.Files) *manifest.Set {
	var docs []*manifest.Document
	for _, name := range files.Names() {
		docs = append(docs, document(name, files[name]))
	}
	return manifest.NewSet(docs)
}

func document(name string, v canon.Value) *manifest.Document {
	return &manifest.Document{File: name, Kind: manifest.Kind(v.Str("kind")), Root: v}
}

// check is the records of a set in the order of the report.
func check(t testing.TB, files settest.Files) []manifest.Record {
	t.Helper()
	records, err := Check(set(files))
	if err != nil {
		t.Fatal(err)
	}
	manifest.Sort(records)
	return records
}

// brief writes a record as "CODE file path keyword", without what is the same in
// all codes and files.
func brief(r manifest.Record) string {
	return strings.TrimPrefix(string(r.Code), "NF-SCHEMA-") + " " + strings.TrimSuffix(r.File, ".yaml") + " " + r.Path + " " + r.Keyword
}

func briefs(records []manifest.Record) []string {
	var out []string
	for _, r := range records {
		out = append(out, brief(r))
	}
	return out
}

// long is an id of n letters.
func long(n int) string { return strings.Repeat("a", n) }
