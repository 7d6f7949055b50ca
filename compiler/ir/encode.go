package ir

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/internal/canon"
)

// EncodeProgram gives the serialised form of one program. Fields at their empty
// value are left out, so a flag shows up only when it is set.
func EncodeProgram(p Program) canon.Value {
	params := make([]canon.Value, len(p.Params))
	for i, prm := range p.Params {
		params[i] = new(members).text("name", prm.Name).text("schema", prm.Schema).object()
	}
	return new(members).
		value("formatVersion", canon.Int(FormatVersion)).
		text("workflow", p.Workflow).
		list("params", params).
		text("result", p.Result).
		flag("envelope", p.Envelope).
		list("body", encodeNodes(p.Body)).
		object()
}

// Digest is the digest of the program's serialised form.
func (p Program) Digest() canon.Digest { return EncodeProgram(p).Digest() }

// EncodeSet gives the canonical bytes of all programs of a project, in the order
// of their workflows' names.
func EncodeSet(programs []Program) []byte {
	sorted := slices.Clone(programs)
	slices.SortStableFunc(sorted, func(a, b Program) int { return strings.Compare(a.Workflow, b.Workflow) })
	values := make([]canon.Value, len(sorted))
	for i, p := range sorted {
		values[i] = EncodeProgram(p)
	}
	return canon.Object(
		canon.F("formatVersion", canon.Int(FormatVersion)),
		canon.F("programs", canon.List(values...)),
	).Encode()
}

// members collects the fields of one object and leaves empty ones out.
type members struct{ fields []canon.Field }

func (m *members) value(name string, v canon.Value) *members {
	if m.fields == nil {
		m.fields = make([]canon.Field, 0, 4)
	}
	m.fields = append(m.fields, canon.F(name, v))
	return m
}

func (m *members) text(name, s string) *members {
	if s == "" {
		return m
	}
	return m.value(name, canon.String(s))
}

func (m *members) flag(name string, b bool) *members {
	if !b {
		return m
	}
	return m.value(name, canon.Bool(b))
}

func (m *members) list(name string, vs []canon.Value) *members {
	if len(vs) == 0 {
		return m
	}
	return m.value(name, canon.List(vs...))
}

func (m *members) texts(name string, ss []string) *members {
	if len(ss) == 0 {
		return m
	}
	return m.value(name, canon.Strings(ss))
}

func (m *members) object() canon.Value { return canon.Adopt(m.fields) }

func node(kind, id string) *members {
	return new(members).text("kind", kind).text("id", id)
}

func encodeNodes(nodes []Node) []canon.Value {
	out := make([]canon.Value, len(nodes))
	for i, n := range nodes {
		out[i] = encodeNode(n)
	}
	return out
}

func encodeNode(n Node) canon.Value {
	switch n := n.(type) {
	case Let:
		return node("let", n.ID).text("name", n.Name).value("expr", encodeExpr(n.Expr)).object()
	case Agent:
		return node("agent", n.ID).text("agent", n.Agent).list("args", encodeArgs(n.Args)).
			flag("wholeDocument", n.WholeDocument).text("bind", n.Bind).object()
	case Tool:
		return node("tool", n.ID).text("tool", n.Tool).text("operation", n.Operation).
			list("args", encodeArgs(n.Args)).text("bind", n.Bind).object()
	case Workflow:
		return node("workflow", n.ID).text("workflow", n.Workflow).list("args", encodeArgs(n.Args)).
			flag("wholeDocument", n.WholeDocument).flag("projectValue", n.ProjectValue).text("bind", n.Bind).object()
	case Approval:
		return node("approval", n.ID).text("description", n.Description).texts("redactKeys", n.RedactKeys).
			list("with", encodeArgs(n.With)).text("bind", n.Bind).object()
	case Return:
		return node("return", n.ID).value("expr", encodeExpr(n.Expr)).object()
	default:
		return encodeBlock(n)
	}
}

// encodeBlock is encodeNode for the nodes that hold other nodes.
func encodeBlock(n Node) canon.Value {
	switch n := n.(type) {
	case If:
		return node("if", n.ID).value("cond", encodeCond(n.Cond)).
			list("then", encodeNodes(n.Then)).list("else", encodeNodes(n.Else)).object()
	case For:
		return node("for", n.ID).text("var", n.Var).value("in", encodeExpr(n.In)).
			flag("parallel", n.Parallel).list("body", encodeNodes(n.Body)).object()
	case While:
		return node("while", n.ID).value("cond", encodeCond(n.Cond)).
			value("limit", canon.Int(int64(n.Limit))).list("body", encodeNodes(n.Body)).object()
	case Retry:
		return node("retry", n.ID).value("until", encodeCond(n.Until)).
			value("limit", canon.Int(int64(n.Limit))).list("body", encodeNodes(n.Body)).object()
	case Fork:
		branches := make([]canon.Value, len(n.Branches))
		for i, b := range n.Branches {
			branches[i] = canon.List(encodeNodes(b)...)
		}
		return node("fork", n.ID).list("branches", branches).object()
	case Graph:
		tasks := make([]canon.Value, len(n.Tasks))
		for i, t := range n.Tasks {
			tasks[i] = new(members).text("name", t.Name).texts("needs", t.Needs).list("body", encodeNodes(t.Body)).object()
		}
		return node("graph", n.ID).list("tasks", tasks).object()
	default:
		panic(fmt.Sprintf("ir: encode: unknown node %T", n))
	}
}

func encodeArgs(args []Arg) []canon.Value {
	out := make([]canon.Value, len(args))
	for i, a := range args {
		out[i] = new(members).text("name", a.Name).value("expr", encodeExpr(a.Expr)).object()
	}
	return out
}

func encodeExpr(e Expr) canon.Value {
	m := new(members)
	switch e := e.(type) {
	case Literal:
		return m.text("kind", "literal").value("value", e.Value).object()
	case Ref:
		return m.text("kind", "ref").texts("path", e.Path).object()
	case Object:
		return m.text("kind", "object").list("fields", encodeArgs(e.Fields)).object()
	case Template:
		parts := make([]canon.Value, len(e.Parts))
		for i, p := range e.Parts {
			if len(p.Ref) > 0 {
				parts[i] = canon.Object(canon.F("ref", canon.Strings(p.Ref)))
			} else {
				parts[i] = canon.Object(canon.F("text", canon.String(p.Text)))
			}
		}
		return m.text("kind", "template").list("parts", parts).object()
	default:
		panic(fmt.Sprintf("ir: encode: unknown expression %T", e))
	}
}

func encodeCond(c Cond) canon.Value {
	m := new(members)
	switch c := c.(type) {
	case Not:
		return m.text("kind", "not").value("of", encodeCond(c.Of)).object()
	case And:
		return m.text("kind", "and").list("of", encodeConds(c.Of)).object()
	case Or:
		return m.text("kind", "or").list("of", encodeConds(c.Of)).object()
	case Compare:
		return m.text("kind", "compare").text("op", string(c.Op)).
			value("left", encodeCond(c.Left)).value("right", encodeCond(c.Right)).object()
	case Test:
		return m.text("kind", "test").value("expr", encodeExpr(c.Expr)).object()
	default:
		panic(fmt.Sprintf("ir: encode: unknown condition %T", c))
	}
}

func encodeConds(cs []Cond) []canon.Value {
	out := make([]canon.Value, len(cs))
	for i, c := range cs {
		out[i] = encodeCond(c)
	}
	return out
}
