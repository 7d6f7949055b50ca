package ir

import (
	"fmt"
	"strings"

	"terfyn/internal/canon"
)

// Dump renders the program for people and goldens, one node a line with its site
// in front. It is never parsed.
func (p Program) Dump() string {
	d := &dumper{}
	params := make([]string, len(p.Params))
	for i, prm := range p.Params {
		params[i] = prm.Name
		if prm.Schema != "" {
			params[i] += ": " + prm.Schema
		}
	}
	head := fmt.Sprintf("workflow %s(%s)", p.Workflow, strings.Join(params, ", "))
	if p.Result != "" {
		head += " -> " + p.Result
	}
	if p.Envelope {
		head += " envelope"
	}
	d.line("%s", head)
	d.block(p.Body)
	return d.out.String()
}

type dumper struct {
	out   strings.Builder
	depth int
}

func (d *dumper) line(format string, args ...any) {
	d.out.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(&d.out, format, args...)
	d.out.WriteByte('\n')
}

func (d *dumper) block(nodes []Node) {
	d.depth++
	for _, n := range nodes {
		d.node(n)
	}
	d.depth--
}

func (d *dumper) node(n Node) {
	switch n := n.(type) {
	case Let:
		d.line("%s: let %s = %s", n.ID, n.Name, exprText(n.Expr))
	case Agent:
		d.line("%s: agent %s(%s)%s", n.ID, n.Agent, argsText(n.Args, n.WholeDocument), bindText(n.Bind))
	case Tool:
		d.line("%s: tool %s.%s(%s)%s", n.ID, n.Tool, n.Operation, argsText(n.Args, false), bindText(n.Bind))
	case Workflow:
		value := ""
		if n.ProjectValue {
			value = ".value"
		}
		d.line("%s: workflow %s(%s)%s%s", n.ID, n.Workflow, argsText(n.Args, n.WholeDocument), value, bindText(n.Bind))
	case Approval:
		d.line("%s: approval %q redact%q with(%s)%s", n.ID, n.Description, n.RedactKeys, argsText(n.With, false), bindText(n.Bind))
	case Return:
		d.line("%s: return %s", n.ID, exprText(n.Expr))
	default:
		d.nested(n)
	}
}

func (d *dumper) nested(n Node) {
	switch n := n.(type) {
	case If:
		d.line("%s: if %s", n.ID, condText(n.Cond))
		d.block(n.Then)
		if len(n.Else) > 0 {
			d.line("else")
			d.block(n.Else)
		}
	case For:
		word := "for"
		if n.Parallel {
			word = "parallel for"
		}
		d.line("%s: %s %s in %s", n.ID, word, n.Var, exprText(n.In))
		d.block(n.Body)
	case While:
		d.line("%s: while %s limit %d", n.ID, condText(n.Cond), n.Limit)
		d.block(n.Body)
	case Retry:
		d.line("%s: retry until %s limit %d", n.ID, condText(n.Until), n.Limit)
		d.block(n.Body)
	case Fork:
		d.line("%s: fork", n.ID)
		for i, b := range n.Branches {
			d.line("branch %d", i)
			d.block(b)
		}
	case Graph:
		d.line("%s: graph", n.ID)
		for _, t := range n.Tasks {
			d.line("task %s needs %q", t.Name, t.Needs)
			d.block(t.Body)
		}
	default:
		panic(fmt.Sprintf("ir: dump: unknown node %T", n))
	}
}

func bindText(name string) string {
	if name == "" {
		return ""
	}
	return " -> " + name
}

func argsText(args []Arg, whole bool) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = a.Name + ": " + exprText(a.Expr)
	}
	text := strings.Join(parts, ", ")
	if whole {
		return "whole " + text
	}
	return text
}

func exprText(e Expr) string {
	switch e := e.(type) {
	case Literal:
		return e.Value.JSON()
	case Ref:
		return strings.Join(e.Path, ".")
	case Object:
		return "{" + argsText(e.Fields, false) + "}"
	case Template:
		var b strings.Builder
		for _, p := range e.Parts {
			if len(p.Ref) > 0 {
				b.WriteString("${" + strings.Join(p.Ref, ".") + "}")
			} else {
				b.WriteString(p.Text)
			}
		}
		return "template " + canon.String(b.String()).JSON()
	default:
		panic(fmt.Sprintf("ir: dump: unknown expression %T", e))
	}
}

func condText(c Cond) string {
	switch c := c.(type) {
	case Not:
		return "!" + condText(c.Of)
	case And:
		return joinConds(c.Of, " && ")
	case Or:
		return joinConds(c.Of, " || ")
	case Compare:
		return "(" + condText(c.Left) + " " + string(c.Op) + " " + condText(c.Right) + ")"
	case Test:
		return exprText(c.Expr)
	default:
		panic(fmt.Sprintf("ir: dump: unknown condition %T", c))
	}
}

func joinConds(cs []Cond, op string) string {
	parts := make([]string, len(cs))
	for i, c := range cs {
		parts[i] = condText(c)
	}
	return "(" + strings.Join(parts, op) + ")"
}
