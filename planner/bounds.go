package planner

import (
	"encoding/json"
	"errors"
	"fmt"

	"terfyn/internal/canon"
	"terfyn/planner/authority"
)

// In a large project nearly every effect is unreachable from nearly every root, in
// the same words. wholeBounds shares one value for all of them; foldedBounds, which
// digests and saved plans hold, has each once and numbers in its place.

// lowEntry is an entry that says nothing but that an effect is not reached.
type lowEntry struct{ effect, reason string }

// isLow reports whether an entry says no more than a lowEntry can.
func isLow(e authority.Entry) bool {
	return e.Reachability == authority.Unreachable && e.Severity == authority.LowSeverity &&
		!e.Unknown && e.Capability == "" && e.Witness == nil
}

func (l lowEntry) entry() authority.Entry {
	return authority.Entry{Effect: l.effect, Reachability: authority.Unreachable, Severity: authority.LowSeverity, Reason: l.reason}
}

// split takes the low entries from the end of each bound.
func split(bounds []authority.Bound) (heads []canon.Value, tails [][]authority.Entry) {
	upper := make([]authority.Bound, len(bounds))
	tails = make([][]authority.Entry, len(bounds))
	for i, b := range bounds {
		n := len(b.Entries)
		for n > 0 && isLow(b.Entries[n-1]) {
			n--
		}
		upper[i] = authority.Bound{Root: b.Root, Entries: orEmpty(b.Entries[:n])}
		tails[i] = b.Entries[n:]
	}
	return valueOf(upper).Items(), tails
}

// wholeBounds is the list as documents show it.
func wholeBounds(bounds []authority.Bound) canon.Value {
	heads, tails := split(bounds)
	known := map[lowEntry]canon.Value{}
	for i, tail := range tails {
		entries := append(make([]canon.Value, 0, len(tail)+4), heads[i].At("entries").Items()...)
		for _, e := range tail {
			low := lowEntry{e.Effect, e.Reason}
			v, ok := known[low]
			if !ok {
				v = valueOf(low.entry())
				known[low] = v
			}
			entries = append(entries, v)
		}
		heads[i] = heads[i].With("entries", canon.List(entries...))
	}
	return canon.List(heads...)
}

// foldedBounds is the list with a table of its low entries, to which the unreachable
// numbers of each root point.
func foldedBounds(bounds []authority.Bound) canon.Value {
	roots, tails := split(bounds)
	numbers := map[lowEntry]canon.Value{}
	var table []canon.Value
	for i, tail := range tails {
		list := make([]canon.Value, len(tail))
		for j, e := range tail {
			low := lowEntry{e.Effect, e.Reason}
			n, ok := numbers[low]
			if !ok {
				n = canon.Int(int64(len(table)))
				numbers[low] = n
				table = append(table, canon.Object(canon.F("effect", canon.String(e.Effect)), canon.F("reason", canon.String(e.Reason))))
			}
			list[j] = n
		}
		roots[i] = roots[i].With("unreachable", canon.List(list...))
	}
	return canon.Object(canon.F("roots", canon.List(roots...)), canon.F("unreachable", canon.List(table...)))
}

// unfold reads what foldedBounds wrote.
func unfold(v canon.Value) ([]authority.Bound, error) {
	rows := v.At("unreachable").Items()
	table := make([]authority.Entry, len(rows))
	for i, row := range rows {
		table[i] = lowEntry{row.Str("effect"), row.Str("reason")}.entry()
	}
	out := []authority.Bound{}
	for _, root := range v.At("roots").Items() {
		var b authority.Bound
		if err := json.Unmarshal(root.Without("unreachable").Encode(), &b); err != nil {
			return nil, fmt.Errorf("read the effect bounds: %w", err)
		}
		for _, number := range root.At("unreachable").Items() {
			n, ok := number.AsInt()
			if !ok || n < 0 || n >= int64(len(table)) {
				return nil, errors.New("read the effect bounds: an unreachable effect is not in their table")
			}
			b.Entries = append(b.Entries, table[n])
		}
		out = append(out, b)
	}
	return out, nil
}
