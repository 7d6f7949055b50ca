package risk_test

import (
	"maps"

	"terfyn/compiler/resource"
	"terfyn/planner/risk"
)

const (
	identity = "it is what a resource is known by; another one is another resource"
	prose    = "it is a text for people and models that no rule looks at"
	overlaid = "the overlay of the environment is applied before a plan compares; its effect is in the resource it replaces"
)

// meanings judges every field of the resource graph.
func meanings() map[string]meaning {
	all := map[string]meaning{"Project": {none: identity}}
	for _, part := range []map[string]meaning{
		projectMeanings(), agentMeanings(), toolMeanings(), endpointMeanings(), policyMeanings(), hitlMeanings(), workflowMeanings(), placeMeanings(),
	} {
		maps.Copy(all, part)
	}
	return all
}

func projectMeanings() map[string]meaning {
	limit := func(c risk.Category, edit func(*resource.Limits)) meaning {
		return meaning{category: c, weaken: func(g *resource.Graph) { edit(&g.Limits) }}
	}
	return map[string]meaning{
		"Defaults.Policy":               {category: risk.ApprovalRemoval, weaken: func(g *resource.Graph) { g.Defaults.Policy = "loose" }},
		"Defaults.Model":                {category: risk.ModelChange, weaken: func(g *resource.Graph) { g.Defaults.Model = "mock/b" }},
		"Defaults.Runtime":              {category: risk.RuntimeTargetChange, weaken: func(g *resource.Graph) { g.Defaults.Runtime = "far" }},
		"Limits.MaxToolInputBytes":      limit(risk.PolicyRelaxation, func(l *resource.Limits) { l.MaxToolInputBytes = 11 }),
		"Limits.MaxToolOutputBytes":     limit(risk.PolicyRelaxation, func(l *resource.Limits) { l.MaxToolOutputBytes = 0 }),
		"Limits.MaxCheckpointBytes":     limit(risk.PolicyRelaxation, func(l *resource.Limits) { l.MaxCheckpointBytes = 11 }),
		"Limits.MaxStateBytes":          limit(risk.PolicyRelaxation, func(l *resource.Limits) { l.MaxStateBytes = 11 }),
		"Limits.MaxWorkflowNesting":     limit(risk.BudgetRelaxation, func(l *resource.Limits) { l.MaxWorkflowNesting = 0 }),
		"Limits.MaxLoopIterations":      limit(risk.BudgetRelaxation, func(l *resource.Limits) { l.MaxLoopIterations = 0 }),
		"Limits.ToolInputExceedPolicy":  limit(risk.PolicyRelaxation, func(l *resource.Limits) { l.ToolInputExceedPolicy = "" }),
		"Limits.ToolOutputExceedPolicy": limit(risk.PolicyRelaxation, func(l *resource.Limits) { l.ToolOutputExceedPolicy = resource.Truncate }),
		"Limits.CheckpointExceedPolicy": limit(risk.PolicyRelaxation, func(l *resource.Limits) { l.CheckpointExceedPolicy = resource.Truncate }),
	}
}

func agentMeanings() map[string]meaning {
	agent := func(c risk.Category, edit func(*resource.Agent)) meaning {
		return meaning{category: c, weaken: func(g *resource.Graph) { edit(&g.Agents[0]) }}
	}
	return map[string]meaning{
		"Agents.Name":                                {none: identity},
		"Agents.Model":                               agent(risk.ModelChange, func(a *resource.Agent) { a.Model = "mock/c" }),
		"Agents.Policy":                              agent(risk.ApprovalRemoval, func(a *resource.Agent) { a.Policy = "loose" }),
		"Agents.Description":                         agent(risk.DefinitionUnversioned, func(a *resource.Agent) { a.Description = "Other." }),
		"Agents.Instructions":                        agent(risk.DefinitionUnversioned, func(a *resource.Agent) { a.Instructions = "Other." }),
		"Agents.Constraints.MaxIterations":           agent(risk.BudgetRelaxation, func(a *resource.Agent) { a.Constraints.MaxIterations = 0 }),
		"Agents.Constraints.MaxTokens":               agent(risk.BudgetRelaxation, func(a *resource.Agent) { a.Constraints.MaxTokens = 0 }),
		"Agents.Constraints.TimeoutSeconds":          agent(risk.BudgetRelaxation, func(a *resource.Agent) { a.Constraints.TimeoutSeconds = 0 }),
		"Agents.Constraints.Temperature":             agent(risk.DefinitionUnversioned, func(a *resource.Agent) { a.Constraints.Temperature = "1" }),
		"Agents.Constraints.RequireStructuredOutput": agent(risk.PolicyRelaxation, func(a *resource.Agent) { a.Constraints.RequireStructuredOutput = nil }),
		"Agents.Grants":                              agent(risk.CapabilityDelta, func(a *resource.Agent) { a.Grants = append(a.Grants, "tool.t.find") }),
		"Agents.GrantsPresent":                       {none: "an empty list of grants and none grant the same"},
		"Agents.Input":                               agent(risk.PolicyRelaxation, func(a *resource.Agent) { a.Input = "schemas/Loose.json" }),
		"Agents.Output":                              agent(risk.PolicyRelaxation, func(a *resource.Agent) { a.Output = "schemas/Loose.json" }),
		"Agents.Version":                             agent(risk.DefinitionUnversioned, func(a *resource.Agent) { a.Version = "" }),
		"Agents.Replaces":                            {none: "it describes the release, and the plan shows it with the version"},
		"Agents.ChangeSummary":                       {none: "it describes the release, and the plan shows it with the version"},
		"Agents.MayEscalate":                         agent(risk.PolicyRelaxation, func(a *resource.Agent) { a.MayEscalate = false }),
		"Agents.WorkingTree":                         agent(risk.PolicyRelaxation, func(a *resource.Agent) { a.WorkingTree = false }),
		"Agents.FallbackModels":                      agent(risk.ModelChange, func(a *resource.Agent) { a.FallbackModels = nil }),
		"Agents.MockScript":                          agent(risk.DefinitionUnversioned, func(a *resource.Agent) { a.MockScript = "{}" }),
	}
}

func workflowMeanings() map[string]meaning {
	workflow := func(c risk.Category, edit func(*resource.Workflow)) meaning {
		return meaning{category: c, weaken: func(g *resource.Graph) { edit(&g.Workflows[0]) }}
	}
	return map[string]meaning{
		"Workflows.Name":              {none: identity},
		"Workflows.Description":       {none: prose},
		"Workflows.Params.Name":       workflow(risk.PolicyRelaxation, func(w *resource.Workflow) { w.Params[0] = resource.Param{Name: "other"} }),
		"Workflows.Params.Schema":     workflow(risk.PolicyRelaxation, func(w *resource.Workflow) { w.Params[0].Schema = "schemas/Loose.json" }),
		"Workflows.Result":            workflow(risk.PolicyRelaxation, func(w *resource.Workflow) { w.Result = "schemas/Loose.json" }),
		"Workflows.Policy":            workflow(risk.ApprovalRemoval, func(w *resource.Workflow) { w.Policy = "loose" }),
		"Workflows.Effects":           workflow(risk.PolicyRelaxation, func(w *resource.Workflow) { w.Effects = append(w.Effects, "money") }),
		"Workflows.EffectsBound":      workflow(risk.PolicyRelaxation, func(w *resource.Workflow) { w.EffectsBound, w.Effects = false, nil }),
		"Workflows.TimeoutSeconds":    workflow(risk.BudgetRelaxation, func(w *resource.Workflow) { w.TimeoutSeconds = 0 }),
		"Workflows.WorkingTree":       workflow(risk.PolicyRelaxation, func(w *resource.Workflow) { w.WorkingTree = false }),
		"Workflows.Triggers.Kind":     workflow(risk.TriggerAdded, func(w *resource.Workflow) { w.Triggers[0] = resource.Trigger{Kind: "event", Event: "e"} }),
		"Workflows.Triggers.Cron":     workflow(risk.TriggerAdded, func(w *resource.Workflow) { w.Triggers[0].Cron = "* * * * *" }),
		"Workflows.Triggers.Timezone": workflow(risk.TriggerAdded, func(w *resource.Workflow) { w.Triggers[0].Timezone = "Asia/Tokyo" }),
		"Workflows.Triggers.Overlap":  workflow(risk.TriggerAdded, func(w *resource.Workflow) { w.Triggers[0].Overlap = "bufferOne" }),
		"Workflows.Triggers.Event":    workflow(risk.TriggerAdded, func(w *resource.Workflow) { w.Triggers[1].Event = "out" }),
		"Workflows.Triggers.Dedupe":   workflow(risk.TriggerAdded, func(w *resource.Workflow) { w.Triggers[1].Dedupe = "at" }),
		"Workflows.Triggers.Input":    workflow(risk.TriggerAdded, func(w *resource.Workflow) { w.Triggers[0].Input = `{"a":2}` }),
		"Workflows.Steps":             {none: "they are a projection of the program, whose calls, gates and loops are compared"},
		"Workflows.ProgramDigest":     {none: "it names the program, whose calls, gates and loops are compared"},
		"Workflows.Calls.Site":        {none: "it is the place of a call in the program, whose gates and loops are compared"},
		"Workflows.Calls.Kind": workflow(risk.AuthorityWidening, func(w *resource.Workflow) {
			w.Calls[0] = resource.Reference{Kind: "tool", Name: "t.send", Site: "ask"}
		}),
		"Workflows.Calls.Name": workflow(risk.AuthorityWidening, func(w *resource.Workflow) {
			w.Calls = append(w.Calls, resource.Reference{Kind: "tool", Name: "t.find", Site: "find"})
		}),
	}
}

func placeMeanings() map[string]meaning {
	environment := func(c risk.Category, edit func(*resource.Environment)) meaning {
		return meaning{category: c, weaken: func(g *resource.Graph) { edit(&g.Environments[0]) }}
	}
	provider := func(edit func(*resource.Provider)) meaning {
		return meaning{category: risk.ModelChange, weaken: func(g *resource.Graph) { edit(&g.Providers[0]) }}
	}
	return map[string]meaning{
		"Environments.Name":              {none: identity},
		"Environments.Agents":            {none: overlaid},
		"Environments.Policies":          {none: overlaid},
		"Environments.Tools":             {none: overlaid},
		"Environments.Approvers":         environment(risk.ApproverRelaxation, func(e *resource.Environment) { e.Approvers = map[string]string{"ann": "key-2"} }),
		"Environments.Groups":            environment(risk.ApproverRelaxation, func(e *resource.Environment) { e.Groups = map[string][]string{"ops": {"ann", "bob"}} }),
		"Environments.Runtime.Address":   environment(risk.RuntimeTargetChange, func(e *resource.Environment) { e.Runtime.Address = "b:1" }),
		"Environments.Runtime.Namespace": environment(risk.RuntimeTargetChange, func(e *resource.Environment) { e.Runtime.Namespace = "" }),
		"Environments.Runtime.TaskQueue": environment(risk.RuntimeTargetChange, func(e *resource.Environment) { e.Runtime.TaskQueue = "r" }),
		"Environments.Runtime.State":     environment(risk.RuntimeTargetChange, func(e *resource.Environment) { e.Runtime.State = "" }),
		"Providers.Name":                 {none: identity},
		"Providers.Type":                 provider(func(p *resource.Provider) { p.Type = "gemini" }),
		"Providers.BaseURL":              provider(func(p *resource.Provider) { p.BaseURL = "" }),
		"Providers.APIKeyFrom":           provider(func(p *resource.Provider) { p.APIKeyFrom = "" }),
		"Providers.WorkspaceIDFrom":      provider(func(p *resource.Provider) { p.WorkspaceIDFrom = "" }),
	}
}
