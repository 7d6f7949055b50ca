package lower_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/lower"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/internal/golden"
	"terfyn/internal/ordered"
)

// project parses and checks files; a complaint fails the test.
func project(t *testing.T, files map[string][]byte) *check.Project {
	t.Helper()
	fsys := fstest.MapFS{}
	var units []*syntax.Unit
	var all diag.List
	for _, name := range ordered.Keys(files) {
		fsys[name] = &fstest.MapFile{Data: files[name]}
		if strings.HasSuffix(name, ".agent") {
			u, ds := syntax.Parse(source.NewFile(name, files[name]), syntax.ParseLimits{})
			units = append(units, u)
			all.Add(ds...)
		}
	}
	p, ds := check.Check(check.Input{Units: units, Files: fsys})
	if all.Add(ds...); all.HasErrors() {
		t.Fatalf("the project does not check:\n%s", all)
	}
	return p
}

func TestGolden(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata", func(t *testing.T, in map[string][]byte) map[string]string {
		p := project(t, in)
		r := lower.Lower("demo", p)
		if _, err := ir.DecodeSet(ir.EncodeSet(r.Programs)); err != nil {
			t.Errorf("the programs do not read back: %v", err)
		}
		var programs strings.Builder
		for i, program := range r.Programs {
			programs.WriteString(program.Dump())
			writeProjection(&programs, r.Graph.Workflows[i])
		}
		return map[string]string{"programs": programs.String()}
	})
}

func writeProjection(b *strings.Builder, w resource.Workflow) {
	for _, s := range w.Steps {
		fmt.Fprintf(b, "  step %s %s %s needs %q synthetic=%v whole=%v\n", s.ID, s.Kind, s.Uses, s.Needs, s.Synthetic, s.WholeDocument)
	}
	for _, c := range w.Calls {
		fmt.Fprintf(b, "  call %s %s at %s\n", c.Kind, c.Name, c.Site)
	}
	b.WriteByte('\n')
}

// TestPositionsCoverEveryNode also shows that call sites are unique.
func TestPositionsCoverEveryNode(t *testing.T) {
	t.Parallel()
	p := project(t, map[string][]byte{"a.agent": []byte(`
agent A { model mock/m }
tool t { type native }
workflow w(x: any) {
    if x { t.op(a: A(x)) t.op() } else if x.y { return A(x) }
    while x limit 2 { y = A(A(x)) }
    approval g { with { a: A(x) } }
    parallel { l = A(A(x)) r = t.op(a: A(x)) m = 1 }
    parallel for i in A(x) { A(i) }
    for i in x { retry until v limit 3 { v = A(i) } }
}`)})
	r := lower.Lower("demo", p)
	want := strings.Fields(`for for/A for_arg0 for~2 for~2/retry for~2/retry/v g g_arg0 if if/else/if if/else/if/then/_t0
		if/else/if/then/return if/then/op if/then/op_arg0 if/then/op~2 parallel parallel/0/l parallel/0/l_arg0 parallel/1/r
		parallel/1/r_arg0 parallel/2/m while while/y while/y_arg0`)
	if got := ordered.Keys(r.Positions["w"]); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("sites\n%q, want\n%q", got, want)
	}
	for site, at := range r.Positions["w"] {
		if at.File != "a.agent" || at.IsZero() {
			t.Errorf("%s has no place: %v", site, at)
		}
	}
}
