package render

import (
	"fmt"
	"io"

	"terfyn/compiler/effects"
	"terfyn/internal/canon"
)

// BoundLines writes what an agent or workflow can reach, each effect with the path
// that shows it.
func BoundLines(w io.Writer, b effects.Bound, c Palette) {
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	if len(b.Effects)+len(b.Unknown) == 0 {
		line("No effects.")
		return
	}
	for _, e := range b.Effects {
		line("effect %s (%s)", e.Name, e.Authority)
		line("    by %s", Witness(e.Witness))
	}
	for _, u := range b.Unknown {
		line("%s of %s (%s): %s", c.Bad("unknown effects"), u.Capability, u.Authority, u.Reason)
		line("    by %s", Witness(u.Witness))
	}
}

// ShortWitness is v with every witness in it as a path on one line.
func ShortWitness(v canon.Value) canon.Value {
	switch v.Kind() {
	case canon.KindObject:
		fields := make([]canon.Field, 0, len(v.Fields()))
		for _, f := range v.Fields() {
			if f.Name == "witness" && f.Value.Kind() == canon.KindList {
				f.Value = canon.String(witnessLine(f.Value))
			} else {
				f.Value = ShortWitness(f.Value)
			}
			fields = append(fields, f)
		}
		return canon.Object(fields...)
	case canon.KindList:
		items := make([]canon.Value, 0, len(v.Items()))
		for _, item := range v.Items() {
			items = append(items, ShortWitness(item))
		}
		return canon.List(items...)
	}
	return v
}

func witnessLine(hops canon.Value) string {
	var list []effects.Hop
	for _, h := range hops.Items() {
		list = append(list, effects.Hop{Kind: effects.HopKind(h.Str("kind")), Name: h.Str("name"), ID: h.Str("id")})
	}
	return Witness(list)
}
