package build_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/build"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// everything uses every statement and value of the language once.
const everything = `
agent A { model mock/default }
tool t { type mock operations { list.all {} } }
workflow echo(v: any) { return v }
workflow two(a: any, b: any) { return { a: a, b: b } }
workflow w(in: any) {
    n = 3
    on = true
    words = "plain"
    o = { k: n, inner: { on: on } }
    A(in)
    A(in)
    named = A(k: in.k, arg0: o)
    t.list.all(whole: "${in}", text: "a ${in.b} c")
    all = t.list.all()
    e = echo(in)
    both = two(b: e, a: in)
    parallel {
        left = A(in)
        right = in
    }
    for item in all.items {
        x = A(item)
    }
    parallel for item in all.items {
        if item.ok && !(item.a >= 2 || item.b == "b") {
            A(item)
        } else {
            A(in)
        }
    }
    while in.more limit 3 {
        x = A(in)
    }
    retry until x.done limit 2 {
        x = echo(v: in)
    }
    approval gate {
        description "look"
        redactKeys { "k" }
        with { a: left, b: "${right}" }
    }
    return { x: x, gate: gate.a }
}
`

func values() *build.Project {
	p := build.New("demo")
	p.Agent(resource.Agent{Name: "A", Model: "mock/default"})
	p.Tool(resource.Tool{Name: "t", Type: "mock", Operations: []resource.Operation{{Name: "list.all"}}})
	// The caller is added before its callees.
	p.Workflow(resource.Workflow{Name: "w"}, []ir.Param{build.Param("in", "")}, body)
	p.Workflow(resource.Workflow{Name: "echo"}, []ir.Param{build.Param("v", "")}, func(b *build.Block) { b.Return(build.Ref("v")) })
	p.Workflow(resource.Workflow{Name: "two"}, []ir.Param{build.Param("a", ""), build.Param("b", "")}, func(b *build.Block) {
		b.Return(build.Object(build.Arg("a", build.Ref("a")), build.Arg("b", build.Ref("b"))))
	})
	return p
}

func body(b *build.Block) {
	in := build.Ref("in")
	n := b.Let("n", build.Int(3))
	on := b.Let("on", build.Flag(true))
	b.Let("words", build.Text("plain"))
	o := b.Let("o", build.Object(build.Arg("k", n), build.Arg("inner", build.Object(build.Arg("on", on)))))
	b.Agent("", "A", in)
	b.Agent("", "A", in)
	b.AgentWith("named", "A", build.Arg("k", build.Field(in, "k")), build.Arg("arg0", o))
	b.Tool("", "t", "list.all", build.Arg("whole", build.Template(build.Token(in))),
		build.Arg("text", build.Template(build.Words("a "), build.Token(build.Field(in, "b")), build.Words(" c"))))
	all := b.Tool("all", "t", "list.all")
	e := b.Call("e", "echo", build.Arg("v", in))
	b.Call("both", "two", build.Arg("b", e), build.Arg("a", in))
	b.Parallel(
		func(b *build.Block) { b.Agent("left", "A", in) },
		func(b *build.Block) { b.Let("right", in) },
	)
	b.For("item", build.Field(all, "items"), func(b *build.Block, item ir.Ref) { b.Agent("x", "A", item) })
	b.ParallelFor("item", build.Field(all, "items"), each)
	b.While(build.Is(build.Field(in, "more")), 3, func(b *build.Block) { b.Agent("x", "A", in) })
	x := build.Ref("x")
	b.Retry(build.Is(build.Field(x, "done")), 2, func(b *build.Block) { b.Call("x", "echo", build.Arg("v", in)) })
	gate := b.Approval("gate", build.Gate{
		Description: "look", RedactKeys: []string{"k"},
		With: []ir.Arg{build.Arg("a", build.Ref("left")), build.Arg("b", build.Template(build.Token(build.Ref("right"))))},
	})
	b.Return(build.Object(build.Arg("x", x), build.Arg("gate", build.Field(gate, "a"))))
}

func each(b *build.Block, item ir.Ref) {
	b.If(build.All(
		build.Is(build.Field(item, "ok")),
		build.Not(build.Any(
			build.Compare(build.Field(item, "a"), ir.Ge, build.Int(2)),
			build.Compare(build.Field(item, "b"), ir.Eq, build.Constant(canon.String("b"))),
		)),
	), func(b *build.Block) { b.Agent("", "A", item) }, func(b *build.Block) { b.Agent("", "A", build.Ref("in")) })
}

// TestBuildersWriteWhatTheLanguageLowersTo: the same ids, flags and forms.
func TestBuildersWriteWhatTheLanguageLowersTo(t *testing.T) {
	t.Parallel()
	want, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: []byte(everything)}}, compiler.Options{Project: "demo"})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	p := values()
	for range 2 { // asking for the parts changes nothing
		g, programs, schemas := p.Parts()
		got, ds := compiler.Build(compiler.Input{Graph: g, Programs: programs, Schemas: schemas}, compiler.Options{})
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		for i, w := range want.Programs {
			if d := cmp.Diff(w.Dump(), got.Programs[i].Dump()); d != "" {
				t.Errorf("programs differ (-language +builders):\n%s", d)
			}
			if w.Digest() != got.Programs[i].Digest() {
				t.Errorf("digests of %s differ", w.Workflow)
			}
		}
		if d := cmp.Diff(string(resource.Encode(want.Graph)), string(resource.Encode(got.Graph))); d != "" {
			t.Errorf("graphs differ (-language +builders):\n%s", d)
		}
	}
}

// TestTasks builds what the language has no words for.
func TestTasks(t *testing.T) {
	t.Parallel()
	p := build.New("demo")
	p.Agent(resource.Agent{Name: "A", Model: "mock/default"})
	in := build.Ref("in")
	p.Workflow(resource.Workflow{Name: "w"}, []ir.Param{build.Param("in", "")}, func(b *build.Block) {
		b.Agent("before", "A", in)
		b.Tasks(
			build.Task{Name: "join", Needs: []string{"a", "b"}, Body: func(b *build.Block) {
				b.Agent("z", "A", build.Object(build.Arg("x", build.Ref("x")), build.Arg("y", build.Ref("y"))))
			}},
			build.Task{Name: "a", Body: func(b *build.Block) { b.Agent("x", "A", in) }},
			build.Task{Name: "b", Body: func(b *build.Block) { b.Agent("y", "A", in) }},
			build.Task{Name: "alone", Body: func(b *build.Block) { b.Agent("w", "A", in) }},
		)
		b.Agent("after", "A", build.Ref("z"))
	})
	g, programs, _ := p.Parts()
	r, ds := compiler.Build(compiler.Input{Graph: g, Programs: programs}, compiler.Options{})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	needs := map[string][]string{}
	for _, s := range r.Graph.Workflows[0].Steps {
		needs[s.ID] = s.Needs
	}
	want := map[string][]string{
		"before": {}, "x": {"before"}, "y": {"before"}, "w": {"before"}, "z": {"x", "y"}, "after": {"w", "z"},
	}
	if d := cmp.Diff(want, needs); d != "" {
		t.Errorf("needs differ (-want +got):\n%s", d)
	}
	if site := r.Graph.Workflows[0].Calls[len(r.Graph.Workflows[0].Calls)-1].Site; site != "tasks/join/z" {
		t.Errorf("the last call site is %s", site)
	}
}
