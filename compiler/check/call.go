package check

import (
	"strconv"

	"terfyn/compiler/internal/complain"
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
	"terfyn/internal/ordered"
)

// CalleeKind tells what a call runs. Zero is invalid.
type CalleeKind uint8

// The kinds of callee.
const (
	ToolCallee CalleeKind = iota + 1
	AgentCallee
	WorkflowCallee
)

// Call is what a call expression means: placeholders and omitted names are
// replaced by the keys that are sent.
type Call struct {
	Kind          CalleeKind
	Name          string // tool, agent or workflow
	Operation     string // of a tool
	Args          []Argument
	WholeDocument bool // the only argument is the callee's input document
	ProjectValue  bool // the callee's output document wraps the value it returns
}

// Argument is one argument under its final key, in source order.
type Argument struct {
	Key   string
	Value syntax.Expr
}

// call checks a call and its arguments and gives the type of its result.
func (b *body) call(s scope.Scope, call *syntax.CallExpr, f flow) types.Type {
	shapes := make([]types.Shape, len(call.Args))
	for i, a := range call.Args {
		if a.Name != nil {
			b.secret(a.Name.Name, a.Value, true)
		}
		shapes[i] = b.expr(s, a.Value, true, f)
	}
	if len(call.Callee.Parts) > 1 {
		b.toolCall(call)
		return types.Untyped()
	}
	name := call.Callee.Head()
	if w, ok := b.names.workflows[name.Name]; ok {
		return b.workflowCall(call, w, shapes)
	}
	if a, ok := b.names.agents[name.Name]; ok {
		return b.agentCall(call, a, shapes, f)
	}
	known := append(ordered.Keys(b.names.agents), ordered.Keys(b.names.workflows)...)
	b.missing(unknownCallee(name, known))
	return types.Untyped()
}

func (b *body) toolCall(call *syntax.CallExpr) {
	path := call.Callee
	if _, declared := b.names.tools["tool"]; path.Head().Name == "tool" && len(path.Parts) > 2 && !declared {
		b.missing(prefixedTool(path))
		return
	}
	operation := syntax.Path{Parts: path.Parts[1:]}
	b.operation(path.Head(), path.Span(), operation.String())
	b.project.Calls[call] = Call{
		Kind: ToolCallee, Name: path.Head().Name, Operation: operation.String(), Args: b.placeholders(call),
	}
}

// placeholders gives positional arguments the keys arg0, arg1, …, counting them
// alone.
func (b *body) placeholders(call *syntax.CallExpr) []Argument {
	var out []Argument
	taken := map[string]source.Span{}
	positional := 0
	for _, a := range call.Args {
		var key string
		if a.Name != nil {
			key = a.Name.Name
		} else {
			key = "arg" + strconv.Itoa(positional)
			positional++
		}
		if first, twice := taken[key]; twice {
			b.add(argumentTwice(a.Span(), key, first))
			continue
		}
		taken[key] = a.Span()
		out = append(out, Argument{Key: key, Value: a.Value})
	}
	return out
}

func (b *body) agentCall(call *syntax.CallExpr, a *syntax.AgentDecl, shapes []types.Shape, f flow) types.Type {
	input := b.quietType(a.Input)
	whole := len(call.Args) == 1 && call.Args[0].Name == nil
	out := Call{Kind: AgentCallee, Name: a.Name.Name, Args: b.placeholders(call), WholeDocument: whole}
	b.project.Calls[call] = out
	typed := a.Input != nil && b.project.SchemaPath(a.Input.Name) != ""
	switch {
	case whole:
		for _, m := range types.Fit(shapes[0], input) {
			b.add(complain.BadArgument(placeOf(call.Args[0].Value, m.Path), a.Name.Name, "", m))
		}
	case !typed:
	case len(call.Args) == 0:
		b.add(complain.EmptyAgentCall(call.Span(), a.Name.Name, a.Input.Name))
	default:
		b.add(complain.UnverifiedCall(call.Span(), a.Name.Name, a.Input.Name))
		if f.straight {
			for _, arg := range out.Args {
				b.wiring(a, input, []string{arg.Key}, arg.Value)
			}
		}
	}
	return b.quietType(a.Output)
}

// wiring looks every key of a named call up in the input schema, keys of object
// literals at their full path.
func (b *body) wiring(a *syntax.AgentDecl, input types.Type, path []string, value syntax.Expr) {
	if _, err := types.Lookup(input, path...); err != nil {
		b.add(complain.UndeclaredWiring(value.Span(), a.Name.Name, path, err))
		return
	}
	if o, ok := value.(*syntax.ObjectExpr); ok {
		for _, field := range o.Fields {
			b.wiring(a, input, append(path[:len(path):len(path)], field.Key.Name), field.Value)
		}
	}
}

// quietType is typeOf for a name whose declaration is checked elsewhere.
func (b *body) quietType(name *syntax.Ident) types.Type {
	if name == nil {
		return types.Untyped()
	}
	return types.Of(b.project.docs.load(typePath(name.Name)).schema)
}

func (b *body) workflowCall(call *syntax.CallExpr, w *syntax.WorkflowDecl, shapes []types.Shape) types.Type {
	caller := b.workflow.Name.Name
	b.edges[caller] = append(b.edges[caller], edge{callee: w.Name.Name, at: call.Span()})
	if w.Broken() {
		return types.Untyped()
	}
	params := b.claim(call, w)
	out := Call{Kind: WorkflowCallee, Name: w.Name.Name, ProjectValue: Enveloped(w),
		WholeDocument: len(w.Params) == 1 && len(call.Args) == 1}
	for i, p := range params {
		if p == nil {
			continue
		}
		out.Args = append(out.Args, Argument{Key: p.Name.Name, Value: call.Args[i].Value})
		for _, m := range types.Fit(shapes[i], b.quietType(&p.Type)) {
			b.add(complain.BadArgument(placeOf(call.Args[i].Value, m.Path), w.Name.Name, p.Name.Name, m))
		}
	}
	b.project.Calls[call] = out
	return b.quietType(w.Result)
}

// claim gives every argument its parameter, nil where there is none: named ones
// first, then positional ones take what is left, in order.
func (b *body) claim(call *syntax.CallExpr, w *syntax.WorkflowDecl) []*syntax.Param {
	out := make([]*syntax.Param, len(call.Args))
	claimed := map[string]source.Span{}
	given := map[string]bool{}
	var misspelt []string
	for i, a := range call.Args {
		if a.Name == nil {
			continue
		}
		p := paramOf(w, a.Name.Name)
		if p == nil {
			b.add(unknownParameter(*a.Name, w))
			misspelt = append(misspelt, a.Name.Name)
			continue
		}
		if first, twice := claimed[p.Name.Name]; twice {
			b.add(parameterTwice(*a.Name, w.Name.Name, first))
			continue
		}
		claimed[p.Name.Name], given[p.Name.Name] = a.Span(), true
		out[i] = p
	}
	complain.Meant(misspelt, paramNames(w), given)
	next := 0
	for i, a := range call.Args {
		if a.Name != nil {
			continue
		}
		for next < len(w.Params) && given[w.Params[next].Name.Name] {
			next++
		}
		if next == len(w.Params) {
			b.add(tooManyArguments(a.Span(), w))
			return out
		}
		out[i] = &w.Params[next]
		given[w.Params[next].Name.Name] = true
	}
	for _, p := range w.Params {
		if !given[p.Name.Name] {
			b.add(missingArgument(call.Span(), w, p.Name.Name))
		}
	}
	return out
}

func paramNames(w *syntax.WorkflowDecl) []string {
	names := make([]string, len(w.Params))
	for i, p := range w.Params {
		names[i] = p.Name.Name
	}
	return names
}

func paramOf(w *syntax.WorkflowDecl, name string) *syntax.Param {
	for i := range w.Params {
		if w.Params[i].Name.Name == name {
			return &w.Params[i]
		}
	}
	return nil
}
