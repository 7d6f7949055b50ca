package check

import (
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

func (c *checker) agent(a *syntax.AgentDecl) {
	switch {
	case a.Model != nil:
		c.model(*a.Model)
	case c.project.Defaults == nil || c.project.Defaults.Model == nil:
		if c.project.Defaults == nil || !c.project.Defaults.Broken() {
			c.missing(missingModel(a.Name))
		}
	}
	if a.FallbackModels != nil {
		for _, m := range a.FallbackModels.Items {
			c.model(m)
		}
	}
	c.policyName(a.Policy)
	c.constraints(a.Constraints)
	if a.Instructions != nil {
		c.project.Instructions[a] = c.instructions(a.Instructions)
	}
	c.grants(a.Grants)
	c.typeOf(a.Input)
	c.typeOf(a.Output)
}

// model checks the namespace of a model; the id is the provider's affair.
func (c *checker) model(m syntax.ModelRef) {
	name := m.Provider.Name
	if _, declared := c.names.providers[name]; declared {
		return
	}
	for _, builtin := range providers {
		if name == builtin {
			return
		}
	}
	known := append(ordered.Keys(c.names.providers), providers...)
	c.missing(unknownProvider(m.Provider, known))
}

// policyName checks a reference to a policy; presets count.
func (c *checker) policyName(name *syntax.Ident) {
	if name == nil {
		return
	}
	if _, ok := c.names.policies[name.Name]; ok {
		return
	}
	for _, p := range presets {
		if name.Name == p {
			return
		}
	}
	known := append(ordered.Keys(c.names.policies), presets...)
	c.missing(unknownPolicy(*name, known))
}

func (c *checker) constraints(k *syntax.Constraints) {
	if k == nil {
		return
	}
	c.whole("maxIterations", k.MaxIterations)
	c.whole("maxTokens", k.MaxTokens)
	c.whole("timeoutSeconds", k.TimeoutSeconds)
	c.between("temperature", k.Temperature, "0", "2")
}

// grants checks every capability and that the model can tell them apart.
func (c *checker) grants(set *syntax.CapabilitySet) {
	if set == nil {
		return
	}
	var tools []syntax.Capability
	holder := resource.Agent{}
	seen := map[string]source.Span{}
	for _, g := range set.Items {
		if first, twice := seen[g.String()]; twice {
			c.add(grantedTwice(g, first))
			continue
		}
		seen[g.String()] = g.Span()
		c.capability(g)
		if g.Kind == syntax.ToolCapability {
			tools = append(tools, g)
			holder.Grants = append(holder.Grants, g.String())
		}
	}
	shown := map[string]syntax.Capability{}
	for _, g := range tools {
		name := resource.ShownName(holder, g.String())
		if first, clash := shown[name]; clash {
			c.add(shownNameClash(g, first, name))
			continue
		}
		shown[name] = g
	}
}

func (c *checker) capability(g syntax.Capability) {
	target := g.Target()
	switch g.Kind {
	case syntax.ToolCapability:
		c.operation(target, g.Span(), g.Operation())
	case syntax.AgentCapability:
		if _, ok := c.names.agents[target.Name]; !ok {
			c.missing(unknownTarget(target, "agent", ordered.Keys(c.names.agents)))
		}
	case syntax.WorkflowCapability:
		if _, ok := c.names.workflows[target.Name]; !ok {
			c.missing(unknownTarget(target, "workflow", ordered.Keys(c.names.workflows)))
		}
	}
}

// operation checks that a tool exists and, when its manifest is closed, lists
// the operation.
func (c *checker) operation(tool syntax.Ident, at source.Span, operation string) {
	t, ok := c.names.tools[tool.Name]
	if !ok {
		c.missing(unknownTool(tool, ordered.Keys(c.names.tools)))
		return
	}
	if t.Broken() || t.Operations == nil {
		return
	}
	if findOperation(t, operation) == nil {
		c.add(unknownOperation(at, tool.Name, operation, operationNames(t)))
	}
}

func findOperation(t *syntax.ToolDecl, name string) *syntax.Operation {
	for _, o := range t.Operations.Items {
		if o.Name.String() == name {
			return o
		}
	}
	return nil
}

func operationNames(t *syntax.ToolDecl) []string {
	names := make([]string, len(t.Operations.Items))
	for i, o := range t.Operations.Items {
		names[i] = o.Name.String()
	}
	return names
}
