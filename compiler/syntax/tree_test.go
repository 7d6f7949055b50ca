package syntax

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/diag"
)

func first[T Decl](t *testing.T, src string) T {
	t.Helper()
	unit, _ := parse(src)
	for _, d := range unit.Decls {
		if got, ok := d.(T); ok {
			return got
		}
	}
	t.Fatalf("no such declaration in:\n%s", src)
	panic("unreachable")
}

func TestFirstOfTwoIsKept(t *testing.T) {
	t.Parallel()
	a := first[*AgentDecl](t, "agent a { model m/x model m/y input I }")
	if a.Model.String() != "m/x" || a.Input.Name != "I" || !a.Broken() {
		t.Errorf("got %s", a.Model)
	}
	d := first[*ToolDecl](t, `tool t { operations { a { schema "1" } a { schema "2" } b {} } }`)
	if n := len(d.Operations.Items); n != 2 || d.Operations.Items[0].Schema.Value != "1" {
		t.Errorf("%d operations", n)
	}
}

func TestPresence(t *testing.T) {
	t.Parallel()
	if d := first[*ToolDecl](t, "tool t { operations {} }"); d.Operations == nil {
		t.Error("an empty block is present")
	}
	if d := first[*ToolDecl](t, "tool t { }"); d.Operations != nil {
		t.Error("an absent block is absent")
	}
	if w := first[*WorkflowDecl](t, "workflow w() effects {} {}"); w.Effects == nil {
		t.Error("an empty clause is present")
	}
	if w := first[*WorkflowDecl](t, "workflow w() {}"); w.Effects != nil {
		t.Error("an absent clause is absent")
	}
}

func TestOnlyTheBrokenDeclarationIsMarked(t *testing.T) {
	t.Parallel()
	unit, problems := parse("agent a { }\nagent b { description \"x\n}\nagent c { colour 1 }\nagent d { }\n")
	got := []bool{}
	for _, d := range unit.Decls {
		got = append(got, d.Broken())
	}
	if diff := cmp.Diff([]bool{false, true, true, false}, got); diff != "" || len(problems) != 2 {
		t.Errorf("-want +got:\n%s\n%s", diff, problems)
	}
}

func TestFieldSpans(t *testing.T) {
	t.Parallel()
	a := first[*AgentDecl](t, "agent a {\n  model m/x\n  grants { tool.a.b }\n}")
	for word, want := range map[string][2]string{"model": {"2:3", "2:12"}, "grants": {"3:3", "3:22"}} {
		at := a.Body.FieldAt(word)
		if diff := cmp.Diff(want, [2]string{at.Start.String(), at.End.String()}); diff != "" {
			t.Errorf("%s -want +got:\n%s", word, diff)
		}
	}
	if !a.Body.FieldAt("policy").IsZero() {
		t.Error("an absent field has no place")
	}
	if at := a.Span(); at.Start.String() != "1:1" || at.End.String() != "4:2" {
		t.Errorf("the declaration is at %s to %s", at.Start, at.End)
	}
}

func TestCapabilityParts(t *testing.T) {
	t.Parallel()
	a := first[*AgentDecl](t, "agent a { grants { tool.ws.files.read agent.b workflow.c } }")
	type parts struct {
		Kind              CapabilityKind
		Target, Operation string
	}
	got := []parts{}
	for _, c := range a.Grants.Items {
		got = append(got, parts{c.Kind, c.Target().Name, c.Operation()})
	}
	want := []parts{{ToolCapability, "ws", "files.read"}, {AgentCapability, "b", ""}, {WorkflowCapability, "c", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestConditionShapes(t *testing.T) {
	t.Parallel()
	same := func(a, b string) bool {
		first, problemsA := parse(inBody("if " + a + " { }"))
		second, problemsB := parse(inBody("if " + b + " { }"))
		return len(problemsA)+len(problemsB) == 0 && Dump(first) == Dump(second)
	}
	for _, pair := range [][2]string{
		{"a || b && c", "a || (b && c)"},
		{"(a || b) || c", "a || b || c"},
		{"((a && b) && c) && d", "a && b && c && d"},
		{"!a == b", "(!a) == b"},
		{"a < b && c", "(a < b) && c"},
	} {
		if !same(pair[0], pair[1]) {
			t.Errorf("%s and %s must be one tree", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"a || (b || c)", "a || b || c"},
		{"!(a == b)", "!a == b"},
		{"(a || b) && c", "a || b && c"},
	} {
		if same(pair[0], pair[1]) {
			t.Errorf("%s and %s must differ", pair[0], pair[1])
		}
	}
}

func TestErrorsComeSortedAndOncePerPlace(t *testing.T) {
	t.Parallel()
	_, problems := parse("agent a { output 5 model }\nagent b { policy ; grants { x } }\n")
	last := diag.Diagnostic{}
	for i, d := range problems {
		if i > 0 && (d.At.Before(last.At) || d.At.Start == last.At.Start) {
			t.Errorf("out of order or twice at one place:\n%s", problems)
		}
		last = d
	}
	if len(problems) < 4 {
		t.Errorf("one pass reports all slips, got:\n%s", problems)
	}
}

func TestNumberSpelling(t *testing.T) {
	t.Parallel()
	for spelling, integer := range map[string]bool{"0": true, "-12": true, "1.0": false, "1e3": false, "1E3": false} {
		if got := (Number{Spelling: spelling}).IsInteger(); got != integer {
			t.Errorf("%s: got %t", spelling, got)
		}
	}
}

func TestBareReview(t *testing.T) {
	t.Parallel()
	p := first[*PolicyDecl](t, "policy p { hitl { interruptOn { a b {} } } }")
	items := p.HITL.InterruptOn.Items
	if len(items) != 2 || !items[0].Bare() || items[1].Bare() {
		t.Errorf("got %d entries", len(items))
	}
}
