package risk

import (
	"slices"

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
	after, ok := a.After.Environment(a.Environment)
	if ok && before.Runtime != after.Runtime {
		target := id(resource.KindEnvironment, a.Environment)
		a.add(RuntimeTargetChange, Medium, target, "%s runs at another address, namespace, task queue or state.", target)
	}
}

// deciders reports persons and keys an environment lets decide now.
func (a *assessment) deciders() {
	before, ok := a.Before.Environment(a.Environment)
	if !ok {
		return
	}
	after, _ := a.After.Environment(a.Environment)
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
