package effects

import (
	"fmt"
	"strings"
)

// Dump renders bounds as text for people and goldens; it is never parsed.
func (b Bounds) Dump() string {
	var out strings.Builder
	for _, bound := range b.Agents {
		bound.dump(&out)
	}
	for _, bound := range b.Workflows {
		bound.dump(&out)
	}
	return out.String()
}

func (b Bound) dump(out *strings.Builder) {
	fmt.Fprintf(out, "%s %s\n", b.Kind, b.Name)
	for _, e := range b.Effects {
		fmt.Fprintf(out, "  effect %s %s: %s\n", e.Name, e.Authority, Path(e.Witness))
	}
	for _, o := range b.Operations {
		fmt.Fprintf(out, "  operation %s %s\n", o.Capability, o.Authority)
	}
	for _, u := range b.Unknown {
		fmt.Fprintf(out, "  unknown %s %s (%s): %s\n", u.Capability, u.Authority, u.Reason, Path(u.Witness))
	}
	for _, u := range b.Unreachable {
		fmt.Fprintf(out, "  unreachable %s: %s\n", u.Name, strings.Join(u.Operations, ", "))
	}
}
