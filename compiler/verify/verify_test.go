package verify_test

import (
	"strings"
	"testing"

	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/verify"
	"terfyn/internal/canon"
)

var (
	ref  = func(path ...string) ir.Ref { return ir.Ref{Path: path} }
	one  = ir.Literal{Value: canon.Int(1)}
	let  = func(name string, e ir.Expr) ir.Let { return ir.Let{ID: name, Name: name, Expr: e} }
	hold = func(b bool) ir.Cond { return ir.Test{Expr: ir.Literal{Value: canon.Bool(b)}} }
)

func input(body ...ir.Node) verify.Input {
	return verify.Input{
		Graph: resource.Graph{
			Agents:    []resource.Agent{{Name: "A"}},
			Tools:     []resource.Tool{{Name: "t", Operations: []resource.Operation{{Name: "a"}}}},
			Workflows: []resource.Workflow{{Name: "w"}, {Name: "other"}},
		},
		Programs: []ir.Program{
			{Workflow: "w", Params: []ir.Param{{Name: "in"}}, Body: body},
			{Workflow: "other", Params: []ir.Param{{Name: "p"}}, Envelope: true, Body: []ir.Node{ir.Return{ID: "return", Expr: ref("p")}}},
		},
	}
}

// self is a program that holds itself.
func self() []ir.Node {
	nodes := make([]ir.Node, 1)
	nodes[0] = ir.If{ID: "if", Cond: hold(true), Then: nodes, Else: nodes}
	return nodes
}

func selfValue() ir.Expr {
	fields := make([]ir.Arg, 2)
	o := ir.Object{Fields: fields}
	fields[0], fields[1] = ir.Arg{Name: "a", Expr: o}, ir.Arg{Name: "b", Expr: o}
	return o
}

func selfCond() ir.Cond {
	of := make([]ir.Cond, 2)
	of[0], of[1] = ir.And{Of: of}, ir.Or{Of: of}
	return ir.Not{Of: ir.And{Of: of}}
}

// malformed are programs that syntax alone keeps from the language.
var malformed = []struct {
	name string
	code diag.Code
	want string
	body []ir.Node
}{
	{"no node", diag.BadProgram, "holds no node", []ir.Node{nil}},
	{"pointer", diag.BadProgram, "*ir.Let is no node", []ir.Node{&ir.Let{ID: "x", Name: "x", Expr: one}}},
	{"no value", diag.BadProgram, "a value is missing", []ir.Node{let("x", nil)}},
	{"pointer to a value", diag.BadProgram, "*ir.Literal is no value", []ir.Node{let("x", &one)}},
	{"empty reference", diag.BadProgram, "names nothing", []ir.Node{let("x", ir.Ref{})}},
	{"no condition", diag.BadProgram, "a condition is missing", []ir.Node{ir.If{ID: "if"}}},
	{"empty condition", diag.BadProgram, "joins nothing", []ir.Node{ir.If{ID: "if", Cond: ir.And{}}}},
	{"operator", diag.BadProgram, `"=" compares nothing`, []ir.Node{ir.If{ID: "if", Cond: ir.Compare{Op: "=", Left: hold(true), Right: hold(true)}}}},
	{"operand", diag.BadProgram, "an operand of a condition", []ir.Node{ir.If{ID: "if", Cond: ir.Test{Expr: ir.Object{}}}}},
	{"id twice", diag.BadProgram, `"x" stands for two nodes`, []ir.Node{let("x", one), ir.Let{ID: "x", Name: "y", Expr: one}}},
	{"id with a slash", diag.BadProgram, `"a/b" cannot be the id`, []ir.Node{ir.Let{ID: "a/b", Name: "y", Expr: one}}},
	{"no id", diag.BadProgram, `"" cannot be the id`, []ir.Node{ir.Let{Name: "y", Expr: one}}},
	{"name", diag.BadProgram, `"1x" cannot be bound`, []ir.Node{ir.Let{ID: "x", Name: "1x", Expr: one}}},
	{"number of a temporary", diag.BadProgram, `"x~y" cannot be bound`, []ir.Node{ir.Let{ID: "x", Name: "x~y", Expr: one}}},
	{"gate without a name", diag.BadProgram, `"" cannot be bound`, []ir.Node{ir.Approval{ID: "gate"}}},
	{"loop variable", diag.BadProgram, `"" cannot name the variable`, []ir.Node{ir.For{ID: "for", In: ref("in")}}},
	{"no operation", diag.BadProgram, "names no operation", []ir.Node{ir.Tool{ID: "t", Tool: "t"}}},
	{"argument without a name", diag.BadProgram, "has no name", []ir.Node{ir.Tool{ID: "t", Tool: "t", Operation: "a", Args: []ir.Arg{{Expr: one}}}}},
	{"argument twice", diag.ParameterTwice, `argument "a" is given twice`, []ir.Node{ir.Tool{ID: "t", Tool: "t", Operation: "a", Args: []ir.Arg{{Name: "a", Expr: one}, {Name: "a", Expr: one}}}}},
	{"parameter twice", diag.ParameterTwice, `parameter "p" of workflow "other" is given twice`, []ir.Node{
		ir.Workflow{ID: "c", Workflow: "other", ProjectValue: true, Args: []ir.Arg{{Name: "p", Expr: one}, {Name: "p", Expr: one}}}}},
	{"whole document of two", diag.BadProgram, "exactly one argument, named arg0", []ir.Node{ir.Agent{ID: "A", Agent: "A", WholeDocument: true}}},
	{"whole document by name", diag.BadProgram, "exactly one argument, named arg0", []ir.Node{ir.Agent{ID: "A", Agent: "A", WholeDocument: true, Args: []ir.Arg{{Name: "x", Expr: one}}}}},
	{"call without its flag", diag.BadProgram, "whole-document flag", []ir.Node{ir.Workflow{ID: "c", Workflow: "other", ProjectValue: true, Args: []ir.Arg{{Name: "p", Expr: one}}}}},
	{"call that keeps the wrapping", diag.BadProgram, "take the value out", []ir.Node{ir.Workflow{ID: "c", Workflow: "other", WholeDocument: true, Args: []ir.Arg{{Name: "p", Expr: one}}}}},
	{"envelope", diag.BadProgram, "must wrap its value", []ir.Node{ir.Return{ID: "return", Expr: one}}},
	{"holds itself", diag.NestingTooDeep, "more than 200 levels", self()},
	{"value that holds itself", diag.NestingTooDeep, "more than 200 levels", []ir.Node{let("x", selfValue())}},
	{"condition that holds itself", diag.NestingTooDeep, "more than 200 levels", []ir.Node{ir.While{ID: "while", Cond: selfCond(), Limit: 1}}},
	{"return in a branch", diag.ReturnInParallel, "inside a branch", []ir.Node{ir.Fork{ID: "parallel", Branches: [][]ir.Node{{ir.Return{ID: "return", Expr: ir.Object{}}}}}}},
	{"return in a task", diag.ReturnInParallel, "inside a branch", []ir.Node{ir.Graph{ID: "g", Tasks: []ir.Task{{Name: "a", Body: []ir.Node{ir.Return{ID: "return", Expr: ir.Object{}}}}}}}},
	{"task twice", diag.DuplicateEntry, `duplicate task "a"`, []ir.Node{ir.Graph{ID: "g", Tasks: []ir.Task{{Name: "a"}, {Name: "a"}}}}},
	{"task without a name", diag.BadProgram, `has the name ""`, []ir.Node{ir.Graph{ID: "g", Tasks: []ir.Task{{}}}}},
	{"unknown need", diag.BadProgram, `needs "b", which is no task`, []ir.Node{ir.Graph{ID: "g", Tasks: []ir.Task{{Name: "a", Needs: []string{"b"}}}}}},
	{"tasks in a circle", diag.BadProgram, "wait for each other", []ir.Node{ir.Graph{ID: "g", Tasks: []ir.Task{{Name: "a", Needs: []string{"b"}}, {Name: "b", Needs: []string{"a"}}}}}},
	{"binding of two tasks", diag.DuplicateEntry, `duplicate binding "x"`, []ir.Node{ir.Graph{ID: "g", Tasks: []ir.Task{{Name: "a", Body: []ir.Node{let("x", one)}}, {Name: "b", Body: []ir.Node{let("x", one)}}}}}},
	{"task that was not waited for", diag.UnresolvedReference, `unresolved reference "x"`, []ir.Node{ir.Graph{ID: "g", Tasks: []ir.Task{
		{Name: "a", Body: []ir.Node{let("x", one)}}, {Name: "b", Body: []ir.Node{let("y", ref("x"))}}}}}},
}

func TestMalformedPrograms(t *testing.T) {
	t.Parallel()
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ds := verify.Programs(input(c.body...))
			if len(ds) != 1 || ds[0].Code != c.code || !strings.Contains(ds[0].Message(), c.want) {
				t.Fatalf("got %q, want one %s with %q", ds.Strings(), c.code, c.want)
			}
			if !strings.HasPrefix(ds[0].At.File, "workflow/w") || !ds[0].At.IsZero() {
				t.Errorf("the place is %v", ds[0].At)
			}
		})
	}
}

// TestTasksSeeWhatTheyWaitFor: names flow along needs, also over several, and out of
// the graph.
func TestTasksSeeWhatTheyWaitFor(t *testing.T) {
	t.Parallel()
	ds := verify.Programs(input(
		ir.Graph{ID: "g", Tasks: []ir.Task{
			{Name: "last", Needs: []string{"middle"}, Body: []ir.Node{let("z", ref("x"))}},
			{Name: "middle", Needs: []string{"first"}, Body: []ir.Node{let("y", ref("x"))}},
			{Name: "first", Body: []ir.Node{let("x", ref("in"))}},
		}},
		let("all", ir.Object{Fields: []ir.Arg{{Name: "x", Expr: ref("x")}, {Name: "y", Expr: ref("y")}, {Name: "z", Expr: ref("z")}}}),
	))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
}

// TestProgramsAndWorkflowsPair: one program for each workflow, no more and no less.
func TestProgramsAndWorkflowsPair(t *testing.T) {
	t.Parallel()
	in := input()
	in.Graph.Workflows = append(in.Graph.Workflows, resource.Workflow{Name: "bare"})
	in.Programs = append(in.Programs, in.Programs[0], ir.Program{Workflow: "stray", Params: []ir.Param{{Name: "a b"}}})
	got := verify.Programs(in).String()
	for _, want := range []string{
		"workflow/bare: workflow bare has no program", "workflow/w: workflow w has two programs",
		`workflow/stray: there is a program for workflow "stray"`, `"a b" cannot name a parameter`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestConstantsOfMachinesHaveShapes: a constant object is compared field by field,
// as an object literal is.
func TestConstantsOfMachinesHaveShapes(t *testing.T) {
	t.Parallel()
	in := input(
		ir.Agent{ID: "A", Agent: "A", WholeDocument: true, Args: []ir.Arg{{Name: ir.WholeArg, Expr: ir.Literal{
			Value: canon.Object(canon.F("id", canon.Strings([]string{"a"})), canon.F("more", canon.Null())),
		}}}},
	)
	in.Graph.Agents[0].Input = "schemas/T.json"
	in.Schemas = map[string][]byte{"schemas/T.json": []byte(`{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string"}}}`)}
	ds := verify.Programs(in)
	if len(ds) != 2 || ds[0].Code != diag.UndeclaredField || !strings.Contains(ds[0].Message(), `"id.0"`) || !strings.Contains(ds[1].Message(), `"more"`) {
		t.Fatalf("got %q", ds.Strings())
	}
}
