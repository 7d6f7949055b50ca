package compiler_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/build"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// brokenBase stands before every broken body, brokenProject is the same as values.
const brokenBase = `
agent Free { model mock/default }
agent Typed { model mock/default input Ticket output Digest }
tool desk { type mock operations { read { effects { desk.read } } write { effects { desk.write } } } }
workflow pair(left: any, right: Ticket) -> Digest { return Typed(right) }
workflow boxed(only: any) { return { value: only } }
workflow w(input: any, ticket: Ticket) -> Digest `

var brokenSchemas = map[string]string{
	"Ticket": `{"type":"object","additionalProperties":false,"properties":{"id":{"type":"string"},"count":{"type":"integer"},"tags":{"type":"array","items":{"type":"integer"}}}}`,
	"Digest": `{"type":"object","additionalProperties":false,"properties":{"headline":{"type":"string"}}}`,
}

func brokenProject(body func(b *build.Block)) *build.Project {
	p := build.New("demo")
	ticket, digest := p.Schema("Ticket", brokenSchemas["Ticket"]), p.Schema("Digest", brokenSchemas["Digest"])
	p.Agent(
		resource.Agent{Name: "Free", Model: "mock/default"},
		resource.Agent{Name: "Typed", Model: "mock/default", Input: ticket, Output: digest},
	)
	p.Tool(resource.Tool{Name: "desk", Type: "mock", Operations: []resource.Operation{
		{Name: "read", Effects: []string{"desk.read"}}, {Name: "write", Effects: []string{"desk.write"}},
	}})
	p.Workflow(resource.Workflow{Name: "pair", Result: digest}, []ir.Param{build.Param("left", ""), build.Param("right", ticket)},
		func(b *build.Block) { b.Return(b.Agent("_t0", "Typed", build.Ref("right"))) })
	p.Workflow(resource.Workflow{Name: "boxed"}, []ir.Param{build.Param("only", "")},
		func(b *build.Block) { b.Return(build.Object(build.Arg("value", build.Ref("only")))) })
	p.Workflow(resource.Workflow{Name: "w", Result: digest}, []ir.Param{build.Param("input", ""), build.Param("ticket", ticket)}, body)
	return p
}

// The values most cases need.
var (
	input = build.Ref("input")
	item  = build.Ref("item")
	x     = build.Ref("x")
	one   = build.Int(1)
	yes   = build.Is(build.Ref("input", "ok"))
)

func object(name string, value ir.Expr) ir.Object { return build.Object(build.Arg(name, value)) }

type block = build.Block

var brokenBodies = []struct {
	name, source string
	code         diag.Code // of at least one complaint; "" = there is none
	body         func(b *block)
}{
	{"right", `x = Typed(ticket) return x`, "", func(b *block) { b.Return(b.Agent("x", "Typed", build.Ref("ticket"))) }},
	{"near name", `return inptu`, diag.UnresolvedReference, func(b *block) { b.Return(build.Ref("inptu")) }},
	{"own right side", `x = x`, diag.UnresolvedReference, func(b *block) { b.Let("x", x) }},
	{"one arm", `if input.ok { x = 1 } return x`, diag.UnresolvedReference, func(b *block) {
		b.If(yes, func(b *block) { b.Let("x", one) }, nil)
		b.Return(x)
	}},
	{"both arms", `if input.ok { x = 1 } else { x = Free(input) } desk.read(a: x)`, "", func(b *block) {
		b.If(yes, func(b *block) { b.Let("x", one) }, func(b *block) { b.Agent("x", "Free", input) })
		b.Tool("", "desk", "read", build.Arg("a", x))
	}},
	{"returning arm", `if input.ok { return Typed(ticket) } else { x = 1 } desk.read(a: x)`, "", func(b *block) {
		b.If(yes, func(b *block) { b.Return(b.Agent("_t0", "Typed", build.Ref("ticket"))) }, func(b *block) { b.Let("x", one) })
		b.Tool("", "desk", "read", build.Arg("a", x))
	}},
	{"loop variable gone", `for item in input.all { y = item } return item`, diag.UnresolvedReference, func(b *block) {
		b.For("item", build.Ref("input", "all"), func(b *block, e ir.Ref) { b.Let("y", e) })
		b.Return(item)
	}},
	{"round gone", `while input.ok limit 2 { x = 1 } return x`, diag.UnresolvedReference, func(b *block) {
		b.While(yes, 2, func(b *block) { b.Let("x", one) })
		b.Return(x)
	}},
	{"condition of while", `while x limit 2 { x = 1 }`, diag.UnresolvedReference, func(b *block) {
		b.While(build.Is(x), 2, func(b *block) { b.Let("x", one) })
	}},
	{"condition of retry", `retry until x.ok limit 2 { x = Free(input) } desk.read(a: x)`, "", func(b *block) {
		b.Retry(build.Is(build.Field(x, "ok")), 2, func(b *block) { b.Agent("x", "Free", input) })
		b.Tool("", "desk", "read", build.Arg("a", x))
	}},
	{"sibling branch", `parallel { x = Free(input) y = Free(x) }`, diag.UnresolvedReference, func(b *block) {
		b.Parallel(func(b *block) { b.Agent("x", "Free", input) }, func(b *block) { b.Agent("y", "Free", x) })
	}},
	{"after the branches", `parallel { x = Free(input) y = Free(input) } desk.read(a: x, b: y)`, "", func(b *block) {
		b.Parallel(func(b *block) { b.Agent("x", "Free", input) }, func(b *block) { b.Agent("y", "Free", input) })
		b.Tool("", "desk", "read", build.Arg("a", x), build.Arg("b", build.Ref("y")))
	}},
	{"element of parallel for", `parallel for item in input.all { x = Free(item) } return x`, diag.UnresolvedReference, func(b *block) {
		b.ParallelFor("item", build.Ref("input", "all"), func(b *block, e ir.Ref) { b.Agent("x", "Free", e) })
		b.Return(x)
	}},
	{"gate", `approval x { with { a: input.b } } desk.write(a: x.a, b: y)`, diag.UnresolvedReference, func(b *block) {
		b.Approval("x", build.Gate{With: []ir.Arg{build.Arg("a", build.Ref("input", "b"))}})
		b.Tool("", "desk", "write", build.Arg("a", build.Field(x, "a")), build.Arg("b", build.Ref("y")))
	}},
	{"parameter", `input = 1`, diag.ImmutableParameter, func(b *block) { b.Let("input", one) }},
	{"parameter in a branch", `parallel { input = Free(input) }`, diag.ImmutableParameter, func(b *block) {
		b.Parallel(func(b *block) { b.Agent("input", "Free", input) })
	}},
	{"return in parallel for", `parallel for item in input.all { return Typed(ticket) }`, diag.ReturnInParallel, func(b *block) {
		b.ParallelFor("item", build.Ref("input", "all"), func(b *block, _ ir.Ref) { b.Return(b.Agent("_t0", "Typed", build.Ref("ticket"))) })
	}},
	{"limit of none", `while input.ok limit 0 { x = 1 }`, diag.NotACount, func(b *block) {
		b.While(yes, 0, func(b *block) { b.Let("x", one) })
	}},
	{"retry of none", `retry until input.ok limit 0 { x = 1 }`, diag.NotACount, func(b *block) {
		b.Retry(yes, 0, func(b *block) { b.Let("x", one) })
	}},
	{"limit beyond", `retry until input.ok limit 2147483648 { x = 1 }`, diag.NumberOutOfRange, func(b *block) {
		b.Retry(yes, 2147483648, func(b *block) { b.Let("x", one) })
	}},
	{"unknown callee", `x = Fre(input)`, diag.UnknownCallee, func(b *block) { b.Agent("x", "Fre", input) }},
	{"unknown tool", `dsk.read(a: 1)`, diag.UnknownTool, func(b *block) { b.Tool("", "dsk", "read", build.Arg("a", one)) }},
	{"unknown operation", `desk.raed(a: 1)`, diag.UnknownOperation, func(b *block) { b.Tool("", "desk", "raed", build.Arg("a", one)) }},
	{"no argument", `x = Typed()`, diag.EmptyAgentCall, func(b *block) { b.AgentWith("x", "Typed") }},
	{"named arguments", `x = Typed(id: "a", colour: "red")`, diag.UndeclaredWiring, func(b *block) {
		b.AgentWith("x", "Typed", build.Arg("id", build.Text("a")), build.Arg("colour", build.Text("red")))
	}},
	{"named arguments in a loop", `while input.ok limit 2 { x = Typed(colour: "red") }`, diag.UnverifiedCall, func(b *block) {
		b.While(yes, 2, func(b *block) { b.AgentWith("x", "Typed", build.Arg("colour", build.Text("red"))) })
	}},
	{"named whole argument", `x = Typed(arg0: ticket)`, diag.UndeclaredWiring, func(b *block) {
		b.AgentWith("x", "Typed", build.Arg("arg0", build.Ref("ticket")))
	}},
	{"undeclared field", `x = Typed({id: "a", colour: "red"})`, diag.UndeclaredField, func(b *block) {
		b.Agent("x", "Typed", build.Object(build.Arg("id", build.Text("a")), build.Arg("colour", build.Text("red"))))
	}},
	{"type of a field", `x = Typed({id: "${ticket.count}", count: "n${ticket.count}"})`, diag.TypeMismatch, func(b *block) {
		count := build.Token(build.Ref("ticket", "count"))
		b.Agent("x", "Typed", build.Object(build.Arg("id", build.Template(count)), build.Arg("count", build.Template(build.Words("n"), count))))
	}},
	{"type of an element", `for item in ticket.tags { x = Typed({id: item}) }`, diag.TypeMismatch, func(b *block) {
		b.For("item", build.Ref("ticket", "tags"), func(b *block, e ir.Ref) { b.Agent("x", "Typed", object("id", e)) })
	}},
	{"type of a result", `x = Typed({count: pair(1, ticket)})`, diag.TypeMismatch, func(b *block) {
		b.Call("x_arg0", "pair", build.Arg("left", one), build.Arg("right", build.Ref("ticket")))
		b.Agent("x", "Typed", object("count", build.Ref("x_arg0")))
	}},
	{"unknown parameter", `x = pair(left: 1, rihgt: ticket)`, diag.UnknownParameter, func(b *block) {
		b.Call("x", "pair", build.Arg("left", one), build.Arg("rihgt", build.Ref("ticket")))
	}},
	{"missing parameter", `x = pair(left: 1)`, diag.MissingArgument, func(b *block) { b.Call("x", "pair", build.Arg("left", one)) }},
	{"type of a parameter", `x = pair(left: 1, right: ticket.id)`, diag.TypeMismatch, func(b *block) {
		b.Call("x", "pair", build.Arg("left", one), build.Arg("right", build.Ref("ticket", "id")))
	}},
	{"value of an object callee", `x = boxed(input) desk.read(a: x.value)`, "", func(b *block) {
		b.Call("x", "boxed", build.Arg("only", input))
		b.Tool("", "desk", "read", build.Arg("a", build.Field(x, "value")))
	}},
	{"recursion", `x = w(input, ticket)`, diag.WorkflowRecursion, func(b *block) {
		b.Call("x", "w", build.Arg("input", input), build.Arg("ticket", build.Ref("ticket")))
	}},
	{"token", `desk.read(a: "x ${inptu.b}")`, diag.UnresolvedReference, func(b *block) {
		b.Tool("", "desk", "read", build.Arg("a", build.Template(build.Words("x "), build.Token(build.Ref("inptu", "b")))))
	}},
	{"empty token", `desk.read(a: "${}")`, diag.UnresolvedReference, func(b *block) {
		b.Tool("", "desk", "read", build.Arg("a", build.Template(build.Token(build.Ref("")))))
	}},
	{"malformed token", `desk.read(a: "${input.b c}")`, diag.UnresolvedReference, func(b *block) {
		b.Tool("", "desk", "read", build.Arg("a", build.Template(build.Token(build.Ref("input", "b c")))))
	}},
	{"member", `x = Typed(ticket) desk.read(a: x.title, b: "${x.title}")`, diag.UndeclaredField, func(b *block) {
		b.Agent("x", "Typed", build.Ref("ticket"))
		title := build.Field(x, "title")
		b.Tool("", "desk", "read", build.Arg("a", title), build.Arg("b", build.Template(build.Token(title))))
	}},
	{"carried by a loop", `x = Typed(ticket) while x.title limit 2 { x = Free(x) } desk.read(a: x.title)`, diag.UndeclaredField, func(b *block) {
		b.Agent("x", "Typed", build.Ref("ticket"))
		b.While(build.Is(build.Field(x, "title")), 2, func(b *block) { b.Agent("x", "Free", x) })
		b.Tool("", "desk", "read", build.Arg("a", build.Field(x, "title")))
	}},
	{"result", `return { headline: ticket.count, body: "b" }`, diag.TypeMismatch, func(b *block) {
		b.Return(build.Object(build.Arg("headline", build.Ref("ticket", "count")), build.Arg("body", build.Text("b"))))
	}},
	{"branch twice", `parallel { x = Free(input) x = Free(input) }`, diag.DuplicateEntry, func(b *block) {
		b.Parallel(func(b *block) { b.Agent("x", "Free", input) }, func(b *block) { b.Agent("x", "Free", input) })
	}},
	{"key twice", `x = Free({a: 1, a: 2})`, diag.DuplicateEntry, func(b *block) {
		b.Agent("x", "Free", build.Object(build.Arg("a", one), build.Arg("a", build.Int(2))))
	}},
	{"object as collection", `for item in { a: 1 } { x = item }`, diag.ObjectAsCollection, func(b *block) {
		b.For("item", object("a", one), func(b *block, e ir.Ref) { b.Let("x", e) })
	}},
	{"conditions", `if input.ok && (a || !b) == c.d { x = 1 }`, diag.UnresolvedReference, func(b *block) {
		either := build.Any(build.Is(build.Ref("a")), build.Not(build.Is(build.Ref("b"))))
		b.If(build.All(yes, ir.Compare{Op: ir.Eq, Left: either, Right: build.Is(build.Ref("c", "d"))}), func(b *block) { b.Let("x", one) }, nil)
	}},
}

// TestBrokenProgramsSoundAlike writes what the language forbids in both forms: code
// and words must be the same, whichever way it came in.
func TestBrokenProgramsSoundAlike(t *testing.T) {
	t.Parallel()
	for _, c := range brokenBodies {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"main.agent": brokenBase + "{ " + c.source + " }"}
			for name, schema := range brokenSchemas {
				files["schemas/"+name+".json"] = schema
			}
			_, fromSource := compile(t, files)
			said := spoken(fromSource)
			if heard := strings.Contains(strings.Join(said, "\n"), string(c.code)); !heard || c.code == "" && fromSource.HasErrors() {
				t.Fatalf("the source says %q, expected %q", said, c.code)
			}
			g, programs, schemas := brokenProject(c.body).Parts()
			_, fromValues := compiler.Build(compiler.Input{Graph: g, Programs: programs, Schemas: schemas}, compiler.Options{})
			if d := cmp.Diff(said, spoken(fromValues)); d != "" {
				t.Fatalf("the doors differ (-source +values):\n%s", d)
			}
			for _, d := range fromValues {
				if !d.At.IsZero() || !strings.HasPrefix(d.At.File, "workflow/w") {
					t.Errorf("the place of %s is %q", diag.Plain(d), d.At.File)
				}
			}
		})
	}
}
