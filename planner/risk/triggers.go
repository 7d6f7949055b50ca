package risk

import (
	"slices"

	"terfyn/compiler/resource"
)

// triggers reports what may now start runs by itself, or more of them.
func (a *assessment) triggers() {
	for _, w := range a.After.Workflows {
		if len(w.Triggers) == 0 {
			continue
		}
		old := a.old.workflows[w.Name]
		target := id(resource.KindWorkflow, w.Name)
		for _, t := range w.Triggers {
			i := slices.IndexFunc(old.Triggers, func(o resource.Trigger) bool { return o.Kind == t.Kind && o.Event == t.Event && o.Cron == t.Cron })
			switch {
			case i >= 0:
				a.looser(target, old.Triggers[i], t)
			case t.Kind == "event":
				a.add(TriggerAdded, Medium, target, "%s starts by itself on the event %q.", target, t.Event)
			default:
				a.add(TriggerAdded, Medium, target, "%s starts by itself on the schedule %q.", target, t.Cron)
			}
		}
	}
}

// looser compares a trigger with what it was.
func (a *assessment) looser(target string, before, after resource.Trigger) {
	if before.Overlap != "allowAll" && after.Overlap == "allowAll" {
		a.add(TriggerAdded, Low, target, "Runs that the schedule %q starts may overlap (%s).", after.Cron, target)
	}
	if before.Dedupe != "" && after.Dedupe == "" {
		a.add(TriggerAdded, Low, target, "The same event %q may start several runs (%s).", after.Event, target)
	}
}
