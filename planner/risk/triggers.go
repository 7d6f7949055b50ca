package risk

import (
	"cmp"
	"slices"

	"terfyn/compiler/resource"
)

// triggers reports what may now start runs by itself, or more or other ones.
func (a *assessment) triggers() {
	for _, w := range a.After.Workflows {
		target := id(resource.KindWorkflow, w.Name)
		left := slices.Clone(a.old.workflows[w.Name].Triggers)
		var others []resource.Trigger
		for _, t := range w.Triggers {
			if i := slices.Index(left, t); i >= 0 {
				left = slices.Delete(left, i, i+1)
			} else {
				others = append(others, t)
			}
		}
		for _, t := range others {
			i := slices.IndexFunc(left, func(o resource.Trigger) bool { return o.Kind == t.Kind && o.Event == t.Event && o.Cron == t.Cron })
			switch {
			case i >= 0:
				a.looser(target, left[i], t)
				left = slices.Delete(left, i, i+1)
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
	if overlaps(after) > overlaps(before) {
		how := "may overlap"
		if after.Overlap == "bufferOne" {
			how = "wait for the one before them instead of being left out"
		}
		a.add(TriggerAdded, Low, target, "Runs that the schedule %q starts %s (%s).", after.Cron, how, target)
	}
	switch {
	case before.Dedupe == "" || before.Dedupe == after.Dedupe:
	case after.Dedupe == "":
		a.add(TriggerAdded, Low, target, "The same event %q may start several runs (%s).", after.Event, target)
	default:
		a.add(TriggerAdded, Low, target, "The event %q is told apart by %s instead of %s, so one event may start several runs (%s).", after.Event, after.Dedupe, before.Dedupe, target)
	}
	what := cmp.Or(after.Event, after.Cron)
	if before.Timezone != after.Timezone {
		a.add(TriggerAdded, Low, target, "Runs that the schedule %q starts begin at other times: its timezone is %s instead of %s (%s).",
			what, cmp.Or(after.Timezone, "UTC"), cmp.Or(before.Timezone, "UTC"), target)
	}
	if before.Input != after.Input {
		a.add(TriggerAdded, Low, target, "Runs that %q starts get another input (%s).", what, target)
	}
}

// overlaps ranks how many runs of a schedule may come of one that takes too long.
func overlaps(t resource.Trigger) int {
	return slices.Index([]string{"skip", "bufferOne", "allowAll"}, cmp.Or(t.Overlap, "skip"))
}
