package risk

import (
	"slices"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
	"terfyn/policy"
)

// review reports what reviewers see less of, or may do more of.
func (a *assessment) review(target string, before, after resource.Hitl) {
	a.unredacted(target, "hitl.redactKeys", before.RedactKeys, after.RedactKeys)
	a.switches(target, before.ToolSwitchMap, after.ToolSwitchMap)
	tools := map[string]bool{}
	for _, name := range append(ordered.Keys(before.InterruptOn), ordered.Keys(after.InterruptOn)...) {
		tools[name] = true
	}
	for _, tool := range ordered.Keys(tools) {
		a.reviewOf(target, tool, before.InterruptOn[tool], after.InterruptOn[tool])
	}
}

// reviewOf compares how calls of one tool are reviewed; a zero Review is the
// default, which lets a reviewer approve and reject.
func (a *assessment) reviewOf(target, tool string, before, after resource.Review) {
	for _, d := range decisions(after) {
		if !slices.Contains(decisions(before), d) {
			a.add(PolicyRelaxation, Medium, target, "Reviewers of tool %s may now also decide %s (%s).", tool, d, target)
		}
	}
	if slices.Contains(decisions(before), policy.Edit) && slices.Contains(decisions(after), policy.Edit) {
		a.edits(target, tool, before, after)
	}
	for _, other := range after.AllowedEditTools {
		if !slices.Contains(before.AllowedEditTools, other) {
			a.add(PolicyRelaxation, Medium, target, "Reviewers of tool %s may now turn a call into one of %s (%s).", tool, other, target)
		}
	}
	a.unredacted(target, "hitl.interruptOn."+tool+".redactKeys", before.RedactKeys, after.RedactKeys)
	a.switches(target, before.SwitchMap, after.SwitchMap)
}

func decisions(r resource.Review) []string {
	if len(r.AllowedDecisions) == 0 {
		return []string{policy.Approve, policy.Reject}
	}
	return r.AllowedDecisions
}

// edits reports arguments that a reviewer may change now. No allowed ones means
// all of them.
func (a *assessment) edits(target, tool string, before, after resource.Review) {
	allowed := func(r resource.Review) []string { return slices.Concat(r.AllowedEditArgs, r.AllowedEditPaths) }
	denied := func(r resource.Review) []string { return slices.Concat(r.DeniedEditArgs, r.DeniedEditPaths) }
	was, is := allowed(before), allowed(after)
	if len(was) > 0 && len(is) == 0 {
		a.add(PolicyRelaxation, Medium, target, "Reviewers of tool %s may now edit any argument (%s).", tool, target)
	}
	for _, name := range is {
		if len(was) > 0 && !slices.Contains(was, name) {
			a.add(PolicyRelaxation, Medium, target, "Reviewers of tool %s may now edit %s (%s).", tool, name, target)
		}
	}
	for _, name := range denied(before) {
		if !slices.Contains(denied(after), name) && (len(is) == 0 || slices.Contains(is, name)) {
			a.add(PolicyRelaxation, Medium, target, "Reviewers of tool %s are no longer kept from editing %s (%s).", tool, name, target)
		}
	}
}

// switches reports operations that a reviewer may send instead of the one that was
// asked for.
func (a *assessment) switches(target string, before, after map[string][]string) {
	for _, from := range ordered.Keys(after) {
		for _, to := range after[from] {
			if !slices.Contains(before[from], to) {
				a.add(PolicyRelaxation, Medium, target, "A reviewer may send %s in the place of %s (%s).", to, from, target)
			}
		}
	}
}

func (a *assessment) unredacted(target, field string, before, after []string) {
	for _, key := range before {
		if !slices.Contains(after, key) {
			a.add(PolicyRelaxation, Medium, target, "%s loses %q (%s).", field, key, target)
		}
	}
}
