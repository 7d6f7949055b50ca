package lower

import (
	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
)

func tool(t *syntax.ToolDecl) resource.Tool {
	out := resource.Tool{
		Name:               t.Name.Name,
		Type:               ident(t.Type),
		Description:        text(t.Description),
		OperationsDeclared: t.Operations != nil,
		HTTP:               http(t.HTTP),
		MCP:                mcp(t.MCP),
		Temporal:           temporal(t.Temporal),
		Exclusive:          text(t.Exclusive),
		Limits:             limits(t.Limits),
	}
	if s := t.Safety; s != nil {
		out.Safety = resource.Safety{
			Trusted:          optional(s.Trusted),
			SideEffects:      optional(s.SideEffects),
			RequiresApproval: optional(s.RequiresApproval),
		}
	}
	if w := t.Workspace; w != nil {
		out.Workspace = &resource.Workspace{Root: text(w.Root), TestCommand: text(w.TestCommand)}
	}
	if r := t.Retry; r != nil {
		out.Retry = resource.Retry{MaxAttempts: whole(r.MaxAttempts), Backoff: text(r.Backoff)}
	}
	if t.Operations != nil {
		for _, o := range t.Operations.Items {
			out.Operations = append(out.Operations, operation(o))
		}
	}
	return out
}

func operation(o *syntax.Operation) resource.Operation {
	out := resource.Operation{
		Name:           o.Name.String(),
		RemoteName:     text(o.RemoteName),
		Description:    text(o.Description),
		Schema:         text(o.Schema),
		OutputSchema:   text(o.OutputSchema),
		Effects:        effects(o.Effects),
		NoEffects:      o.Effects != nil && len(o.Effects.Items) == 0,
		ReadOnly:       optional(o.ReadOnly),
		Idempotency:    ident(o.Idempotency),
		Delivered:      text(o.Delivered),
		TimeoutSeconds: whole(o.TimeoutSeconds),
		MaxInputBytes:  whole(o.MaxInputBytes),
		MaxOutputBytes: whole(o.MaxOutputBytes),
	}
	if o.Reconcile != nil {
		out.Reconcile = o.Reconcile.String()
	}
	return out
}

func http(h *syntax.HTTP) *resource.HTTP {
	if h == nil {
		return nil
	}
	return &resource.HTTP{BaseURL: text(h.BaseURL), Headers: headers(h.Headers)}
}

func headers(h *syntax.HeaderMap) []resource.Header {
	if h == nil {
		return nil
	}
	var out []resource.Header
	for _, item := range h.Items {
		out = append(out, resource.Header{Name: item.Key.Value, Value: item.Value.Value})
	}
	return out
}

func mcp(m *syntax.MCP) *resource.MCP {
	if m == nil {
		return nil
	}
	return &resource.MCP{
		Transport: text(m.Transport), Command: text(m.Command), Args: texts(m.Args), URL: text(m.URL), Headers: headers(m.Headers),
	}
}

func temporal(t *syntax.Temporal) *resource.Temporal {
	if t == nil {
		return nil
	}
	return &resource.Temporal{TaskQueue: text(t.TaskQueue), Namespace: text(t.Namespace), Endpoint: text(t.Endpoint), Kind: ident(t.Kind)}
}

func limits(l *syntax.Limits) resource.Limits {
	if l == nil {
		return resource.Limits{}
	}
	return resource.Limits{
		MaxToolInputBytes:      whole(l.MaxToolInputBytes),
		MaxToolOutputBytes:     whole(l.MaxToolOutputBytes),
		MaxCheckpointBytes:     whole(l.MaxCheckpointBytes),
		MaxStateBytes:          whole(l.MaxStateBytes),
		MaxWorkflowNesting:     whole(l.MaxWorkflowNesting),
		MaxLoopIterations:      whole(l.MaxLoopIterations),
		ToolInputExceedPolicy:  resource.Exceed(ident(l.ToolInputExceedPolicy)),
		ToolOutputExceedPolicy: resource.Exceed(ident(l.ToolOutputExceedPolicy)),
		CheckpointExceedPolicy: resource.Exceed(ident(l.CheckpointExceedPolicy)),
	}
}

func defaults(d *syntax.DefaultsDecl) resource.Defaults {
	if d == nil {
		return resource.Defaults{}
	}
	return resource.Defaults{Policy: ident(d.Policy), Model: model(d.Model), Runtime: ident(d.Runtime)}
}

func provider(p *syntax.ProviderDecl) resource.Provider {
	return resource.Provider{
		Name:            p.Name.Name,
		Type:            ident(p.Type),
		BaseURL:         text(p.BaseURL),
		APIKeyFrom:      text(p.APIKeyFrom),
		WorkspaceIDFrom: text(p.WorkspaceIDFrom),
	}
}

func environment(e *syntax.EnvironmentDecl) resource.Environment {
	out := resource.Environment{Name: e.Name.Name}
	if o := e.Overrides; o != nil && o.Agents != nil {
		out.Agents = map[string]resource.AgentOverride{}
		for _, a := range o.Agents.Items {
			out.Agents[a.Name.Name] = resource.AgentOverride{Model: model(a.Model), Constraints: constraints(a.Constraints)}
		}
	}
	if o := e.Overrides; o != nil && o.Policies != nil {
		out.Policies = map[string]resource.Policy{}
		for _, p := range o.Policies.Items {
			out.Policies[p.Name.Name] = resource.Policy{
				Name: p.Name.Name, Execution: execution(p.Execution), Approvals: approvalRules(p.Approvals),
			}
		}
	}
	if o := e.Overrides; o != nil && o.Tools != nil {
		out.Tools = map[string]resource.ToolOverride{}
		for _, t := range o.Tools.Items {
			out.Tools[t.Name.Name] = resource.ToolOverride{HTTP: http(t.HTTP), MCP: mcp(t.MCP), Temporal: temporal(t.Temporal)}
		}
	}
	if r := e.Runtime; r != nil {
		out.Runtime = resource.Runtime{Address: text(r.Address), Namespace: text(r.Namespace), TaskQueue: text(r.TaskQueue), State: text(r.State)}
	}
	if e.Approvers == nil {
		return out
	}
	for _, p := range e.Approvers.Items {
		principal(&out, p)
	}
	return out
}

// principal records one approver or group of an environment.
func principal(e *resource.Environment, p *syntax.Principal) {
	if p.Key != nil {
		if e.Approvers == nil {
			e.Approvers = map[string]string{}
		}
		e.Approvers[p.Name.Name] = p.Key.Value
		return
	}
	if e.Groups == nil {
		e.Groups = map[string][]string{}
	}
	members := []string{}
	for _, m := range p.Members.Items {
		members = append(members, m.Name)
	}
	e.Groups[p.Name.Name] = members
}
