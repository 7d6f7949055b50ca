package resource

// Agent returns the agent of that name.
func (g Graph) Agent(name string) (Agent, bool) {
	return find(g.Agents, func(a Agent) bool { return a.Name == name })
}

// Tool returns the tool of that name.
func (g Graph) Tool(name string) (Tool, bool) {
	return find(g.Tools, func(t Tool) bool { return t.Name == name })
}

// Policy returns the policy of that name as declared, without its preset.
func (g Graph) Policy(name string) (Policy, bool) {
	return find(g.Policies, func(p Policy) bool { return p.Name == name })
}

// Workflow returns the workflow of that name.
func (g Graph) Workflow(name string) (Workflow, bool) {
	return find(g.Workflows, func(w Workflow) bool { return w.Name == name })
}

// Environment returns the environment of that name.
func (g Graph) Environment(name string) (Environment, bool) {
	return find(g.Environments, func(e Environment) bool { return e.Name == name })
}

// Provider returns the declared provider alias of that name.
func (g Graph) Provider(name string) (Provider, bool) {
	return find(g.Providers, func(p Provider) bool { return p.Name == name })
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

func find[T any](in []T, match func(T) bool) (T, bool) {
	for _, v := range in {
		if match(v) {
			return v, true
		}
	}
	var none T
	return none, false
}
