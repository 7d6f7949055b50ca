package native

import (
	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

// arguments are the checked arguments of a call.
type arguments struct {
	v canon.Value
}

// newArguments checks kinds, required members and unknown members against the
// operation's own schema. The policy of a project may declare a stricter one.
func newArguments(v, schema canon.Value) (arguments, error) {
	if v.IsNull() {
		v = canon.Object()
	}
	if v.Kind() != canon.KindObject {
		return arguments{}, bad("the arguments must be an object, not %s", v.Kind())
	}
	properties, closed := schema.Get("properties")
	if !closed {
		return arguments{v}, nil
	}
	for _, f := range v.Fields() {
		p, ok := properties.Get(f.Name)
		if !ok {
			return arguments{}, bad("unknown argument %s", f.Name)
		}
		if err := checkKind(f, p.Str("type")); err != nil {
			return arguments{}, err
		}
	}
	for _, r := range schema.At("required").Items() {
		name, _ := r.AsString()
		if _, ok := v.Get(name); !ok {
			return arguments{}, bad("argument %s is missing", name)
		}
	}
	return arguments{v}, nil
}

func checkKind(f canon.Field, kind string) error {
	if kind == "integer" {
		if n, ok := f.Value.AsInt(); !ok || n < 1 {
			return bad("argument %s must be a whole number of at least 1", f.Name)
		}
		return nil
	}
	if f.Value.Kind() != canon.KindString {
		return bad("argument %s must be a string, not %s", f.Name, f.Value.Kind())
	}
	return nil
}

func (a arguments) text(name string) string { return a.v.Str(name) }

func (a arguments) count(name string) (n int64, given bool) { return a.v.At(name).AsInt() }

func bad(format string, args ...any) error {
	return tool.Failf(tool.BadInput, "arguments", format, args...).Answerable()
}
