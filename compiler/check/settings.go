package check

import (
	"net/url"
	"slices"
	"strings"

	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

// runtimes are the values of defaults.runtime.
var runtimes = []string{"claude-code", "gemini", "local"}

func (c *checker) defaults(d *syntax.DefaultsDecl) {
	if d.Broken() {
		return
	}
	c.policyName(d.Policy)
	if d.Model != nil {
		c.model(*d.Model)
	}
	if d.Runtime != nil && !slices.Contains(runtimes, d.Runtime.Name) {
		c.add(unknownChoice(*d.Runtime, "runtime", runtimes))
	}
}

// limits checks a limits body, at top level or of a tool; nil is fine.
func (c *checker) limits(l *syntax.Limits) {
	if l == nil {
		return
	}
	c.whole("maxToolInputBytes", l.MaxToolInputBytes)
	c.whole("maxToolOutputBytes", l.MaxToolOutputBytes)
	c.whole("maxCheckpointBytes", l.MaxCheckpointBytes)
	c.whole("maxStateBytes", l.MaxStateBytes)
	c.whole("maxWorkflowNesting", l.MaxWorkflowNesting)
	c.whole("maxLoopIterations", l.MaxLoopIterations)
	if p := l.CheckpointExceedPolicy; p != nil && p.Name == "truncate" {
		c.add(checkpointTruncate(p.At))
	}
}

func (c *checker) provider(p *syntax.ProviderDecl) {
	switch {
	case p.Type == nil:
		c.add(missingField(p.Name.At, "provider "+p.Name.Name, "type", providers))
	case !slices.Contains(providers, p.Type.Name):
		c.add(unknownChoice(*p.Type, "the type of a provider", providers))
	}
	if p.BaseURL != nil && p.BaseURL.Value != "" {
		c.url("baseUrl", *p.BaseURL)
	}
	c.secret("apiKeyFrom", p.APIKeyFrom)
	c.secret("workspaceIdFrom", p.WorkspaceIDFrom)
}

// url demands an absolute http or https address with a host.
func (c *checker) url(field string, t syntax.Text) {
	u, err := url.Parse(t.Value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		c.add(badURL(t.At, field, t.Value))
	}
}

// secret demands env:NAME. What was written instead may be the secret itself and
// stays out of the message.
func (c *checker) secret(field string, t *syntax.Text) {
	if t == nil {
		return
	}
	name, ok := strings.CutPrefix(t.Value, "env:")
	if !ok || name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		c.add(badSecretReference(t.At, field))
	}
}

func (c *checker) environment(e *syntax.EnvironmentDecl) {
	o := e.Overrides
	if o == nil {
		return
	}
	if o.Agents != nil {
		for _, a := range o.Agents.Items {
			if _, ok := c.names.agents[a.Name.Name]; !ok {
				c.missing(unknownTarget(a.Name, "agent", ordered.Keys(c.names.agents)))
			}
			if a.Model != nil {
				c.model(*a.Model)
			}
			c.constraints(a.Constraints)
		}
	}
	if o.Policies != nil {
		for _, p := range o.Policies.Items {
			if _, ok := c.names.policies[p.Name.Name]; !ok {
				c.missing(unknownTarget(p.Name, "policy", ordered.Keys(c.names.policies)))
			}
			c.execution(p.Execution)
			c.approvals(p.Approvals)
			c.onlyTightens(p.Approvals)
		}
	}
	if o.Tools != nil {
		c.toolOverrides(o.Tools)
	}
}

// onlyTightens refuses to take back, in an environment, a flag of the policy that
// can only be set: the override would do nothing.
func (c *checker) onlyTightens(a *syntax.Approvals) {
	if a == nil {
		return
	}
	if f := a.ForbidSubmitter; f != nil && !f.Value {
		c.add(takenBack(f.At, "forbidSubmitter"))
	}
	if f := a.Signed; f != nil && !f.Value {
		c.add(takenBack(f.At, "signed"))
	}
}

func (c *checker) toolOverrides(o *syntax.ToolOverrides) {
	for _, t := range o.Items {
		if _, ok := c.names.tools[t.Name.Name]; !ok {
			c.missing(unknownTool(t.Name, ordered.Keys(c.names.tools)))
		}
		if t.HTTP != nil && t.HTTP.BaseURL != nil {
			c.url("baseUrl", *t.HTTP.BaseURL)
		}
		if t.MCP != nil && t.MCP.URL != nil {
			c.url("url", *t.MCP.URL)
		}
	}
}
