package authority

import (
	"terfyn/compiler/effects"
	"terfyn/internal/ordered"
)

// The kinds of effect changes.
const (
	EffectAdded    = "added"
	EffectRemoved  = "removed"
	EffectPromoted = "promoted" // static before, autonomous now
	EffectDemoted  = "demoted"  // autonomous before, static now
)

// EffectChange is one effect that entered, left or moved within a root's bound.
// The entry is the desired one; for a removed effect the one it had.
type EffectChange struct {
	Root   string `json:"root"`
	Change string `json:"change"`
	Entry
}

func effectChanges(before, after effects.Bounds) []EffectChange {
	old, now := index(before), index(after)
	roots := map[string]bool{}
	for _, r := range append(ordered.Keys(old), ordered.Keys(now)...) {
		roots[r] = true
	}
	out := []EffectChange{}
	for _, root := range ordered.Keys(roots) {
		out = append(out, rootChanges(root, old[root], now[root])...)
	}
	return out
}

// index holds the reachable entries by root and key.
func index(b effects.Bounds) map[string]map[string]Entry {
	m := map[string]map[string]Entry{}
	for _, root := range Roots(b) {
		entries := map[string]Entry{}
		for _, e := range reachable(root) {
			entries[e.key()] = e
		}
		m[RootID(root)] = entries
	}
	return m
}

func rootChanges(root string, before, after map[string]Entry) []EffectChange {
	keys := map[string]bool{}
	for _, k := range append(ordered.Keys(before), ordered.Keys(after)...) {
		keys[k] = true
	}
	var out []EffectChange
	for _, k := range ordered.Keys(keys) {
		was, known := before[k]
		is, still := after[k]
		switch {
		case !known:
			out = append(out, EffectChange{root, EffectAdded, is})
		case !still:
			out = append(out, EffectChange{root, EffectRemoved, was})
		case was.Reachability == Static && is.Reachability == Autonomous:
			out = append(out, EffectChange{root, EffectPromoted, is})
		case was.Reachability == Autonomous && is.Reachability == Static:
			out = append(out, EffectChange{root, EffectDemoted, is})
		}
	}
	return out
}
