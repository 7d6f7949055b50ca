package resource

import (
	"slices"
)

// normalizeSteps puts steps in the one order their needs allow: a step after
// everything it needs, ties by id, so that the order of independent steps is no
// identity. Steps without explicit needs form a chain by position and keep it.
// On a cycle the rest follows by id; validation reports it.
func normalizeSteps(in []Step) []Step {
	steps := each(in, func(s Step) Step {
		if s.Needs != nil {
			sorted := slices.Clone(s.Needs)
			slices.Sort(sorted)
			s.Needs = slices.Compact(sorted)
		}
		return s
	})
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Needs == nil }) {
		return steps
	}
	byName(steps, func(s Step) string { return s.ID })
	known, done := map[string]bool{}, map[string]bool{}
	for _, s := range steps {
		known[s.ID] = true
	}
	ready := func(s Step) bool {
		return !slices.ContainsFunc(s.Needs, func(n string) bool { return known[n] && !done[n] })
	}
	out := make([]Step, 0, len(steps))
	for rest := steps; len(rest) > 0; {
		i := max(0, slices.IndexFunc(rest, ready))
		out = append(out, rest[i])
		done[rest[i].ID] = true
		rest = slices.Delete(rest, i, i+1)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
