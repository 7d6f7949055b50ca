package tool

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"terfyn/internal/canon"
)

// cutMark ends a string that was cut.
const cutMark = "… [truncated]"

// dropped is the member that says how many members of an object were left out.
const dropped = "_truncated"

// roomForMark is kept back in lists and objects for saying what was dropped.
const roomForMark = 48

// Limit returns v with an encoding of at most limit bytes and whether something
// was cut. The shape stays readable: small members stay whole, large strings are
// cut at their end, lists keep their first elements, and what was dropped is
// said. A limit of 0 or less bounds nothing.
func Limit(v canon.Value, limit int64) (canon.Value, bool) {
	if limit <= 0 || int64(len(v.Encode())) <= limit {
		return v, false
	}
	return fit(v, int(min(limit, 1<<30))), true
}

func fit(v canon.Value, room int) canon.Value {
	if len(v.Encode()) <= room {
		return v
	}
	switch v.Kind() {
	case canon.KindString:
		s, _ := v.AsString()
		return fitString(s, room)
	case canon.KindList:
		return fitList(v.Items(), room)
	case canon.KindObject:
		return fitObject(v.Fields(), room)
	}
	return canon.Null()
}

// fitString cuts s; escapes make the encoding longer than the text, so the cut
// is found by bisection.
func fitString(s string, room int) canon.Value {
	mark := cutMark
	if room < len(mark)+2 {
		mark = ""
	}
	n := sort.Search(min(len(s), room), func(n int) bool {
		return len(canon.AppendString(nil, cut(s, n+1)+mark)) > room
	})
	return canon.String(cut(s, n) + mark)
}

func fitList(items []canon.Value, room int) canon.Value {
	left := room - 2 - roomForMark
	var out []canon.Value
	for i, item := range items {
		size := len(item.Encode()) + 1
		if size > left {
			// A large element is worth keeping in part when there is room to read it.
			if left > roomForMark {
				out, i = append(out, fit(item, left-1)), i+1
			}
			if rest := len(items) - i; rest > 0 && room > 2+roomForMark {
				out = append(out, canon.String(fmt.Sprintf("… [%d more]", rest)))
			}
			break
		}
		out, left = append(out, item), left-size
	}
	return canon.List(out...)
}

// fitObject shares the room: members are served from the smallest to the
// largest, each getting what it needs or an equal part of what is left.
func fitObject(fields []canon.Field, room int) canon.Value {
	type member struct {
		field canon.Field
		head  int // name, quotes, colon, comma
		size  int
	}
	members := make([]member, len(fields))
	for i, f := range fields {
		members[i] = member{f, len(canon.AppendString(nil, f.Name)) + 2, len(f.Value.Encode())}
	}
	slices.SortStableFunc(members, func(a, b member) int { return a.head + a.size - b.head - b.size })
	left := room - 2 - roomForMark
	var out []canon.Field
	lost := 0
	for i, m := range members {
		share := left / (len(members) - i)
		if m.head+m.size > share {
			if share < m.head+len(cutMark)+2 {
				lost++
				continue
			}
			m.field.Value = fit(m.field.Value, share-m.head)
			m.size = len(m.field.Value.Encode())
		}
		out, left = append(out, m.field), left-m.head-m.size
	}
	if lost > 0 && room > 2+roomForMark {
		out = append(out, canon.F(dropped, canon.String(fmt.Sprintf("%d members", lost))))
	}
	return canon.Object(out...)
}

// Redact returns v with every occurrence of a secret inside of its strings
// replaced. Secrets of fewer than 6 bytes are left: replacing them would damage
// unrelated text.
func Redact(v canon.Value, secrets []string) canon.Value {
	if len(secrets) == 0 {
		return v
	}
	switch v.Kind() {
	case canon.KindString:
		s, _ := v.AsString()
		return canon.String(RedactText(s, secrets))
	case canon.KindList:
		out := make([]canon.Value, len(v.Items()))
		for i, item := range v.Items() {
			out[i] = Redact(item, secrets)
		}
		return canon.List(out...)
	case canon.KindObject:
		out := make([]canon.Field, len(v.Fields()))
		for i, f := range v.Fields() {
			out[i] = canon.F(RedactText(f.Name, secrets), Redact(f.Value, secrets))
		}
		return canon.Object(out...)
	}
	return v
}

// RedactText is Redact for a text.
func RedactText(s string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= 6 {
			s = strings.ReplaceAll(s, secret, "[REDACTED]")
		}
	}
	return s
}
