package resource

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"terfyn/internal/ordered"
)

// ErrUnknownEnvironment marks an environment name no project file declares.
var ErrUnknownEnvironment = errors.New("unknown environment")

// Overlay returns the normalized graph as it applies to one environment: its
// overrides applied, the other environments left out, so that editing them
// changes nothing here. "" is no environment. An unknown name is an error that
// lists the known ones; an override of something that does not exist is an error.
func Overlay(g Graph, env string) (Graph, error) {
	g = Normalize(g)
	if env == "" {
		g.Environments = nil
		return g, nil
	}
	e, ok := g.Environment(env)
	if !ok {
		return Graph{}, unknownEnvironment(g, env)
	}
	if err := overlayAgents(g, e); err != nil {
		return Graph{}, err
	}
	if err := overlayPolicies(g, e); err != nil {
		return Graph{}, err
	}
	if err := overlayTools(g, e); err != nil {
		return Graph{}, err
	}
	g.Environments = []Environment{e}
	return Normalize(g), nil
}

func unknownEnvironment(g Graph, env string) error {
	if len(g.Environments) == 0 {
		return fmt.Errorf("%w %q: the project declares none", ErrUnknownEnvironment, env)
	}
	var names []string
	for _, e := range g.Environments {
		names = append(names, e.Name)
	}
	return fmt.Errorf("%w %q: the project declares %s", ErrUnknownEnvironment, env, strings.Join(names, ", "))
}

func noTarget(e Environment, kind Kind, name string) error {
	return fmt.Errorf("environment %s overrides %s %q, which does not exist", e.Name, strings.ToLower(string(kind)), name)
}

func overlayAgents(g Graph, e Environment) error {
	for _, name := range ordered.Keys(e.Agents) {
		i := slices.IndexFunc(g.Agents, func(a Agent) bool { return a.Name == name })
		if i < 0 {
			return noTarget(e, KindAgent, name)
		}
		o := e.Agents[name]
		if o.Model != "" {
			g.Agents[i].Model, g.Agents[i].MockScript = o.Model, o.MockScript
		}
		g.Agents[i].Constraints = o.Constraints.Over(g.Agents[i].Constraints)
	}
	return nil
}

// Over returns c with its unset fields taken from below.
func (c Constraints) Over(below Constraints) Constraints {
	return Constraints{
		MaxIterations:           cmp.Or(c.MaxIterations, below.MaxIterations),
		MaxTokens:               cmp.Or(c.MaxTokens, below.MaxTokens),
		TimeoutSeconds:          cmp.Or(c.TimeoutSeconds, below.TimeoutSeconds),
		Temperature:             cmp.Or(c.Temperature, below.Temperature),
		RequireStructuredOutput: orFlag(c.RequireStructuredOutput, below.RequireStructuredOutput),
	}
}

func overlayPolicies(g Graph, e Environment) error {
	for _, name := range ordered.Keys(e.Policies) {
		i := slices.IndexFunc(g.Policies, func(p Policy) bool { return p.Name == name })
		if i < 0 {
			return noTarget(e, KindPolicy, name)
		}
		o, p := e.Policies[name], &g.Policies[i]
		p.Execution = o.Execution.Over(p.Execution)
		p.Approvals = o.Approvals.Over(p.Approvals)
	}
	return nil
}

// Over returns a with its unset fields taken from below. What requiredFor lists is
// added; approvers are replaced as a whole. A flag that only tightens can be set and
// not taken back.
func (a Approvals) Over(below Approvals) Approvals {
	out := Approvals{
		RequiredFor:     set(slices.Concat(below.RequiredFor, a.RequiredFor)),
		RequireAllTools: orFlag(a.RequireAllTools, below.RequireAllTools),
		Permissive:      orFlag(a.Permissive, below.Permissive),
		Approvers:       set(a.Approvers),
		MinApprovals:    cmp.Or(a.MinApprovals, below.MinApprovals),
		ForbidSubmitter: a.ForbidSubmitter || below.ForbidSubmitter,
		Signed:          a.Signed || below.Signed,
		TimeoutSeconds:  cmp.Or(a.TimeoutSeconds, below.TimeoutSeconds),
		OnTimeout:       cmp.Or(a.OnTimeout, below.OnTimeout),
		InLoop:          cmp.Or(a.InLoop, below.InLoop),
	}
	if len(out.Approvers) == 0 {
		out.Approvers = set(below.Approvers)
	}
	return out
}

// Over returns x with its unset fields taken from below.
func (x Execution) Over(below Execution) Execution {
	return Execution{
		MaxTotalCostUSD:         cmp.Or(x.MaxTotalCostUSD, below.MaxTotalCostUSD),
		MaxWallClockSeconds:     cmp.Or(x.MaxWallClockSeconds, below.MaxWallClockSeconds),
		MaxIterations:           cmp.Or(x.MaxIterations, below.MaxIterations),
		RequireStructuredOutput: orFlag(x.RequireStructuredOutput, below.RequireStructuredOutput),
	}
}

func overlayTools(g Graph, e Environment) error {
	for _, name := range ordered.Keys(e.Tools) {
		i := slices.IndexFunc(g.Tools, func(t Tool) bool { return t.Name == name })
		if i < 0 {
			return noTarget(e, KindTool, name)
		}
		o, t := e.Tools[name], &g.Tools[i]
		t.HTTP, t.MCP, t.Temporal = overlayHTTP(o.HTTP, t.HTTP), overlayMCP(o.MCP, t.MCP), overlayTemporal(o.Temporal, t.Temporal)
	}
	return nil
}

func overlayHTTP(o, base *HTTP) *HTTP {
	if o == nil || base == nil {
		return cmp.Or(o, base)
	}
	return &HTTP{BaseURL: cmp.Or(o.BaseURL, base.BaseURL), Headers: overlayHeaders(o.Headers, base.Headers)}
}

// overlayMCP replaces the way to the server as a whole: a command and a URL
// exclude each other, so naming one drops the other.
func overlayMCP(o, base *MCP) *MCP {
	if o == nil || base == nil {
		return cmp.Or(o, base)
	}
	out := MCP{
		Transport: cmp.Or(o.Transport, base.Transport), Command: cmp.Or(o.Command, base.Command), URL: cmp.Or(o.URL, base.URL),
		Args: base.Args, Headers: overlayHeaders(o.Headers, base.Headers),
	}
	if len(o.Args) > 0 {
		out.Args = o.Args
	}
	switch {
	case o.URL != "" && o.Command == "":
		out.Command, out.Args = "", o.Args
	case o.Command != "" && o.URL == "":
		out.URL, out.Args, out.Headers = "", o.Args, o.Headers
	}
	return &out
}

func overlayTemporal(o, base *Temporal) *Temporal {
	if o == nil || base == nil {
		return cmp.Or(o, base)
	}
	return &Temporal{
		TaskQueue: cmp.Or(o.TaskQueue, base.TaskQueue), Namespace: cmp.Or(o.Namespace, base.Namespace),
		Endpoint: cmp.Or(o.Endpoint, base.Endpoint), Kind: cmp.Or(o.Kind, base.Kind),
	}
}

// overlayHeaders adds to base and replaces headers of the same name; header
// names do not depend on case.
func overlayHeaders(o, base []Header) []Header {
	out := list(o)
	for _, h := range base {
		if !slices.ContainsFunc(o, func(n Header) bool { return strings.EqualFold(n.Name, h.Name) }) {
			out = append(out, h)
		}
	}
	return headers(out)
}
