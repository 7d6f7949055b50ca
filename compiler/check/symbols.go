package check

import (
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

// symbols finds declarations by kind and name.
type symbols struct {
	agents       map[string]*syntax.AgentDecl
	tools        map[string]*syntax.ToolDecl
	policies     map[string]*syntax.PolicyDecl
	workflows    map[string]*syntax.WorkflowDecl
	environments map[string]*syntax.EnvironmentDecl
	providers    map[string]*syntax.ProviderDecl
}

func newSymbols() symbols {
	return symbols{
		agents:       map[string]*syntax.AgentDecl{},
		tools:        map[string]*syntax.ToolDecl{},
		policies:     map[string]*syntax.PolicyDecl{},
		workflows:    map[string]*syntax.WorkflowDecl{},
		environments: map[string]*syntax.EnvironmentDecl{},
		providers:    map[string]*syntax.ProviderDecl{},
	}
}

// collect fills the symbols and the lists of the project. Of two declarations of
// one kind and name the first is kept.
func (c *checker) collect() {
	for _, u := range c.in.Units {
		for _, d := range u.Decls {
			c.declare(d)
		}
	}
	n, p := &c.names, c.project
	p.Agents = sorted(n.agents)
	p.Tools = sorted(n.tools)
	p.Policies = sorted(n.policies)
	p.Workflows = sorted(n.workflows)
	p.Environments = sorted(n.environments)
	p.Providers = sorted(n.providers)
	for _, w := range p.Workflows {
		if a, clash := n.agents[w.Name.Name]; clash {
			c.add(nameClash(w.Name, a.Name.At))
		}
	}
}

func (c *checker) declare(d syntax.Decl) {
	n := &c.names
	switch d := d.(type) {
	case *syntax.AgentDecl:
		put(c, n.agents, "agent", d.Name, d, func(d *syntax.AgentDecl) source.Span { return d.Name.At })
	case *syntax.ToolDecl:
		put(c, n.tools, "tool", d.Name, d, func(d *syntax.ToolDecl) source.Span { return d.Name.At })
	case *syntax.PolicyDecl:
		put(c, n.policies, "policy", d.Name, d, func(d *syntax.PolicyDecl) source.Span { return d.Name.At })
	case *syntax.WorkflowDecl:
		put(c, n.workflows, "workflow", d.Name, d, func(d *syntax.WorkflowDecl) source.Span { return d.Name.At })
	case *syntax.EnvironmentDecl:
		put(c, n.environments, "environment", d.Name, d, func(d *syntax.EnvironmentDecl) source.Span { return d.Name.At })
	case *syntax.ProviderDecl:
		put(c, n.providers, "provider", d.Name, d, func(d *syntax.ProviderDecl) source.Span { return d.Name.At })
	case *syntax.DefaultsDecl:
		if first := c.project.Defaults; first != nil {
			c.add(repeatedSingleton(d.At, "defaults", first.At))
			return
		}
		c.project.Defaults = d
	case *syntax.LimitsDecl:
		if first := c.project.Limits; first != nil {
			c.add(repeatedSingleton(d.At, "limits", first.At))
			return
		}
		c.project.Limits = d
	}
}

// put records a declaration; one without a name was lost in parsing.
func put[D any](c *checker, m map[string]D, kind string, name syntax.Ident, d D, at func(D) source.Span) {
	if name.Name == "" {
		return
	}
	if first, dup := m[name.Name]; dup {
		c.add(duplicateDeclaration(name, kind, at(first)))
		return
	}
	m[name.Name] = d
}

func sorted[D any](m map[string]D) []D {
	out := make([]D, 0, len(m))
	for _, name := range ordered.Keys(m) {
		out = append(out, m[name])
	}
	return out
}

// presets are the policies every project has.
var presets = []string{"permissive", "shell_safe", "strict"}

// providers are the model namespaces every project has; they are also the types
// a declared provider may have.
var providers = []string{"anthropic", "gemini", "grok", "kimi", "mock", "openai"}
