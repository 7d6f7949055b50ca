package lower

import (
	"fmt"
	"strconv"

	"terfyn/compiler/ir"
	"terfyn/compiler/syntax"
	"terfyn/internal/canon"
)

// hoister lowers the values of one statement. Calls among them become nodes of
// the block before the statement, left to right and inner before outer, and the
// value reads their temporary.
//
// A temporary is called <parent>_arg<i>, where i is the index of the argument or
// field around the call, or _t<n> under a return. Names the author or this
// statement already uses get ~2, ~3, …, which no author can write.
type hoister struct {
	*block
	parent string // "" = under return
	index  int    // of the argument being lowered
	// enter says whether the fields of the next object literal set the index.
	enter fieldIndex
	temps *temporaries
}

// temporaries are the names one statement took.
type temporaries struct {
	names   *ir.Names
	returns int
}

type fieldIndex uint8

const (
	inherited fieldIndex = iota // fields belong to the argument around them
	indexed                     // every field has an index of its own
)

func (b *block) hoist(parent string) *hoister {
	return &hoister{block: b, parent: parent, temps: &temporaries{names: ir.Sites()}}
}

// args lowers the arguments of a call under their final keys.
func (h *hoister) args(call *syntax.CallExpr) []ir.Arg {
	meaning := h.project.Calls[call]
	var out []ir.Arg
	for i, a := range meaning.Args {
		inner := *h
		inner.index, inner.enter = i, inherited
		out = append(out, ir.Arg{Name: a.Key, Expr: inner.expr(a.Value, true)})
	}
	return out
}

func (h *hoister) fields(o *syntax.ObjectExpr, template bool) []ir.Arg {
	var out []ir.Arg
	for i, f := range o.Fields {
		inner := *h
		if h.enter == indexed {
			inner.index, inner.enter = i, inherited
		}
		out = append(out, ir.Arg{Name: f.Key.Name, Expr: inner.expr(f.Value, template)})
	}
	return out
}

// expr lowers a value; template says whether its strings are templates.
func (h *hoister) expr(e syntax.Expr, template bool) ir.Expr {
	switch e := e.(type) {
	case *syntax.PathExpr:
		return ir.Ref{Path: pathNames(e.Path)}
	case *syntax.CallExpr:
		return h.hoisted(e)
	case *syntax.StringExpr:
		if template {
			return templateText(e.Text.Value)
		}
		return ir.Literal{Value: canon.String(e.Text.Value)}
	case *syntax.NumberExpr:
		return number(e.Number)
	case *syntax.BoolExpr:
		return ir.Literal{Value: canon.Bool(e.Flag.Value)}
	case *syntax.ObjectExpr:
		return ir.Object{Fields: h.fields(e, template)}
	default:
		panic(fmt.Sprintf("lower: unknown expression %T", e))
	}
}

// hoisted adds the nodes of a nested call and gives the reference to its result.
func (h *hoister) hoisted(call *syntax.CallExpr) ir.Expr {
	name := h.temporary()
	inner := &hoister{block: h.block, parent: name, temps: h.temps}
	args := inner.args(call)
	h.call(call, name, name, args)
	return ir.Ref{Path: []string{name}}
}

func (h *hoister) temporary() string {
	base := h.parent + "_arg" + strconv.Itoa(h.index)
	if h.parent == "" {
		base = "_t" + strconv.Itoa(h.temps.returns)
		h.temps.returns++
	}
	name := h.temps.names.Take(base)
	if h.names[name] { // the author's
		name = h.temps.names.Take(base)
	}
	return name
}

func templateText(text string) ir.Expr {
	parts := syntax.ParseTemplate(text)
	out := ir.Template{}
	refs := false
	for _, p := range parts {
		if p.Ref {
			refs = true
			out.Parts = append(out.Parts, ir.Part{Ref: p.Path})
			continue
		}
		out.Parts = append(out.Parts, ir.Part{Text: p.Literal})
	}
	if !refs {
		return ir.Literal{Value: canon.String(text)}
	}
	return out
}

func pathNames(p syntax.Path) []string {
	out := make([]string, len(p.Parts))
	for i, part := range p.Parts {
		out[i] = part.Name
	}
	return out
}

func cond(c syntax.Cond) ir.Cond {
	switch c := c.(type) {
	case *syntax.OrCond:
		return ir.Or{Of: conds(c.Terms)}
	case *syntax.AndCond:
		return ir.And{Of: conds(c.Terms)}
	case *syntax.NotCond:
		return ir.Not{Of: cond(c.X)}
	case *syntax.CompareCond:
		return ir.Compare{Op: ir.CompareOp(c.Op), Left: cond(c.Left), Right: cond(c.Right)}
	case *syntax.PathCond:
		return ir.Test{Expr: ir.Ref{Path: pathNames(c.Path)}}
	case *syntax.StringCond:
		return ir.Test{Expr: ir.Literal{Value: canon.String(c.Text.Value)}}
	case *syntax.NumberCond:
		return ir.Test{Expr: number(c.Number)}
	case *syntax.BoolCond:
		return ir.Test{Expr: ir.Literal{Value: canon.Bool(c.Flag.Value)}}
	default:
		panic(fmt.Sprintf("lower: unknown condition %T", c))
	}
}

func conds(cs []syntax.Cond) []ir.Cond {
	out := make([]ir.Cond, len(cs))
	for i, c := range cs {
		out[i] = cond(c)
	}
	return out
}
