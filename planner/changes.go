package planner

import (
	"slices"
	"strconv"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// triggerChanges lists triggers by workflow, kind and key. Events are known by
// their name, schedules by their position.
func triggerChanges(before, after resource.Graph) []TriggerChange {
	names := map[string]bool{}
	for _, w := range slices.Concat(before.Workflows, after.Workflows) {
		names[w.Name] = true
	}
	out := []TriggerChange{}
	for _, name := range ordered.Keys(names) {
		was, _ := before.Workflow(name)
		is, _ := after.Workflow(name)
		old, now := keyed(was.Triggers), keyed(is.Triggers)
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
	return canon.Object(fields...)
}

// definitionChanges lists agents whose declared version is another one.
func definitionChanges(before, after resource.Graph) []DefinitionChange {
	out := []DefinitionChange{}
	for _, a := range after.Agents {
		old, _ := before.Agent(a.Name)
		if old.Version != a.Version {
			out = append(out, DefinitionChange{Agent: a.Name, Before: old.Version, After: a.Version, Summary: a.ChangeSummary})
		}
	}
	return out
}
