package canon

import (
	"slices"
	"strconv"
	"strings"
)

// Kind is the JSON kind of a Value.
type Kind uint8

// The kinds. The zero Value is null.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindList
	KindObject
)

// String names the kind as messages do.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is an immutable JSON value. The zero Value is null. Slices handed in or
// out are shared and must not be changed.
type Value struct {
	_     [0]func() // two values are compared with Equal, never with ==
	kind  Kind
	flag  bool
	text  string // string content, or the canonical number spelling
	inner *inner // nil for an empty array or object and for the other kinds
}

// inner is what an array or object holds. It stands apart because most values
// are small and a project has many of them.
type inner struct {
	list   []Value
	fields []Field // sorted by name, names unique
}

// Field is one member of an object.
type Field struct {
	Name  string
	Value Value
}

// F builds a Field.
func F(name string, v Value) Field { return Field{Name: name, Value: v} }

// Null is the JSON null.
func Null() Value { return Value{} }

// Bool builds a boolean.
func Bool(b bool) Value { return Value{kind: KindBool, flag: b} }

// String builds a string; invalid UTF-8 becomes U+FFFD, since JSON has no other bytes.
func String(s string) Value {
	return Value{kind: KindString, text: strings.ToValidUTF8(s, "\uFFFD")}
}

// Int builds an integer.
func Int(i int64) Value { return Value{kind: KindNumber, text: strconv.FormatInt(i, 10)} }

// List builds an array.
func List(vs ...Value) Value {
	if len(vs) == 0 {
		return Value{kind: KindList}
	}
	return Value{kind: KindList, inner: &inner{list: vs}}
}

// Strings builds an array of strings.
func Strings(ss []string) Value {
	vs := make([]Value, len(ss))
	for i, s := range ss {
		vs[i] = String(s)
	}
	return List(vs...)
}

// Object builds an object. Fields are put in name order; of two with one name
// the later wins, as JSON readers have it.
func Object(fs ...Field) Value { return Adopt(slices.Clone(fs)) }

// Adopt is Object for a slice that the caller gives away: it is put in order where
// it lies and must not be used afterwards.
func Adopt(out []Field) Value {
	if inOrder(out) {
		return objectOf(out)
	}
	slices.SortStableFunc(out, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	kept := out[:0]
	for i, f := range out {
		if i+1 < len(out) && out[i+1].Name == f.Name {
			continue
		}
		kept = append(kept, f)
	}
	return objectOf(kept)
}

// objectOf is the object of fields that are in order.
func objectOf(fs []Field) Value {
	if len(fs) == 0 {
		return Value{kind: KindObject}
	}
	return Value{kind: KindObject, inner: &inner{fields: fs}}
}

// inOrder reports whether the names ascend, each once.
func inOrder(fs []Field) bool {
	for i := 1; i < len(fs); i++ {
		if fs[i-1].Name >= fs[i].Name {
			return false
		}
	}
	return true
}

// Kind returns the kind of v.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.kind == KindNull }

// AsBool returns the boolean and whether v is one.
func (v Value) AsBool() (b, ok bool) { return v.flag, v.kind == KindBool }

// AsString returns the string and whether v is one.
func (v Value) AsString() (string, bool) {
	if v.kind != KindString {
		return "", false
	}
	return v.text, true
}

// AsInt returns v as int64 and whether it is an integer within that range.
func (v Value) AsInt() (int64, bool) {
	if v.kind != KindNumber {
		return 0, false
	}
	i, err := strconv.ParseInt(v.text, 10, 64)
	return i, err == nil
}

// NumberText returns the canonical spelling and whether v is a number.
func (v Value) NumberText() (string, bool) {
	if v.kind != KindNumber {
		return "", false
	}
	return v.text, true
}

// Items returns the elements of an array, nil for other kinds.
func (v Value) Items() []Value {
	if v.inner == nil {
		return nil
	}
	return v.inner.list
}

// Fields returns the members of an object by name, nil for other kinds.
func (v Value) Fields() []Field {
	if v.inner == nil {
		return nil
	}
	return v.inner.fields
}

// Get returns the member and whether it is present.
func (v Value) Get(name string) (Value, bool) {
	i, ok := slices.BinarySearchFunc(v.Fields(), name, func(f Field, n string) int { return strings.Compare(f.Name, n) })
	if !ok {
		return Value{}, false
	}
	return v.Fields()[i].Value, true
}

// At follows names through objects; anything missing on the way is null
// (language.md 13.1).
func (v Value) At(names ...string) Value {
	for _, n := range names {
		v, _ = v.Get(n)
	}
	return v
}

// With returns a copy of the object v with name set to w. A non-object is
// treated as an empty one.
func (v Value) With(name string, w Value) Value {
	return Adopt(slices.Concat(v.Fields(), []Field{F(name, w)}))
}

// Without returns a copy of the object v that lacks name.
func (v Value) Without(name string) Value {
	return objectOf(slices.DeleteFunc(slices.Clone(v.Fields()), func(f Field) bool { return f.Name == name }))
}

// Str returns the string member name, "" when it is absent or of another kind.
func (v Value) Str(name string) string {
	s, _ := v.At(name).AsString()
	return s
}
