package verify

import (
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/ir"
	"terfyn/compiler/source"
	"terfyn/compiler/types"
)

// body checks the nodes of one program.
type body struct {
	*verifier
	program ir.Program
	result  types.Type
}

// flow says where a node stands.
type flow struct {
	straight    bool // not inside of a control-flow body
	parallelFor bool // inside the body of a parallel for
	branch      bool // inside a branch of a fork or a task of a graph
}

func (f flow) nested() flow { f.straight = false; return f }

// at is one node in its program.
type at struct {
	body *body
	site string
}

func (a at) span() source.Span { return workflowPlace(a.body.program.Workflow, a.site) }

func (v *verifier) program(p ir.Program) {
	if tooDeep(p.Body, 0) {
		v.add(nestedTooDeep(workflowPlace(p.Workflow)))
		return
	}
	b := &body{verifier: v, program: p, result: v.typeAt(p.Result)}
	s := scope.Scope{}
	for _, prm := range p.Params {
		if !isName(prm.Name) {
			v.add(malformed(workflowPlace(p.Workflow), "%q cannot name a parameter: a name is a letter or _ and then letters, digits, _ or -", prm.Name))
		}
		s[prm.Name] = scope.Binding{Type: v.typeAt(prm.Schema), Param: true}
	}
	b.block(s, "", p.Body, flow{straight: true})
	if p.Envelope != ir.Enveloped(p.Body) {
		v.add(wrongEnvelope(workflowPlace(p.Workflow), p))
	}
}

// block checks nodes in order and binds their names in s. It reports whether the
// block returns on every path.
func (b *body) block(s scope.Scope, prefix string, nodes []ir.Node, f flow) (returns bool) {
	sites := map[string]bool{}
	for _, n := range nodes {
		if n == nil {
			b.add(malformed(workflowPlace(b.program.Workflow, prefix), "a block of workflow %s holds no node at one place; leave it out", b.program.Workflow))
			continue
		}
		a := at{b, prefix + n.Site()}
		b.segment(a, n.Site(), sites)
		if b.node(s, a, n, f) {
			returns = true
		}
	}
	return returns
}

func (b *body) segment(a at, id string, sites map[string]bool) {
	switch {
	case !isSegment(id):
		b.add(malformed(a.span(), "%q cannot be the id of a node: it is not empty and holds neither / nor #, which join the parts of call sites", id))
	case sites[id]:
		b.add(malformed(a.span(), "the id %q stands for two nodes of one block; number the second one, as in %s~2", id, id))
	}
	sites[id] = true
}

func (b *body) node(s scope.Scope, a at, n ir.Node, f flow) (returns bool) {
	switch n := n.(type) {
	case ir.Let:
		b.bind(s, a, n.Name, typeOfShape(b.expr(s, a, n.Expr)))
	case ir.Agent:
		b.bindResult(s, a, n.Bind, b.agent(s, a, n, f))
	case ir.Tool:
		b.tool(s, a, n)
		b.bindResult(s, a, n.Bind, types.Untyped())
	case ir.Workflow:
		b.bindResult(s, a, n.Bind, b.workflow(s, a, n))
	case ir.Approval:
		b.args(s, a, n.With, "key")
		b.bind(s, a, n.Bind, types.Untyped()) // a person may edit the payload
	case ir.Return:
		b.ret(s, a, n, f)
		return true
	default:
		return b.control(s, a, n, f)
	}
	return false
}

func (b *body) bindResult(s scope.Scope, a at, name string, t types.Type) {
	if name != "" {
		b.bind(s, a, name, t)
	}
}

func (b *body) bind(s scope.Scope, a at, name string, t types.Type) {
	switch {
	case !isBinding(name):
		b.add(malformed(a.span(), "%q cannot be bound: a name is a letter or _ and then letters, digits, _ or -", name))
	case s[name].Param:
		b.add(complain.ImmutableParameter(a.span(), name))
	default:
		s[name] = scope.Binding{Type: t}
	}
}

func (b *body) ret(s scope.Scope, a at, n ir.Return, f flow) {
	switch {
	case f.parallelFor:
		b.add(complain.ReturnInParallel(a.span()))
	case f.branch:
		b.add(returnInBranch(a.span()))
	}
	for _, m := range types.Fit(b.expr(s, a, n.Expr), b.result) {
		b.add(complain.BadReturn(a.span(), typeName(b.program.Result), m))
	}
}
