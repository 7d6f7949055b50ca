package export

import (
	"strconv"

	"terfyn/compiler/ir"
	"terfyn/compiler/syntax"
)

// control raises the statements that hold others.
func (l *line) control(n ir.Node) (syntax.Stmt, error) {
	switch n := n.(type) {
	case ir.For:
		return l.loop(n)
	case ir.While:
		cond, body, err := l.round(n.Cond, ir.Blocks(n)[0])
		return &syntax.WhileStmt{Cond: cond, Limit: rounds(n.Limit), Body: body}, err
	case ir.Retry:
		cond, body, err := l.round(n.Until, ir.Blocks(n)[0])
		return &syntax.RetryStmt{Cond: cond, Limit: rounds(n.Limit), Body: body}, err
	default:
		return l.branch(n.(ir.If))
	}
}

func (l *line) round(c ir.Cond, b ir.Block) (syntax.Cond, *syntax.Block, error) {
	cond, err := l.cond(c)
	if err != nil {
		return nil, nil, err
	}
	body, err := l.nested(b)
	return cond, body, err
}

func rounds(n int) syntax.Number { return syntax.Number{Spelling: strconv.Itoa(n)} }

func (l *line) loop(n ir.For) (syntax.Stmt, error) {
	if err := l.bindable(n.Var); err != nil {
		return nil, err
	}
	if _, object := n.In.(ir.Object); object {
		return nil, l.stuck("an object is not a collection")
	}
	in, err := l.value(n.In, position{parent: "for", template: true})
	if err != nil {
		return nil, err
	}
	body, err := l.nested(ir.Blocks(n)[0])
	return &syntax.ForStmt{Parallel: n.Parallel, Var: syntax.Ident{Name: n.Var}, Collection: in, Body: body}, err
}

// branch writes an else that holds one if alone as else if; both are one program.
func (l *line) branch(n ir.If) (*syntax.IfStmt, error) {
	blocks := ir.Blocks(n)
	cond, then, err := l.round(n.Cond, blocks[0])
	if err != nil {
		return nil, err
	}
	out := &syntax.IfStmt{Cond: cond, Then: then}
	if len(n.Else) == 0 {
		return out, nil
	}
	otherwise, err := l.nested(blocks[1])
	if err != nil {
		return nil, err
	}
	if inner, ok := otherwise.Stmts[0].(*syntax.IfStmt); ok && len(otherwise.Stmts) == 1 {
		out.ElseIf = inner
		return out, nil
	}
	out.Else = otherwise
	return out, nil
}

func (l *line) cond(c ir.Cond) (syntax.Cond, error) {
	switch c := c.(type) {
	case ir.Not:
		x, err := l.cond(c.Of)
		return &syntax.NotCond{X: x}, err
	case ir.And:
		terms, err := l.terms(c.Of)
		return &syntax.AndCond{Terms: terms}, err
	case ir.Or:
		terms, err := l.terms(c.Of)
		return &syntax.OrCond{Terms: terms}, err
	case ir.Compare:
		terms, err := l.terms([]ir.Cond{c.Left, c.Right})
		if err != nil {
			return nil, err
		}
		return &syntax.CompareCond{Op: string(c.Op), Left: terms[0], Right: terms[1]}, nil
	case ir.Test:
		return l.operand(c.Expr)
	default:
		return nil, l.stuck("a condition of the kind %T has no form in the language", c)
	}
}

func (l *line) terms(cs []ir.Cond) ([]syntax.Cond, error) {
	if len(cs) < 2 {
		return nil, l.stuck("&& and || join two conditions or more")
	}
	out := make([]syntax.Cond, len(cs))
	for i, c := range cs {
		var err error
		if out[i], err = l.cond(c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (l *line) operand(e ir.Expr) (syntax.Cond, error) {
	switch e := e.(type) {
	case ir.Ref:
		path, err := l.path(e.Path)
		return &syntax.PathCond{Path: path}, err
	case ir.Literal:
		v, reason := literal(e.Value)
		if reason != "" {
			return nil, l.stuck("in a condition: %s", reason)
		}
		switch v := v.(type) {
		case *syntax.StringExpr:
			return &syntax.StringCond{Text: v.Text}, nil
		case *syntax.NumberExpr:
			return &syntax.NumberCond{Number: v.Number}, nil
		case *syntax.BoolExpr:
			return &syntax.BoolCond{Flag: v.Flag}, nil
		}
	}
	return nil, l.stuck("conditions hold names, scalars and comparisons only")
}
