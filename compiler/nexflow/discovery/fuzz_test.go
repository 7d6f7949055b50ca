package discovery_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/yamlprofile"
	"terfyn/internal/canon"
)

// fuzzed makes a root out of a text: lines "-- NAME" begin a file, a line "== NAME"
// chooses a file explicitly, and "=> NAME" a Project.
func fuzzed(text string) (tree, discovery.Selection) {
	files, name, s := tree{}, "project.yaml", discovery.Selection{}
	for line := range strings.Lines(text) {
		switch word := strings.TrimSpace(line[min(3, len(line)):]); {
		case strings.HasPrefix(line, "-- "):
			name = word
		case strings.HasPrefix(line, "== "):
			s.Files = append(s.Files, word)
		case strings.HasPrefix(line, "=> "):
			s.Project = word
		default:
			files[name] += line
		}
	}
	return files, s
}

func written(files tree, s discovery.Selection) string {
	var b strings.Builder
	for _, name := range sortedNames(files) {
		fmt.Fprintf(&b, "-- %s\n%s", name, files[name])
	}
	for _, name := range s.Files {
		fmt.Fprintf(&b, "== %s\n", name)
	}
	if s.Project != "" {
		fmt.Fprintf(&b, "=> %s\n", s.Project)
	}
	return b.String()
}

func sortedNames(files tree) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	return sorted(names)
}

// FuzzDiscovery: whatever the files are, discovery gives a set or errors, says only
// what records may say, and gives the same again, also when the files are listed or
// the hints written in another order.
func FuzzDiscovery(f *testing.F) {
	for _, r := range rows() {
		files := team()
		if r.set == "F" {
			files = flows()
		}
		if r.change != nil {
			files = r.change(f, files)
		}
		if text := written(files, r.choose); len(text) < 1<<14 {
			f.Add(text, uint64(len(text)))
		}
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		files, s := fuzzed(text)
		limits := discovery.Limits{Documents: 20}
		set, records := discovery.Discover(files, s, limits)
		if (set == nil) != manifest.HasErrors(records) || set != nil && len(records) > 0 {
			t.Fatalf("set %v with %v", set, records)
		}
		for _, r := range records {
			checkRecord(t, r)
		}
		again, more := discovery.Discover(shuffled(files, seed), s, limits)
		if diff := cmp.Diff(records, more); diff != "" {
			t.Fatalf("another order of hints (-first +second):\n%s", diff)
		}
		if set != nil {
			if diff := cmp.Diff(names(set), names(again)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func checkRecord(t *testing.T, r manifest.Record) {
	t.Helper()
	needsReason := strings.HasSuffix(string(r.Code), "UNSAFE-SOURCE") || strings.HasSuffix(string(r.Code), "LIMIT-EXCEEDED")
	switch {
	case r.Severity != manifest.Error, r.Layer != manifest.DiscoveryLayer, r.Path != "", r.Keyword != "", r.Message == "", r.File == "":
		t.Fatalf("not a record of this layer: %+v", r)
	case needsReason != (r.Details.Reason != ""):
		t.Fatalf("reason: %+v", r)
	}
	if _, known := r.Kind.Info(); r.Kind != "" && !known {
		t.Fatalf("an unsupported kind: %+v", r)
	}
	for _, p := range append(r.Related, manifest.Place{File: r.File}) {
		if p.Path != "" || len(p.File) > 512 || strings.HasPrefix(p.File, "/") || strings.HasPrefix(p.File, "..") || strings.ContainsAny(p.File, "\\\x00\n\u202e") {
			t.Fatalf("a file name that must not come out: %+v", r)
		}
	}
}

// shuffled writes every document that can be read with the members of the document
// and of its hints in another order.
func shuffled(files tree, seed uint64) tree {
	random := rand.New(rand.NewPCG(seed, 1))
	out := tree{}
	for _, name := range sortedNames(files) {
		out[name] = files[name]
		v, refused := yamlprofile.Parse([]byte(files[name]))
		if refused != nil {
			continue
		}
		text := turned(v, random, 2)
		if again, refused := yamlprofile.Parse([]byte(text)); refused == nil && canon.Equal(v, again) {
			out[name] = text
		}
	}
	return out
}

// turned is JSON with the members of objects in random order, so many levels deep.
func turned(v canon.Value, random *rand.Rand, levels int) string {
	if v.Kind() != canon.KindObject || levels == 0 {
		return v.JSON()
	}
	fields := v.Fields()
	var b strings.Builder
	for i, at := range random.Perm(len(fields)) {
		b.WriteString([]string{"{", ","}[min(i, 1)])
		b.Write(canon.String(fields[at].Name).Encode())
		b.WriteByte(':')
		b.WriteString(turned(fields[at].Value, random, levels-1))
	}
	if len(fields) == 0 {
		b.WriteByte('{')
	}
	return b.String() + "}"
}
