package risk

import (
	"slices"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// Programs are the programs on both sides. Before holds those of workflows whose
// program changed or is gone; the others are in After.
type Programs struct{ Before, After []ir.Program }

// statements reports approval statements that are gone, that no longer stand before
// what they stood before, or that show reviewers less.
func (a *assessment) statements() {
	a.fewerSteps()
	if len(a.Programs.Before) == 0 {
		return
	}
	now := programs(a.Programs.After)
	was := programs(a.Programs.After)
	for _, p := range a.Programs.Before {
		was[p.Workflow] = p
	}
	before, after := newGuards(&a.Before, a.BeforeBounds, was), newGuards(&a.After, a.AfterBounds, now)
	changed := slices.Clone(a.Programs.Before)
	slices.SortStableFunc(changed, func(x, y ir.Program) int { return strings.Compare(x.Workflow, y.Workflow) })
	for _, p := range changed {
		if is, still := now[p.Workflow]; still {
			target := id(resource.KindWorkflow, p.Workflow)
			a.shown(target, asked(p), asked(is))
			a.unguarded(target, before.of(p.Workflow), after.of(p.Workflow))
		}
	}
}

// fewerSteps counts the statements of workflows whose program before is not known.
func (a *assessment) fewerSteps() {
	known := programs(a.Programs.Before)
	for _, w := range a.After.Workflows {
		old, existed := a.old.workflows[w.Name]
		if _, compared := known[w.Name]; existed && !compared {
			a.gone(id(resource.KindWorkflow, w.Name), stepsAsking(old), stepsAsking(w))
		}
	}
}

func stepsAsking(w resource.Workflow) (n int) {
	for _, s := range w.Steps {
		if s.Kind == "approval" {
			n++
		}
	}
	return n
}

func (a *assessment) gone(target string, was, is int) {
	if is < was {
		a.add(ApprovalRemoval, High, target, "%s asks at fewer approval statements: %d instead of %d.", target, is, was)
	}
}

func programs(list []ir.Program) map[string]ir.Program {
	out := make(map[string]ir.Program, len(list))
	for _, p := range list {
		out[p.Workflow] = p
	}
	return out
}

// unguarded reports operations that more calls reach now with nobody asked before,
// where some call had a statement before it.
func (a *assessment) unguarded(target string, was, is guard) {
	for _, capability := range ordered.Keys(is.calls) {
		old, now := was.calls[capability], is.calls[capability]
		if old.asked > 0 && now.open > old.open {
			a.add(ApprovalRemoval, High, target, "%s had an approval statement before it in %s and can now happen without one.", capability, target)
		}
	}
}

// shown compares the statements of one workflow: by their place, then in order.
func (a *assessment) shown(target string, was, is []ir.Approval) {
	a.gone(target, len(was), len(is))
	left := slices.Clone(is)
	take := func(fits func(ir.Approval) bool) (ir.Approval, bool) {
		i := slices.IndexFunc(left, fits)
		if i < 0 {
			return ir.Approval{}, false
		}
		found := left[i]
		left = slices.Delete(left, i, i+1)
		return found, true
	}
	var unmatched []ir.Approval
	for _, s := range was {
		if now, ok := take(func(o ir.Approval) bool { return o.ID == s.ID }); ok {
			a.statement(target, s, now)
		} else {
			unmatched = append(unmatched, s)
		}
	}
	for _, s := range unmatched {
		if now, ok := take(func(ir.Approval) bool { return true }); ok {
			a.statement(target, s, now)
		}
	}
}

func (a *assessment) statement(target string, was, is ir.Approval) {
	name := is.ID
	for _, key := range was.RedactKeys {
		if !slices.Contains(is.RedactKeys, key) {
			a.add(PolicyRelaxation, Medium, target, "The approval %s of %s no longer hides %q.", name, target, key)
		}
	}
	for _, w := range was.With {
		i := slices.IndexFunc(is.With, func(n ir.Arg) bool { return n.Name == w.Name })
		switch {
		case i < 0:
			a.add(PolicyRelaxation, Medium, target, "The approval %s of %s no longer shows %q to who decides.", name, target, w.Name)
		case fixed(is.With[i].Expr) && !fixed(w.Expr):
			a.add(PolicyRelaxation, Medium, target, "The approval %s of %s shows a fixed value as %q instead of one of the run.", name, target, w.Name)
		}
	}
}

func fixed(e ir.Expr) bool {
	_, literal := e.(ir.Literal)
	return literal
}

// asked lists the statements of a program in source order.
func asked(p ir.Program) []ir.Approval {
	var out []ir.Approval
	var walk func([]ir.Node)
	walk = func(nodes []ir.Node) {
		for _, n := range nodes {
			if s, ok := n.(ir.Approval); ok {
				out = append(out, s)
			}
			for _, b := range ir.Blocks(n) {
				walk(b.Nodes)
			}
		}
	}
	walk(p.Body)
	return out
}
