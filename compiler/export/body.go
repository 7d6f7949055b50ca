package export

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/compiler/syntax"
)

// stuckError says why a program has no spelling.
type stuckError struct {
	field  string // program and the call site
	reason string
}

func (e *stuckError) Error() string { return e.field + ": " + e.reason }

// keepError says that a name that looks like a temporary has to be a binding.
type keepError struct{ name, site string }

func (e *keepError) Error() string { return "keep " + e.name }

// body raises the statements of one program. kept are the names written as
// bindings; the results of all other calls are put into the statement that follows.
type body struct {
	kept  map[string]bool
	names map[string]bool // kept names that are bound: temporaries keep clear of them
	bound map[string]bool
}

// raiseBody raises a program. It starts by taking every name of the shape of a
// temporary for one and takes that back, name by name, where it leads to another
// program. A name that lowering cannot have given and no author can write is an
// error.
func raiseBody(p ir.Program) ([]syntax.Stmt, error) {
	names := take(p)
	for {
		b := body{kept: names.plain, bound: names.bound, names: map[string]bool{}}
		for name := range names.bound { // a set to look up in; order plays no part
			if names.plain[name] {
				b.names[name] = true
			}
		}
		stmts, err := b.block("", p.Body)
		var keep *keepError
		if !errors.As(err, &keep) {
			return stmts, err
		}
		if names.plain[keep.name] || !isBindable(keep.name) {
			return nil, &stuckError{"program, " + keep.site, fmt.Sprintf("the result %q is used where a call cannot be written and no author can bind that name", keep.name)}
		}
		names.plain[keep.name] = true
	}
}

// block raises nodes: calls whose results are temporaries wait for the statement
// they belong to.
func (b body) block(prefix string, nodes []ir.Node) ([]syntax.Stmt, error) {
	var out []syntax.Stmt
	var waiting []call
	for _, n := range nodes {
		if c := callOf(n); c.bind != "" && !b.kept[c.bind] {
			waiting = append(waiting, c)
			continue
		}
		l := &line{body: b, site: prefix + n.Site(), waiting: waiting, used: map[string]bool{}}
		stmt, err := l.statement(n)
		if err != nil {
			return nil, err
		}
		if err := unread(prefix, l.waiting); err != nil {
			return nil, err
		}
		out = append(out, stmt)
		waiting = nil
	}
	return out, unread(prefix, waiting)
}

// unread keeps the last of the calls that no statement reads; those before it may
// be its arguments.
func unread(prefix string, waiting []call) error {
	if len(waiting) == 0 {
		return nil
	}
	last := waiting[len(waiting)-1]
	return &keepError{last.bind, prefix + last.id}
}

// nested raises one of the blocks that the node of a line holds.
func (l *line) nested(b ir.Block) (*syntax.Block, error) {
	stmts, err := l.block(b.Prefix(l.site), b.Nodes)
	return &syntax.Block{Stmts: stmts}, err
}

// call is what the three kinds of call have in common.
type call struct {
	id, bind string
	callee   string // as written: tool.operation, or a name
	args     []ir.Arg
	whole    bool // the argument is the whole document
}

// callOf is zero for a node that calls nothing.
func callOf(n ir.Node) call {
	switch n := n.(type) {
	case ir.Agent:
		return call{n.ID, n.Bind, n.Agent, n.Args, n.WholeDocument}
	case ir.Tool:
		return call{n.ID, n.Bind, n.Tool + "." + n.Operation, n.Args, false}
	case ir.Workflow:
		return call{n.ID, n.Bind, n.Workflow, n.Args, n.WholeDocument}
	default:
		return call{}
	}
}

// segment is the name that a call without a binding has in call sites.
func (c call) segment() string { return c.callee[strings.LastIndexByte(c.callee, '.')+1:] }

func (l *line) statement(n ir.Node) (syntax.Stmt, error) {
	switch n := n.(type) {
	case ir.Let:
		value, err := l.let(n)
		return &syntax.AssignStmt{Name: syntax.Ident{Name: n.Name}, Value: value}, err
	case ir.Agent, ir.Tool, ir.Workflow:
		return l.callStatement(callOf(n))
	case ir.Approval:
		return l.approval(n)
	case ir.Return:
		value, err := l.value(n.Expr, position{template: true})
		return &syntax.ReturnStmt{Value: value}, err
	case ir.Fork:
		return l.fork(n)
	case ir.Graph:
		return nil, l.stuck("a graph of tasks has no form in the language; it comes from another source, export the project there")
	case ir.If, ir.For, ir.While, ir.Retry:
		return l.control(n)
	default:
		return nil, l.stuck("a node of the kind %T has no form in the language", n)
	}
}

func (l *line) callStatement(c call) (syntax.Stmt, error) {
	if c.bind == "" {
		expr, err := l.call(c, c.segment())
		return &syntax.CallStmt{Call: expr}, err
	}
	if err := l.bindable(c.bind); err != nil {
		return nil, err
	}
	expr, err := l.call(c, c.bind)
	return &syntax.AssignStmt{Name: syntax.Ident{Name: c.bind}, Value: expr}, err
}

func (l *line) bindable(name string) error {
	if !isBindable(name) {
		return l.stuck("%q is not a name that a body can bind", name)
	}
	return nil
}

func (l *line) fork(n ir.Fork) (syntax.Stmt, error) {
	out := &syntax.ParallelStmt{}
	for i, b := range ir.Blocks(n) {
		stmts, err := l.block(b.Prefix(l.site), b.Nodes)
		if err != nil {
			return nil, err
		}
		if len(stmts) == 1 {
			if a, ok := stmts[0].(*syntax.AssignStmt); ok {
				out.Branches = append(out.Branches, a)
				continue
			}
		}
		return nil, l.stuck("branch %s of parallel is not one assignment, which is all that parallel { } can hold", strconv.Itoa(i))
	}
	return out, nil
}

func (l *line) approval(n ir.Approval) (syntax.Stmt, error) {
	if err := l.bindable(n.Bind); err != nil {
		return nil, err
	}
	out := &syntax.ApprovalStmt{Name: syntax.Ident{Name: n.Bind}, Description: text(n.Description), RedactKeys: texts(n.RedactKeys)}
	if len(n.With) == 0 {
		return out, nil
	}
	fields, err := l.fields(n.With, position{parent: n.Bind, template: true, indexed: true})
	out.With = &syntax.ObjectExpr{Fields: fields}
	return out, err
}
