package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// manySlips has errors of parser and checker in every order, some of them twice at
// one place.
const manySlips = `agent A { model nobody/x model other/y colour red grants { desk.read, desk.read } }
agent B { model nobody/x policy nope }
workflow w(a: any, a: any) {
    x = Nobody(q, q)
    while x { y = q }
    retrun x
    return "${q}${q}${z}"
}
policy p { preset strick preset loose approvals { requiredFor { tool.gone.x tool.gone.x } } }
workflow v() { return q }
`

// TestDiagnosticsAreOrdered holds section 16 of language.md: by file, line and column,
// exact duplicates once.
func TestDiagnosticsAreOrdered(t *testing.T) {
	t.Parallel()
	project := map[string]string{"b.agent": manySlips, "a/z.agent": manySlips, "a.agent": "agent C { model nobody/x }\nworkflow u() { return q }"}
	_, ds := compile(t, project)
	if len(ds) < 20 {
		t.Fatalf("only %d diagnostics:\n%s", len(ds), ds)
	}
	seen := map[string]bool{}
	var last source.Span
	for _, d := range ds {
		if d.At.Before(last) {
			t.Errorf("out of order: %s after %s", diag.Plain(d), last)
		}
		last = d.At
		if text := diag.Plain(d); seen[text] {
			t.Errorf("said twice: %s", text)
		} else {
			seen[text] = true
		}
	}
	for range 5 {
		if _, again := compile(t, project); again.String() != ds.String() {
			t.Fatalf("the order differs from run to run:\n%s", again)
		}
	}
}

// TestOneSyntaxErrorForOnePlace: parser and lexer complain at most once about a token.
func TestOneSyntaxErrorForOnePlace(t *testing.T) {
	t.Parallel()
	_, ds := compile(t, map[string]string{"main.agent": manySlips + "agent { { ; \"\n tool t { operations { a { , , } } }\nworkflow (", "other.agent": "}}}} ][ agent"})
	at := map[source.Span]diag.Code{}
	for _, d := range ds {
		if !strings.HasPrefix(string(d.Code), "TF1") {
			continue
		}
		place := d.At
		place.End = source.Pos{}
		if first, twice := at[place]; twice {
			t.Errorf("%s and %s at %s", first, d.Code, d.At)
		}
		at[place] = d.Code
	}
	if len(at) < 8 {
		t.Errorf("only %d places:\n%s", len(at), ds)
	}
}

// TestErrorsAreBounded: what is said about a project stays readable however much is
// wrong, and the last line says that there is more.
func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	broken := map[string]string{}
	for i := range 50 {
		broken[fmt.Sprintf("f%02d.agent", i)] = strings.Repeat("?\n", 1000)
	}
	names := "agent T { model mock/default input In }\nworkflow w(a: any) {\n"
	schema := `{"type":"object"}`
	for name, c := range map[string]struct {
		files map[string]string
		most  int // diagnostics
		left  string
	}{
		"characters": {mainOnly(strings.Repeat("? ", 1_000_000)), 101, "parsing stopped after 100"},
		"files":      {broken, 1001, "4050 more are not shown"},
		"names":      {mainOnly(names + strings.Repeat("    b = c\n", 20_000) + "}"), 1001, "19000 more are not shown"},
		"warnings":   {map[string]string{"main.agent": names + strings.Repeat("    T(k: a)\n", 1_500) + "}", "schemas/In.json": schema}, 1001, "500 more are not shown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, ds := compiler.Compile(files(c.files), compiler.Options{Project: "demo"})
			if len(ds) > c.most {
				t.Errorf("%d diagnostics, at most %d are wanted", len(ds), c.most)
			}
			if end := ds[len(ds)-1]; end.Code != diag.TooManyErrors || !strings.Contains(end.Message(), c.left) {
				t.Errorf("the last one is %s", diag.Plain(end))
			}
		})
	}
}
