package risk

import (
	"cmp"

	"terfyn/compiler/resource"
)

// limits reports what may take longer, cost more or repeat more often than before,
// beside the ceilings of policies.
func (a *assessment) limits() {
	if a.Before.Project != "" {
		a.projectLimits()
	}
	for _, agent := range a.After.Agents {
		old, ok := a.old.agents[agent.Name]
		if !ok {
			continue
		}
		target, was, is := id(resource.KindAgent, agent.Name), old.Constraints, agent.Constraints
		a.raised(target, Medium, "Turns of a step", cmp.Or(was.MaxIterations, resource.DefaultMaxIterations), cmp.Or(is.MaxIterations, resource.DefaultMaxIterations))
		a.raised(target, Low, "Tokens of a turn", cmp.Or(was.MaxTokens, resource.DefaultMaxTokens), cmp.Or(is.MaxTokens, resource.DefaultMaxTokens))
		a.loosened(target, "Seconds of a step", was.TimeoutSeconds, is.TimeoutSeconds)
	}
	for _, w := range a.After.Workflows {
		if old, ok := a.old.workflows[w.Name]; ok {
			a.loosened(id(resource.KindWorkflow, w.Name), "Seconds of a run", old.TimeoutSeconds, w.TimeoutSeconds)
		}
	}
}

func (a *assessment) projectLimits() {
	was, is := a.Before.Limits.Over(resource.BuiltinLimits()), a.After.Limits.Over(resource.BuiltinLimits())
	target := id(resource.KindProject, a.After.Project)
	a.raised(target, Medium, "Rounds of a loop (maxLoopIterations)", was.MaxLoopIterations, is.MaxLoopIterations)
	a.raised(target, Low, "Levels of nested workflows (maxWorkflowNesting)", was.MaxWorkflowNesting, is.MaxWorkflowNesting)
	for _, e := range []struct {
		field     string
		was, then resource.Exceed
	}{
		{"tool inputs", was.ToolInputExceedPolicy, is.ToolInputExceedPolicy},
		{"tool outputs", was.ToolOutputExceedPolicy, is.ToolOutputExceedPolicy},
		{"checkpoints", was.CheckpointExceedPolicy, is.CheckpointExceedPolicy},
	} {
		if e.was == resource.Fail && e.then == resource.Truncate {
			a.add(PolicyRelaxation, Low, target, "Over their limit, %s are cut off instead of failing.", e.field)
		}
	}
	for _, size := range []struct {
		what    string
		was, is int64
	}{
		{"A tool input", was.MaxToolInputBytes, is.MaxToolInputBytes},
		{"A tool output", was.MaxToolOutputBytes, is.MaxToolOutputBytes},
		{"A checkpoint", was.MaxCheckpointBytes, is.MaxCheckpointBytes},
		{"The state of a run", was.MaxStateBytes, is.MaxStateBytes},
	} {
		if size.is > size.was {
			a.add(PolicyRelaxation, Low, target, "%s may have %d bytes instead of %d (%s).", size.what, size.is, size.was, target)
		}
	}
}

func (a *assessment) raised(target string, s Severity, what string, before, after int64) {
	if after > before {
		a.add(BudgetRelaxation, s, target, "%s: %d instead of %d (%s).", what, after, before, target)
	}
}

// loosened is raised for a limit whose absence is no limit.
func (a *assessment) loosened(target, what string, before, after int64) {
	switch {
	case before == 0:
	case after == 0:
		a.add(BudgetRelaxation, Low, target, "%s: no limit instead of %d (%s).", what, before, target)
	default:
		a.raised(target, Low, what, before, after)
	}
}
