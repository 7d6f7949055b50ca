package planner

import (
	"cmp"
	"slices"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/planner/authority"
	"terfyn/planner/diff"
	"terfyn/planner/loops"
	"terfyn/planner/risk"
)

// In is everything a plan is computed from.
type In struct {
	Environment string
	Desired     resource.Graph         // overlay of Environment applied
	Programs    []ir.Program           // one for each workflow, any order
	Schemas     map[string]canon.Value // captured documents by path
	Applied     []Applied              // any order; empty when nothing is applied
	Baseline    Baseline
	// Previous are the applied programs of workflows that change their program or
	// are removed, for showing and judging the change. PreviousUnreadable says why there are none.
	Previous           []ir.Program
	PreviousUnreadable string
	OpenRuns           OpenRuns // of Environment, of any workflow
	Evidence           Evidence
	PolicyLint         []Lint
}

// Compute makes the plan. It fails only when the applied resources cannot be
// read by this build.
func Compute(in In) (Plan, error) {
	before, err := GraphOf(in.Applied)
	if err != nil {
		return Plan{}, err
	}
	after := resource.Normalize(Pin(in.Desired, in.Programs))
	desired := Resources(after, in.Schemas)
	views := [2]authority.View{authority.ViewOf(before), authority.ViewOf(after)}
	delta := authority.Compare(views[0], views[1])

	p := Plan{
		Project:              after.Project,
		Environment:          in.Environment,
		Operations:           operations(in.Applied, desired),
		EffectBound:          authority.Shown(views[1].Bounds),
		CapabilityDelta:      delta.Capability,
		EffectDelta:          delta.Effects,
		Authority:            delta.States,
		Turns:                turns(after, usesOf(after)),
		Approvals:            approvals(views[1]),
		Triggers:             triggerChanges(before, after),
		Definitions:          definitionChanges(before, after, schemasOf(in)),
		Ceilings:             ceilingChanges(before, after),
		Evidence:             cmp.Or(in.Evidence, EvidenceUnchecked),
		PolicyLint:           orEmpty(in.PolicyLint),
		DeploymentBaseline:   in.Baseline,
		ResolvedConfigDigest: ConfigDigest(in.Environment, desired),
	}
	p.Summary = summarise(p.Operations)
	p.Loops, p.LoopCalls = loops.Of(in.Programs, mostRounds(after))
	p.Programs = programChanges(p.Operations, in.Previous, in.Programs, in.PreviousUnreadable)
	p.OpenRuns = touched(in.OpenRuns, p.Operations, before, after)
	p.assess(in, views, delta)
	return p, nil
}

// assess fills in what is to be looked at and what policy refuses.
func (p *Plan) assess(in In, views [2]authority.View, delta authority.Delta) {
	_, previous := loops.Of(in.Previous, mostRounds(views[0].Graph))
	p.RiskItems = risk.Assess(risk.In{
		Environment: in.Environment, Before: views[0].Graph, After: views[1].Graph,
		BeforeBounds: views[0].Bounds, AfterBounds: views[1].Bounds,
		BeforeCalls: views[0].Calls, AfterCalls: views[1].Calls,
		Programs: risk.Programs{Before: in.Previous, After: in.Programs},
		Delta:    delta, Schemas: schemasOf(in),
		Repeats: risk.Repeats{Workflows: namesOf(in.Previous), Before: previous, After: p.LoopCalls},
	})
	p.Refusals, p.RiskItems = refusals(views[1].Graph, *p)
	risk.Sort(p.RiskItems)
	p.Risk = make([]string, len(p.RiskItems))
	for i, item := range p.RiskItems {
		p.Risk[i] = item.Reason
	}
}

// mostRounds is the project's limit of rounds.
func mostRounds(g resource.Graph) int64 {
	return g.Limits.Over(resource.BuiltinLimits()).MaxLoopIterations
}

func namesOf(programs []ir.Program) map[string]bool {
	names := map[string]bool{}
	for _, p := range programs {
		names[p.Workflow] = true
	}
	return names
}

// operations compares two resource lists by hash.
func operations(applied, desired []Applied) []Operation {
	type key struct{ kind, name string }
	old := make(map[key]Applied, len(applied))
	for _, r := range applied {
		old[key{r.Kind, r.Name}] = r
	}
	empty := canon.Object()
	created, updated, deleted := []Operation{}, []Operation{}, []Operation{}
	for _, r := range desired {
		was, known := old[key{r.Kind, r.Name}]
		delete(old, key{r.Kind, r.Name})
		switch {
		case !known:
			created = append(created, Operation{Create, r.Kind, r.Name, orEmpty(diff.Fields(empty, r.Spec))})
		case was.Hash != r.Hash:
			updated = append(updated, Operation{Update, r.Kind, r.Name, orEmpty(diff.Fields(was.Spec, r.Spec))})
		}
	}
	for _, r := range applied {
		if _, left := old[key{r.Kind, r.Name}]; left {
			deleted = append(deleted, Operation{Delete, r.Kind, r.Name, orEmpty(diff.Fields(r.Spec, empty))})
		}
	}
	slices.SortStableFunc(deleted, func(a, b Operation) int {
		return compareApplied(Applied{Kind: a.Kind, Name: a.Name}, Applied{Kind: b.Kind, Name: b.Name})
	})
	return slices.Concat(created, updated, deleted)
}

func summarise(ops []Operation) Summary {
	var s Summary
	for _, o := range ops {
		switch o.Action {
		case Create:
			s.Create++
		case Update:
			s.Update++
		case Delete:
			s.Delete++
		}
	}
	return s
}

// schemasOf digests the schema documents of both sides by what they say.
func schemasOf(in In) risk.Schemas {
	s := risk.Schemas{Before: map[string]canon.Digest{}, After: map[string]canon.Digest{}}
	for _, r := range in.Applied {
		if r.Kind == KindSchema {
			s.Before[r.Name] = r.Spec.Digest()
		}
	}
	for _, path := range ordered.Keys(in.Schemas) {
		s.After[path] = in.Schemas[path].Digest()
	}
	return s
}

// orEmpty keeps JSON lists from being null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
