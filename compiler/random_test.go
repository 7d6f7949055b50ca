package compiler_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/build"
	"terfyn/compiler/export"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// maker builds random projects as values. A wild one reads names that may not be
// there, rebinds parameters and mixes types up.
type maker struct {
	*rand.Rand
	wild     bool
	made     []ir.Program // workflows that may be called
	parallel bool
}

var names = []string{"alpha", "bravo", "carol", "delta", "echo"}

func (m *maker) ref(scope []string) ir.Ref {
	name := scope[m.IntN(len(scope))]
	if m.wild && m.IntN(12) == 0 {
		name = names[m.IntN(len(names))]
	}
	fields := [][]string{nil, nil, {"id"}, {"count"}, {"headline"}, {"tags"}}
	if !m.wild {
		fields = fields[:2]
	}
	return build.Ref(name, fields[m.IntN(len(fields))]...)
}

func (m *maker) constant() ir.Expr {
	return []ir.Expr{build.Text("text"), build.Text("${alpha}"), build.Int(m.Int64N(9)), build.Flag(m.IntN(2) == 0)}[m.IntN(4)]
}

// value is one where strings are templates, unless plain.
func (m *maker) value(scope []string, plain bool) ir.Expr {
	switch m.IntN(6) {
	case 0:
		v := m.constant()
		if l, ok := v.(ir.Literal); ok && !plain && l.Value.JSON() == `"${alpha}"` {
			return build.Text("text") // would be a template there
		}
		return v
	case 1:
		if plain {
			return m.ref(scope)
		}
		return build.Template(build.Words("a "), build.Token(m.ref(scope)))
	case 2:
		if plain {
			return m.ref(scope)
		}
		return build.Template(build.Token(m.ref(scope)))
	case 3:
		return build.Object(build.Arg("id", m.value(scope, plain)), build.Arg("count", m.value(scope, plain)))
	default:
		return m.ref(scope)
	}
}

func (m *maker) cond(scope []string) ir.Cond {
	switch m.IntN(5) {
	case 0:
		return build.Not(build.Is(m.ref(scope)))
	case 1:
		return build.All(build.Is(m.ref(scope)), build.Any(build.Is(m.ref(scope)), build.Compare(m.ref(scope), ir.Lt, build.Int(3))))
	case 2:
		return build.Compare(m.ref(scope), ir.Eq, m.constant())
	default:
		return build.Is(m.ref(scope))
	}
}

// name is one to bind: in a wild project it may be a parameter.
func (m *maker) name() string {
	if m.wild && m.IntN(20) == 0 {
		return "in"
	}
	return names[m.IntN(len(names))]
}

// assign adds an assignment and gives the scope after it.
func (m *maker) assign(b *build.Block, scope []string, name string) []string {
	switch m.IntN(6) {
	case 0:
		b.Let(name, m.value(scope, true))
	case 1:
		b.Agent(name, "Free", m.value(scope, false))
	case 2:
		document := ir.Expr(build.Object(build.Arg("id", build.Text("x"))))
		if m.wild {
			document = m.value(scope, false)
		}
		b.Agent(name, "Typed", document)
	case 3:
		b.AgentWith(name, []string{"Free", "Typed"}[m.IntN(2)], build.Arg("id", m.value(scope, false)))
	case 4:
		b.Tool(name, "desk", []string{"read", "write"}[m.IntN(2)], build.Arg("a", m.value(scope, false)))
	default:
		m.call(b, scope, name)
	}
	return with(scope, name)
}

func (m *maker) call(b *build.Block, scope []string, name string) {
	if len(m.made) == 0 {
		b.Let(name, m.constant())
		return
	}
	callee := m.made[m.IntN(len(m.made))]
	var args []ir.Arg
	for _, p := range callee.Params {
		if !m.wild || m.IntN(8) > 0 {
			v := m.value(scope, false)
			if p.Schema != "" && !m.wild {
				v = build.Object(build.Arg("id", build.Text("x")))
			}
			args = append(args, build.Arg(p.Name, v))
		}
	}
	b.Call(name, callee.Workflow, args...)
}

func with(scope []string, name string) []string {
	if slices.Contains(scope, name) {
		return scope
	}
	return append(slices.Clone(scope), name)
}

func (m *maker) block(b *build.Block, scope []string, depth int) {
	for range 1 + m.IntN(4) {
		if m.IntN(3) == 0 && depth > 0 {
			scope = m.control(b, scope, depth-1)
			continue
		}
		scope = m.assign(b, scope, m.name())
	}
	if m.IntN(4) == 0 && (m.wild || !m.parallel) {
		b.Return(m.returned(scope))
	}
}

func (m *maker) returned(scope []string) ir.Expr {
	if m.wild && m.IntN(2) == 0 {
		return m.value(scope, false)
	}
	return build.Object(build.Arg("headline", build.Text("done")))
}

func (m *maker) control(b *build.Block, scope []string, depth int) []string {
	inner := func(b *build.Block) { m.block(b, scope, depth) }
	each := func(b *build.Block, _ ir.Ref) { m.block(b, with(scope, "item"), depth) }
	switch m.IntN(7) {
	case 0:
		b.If(m.cond(scope), inner, inner)
	case 1:
		b.If(m.cond(scope), inner, nil)
	case 2:
		b.For("item", m.ref(scope), each)
	case 3:
		was := m.parallel
		m.parallel = true
		b.ParallelFor("item", m.ref(scope), each)
		m.parallel = was
	case 4:
		b.While(m.cond(scope), 1+m.IntN(3), inner)
	case 5:
		b.Retry(m.cond(scope), 1+m.IntN(3), inner)
	default:
		if m.IntN(2) == 0 {
			b.Approval("gate", build.Gate{Description: "look", With: []ir.Arg{build.Arg("a", m.value(scope, false))}})
			return with(scope, "gate")
		}
		first, second := names[m.IntN(2)], names[2+m.IntN(3)]
		b.Parallel(
			func(b *build.Block) { m.assign(b, scope, first) },
			func(b *build.Block) { m.assign(b, scope, second) },
		)
		return with(with(scope, first), second)
	}
	return scope
}

func randomValues(seed uint64, wild bool) compiler.Input {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7)), wild: wild}
	p := build.New("demo")
	ticket, digest := p.Schema("Ticket", brokenSchemas["Ticket"]), p.Schema("Digest", brokenSchemas["Digest"])
	p.Agent(
		resource.Agent{Name: "Free", Model: "mock/default", Grants: []string{"tool.desk.read"}},
		resource.Agent{Name: "Typed", Model: "mock/default", Input: ticket, Output: digest},
	)
	p.Tool(resource.Tool{Name: "desk", Type: "mock", Operations: []resource.Operation{
		{Name: "read", Effects: []string{"desk.read"}}, {Name: "write", Effects: []string{"desk.write"}},
	}})
	p.Policy(resource.Policy{Name: "house", Effects: resource.PolicyEffects{Permit: []string{"desk.read"}, PermitWithApproval: []string{"desk.write"}}})
	for i := range 1 + m.IntN(3) {
		params := []ir.Param{build.Param("in", "")}
		if m.IntN(2) == 0 {
			params = append(params, build.Param("ticket", ticket))
		}
		w := resource.Workflow{Name: fmt.Sprintf("w%d", i), Policy: "house"}
		if m.IntN(2) == 0 {
			w.Result = digest
		}
		if m.IntN(3) == 0 {
			w.Effects = []string{"desk.read"}
		}
		p.Workflow(w, params, func(b *build.Block) { m.block(b, []string{"in"}, 3) })
		_, programs, _ := p.Parts()
		m.made = programs
	}
	g, programs, schemas := p.Parts()
	return compiler.Input{Graph: g, Programs: programs, Schemas: schemas}
}

// TestRandomProjectsThroughBothDoors writes random values as source and compares
// what the two doors make of them, complaints included.
func TestRandomProjectsThroughBothDoors(t *testing.T) {
	t.Parallel()
	valid, faulty := 0, 0
	for seed := range uint64(200) {
		in := randomValues(seed, seed%2 == 1)
		got, fromValues := compiler.Build(in, compiler.Options{})
		text, err := export.Source(resource.Normalize(in.Graph), in.Programs, in.Schemas)
		if err != nil { // there are no words for a name that is bound nowhere
			if !fromValues.HasErrors() {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		fsys := fstest.MapFS{"main.agent": {Data: text}}
		for _, path := range ordered.Keys(in.Schemas) {
			fsys[path] = &fstest.MapFile{Data: in.Schemas[path]}
		}
		want, fromSource := compiler.Compile(fsys, compiler.Options{Project: "demo"})
		if d := cmp.Diff(spoken(fromSource), spoken(fromValues)); d != "" {
			t.Fatalf("seed %d: diagnostics differ (-source +values):\n%s\n%s", seed, d, text)
		}
		if fromValues.HasErrors() {
			faulty++
			continue
		}
		valid++
		sameResult(t, want, got)
	}
	if valid < 50 || faulty < 50 {
		t.Errorf("%d projects are valid and %d are not; the generator does not reach both", valid, faulty)
	}
}
