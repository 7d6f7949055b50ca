package planner

import (
	"slices"
	"strconv"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/planner/diff"
	"terfyn/planner/risk"
)

// triggerChanges lists triggers by workflow, kind and key. Events are known by
// their name, schedules by their position.
func triggerChanges(before, after resource.Graph) []TriggerChange {
	names := map[string]bool{}
	for _, w := range slices.Concat(before.Workflows, after.Workflows) {
		names[w.Name] = true
	}
	out := []TriggerChange{}
	was, is := byName(before.Workflows, workflowName), byName(after.Workflows, workflowName)
	for _, name := range ordered.Keys(names) {
		old, now := keyed(was[name].Triggers), keyed(is[name].Triggers)
		keys := map[string]bool{}
		for _, k := range append(ordered.Keys(old), ordered.Keys(now)...) {
			keys[k] = true
		}
		for _, k := range ordered.Keys(keys) {
			if c, changed := triggerChange(old, now, k); changed {
				c.Workflow = name
				out = append(out, c)
			}
		}
	}
	return out
}

func workflowName(w resource.Workflow) string { return w.Name }

type keyedTrigger struct {
	resource.Trigger
	key string
}

func keyed(list []resource.Trigger) map[string]keyedTrigger {
	m := map[string]keyedTrigger{}
	schedules := 0
	for _, t := range list {
		key := t.Event
		if t.Kind != "event" {
			key = strconv.Itoa(schedules)
			schedules++
		}
		m[t.Kind+" "+key] = keyedTrigger{t, key}
	}
	return m
}

func triggerChange(old, now map[string]keyedTrigger, k string) (TriggerChange, bool) {
	was, had := old[k]
	is, has := now[k]
	switch {
	case !had:
		return TriggerChange{Action: Create, Kind: is.Kind, Key: is.key, After: triggerValue(is.Trigger)}, true
	case !has:
		return TriggerChange{Action: Delete, Kind: was.Kind, Key: was.key, Before: triggerValue(was.Trigger)}, true
	case was.Trigger != is.Trigger:
		return TriggerChange{Action: Update, Kind: is.Kind, Key: is.key, Before: triggerValue(was.Trigger), After: triggerValue(is.Trigger)}, true
	}
	return TriggerChange{}, false
}

func triggerValue(t resource.Trigger) canon.Value {
	var fields []canon.Field
	for _, f := range []struct{ name, text string }{
		{"kind", t.Kind}, {"cron", t.Cron}, {"timezone", t.Timezone}, {"overlap", t.Overlap},
		{"event", t.Event}, {"dedupe", t.Dedupe}, {"input", t.Input},
	} {
		if f.text != "" {
			fields = append(fields, canon.F(f.name, canon.String(f.text)))
		}
	}
	return diff.Mask(canon.Object(fields...))
}

// definitionChanges lists agents whose declared version is another one, and those
// that changed under the version they had.
func definitionChanges(before, after resource.Graph, schemas risk.Schemas) []DefinitionChange {
	out := []DefinitionChange{}
	old := byName(before.Agents, func(a resource.Agent) string { return a.Name })
	for _, a := range after.Agents {
		was, existed := old[a.Name]
		unversioned := existed && risk.Unversioned(was, a, schemas)
		if was.Version != a.Version || unversioned {
			out = append(out, DefinitionChange{
				Agent: a.Name, Before: was.Version, After: a.Version, Replaces: a.Replaces, Summary: a.ChangeSummary, Unversioned: unversioned,
			})
		}
	}
	return out
}

func byName[T any](list []T, name func(T) string) map[string]T {
	m := make(map[string]T, len(list))
	for _, v := range list {
		m[name(v)] = v
	}
	return m
}
