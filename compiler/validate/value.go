package validate

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/compiler/types"
)

// isIdent is the form of effects and of operation names: [a-z][a-z0-9_]* joined
// by dots.
func isIdent(s string) bool {
	return isDotted(s, func(c byte) bool { return 'a' <= c && c <= 'z' }, func(c byte) bool { return isDigit(c) || c == '_' })
}

// isWord is the form of resource names, [A-Za-z_][A-Za-z0-9_-]*; they stand in
// capabilities and call sites.
func isWord(s string) bool { return !strings.Contains(s, ".") && isPath(s) }

// isPath is the form of an operation in a capability: words joined by dots. It is
// wider than isIdent: an open tool may offer operations this project did not name.
func isPath(s string) bool {
	letter := func(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
	return isDotted(s, letter, func(c byte) bool { return isDigit(c) || c == '-' })
}

// isDotted reports whether s is parts joined by dots, each of one byte that may
// stand first and any of those that may or that may follow.
func isDotted(s string, first, more func(byte) bool) bool {
	start := true
	for i := range len(s) {
		switch c := s[i]; {
		case first(c):
			start = false
		case start:
			return false
		case c == '.':
			start = true
		case !more(c):
			return false
		}
	}
	return !start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (v *validator) choice(p place, field, got string, allowed ...string) {
	if got != "" && !slices.Contains(allowed, got) {
		v.notAChoice(p, field, got, allowed)
	}
}

func (v *validator) atLeast(p place, field string, got, low int64) {
	if got < low {
		v.outOfRange(p, field, strconv.FormatInt(got, 10), fmt.Sprintf("%d or more", low))
	}
}

// decimal checks an exact decimal against inclusive bounds; high "" is none.
func (v *validator) decimal(p place, field, got, low, high string) {
	if got == "" {
		return
	}
	want := low + " or more"
	if high != "" {
		want = "from " + low + " to " + high
	}
	if !between(got, low, high) {
		v.outOfRange(p, field, got, "a number "+want)
	}
}

func between(spelling, low, high string) bool {
	// The double check first: it refuses exponents nobody should expand.
	if _, err := strconv.ParseFloat(spelling, 64); err != nil || strings.ContainsAny(spelling, "xXpP_/nN") {
		return false
	}
	n, ok := new(big.Rat).SetString(spelling)
	return ok && !less(n, low) && (high == "" || !greater(n, high))
}

func less(n *big.Rat, bound string) bool {
	b, ok := new(big.Rat).SetString(bound)
	return ok && n.Cmp(b) < 0
}

func greater(n *big.Rat, bound string) bool {
	b, ok := new(big.Rat).SetString(bound)
	return ok && n.Cmp(b) > 0
}

func (v *validator) name(p place) {
	if !isWord(p.name) {
		v.badName(p)
	}
}

func (v *validator) effect(p place, name string) {
	switch {
	case name == "tool" || strings.HasPrefix(name, "tool."):
		v.effectIsCapability(p, name)
	case !isIdent(name):
		v.badEffectName(p, name)
	}
}

// capability checks tool.<name>.<operation>: its form, that the tool exists and
// that a closed manifest lists the operation. what says where it stands.
func (v *validator) capability(p place, what, c string) {
	tool, operation, ok := resource.SplitCapability(c)
	if !ok || !isWord(tool) || !isPath(operation) {
		v.malformedCapability(p, what, c)
		return
	}
	v.operation(p, what, tool, operation)
}

// operation checks that a tool exists and may offer the operation.
func (v *validator) operation(p place, what, tool, operation string) {
	t, found := v.g.Tool(tool)
	if !found {
		v.unknownTool(p, what, tool)
		return
	}
	if _, listed := t.Operation(operation); !listed && t.OperationsDeclared {
		v.unknownOperation(p, what, t, operation)
	}
}

func (v *validator) policyReference(p place, name string) {
	if name == "" {
		return
	}
	if _, declared := v.g.Policy(name); declared {
		return // an unknown preset inside of it is reported there
	}
	if _, ok := v.g.ResolvePolicy(name); !ok {
		v.unknownPolicy(p, name)
	}
}

func presetNames() []string {
	return nameAll(resource.Presets(), func(s resource.Preset) string { return string(s) })
}

// schema checks that a referenced schema document exists and compiles; a broken
// one is reported at its first reference.
func (v *validator) schema(p place, ref string) {
	if ref == "" || v.compiled[ref] {
		return
	}
	b, ok := v.bytes[ref]
	if !ok {
		v.missingSchema(p, ref)
		return
	}
	v.compiled[ref] = true
	if _, err := types.Load(ref, b); err != nil {
		v.brokenSchema(p, err)
	}
}

// secretReference reports whether a value names a secret instead of being one.
func secretReference(value string) bool {
	for _, scheme := range []string{"env:", "file:"} {
		if rest, ok := strings.CutPrefix(value, scheme); ok && rest != "" {
			return true
		}
	}
	return false
}
