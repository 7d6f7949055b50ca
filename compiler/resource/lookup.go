package resource

import "sort"

// Agent returns the agent of that name.
func (g Graph) Agent(name string) (Agent, bool) {
	return find(g.Agents, name, func(a *Agent) string { return a.Name })
}

// Tool returns the tool of that name.
func (g Graph) Tool(name string) (Tool, bool) {
	return find(g.Tools, name, func(t *Tool) string { return t.Name })
}

// Policy returns the policy of that name as declared, without its preset.
func (g Graph) Policy(name string) (Policy, bool) {
	return find(g.Policies, name, func(p *Policy) string { return p.Name })
}

// Workflow returns the workflow of that name.
func (g Graph) Workflow(name string) (Workflow, bool) {
	return find(g.Workflows, name, func(w *Workflow) string { return w.Name })
}

// Environment returns the environment of that name.
func (g Graph) Environment(name string) (Environment, bool) {
	return find(g.Environments, name, func(e *Environment) string { return e.Name })
}

// Provider returns the declared provider alias of that name.
func (g Graph) Provider(name string) (Provider, bool) {
	return find(g.Providers, name, func(p *Provider) string { return p.Name })
}

// Operation resolves tool.<name>.<operation>. ok is false when the tool does not
// exist or its closed manifest lacks the operation; an open tool yields an
// operation of that name with nothing declared.
func (g Graph) Operation(capability string) (t Tool, o Operation, ok bool) {
	tool, name, ok := SplitCapability(capability)
	if !ok {
		return Tool{}, Operation{}, false
	}
	if t, ok = g.Tool(tool); !ok {
		return Tool{}, Operation{}, false
	}
	if o, ok = t.Operation(name); ok {
		return t, o, true
	}
	return t, Operation{Name: name}, !t.OperationsDeclared
}

// find looks for the first entry of that name; "" names nothing. Lists of a
// normalized graph are sorted, so it halves first; a list that is not, or lacks the
// name, is walked.
func find[T any](in []T, name string, of func(*T) string) (T, bool) {
	var none T
	if name == "" {
		return none, false
	}
	if at := sort.Search(len(in), func(i int) bool { return of(&in[i]) >= name }); at < len(in) && of(&in[at]) == name {
		return in[at], true
	}
	for i := range in {
		if of(&in[i]) == name {
			return in[i], true
		}
	}
	return none, false
}
