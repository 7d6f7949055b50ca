package export

import (
	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
)

func (w writer) tool(t resource.Tool) *syntax.ToolDecl {
	out := &syntax.ToolDecl{
		Name:        w.ident("name", t.Name),
		Type:        w.word("type", t.Type),
		MCP:         mcp(t.MCP),
		HTTP:        http(t.HTTP),
		Limits:      w.limits(t.Limits),
		Description: text(t.Description),
		Exclusive:   text(t.Exclusive),
		Temporal:    w.temporal("temporal", t.Temporal),
	}
	if t.Workspace != nil {
		out.Workspace = &syntax.Workspace{Root: text(t.Workspace.Root), TestCommand: text(t.Workspace.TestCommand)}
	}
	if t.Retry != (resource.Retry{}) {
		out.Retry = &syntax.ToolRetry{MaxAttempts: whole(t.Retry.MaxAttempts), Backoff: text(t.Retry.Backoff)}
	}
	if s := t.Safety; s != (resource.Safety{}) {
		out.Safety = &syntax.Safety{Trusted: flag(s.Trusted), SideEffects: flag(s.SideEffects), RequiresApproval: flag(s.RequiresApproval)}
	}
	if t.OperationsDeclared || len(t.Operations) > 0 {
		out.Operations = &syntax.Operations{}
		for _, o := range t.Operations {
			out.Operations.Items = append(out.Operations.Items, w.operation(o))
		}
	}
	return out
}

func (w writer) operation(o resource.Operation) *syntax.Operation {
	field := "operations." + o.Name
	return &syntax.Operation{
		Name:           w.path(field, o.Name),
		Schema:         text(o.Schema),
		Effects:        w.effects(field+".effects", o.Effects, o.NoEffects),
		Description:    text(o.Description),
		OutputSchema:   text(o.OutputSchema),
		ReadOnly:       flag(o.ReadOnly),
		Idempotency:    w.word(field+".idempotency", o.Idempotency),
		Reconcile:      w.optionalPath(field+".reconcile", o.Reconcile),
		Delivered:      text(o.Delivered),
		TimeoutSeconds: whole(o.TimeoutSeconds),
		MaxInputBytes:  whole(o.MaxInputBytes),
		MaxOutputBytes: whole(o.MaxOutputBytes),
		RemoteName:     text(o.RemoteName),
	}
}

func mcp(m *resource.MCP) *syntax.MCP {
	if m == nil {
		return nil
	}
	return &syntax.MCP{
		Transport: text(m.Transport), Command: text(m.Command), Args: texts(m.Args), URL: text(m.URL), Headers: headers(m.Headers),
	}
}

func http(h *resource.HTTP) *syntax.HTTP {
	if h == nil {
		return nil
	}
	return &syntax.HTTP{BaseURL: text(h.BaseURL), Headers: headers(h.Headers)}
}

func headers(hs []resource.Header) *syntax.HeaderMap {
	if len(hs) == 0 {
		return nil
	}
	out := &syntax.HeaderMap{}
	for _, h := range hs {
		out.Items = append(out.Items, syntax.Header{Key: syntax.Text{Value: h.Name}, Value: syntax.Text{Value: h.Value}})
	}
	return out
}

func (w writer) temporal(field string, t *resource.Temporal) *syntax.Temporal {
	if t == nil {
		return nil
	}
	return &syntax.Temporal{
		TaskQueue: text(t.TaskQueue), Namespace: text(t.Namespace), Endpoint: text(t.Endpoint), Kind: w.word(field+".kind", t.Kind),
	}
}
