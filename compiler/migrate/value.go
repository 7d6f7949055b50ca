package migrate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/ir"
	"terfyn/compiler/syntax"
	"terfyn/internal/canon"
)

func (f *flow) fields(o *object) []ir.Arg {
	var out []ir.Arg
	for _, key := range o.keys {
		o.known[key.Value] = true
		out = append(out, ir.Arg{Name: key.Value, Expr: f.value(o, o.values[key.Value])})
	}
	return out
}

// value converts one value of with or of output.
func (f *flow) value(o *object, n *yaml.Node) ir.Expr {
	n = resolve(n)
	switch n.Kind {
	case yaml.MappingNode:
		inner := o.c.object(o.file, n, o.path)
		if inner == nil {
			return ir.Object{}
		}
		inner.resource = o.resource
		return ir.Object{Fields: f.fields(inner)}
	case yaml.SequenceNode:
		o.fail(n, "the language has no array literals; pass the array in through the input, or give its elements fields of their own")
		return ir.Object{}
	}
	switch n.ShortTag() {
	case "!!str", "!!timestamp":
		return f.text(o, n)
	case "!!bool":
		return ir.Literal{Value: canon.Bool(strings.EqualFold(n.Value, "true"))}
	case "!!int", "!!float":
		v, err := number(n)
		if err != nil {
			o.fail(n, "%v", err)
		}
		return ir.Literal{Value: v}
	default:
		o.fail(n, "the language has no null literal; leave the field out, a missing field reads as null")
		return ir.Object{}
	}
}

// text converts a string: one token alone is the value it refers to.
func (f *flow) text(o *object, n *yaml.Node) ir.Expr {
	parts := syntax.ParseTemplate(n.Value)
	out := ir.Template{}
	refs := false
	for _, p := range parts {
		if !p.Ref {
			out.Parts = append(out.Parts, ir.Part{Text: p.Literal})
			continue
		}
		refs = true
		out.Parts = append(out.Parts, ir.Part{Ref: f.path(o, n, p)})
	}
	switch {
	case !refs:
		return ir.Literal{Value: canon.String(n.Value)}
	case len(out.Parts) == 1:
		return ir.Ref{Path: out.Parts[0].Ref}
	}
	return out
}

// path converts ${input…} and ${steps.<id>.output…}; other data about steps cannot
// be referred to.
func (f *flow) path(o *object, n *yaml.Node, p syntax.TemplatePart) []string {
	path := p.Path
	switch {
	case path[0] == "input":
		return append([]string{f.param}, path[1:]...)
	case path[0] != "steps" || len(path) < 2:
		o.fail(n, "%s refers to neither input nor steps", p.Source)
	case !f.ids[path[1]]:
		o.fail(n, "%s refers to the step %q, which does not exist", p.Source, path[1])
	case len(path) < 3 || path[2] != "output":
		o.fail(n, "%s refers to data about a step, which the language does not have; only its output can be referred to, as ${steps.%s.output}", p.Source, path[1])
	default:
		return append([]string{path[1]}, path[3:]...)
	}
	return []string{f.param}
}
