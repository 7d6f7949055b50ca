package yamlprofile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terfyn/internal/canon"
)

// FuzzYAMLProfile: no text makes the parser fail, or take long, and what it
// accepts means the same when it is written as JSON and read again.
func FuzzYAMLProfile(f *testing.F) {
	seeds, err := filepath.Glob("../../../../shared/data/nexflow/examples/*/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range seeds { // none when the shared data is absent; the texts below remain
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range []string{
		"specVersion: \"0.1\"\nkind: Project\nmetadata:\n  project: a-team\n", "a: &x [1, ~]\nb: *x", "a: ! 12\nb: &c ! d", "? |\n  a\n: >-\n  b", "%TAG !e! tag:yaml.org,2002:\n---\na: !e!int 0x1f",
		"a: [1e3, .5, 0o17, -0, 5., 1e999]", "a: \"\\u2028\\x7f\\U0001f600\"", "a: 1\n---\nb: 2", "<<: &a {b: *a}", "{a: [b: c, {d}], \"e\":f}", "a: 1 # x\n# y\n\nb:\n  - # z\n", "\ufeffa: 010",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > mebibyte {
			return
		}
		start := time.Now()
		v, r := Parse(b)
		if took := time.Since(start); took > 20*time.Second {
			t.Fatalf("took %v", took)
		}
		if r != nil {
			if r.Reason == "" || r.Line < 0 || r.Line > len(lineStarts(b)) {
				t.Fatalf("a refusal without a reason or beyond the text: %+v", r)
			}
			return
		}
		if v.Kind() != canon.KindObject {
			t.Fatalf("accepted a %s", v.Kind())
		}
		var json strings.Builder
		writeJSON(&json, v)
		again, r := Parse([]byte(json.String()))
		if r != nil {
			t.Fatalf("%q is refused: %v", json.String(), r)
		}
		if !canon.Equal(v, again) {
			t.Fatalf("%s became %s", v.JSON(), again.JSON())
		}
	})
}

// writeJSON writes v as a JSON text that is YAML as well: names longer than YAML
// finds without a question mark get one, and characters that YAML does not print
// are escaped.
func writeJSON(w *strings.Builder, v canon.Value) {
	switch v.Kind() {
	case canon.KindString:
		s, _ := v.AsString()
		writeString(w, s)
	case canon.KindList:
		w.WriteByte('[')
		for i, item := range v.Items() {
			if i > 0 {
				w.WriteByte(',')
			}
			writeJSON(w, item)
		}
		w.WriteByte(']')
	case canon.KindObject:
		w.WriteByte('{')
		for i, f := range v.Fields() {
			if i > 0 {
				w.WriteByte(',')
			}
			if len(f.Name) > 150 {
				w.WriteString("? ")
			}
			writeString(w, f.Name)
			w.WriteByte(':')
			writeJSON(w, f.Value)
		}
		w.WriteByte('}')
	default:
		w.WriteString(v.JSON())
	}
}

func writeString(w *strings.Builder, s string) {
	w.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.WriteByte('\\')
			w.WriteRune(r)
		case r < 0x20 || r >= 0x7f && r < 0x10000:
			fmt.Fprintf(w, "\\u%04x", r)
		default:
			w.WriteRune(r)
		}
	}
	w.WriteByte('"')
}
