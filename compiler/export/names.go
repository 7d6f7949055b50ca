package export

import (
	"strings"

	"terfyn/compiler/ir"
)

// inventory is what the names of a program are used for.
type inventory struct {
	bound map[string]bool // by any node or parameter
	// plain names stand where a call cannot be put: they have to be bindings.
	plain map[string]bool
}

// take goes through a program.
func take(p ir.Program) inventory {
	v := inventory{bound: map[string]bool{}, plain: map[string]bool{}}
	for _, prm := range p.Params {
		v.bind(prm.Name)
	}
	v.nodes(p.Body)
	return v
}

func (v inventory) bind(name string) { v.bound[name], v.plain[name] = true, true }

func (v inventory) nodes(nodes []ir.Node) {
	for _, n := range nodes {
		v.node(n)
		for _, b := range ir.Blocks(n) {
			v.nodes(b.Nodes)
		}
	}
}

func (v inventory) node(n ir.Node) {
	switch n := n.(type) {
	case ir.Let:
		v.bind(n.Name)
		v.expr(n.Expr)
	case ir.Agent, ir.Tool, ir.Workflow:
		c := callOf(n)
		if c.bind != "" {
			v.bound[c.bind] = true
			v.plain[c.bind] = v.plain[c.bind] || !isTemporary(c.bind)
		}
		v.args(c.args)
	case ir.Approval:
		v.bind(n.Bind)
		v.args(n.With)
	case ir.If:
		v.cond(n.Cond)
	case ir.For:
		v.bind(n.Var)
		v.expr(n.In)
	case ir.While:
		v.cond(n.Cond)
	case ir.Retry:
		v.cond(n.Until)
	case ir.Return:
		v.expr(n.Expr)
	case ir.Fork, ir.Graph:
	}
}

func (v inventory) args(args []ir.Arg) {
	for _, a := range args {
		v.expr(a.Expr)
	}
}

func (v inventory) expr(e ir.Expr) {
	switch e := e.(type) {
	case ir.Ref:
		if len(e.Path) != 1 {
			v.uses(e.Path)
		}
	case ir.Object:
		v.args(e.Fields)
	case ir.Template:
		for _, p := range e.Parts {
			v.uses(p.Ref)
		}
	case ir.Literal:
	}
}

func (v inventory) cond(c ir.Cond) {
	switch c := c.(type) {
	case ir.Not:
		v.cond(c.Of)
	case ir.And:
		v.conds(c.Of)
	case ir.Or:
		v.conds(c.Of)
	case ir.Compare:
		v.conds([]ir.Cond{c.Left, c.Right})
	case ir.Test:
		if ref, ok := c.Expr.(ir.Ref); ok {
			v.uses(ref.Path)
		}
	}
}

func (v inventory) conds(cs []ir.Cond) {
	for _, c := range cs {
		v.cond(c)
	}
}

func (v inventory) uses(path []string) {
	if len(path) > 0 {
		v.plain[path[0]] = true
	}
}

// isTemporary tells names of the shape that hoisting gives: <parent>_arg<i> and
// _t<n>, with ~2, ~3, … behind when the name was taken. Authors may write them
// too, except for the ones with ~.
func isTemporary(name string) bool {
	base := untaken(name)
	if n, ok := strings.CutPrefix(base, "_t"); ok && isNumber(n) {
		return true
	}
	i := strings.LastIndex(base, "_arg")
	return i >= 0 && isNumber(base[i+len("_arg"):])
}

// untaken is the name without the ~2, ~3, … at its end.
func untaken(name string) string {
	if i := strings.LastIndexByte(name, '~'); i >= 0 && isNumber(name[i+1:]) {
		return name[:i]
	}
	return name
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
