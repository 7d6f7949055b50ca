package verify

import (
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/types"
	"terfyn/internal/ordered"
)

// args checks values under names and gives their shapes. what names the entries.
func (b *body) args(s scope.Scope, a at, args []ir.Arg, what string) []types.Field {
	out := make([]types.Field, len(args))
	seen := map[string]bool{}
	for i, arg := range args {
		switch {
		case arg.Name == "":
			b.add(malformed(a.span(), "an %s has no name", what))
		case seen[arg.Name] && what == argument:
			b.add(complain.ArgumentTwice(a.span(), arg.Name))
		case seen[arg.Name] && what != parameter:
			b.add(duplicateEntry(a.span(), what, arg.Name))
		}
		seen[arg.Name] = true
		out[i] = types.Field{Name: arg.Name, Shape: b.expr(s, a, arg.Expr)}
	}
	return out
}

// What entries of an argument list are called.
const (
	argument  = "argument"
	parameter = "parameter" // repeats are the affair of the call of a workflow
)

func (b *body) tool(s scope.Scope, a at, n ir.Tool) {
	b.args(s, a, n.Args, argument)
	t, ok := b.tools[n.Tool]
	if !ok {
		b.add(complain.UnknownTool(a.span(), n.Tool, ordered.Keys(b.tools)))
		return
	}
	if n.Operation == "" {
		b.add(malformed(a.span(), "a call of tool %q names no operation", n.Tool))
		return
	}
	if _, listed := t.Operation(n.Operation); !listed && (t.OperationsDeclared || len(t.Operations) > 0) {
		b.add(unknownOperation(a.span(), t, n.Operation))
	}
}

func (b *body) agent(s scope.Scope, a at, n ir.Agent, f flow) types.Type {
	shapes := b.args(s, a, n.Args, argument)
	callee, ok := b.agents[n.Agent]
	if !ok {
		b.unknownCallee(a, n.Agent)
		return types.Untyped()
	}
	if n.WholeDocument && (len(n.Args) != 1 || n.Args[0].Name != ir.WholeArg) {
		b.add(malformed(a.span(), "the call of agent %q has the whole-document flag; it then needs exactly one argument, named %s", n.Agent, ir.WholeArg))
		return b.typeAt(callee.Output)
	}
	input := b.typeAt(callee.Input)
	switch {
	case n.WholeDocument:
		for _, m := range types.Fit(shapes[0].Shape, input) {
			b.add(complain.BadArgument(a.span(), n.Agent, "", m))
		}
	case !b.typed(callee.Input):
	case len(n.Args) == 0:
		b.add(complain.EmptyAgentCall(a.span(), n.Agent, typeName(callee.Input)))
	default:
		b.add(complain.UnverifiedCall(a.span(), n.Agent, typeName(callee.Input)))
		if f.straight {
			for _, arg := range n.Args {
				b.wiring(a, callee, input, []string{arg.Name}, arg.Expr)
			}
		}
	}
	return b.typeAt(callee.Output)
}

// wiring looks every key of a named call up in the input schema, keys of object
// literals at their full path.
func (b *body) wiring(a at, callee resource.Agent, input types.Type, path []string, value ir.Expr) {
	if _, err := types.Lookup(input, path...); err != nil {
		b.add(complain.UndeclaredWiring(a.span(), callee.Name, path, err))
		return
	}
	if o, ok := value.(ir.Object); ok {
		for _, field := range o.Fields {
			b.wiring(a, callee, input, append(path[:len(path):len(path)], field.Name), field.Expr)
		}
	}
}

func (b *body) unknownCallee(a at, name string) {
	b.add(complain.UnknownCallee(a.span(), name, append(ordered.Keys(b.agents), ordered.Keys(b.workflows)...)))
}

func (b *body) workflow(s scope.Scope, a at, n ir.Workflow) types.Type {
	shapes := b.args(s, a, n.Args, parameter)
	callee, ok := b.workflows[n.Workflow]
	if !ok {
		b.unknownCallee(a, n.Workflow)
		return types.Untyped()
	}
	caller := b.program.Workflow
	b.edges[caller] = append(b.edges[caller], edge{callee: n.Workflow, at: a.span()})
	given := map[string]bool{}
	var misspelt []string
	for i, arg := range n.Args {
		p, found := paramOf(callee, arg.Name)
		switch {
		case !found:
			b.add(unknownParameter(a.span(), arg.Name, callee))
			misspelt = append(misspelt, arg.Name)
			continue
		case given[arg.Name]:
			b.add(complain.ParameterTwice(a.span(), arg.Name, n.Workflow))
			continue
		}
		given[arg.Name] = true
		for _, m := range types.Fit(shapes[i].Shape, b.typeAt(p.Schema)) {
			b.add(complain.BadArgument(a.span(), n.Workflow, p.Name, m))
		}
	}
	complain.Meant(misspelt, paramNames(callee), given)
	for _, p := range callee.Params {
		if !given[p.Name] {
			b.add(complain.MissingArgument(a.span(), n.Workflow, p.Name))
		}
	}
	b.workflowFlags(a, n, callee)
	return b.typeAt(callee.Result)
}

// workflowFlags checks what is written on the call but follows from the callee.
func (b *body) workflowFlags(a at, n ir.Workflow, callee ir.Program) {
	if whole := len(callee.Params) == 1 && len(n.Args) == 1; n.WholeDocument != whole {
		b.add(malformed(a.span(), "the call of workflow %q must have the whole-document flag exactly when one argument meets one parameter; here it is %t, there are %d arguments and %d parameters",
			n.Workflow, n.WholeDocument, len(n.Args), len(callee.Params)))
	}
	if n.ProjectValue != callee.Envelope {
		b.add(malformed(a.span(), "the call of workflow %q must take the value out of the callee's document exactly when that wraps its value; here it is %t, and the callee says %t",
			n.Workflow, n.ProjectValue, callee.Envelope))
	}
}

func paramOf(p ir.Program, name string) (ir.Param, bool) {
	for _, prm := range p.Params {
		if prm.Name == name {
			return prm, true
		}
	}
	return ir.Param{}, false
}
