package export

import (
	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
)

// agent writes an agent; prompt is the file its instructions stand in, "" for none.
func (w writer) agent(a resource.Agent, prompt string) *syntax.AgentDecl {
	out := &syntax.AgentDecl{
		Name:          w.ident("name", a.Name),
		Model:         w.model("model", a.Model),
		Policy:        w.word("policy", a.Policy),
		Description:   text(a.Description),
		Constraints:   constraints(a.Constraints),
		Grants:        w.capabilities("grants", a.Grants, a.GrantsPresent),
		Input:         w.typeName("input", a.Input),
		Output:        w.typeName("output", a.Output),
		Version:       text(a.Version),
		Replaces:      text(a.Replaces),
		ChangeSummary: text(a.ChangeSummary),
		MayEscalate:   set(a.MayEscalate),
		WorkingTree:   exclusive(a.WorkingTree),
	}
	switch {
	case prompt != "":
		out.Instructions = &syntax.Instructions{Text: syntax.Text{Value: prompt}, File: true}
	case a.Instructions != "":
		out.Instructions = &syntax.Instructions{Text: syntax.Text{Value: a.Instructions}}
	}
	if len(a.FallbackModels) > 0 {
		out.FallbackModels = &syntax.ModelList{}
		for _, m := range a.FallbackModels {
			out.FallbackModels.Items = append(out.FallbackModels.Items, *w.model("fallbackModels", m))
		}
	}
	return out
}

func constraints(c resource.Constraints) *syntax.Constraints {
	if c == (resource.Constraints{}) {
		return nil
	}
	return &syntax.Constraints{
		MaxIterations:           whole(c.MaxIterations),
		MaxTokens:               whole(c.MaxTokens),
		TimeoutSeconds:          whole(c.TimeoutSeconds),
		Temperature:             decimal(c.Temperature),
		RequireStructuredOutput: flag(c.RequireStructuredOutput),
	}
}

func (w writer) provider(p resource.Provider) *syntax.ProviderDecl {
	return &syntax.ProviderDecl{
		Name:            w.ident("name", p.Name),
		Type:            w.word("type", p.Type),
		BaseURL:         text(p.BaseURL),
		APIKeyFrom:      text(p.APIKeyFrom),
		WorkspaceIDFrom: text(p.WorkspaceIDFrom),
	}
}

func (w writer) defaults(d resource.Defaults) *syntax.DefaultsDecl {
	return &syntax.DefaultsDecl{
		Policy: w.word("defaults.policy", d.Policy), Model: w.model("defaults.model", d.Model), Runtime: w.word("defaults.runtime", d.Runtime),
	}
}

func (w writer) limits(l resource.Limits) *syntax.Limits {
	if l == (resource.Limits{}) {
		return nil
	}
	return &syntax.Limits{
		MaxToolInputBytes:      whole(l.MaxToolInputBytes),
		MaxToolOutputBytes:     whole(l.MaxToolOutputBytes),
		MaxCheckpointBytes:     whole(l.MaxCheckpointBytes),
		MaxStateBytes:          whole(l.MaxStateBytes),
		MaxWorkflowNesting:     whole(l.MaxWorkflowNesting),
		MaxLoopIterations:      whole(l.MaxLoopIterations),
		ToolInputExceedPolicy:  w.word("limits.toolInputExceedPolicy", string(l.ToolInputExceedPolicy)),
		ToolOutputExceedPolicy: w.word("limits.toolOutputExceedPolicy", string(l.ToolOutputExceedPolicy)),
		CheckpointExceedPolicy: w.word("limits.checkpointExceedPolicy", string(l.CheckpointExceedPolicy)),
	}
}
