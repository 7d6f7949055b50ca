package risk

import (
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// runtime reports that runs will execute somewhere else.
func (a *assessment) runtime() {
	if a.Before.Project == "" {
		return
	}
	if was, is := a.Before.Defaults.Runtime, a.After.Defaults.Runtime; was != is {
		a.add(RuntimeTargetChange, Medium, id(resource.KindProject, a.After.Project), "The runtime target is %q instead of %q.", is, was)
	}
	before, _ := a.Before.Environment(a.Environment)
	after, _ := a.After.Environment(a.Environment)
	if before.Runtime != after.Runtime {
		target := id(resource.KindEnvironment, a.Environment)
		a.add(RuntimeTargetChange, Medium, target, "%s runs at another address, namespace, task queue or state.", target)
	}
}

// deciders reports persons and keys an environment lets decide now.
func (a *assessment) deciders() {
	before, ok := a.Before.Environment(a.Environment)
	after, _ := a.After.Environment(a.Environment)
	if !ok {
		a.firstDeciders(after)
		return
	}
	target := id(resource.KindEnvironment, a.Environment)
	for _, name := range ordered.Keys(after.Approvers) {
		old, known := before.Approvers[name]
		switch {
		case !known:
			a.add(ApproverRelaxation, Medium, target, "%s is a new approver of %s.", name, target)
		case old != after.Approvers[name]:
			a.add(ApproverRelaxation, High, target, "The approver %s of %s is known by another key or principal.", name, target)
		}
	}
	for _, group := range ordered.Keys(after.Groups) {
		for _, member := range after.Groups[group] {
			if !slices.Contains(before.Groups[group], member) {
				a.add(ApproverRelaxation, Medium, target, "%s joins the group %s of %s.", member, group, target)
			}
		}
	}
}

// firstDeciders reports whom an environment brings that was not declared before,
// where a policy already said that only such persons decide: a group that stood
// for nobody, and keys that no signature could be checked against.
func (a *assessment) firstDeciders(after resource.Environment) {
	target := id(resource.KindEnvironment, a.Environment)
	signed, groups := false, map[string]bool{}
	for _, p := range a.Before.Policies {
		signed = signed || p.Approvals.Signed
		for _, who := range p.Approvals.Approvers {
			if group, ok := strings.CutPrefix(who, "group:"); ok {
				groups[group] = true
			}
		}
	}
	for _, group := range ordered.Keys(groups) {
		if members := after.Groups[group]; len(members) > 0 {
			a.add(ApproverRelaxation, Medium, target, "The group %s, which stood for nobody in %s, is now %s.", group, target, strings.Join(members, ", "))
		}
	}
	for _, name := range ordered.Keys(after.Approvers) {
		if signed {
			a.add(ApproverRelaxation, Medium, target, "%s is a new approver of %s.", name, target)
		}
	}
}
