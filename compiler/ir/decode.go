package ir

import (
	"fmt"

	"terfyn/internal/canon"
)

// DecodeSet reads what EncodeSet wrote. A format version, node kind, expression
// kind or field that this package does not know is an error naming it, as are
// two programs of one workflow.
func DecodeSet(b []byte) ([]Program, error) {
	v, err := canon.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("decode program set: %w", err)
	}
	r, at := &reader{}, place{v, "set"}
	r.version(at)
	r.object(at, "formatVersion", "programs")
	var out []Program
	for i, p := range r.items(at, "programs") {
		out = append(out, r.program(p))
		if i > 0 && out[i-1].Workflow >= out[i].Workflow {
			r.fail(p, "workflow %q is repeated or out of order", out[i].Workflow)
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return out, nil
}

// DecodeProgram reads what EncodeProgram wrote, under the rules of DecodeSet.
func DecodeProgram(v canon.Value) (Program, error) {
	r := &reader{}
	p := r.program(place{v, "program"})
	if r.err != nil {
		return Program{}, r.err
	}
	return p, nil
}

func (r *reader) program(at place) Program {
	r.version(at)
	r.object(at, "formatVersion", "workflow", "params", "result", "envelope", "body")
	p := Program{
		Workflow: r.needText(at, "workflow"),
		Result:   r.text(at, "result"),
		Envelope: r.flag(at, "envelope"),
	}
	for _, prm := range r.items(at, "params") {
		r.object(prm, "name", "schema")
		p.Params = append(p.Params, Param{Name: r.needText(prm, "name"), Schema: r.text(prm, "schema")})
	}
	p.Body = r.nodes(r.items(at, "body"))
	return p
}

func (r *reader) nodes(places []place) []Node {
	var out []Node
	seen := map[string]bool{}
	for _, at := range places {
		n := r.node(at)
		if n == nil || r.err != nil {
			return nil
		}
		if seen[n.Site()] {
			r.fail(at, "id %q is used twice in one block", n.Site())
		}
		seen[n.Site()] = true
		out = append(out, n)
	}
	return out
}

func (r *reader) node(at place) Node {
	switch r.text(at, "kind") {
	case "let":
		r.object(at, "kind", "id", "name", "expr")
		return Let{ID: r.site(at), Name: r.needText(at, "name"), Expr: r.expr(at.member("expr"))}
	case "agent":
		r.object(at, "kind", "id", "agent", "args", "wholeDocument", "bind")
		return r.agent(at)
	case "tool":
		r.object(at, "kind", "id", "tool", "operation", "args", "bind")
		return Tool{ID: r.site(at), Tool: r.needText(at, "tool"), Operation: r.needText(at, "operation"),
			Args: r.args(at, "args"), Bind: r.text(at, "bind")}
	case "workflow":
		r.object(at, "kind", "id", "workflow", "args", "wholeDocument", "projectValue", "bind")
		n := Workflow{ID: r.site(at), Workflow: r.needText(at, "workflow"), Args: r.args(at, "args"),
			WholeDocument: r.flag(at, "wholeDocument"), ProjectValue: r.flag(at, "projectValue"), Bind: r.text(at, "bind")}
		if n.WholeDocument && len(n.Args) != 1 {
			r.fail(at, "wholeDocument needs exactly one argument")
		}
		return n
	case "approval":
		r.object(at, "kind", "id", "description", "redactKeys", "with", "bind")
		return Approval{ID: r.site(at), Description: r.text(at, "description"), RedactKeys: r.texts(at, "redactKeys"),
			With: r.args(at, "with"), Bind: r.text(at, "bind")}
	case "return":
		r.object(at, "kind", "id", "expr")
		return Return{ID: r.site(at), Expr: r.expr(at.member("expr"))}
	default:
		return r.block(at)
	}
}

// agent also refuses the flag on anything but one whole-document argument
// (language.md 9.1), so that a damaged program never sends another payload.
func (r *reader) agent(at place) Node {
	n := Agent{ID: r.site(at), Agent: r.needText(at, "agent"), Args: r.args(at, "args"),
		WholeDocument: r.flag(at, "wholeDocument"), Bind: r.text(at, "bind")}
	if n.WholeDocument && (len(n.Args) != 1 || n.Args[0].Name != WholeArg) {
		r.fail(at, "wholeDocument needs exactly one argument named %s", WholeArg)
	}
	return n
}

// block is node for the kinds that hold other nodes.
func (r *reader) block(at place) Node {
	switch kind := r.text(at, "kind"); kind {
	case "if":
		r.object(at, "kind", "id", "cond", "then", "else")
		return If{ID: r.site(at), Cond: r.cond(at.member("cond")),
			Then: r.nodes(r.items(at, "then")), Else: r.nodes(r.items(at, "else"))}
	case "for":
		r.object(at, "kind", "id", "var", "in", "parallel", "body")
		return For{ID: r.site(at), Var: r.needText(at, "var"), In: r.expr(at.member("in")),
			Parallel: r.flag(at, "parallel"), Body: r.nodes(r.items(at, "body"))}
	case "while":
		r.object(at, "kind", "id", "cond", "limit", "body")
		return While{ID: r.site(at), Cond: r.cond(at.member("cond")), Limit: r.limit(at), Body: r.nodes(r.items(at, "body"))}
	case "retry":
		r.object(at, "kind", "id", "until", "limit", "body")
		return Retry{ID: r.site(at), Until: r.cond(at.member("until")), Limit: r.limit(at), Body: r.nodes(r.items(at, "body"))}
	case "fork":
		r.object(at, "kind", "id", "branches")
		n := Fork{ID: r.site(at)}
		for _, b := range r.items(at, "branches") {
			n.Branches = append(n.Branches, r.nodes(r.elements(b)))
		}
		return n
	case "graph":
		r.object(at, "kind", "id", "tasks")
		n := Graph{ID: r.site(at)}
		for _, t := range r.items(at, "tasks") {
			r.object(t, "name", "needs", "body")
			n.Tasks = append(n.Tasks, Task{Name: r.needText(t, "name"), Needs: r.texts(t, "needs"), Body: r.nodes(r.items(t, "body"))})
		}
		return n
	default:
		r.fail(at, "unknown node kind %q", kind)
		return nil
	}
}

func (r *reader) args(at place, name string) []Arg {
	var out []Arg
	for _, a := range r.items(at, name) {
		r.object(a, "name", "expr")
		out = append(out, Arg{Name: r.needText(a, "name"), Expr: r.expr(a.member("expr"))})
	}
	return out
}
