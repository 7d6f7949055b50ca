package scaffold_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler/format"
	"terfyn/compiler/scaffold"
	"terfyn/compiler/source"
)

const existing = "// the first\nagent a { model mock/default }"

func TestEveryKindCompilesAndIsCanonical(t *testing.T) {
	t.Parallel()
	for _, kind := range scaffold.Kinds {
		fsys := fstest.MapFS{"main.agent": {Data: []byte(existing)}}
		for _, file := range []string{"main.agent", "more/new.agent"} {
			change, _, ds, err := scaffold.Add(fsys, "demo", kind, "fresh-1", file)
			if err != nil || len(ds) > 0 {
				t.Fatalf("%s in %s: %v\n%s", kind, file, err, ds)
			}
			if change.Created != (file != "main.agent") {
				t.Errorf("%s in %s: created = %v", kind, file, change.Created)
			}
			if !change.Created && !strings.HasPrefix(string(change.Content), existing+"\n\n"+kind+" fresh-1") {
				t.Errorf("%s changed what was there:\n%s", kind, change.Content)
			}
			out, problems := format.Source(source.NewFile("x.agent", []byte(change.Text)))
			if problems.HasErrors() || string(out) != change.Text {
				t.Errorf("%s is not canonical:\n%s", kind, change.Text)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"main.agent": {Data: []byte(existing)}}
	for _, c := range [][3]string{
		{"planet", "x", "main.agent"}, {"agent", "agent", "main.agent"}, {"agent", "1x", "main.agent"}, {"agent", "a.b", "main.agent"},
		{"agent", "", "main.agent"}, {"agent", "x { } agent y", "main.agent"}, {"agent", "x", "../main.agent"}, {"agent", "x", "/main.agent"},
		{"agent", "x", "main.txt"}, {"agent", "x", ".git/main.agent"},
	} {
		if _, _, _, err := scaffold.Add(fsys, "demo", c[0], c[1], c[2]); !errors.Is(err, scaffold.ErrUsage) {
			t.Errorf("%q: %v, want ErrUsage", c, err)
		}
	}
}

func TestExistingNamesAndBrokenFiles(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"main.agent": {Data: []byte(existing)}, "broken.agent": {Data: []byte("agent {")}}
	whole := fstest.MapFS{"main.agent": fsys["main.agent"]}
	for _, kind := range []string{"agent", "workflow"} { // they share their names
		if _, _, ds, err := scaffold.Add(whole, "demo", kind, "a", "other.agent"); err != nil || !ds.HasErrors() {
			t.Errorf("%s a: %v %s", kind, err, ds)
		}
	}
	for _, file := range []string{"main.agent", "broken.agent"} {
		_, sources, ds, err := scaffold.Add(fsys, "demo", "policy", "p", file)
		if err != nil || !ds.HasErrors() || sources["broken.agent"] == nil {
			t.Errorf("in %s: %v %s", file, err, ds)
		}
	}
}
