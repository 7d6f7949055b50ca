package risk_test

import (
	"terfyn/compiler/resource"
	"terfyn/planner/risk"
)

func toolMeanings() map[string]meaning {
	tool := func(c risk.Category, edit func(*resource.Tool)) meaning {
		return meaning{category: c, weaken: func(g *resource.Graph) { edit(&g.Tools[0]) }}
	}
	operation := func(c risk.Category, edit func(*resource.Operation)) meaning {
		return tool(c, func(t *resource.Tool) { edit(&t.Operations[0]) })
	}
	bounded := func(edit func(*resource.Limits)) meaning {
		return tool(risk.ToolSurfaceChange, func(t *resource.Tool) { edit(&t.Limits) })
	}
	const inner = "tools have neither loops nor nested workflows"
	return map[string]meaning{
		"Tools.Name":                          {none: identity},
		"Tools.Type":                          tool(risk.ToolTransportChange, func(t *resource.Tool) { t.Type = "mcp" }),
		"Tools.Description":                   {none: prose},
		"Tools.Safety.Trusted":                tool(risk.ToolSurfaceChange, func(t *resource.Tool) { t.Safety.Trusted = flag(true) }),
		"Tools.Safety.SideEffects":            tool(risk.ToolSurfaceChange, func(t *resource.Tool) { t.Safety.SideEffects = flag(false) }),
		"Tools.Safety.RequiresApproval":       tool(risk.ApprovalRemoval, func(t *resource.Tool) { t.Safety.RequiresApproval = nil }),
		"Tools.OperationsDeclared":            tool(risk.ToolSurfaceChange, func(t *resource.Tool) { t.OperationsDeclared, t.Operations = false, nil }),
		"Tools.Operations.Name":               operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.Name = "bulk" }),
		"Tools.Operations.RemoteName":         operation(risk.ToolTransportChange, func(o *resource.Operation) { o.RemoteName = "bulk" }),
		"Tools.Operations.Description":        {none: prose},
		"Tools.Operations.Schema":             operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.Schema = "schemas/Loose.json" }),
		"Tools.Operations.OutputSchema":       operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.OutputSchema = "schemas/Loose.json" }),
		"Tools.Operations.Effects":            operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.Effects = nil }),
		"Tools.Operations.NoEffects":          tool(risk.ToolSurfaceChange, func(t *resource.Tool) { t.Operations[1].NoEffects = true }),
		"Tools.Operations.ReadOnly":           operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.ReadOnly = flag(true) }),
		"Tools.Operations.Idempotency":        operation(risk.IdempotencyWeakened, func(o *resource.Operation) { o.Idempotency = "" }),
		"Tools.Operations.Reconcile":          operation(risk.IdempotencyWeakened, func(o *resource.Operation) { o.Reconcile = "" }),
		"Tools.Operations.Delivered":          operation(risk.IdempotencyWeakened, func(o *resource.Operation) { o.Delivered = "" }),
		"Tools.Operations.TimeoutSeconds":     operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.TimeoutSeconds = 0 }),
		"Tools.Operations.MaxInputBytes":      operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.MaxInputBytes = 0 }),
		"Tools.Operations.MaxOutputBytes":     operation(risk.ToolSurfaceChange, func(o *resource.Operation) { o.MaxOutputBytes = 9 }),
		"Tools.Retry.MaxAttempts":             tool(risk.IdempotencyWeakened, func(t *resource.Tool) { t.Retry.MaxAttempts = 9 }),
		"Tools.Retry.Backoff":                 {none: "it is the time between attempts, whose number counts"},
		"Tools.Limits.MaxToolInputBytes":      bounded(func(l *resource.Limits) { l.MaxToolInputBytes = 0 }),
		"Tools.Limits.MaxToolOutputBytes":     bounded(func(l *resource.Limits) { l.MaxToolOutputBytes = 6 }),
		"Tools.Limits.MaxCheckpointBytes":     bounded(func(l *resource.Limits) { l.MaxCheckpointBytes = 6 }),
		"Tools.Limits.MaxStateBytes":          bounded(func(l *resource.Limits) { l.MaxStateBytes = 6 }),
		"Tools.Limits.MaxWorkflowNesting":     {none: inner},
		"Tools.Limits.MaxLoopIterations":      {none: inner},
		"Tools.Limits.ToolInputExceedPolicy":  bounded(func(l *resource.Limits) { l.ToolInputExceedPolicy = resource.Truncate }),
		"Tools.Limits.ToolOutputExceedPolicy": bounded(func(l *resource.Limits) { l.ToolOutputExceedPolicy = resource.Truncate }),
		"Tools.Limits.CheckpointExceedPolicy": bounded(func(l *resource.Limits) { l.CheckpointExceedPolicy = resource.Truncate }),
		"Tools.Exclusive":                     tool(risk.ToolSurfaceChange, func(t *resource.Tool) { t.Exclusive = "" }),
		"Tools.MockScript":                    {none: "it is what a stand-in answers; nothing outside is reached by it"},
	}
}

// endpointMeanings: any other endpoint is an item.
func endpointMeanings() map[string]meaning {
	at := func(i int, edit func(*resource.Tool)) meaning {
		return meaning{category: risk.ToolTransportChange, weaken: func(g *resource.Graph) { edit(&g.Tools[i]) }}
	}
	return map[string]meaning{
		"Tools.HTTP.BaseURL":          at(0, func(t *resource.Tool) { t.HTTP.BaseURL = "https://u.example" }),
		"Tools.HTTP.Headers.Name":     at(0, func(t *resource.Tool) { t.HTTP.Headers[0].Name = "Y" }),
		"Tools.HTTP.Headers.Value":    at(0, func(t *resource.Tool) { t.HTTP.Headers[0].Value = "env:Y" }),
		"Tools.MCP.Transport":         at(1, func(t *resource.Tool) { t.MCP.Transport = "http" }),
		"Tools.MCP.Command":           at(1, func(t *resource.Tool) { t.MCP.Command = "other" }),
		"Tools.MCP.Args":              at(1, func(t *resource.Tool) { t.MCP.Args = nil }),
		"Tools.MCP.URL":               at(1, func(t *resource.Tool) { t.MCP.URL = "https://n.example" }),
		"Tools.MCP.Headers.Name":      at(1, func(t *resource.Tool) { t.MCP.Headers[0].Name = "Y" }),
		"Tools.MCP.Headers.Value":     at(1, func(t *resource.Tool) { t.MCP.Headers[0].Value = "env:Y" }),
		"Tools.Temporal.TaskQueue":    at(2, func(t *resource.Tool) { t.Temporal.TaskQueue = "r" }),
		"Tools.Temporal.Namespace":    at(2, func(t *resource.Tool) { t.Temporal.Namespace = "m" }),
		"Tools.Temporal.Endpoint":     at(2, func(t *resource.Tool) { t.Temporal.Endpoint = "f" }),
		"Tools.Temporal.Kind":         at(2, func(t *resource.Tool) { t.Temporal.Kind = "nexus" }),
		"Tools.Workspace.Root":        at(0, func(t *resource.Tool) { t.Workspace.Root = "" }),
		"Tools.Workspace.TestCommand": at(0, func(t *resource.Tool) { t.Workspace.TestCommand = "other" }),
	}
}
