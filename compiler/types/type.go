package types

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Category is a set of JSON kinds a value may have.
type Category uint8

// The categories. Integer is below Number: an integer fits a number.
const (
	Object Category = 1 << iota
	Array
	String
	Integer
	Number
	Boolean
	Null
)

// categoryNames are the schema words, in the order messages list them.
var categoryNames = [...]string{"object", "array", "string", "integer", "number", "boolean", "null"}

// Type is what the checker knows about a value: the categories it may have and,
// where a schema says more, its members. The zero Type is untyped.
type Type struct {
	typed   bool // false = nothing known, compatible with everything
	literal bool // an untyped literal of the source
	set     Category
	parts   []*jsonschema.Schema // schemas that all hold; nil when none is known
}

// Untyped is the type of which nothing is known.
func Untyped() Type { return Type{} }

// Never is the type no value has, that of the schema false.
func Never() Type { return Type{typed: true} }

// Literal is the type of a literal in source: untyped, but it does not fit Never.
func Literal() Type { return Type{literal: true} }

// Basic is a type of just these categories, for example Basic(String) for a
// template that is concatenated.
func Basic(set Category) Type { return Type{typed: true, set: set} }

// Of derives the type a schema describes. A nil schema is untyped.
func Of(s *Schema) Type {
	if s == nil {
		return Untyped()
	}
	return ofAll(s.compiled)
}

// ofAll is the type of a value that fits all of the given schemas.
func ofAll(schemas ...*jsonschema.Schema) Type {
	var t Type
	for _, s := range schemas {
		t.parts = append(t.parts, conjuncts(s)...)
	}
	for _, part := range t.parts {
		set, understood := categories(part)
		switch {
		case !understood:
		case !t.typed:
			t.typed, t.set = true, set
		default:
			t.set = intersect(t.set, set)
		}
	}
	return t
}

// categories reads one schema by itself; understood is false when it does not
// restrict the kind in a way this package follows.
func categories(s *jsonschema.Schema) (set Category, understood bool) {
	if s.Always != nil {
		return 0, !*s.Always
	}
	if len(s.Types) == 0 {
		return 0, false
	}
	for _, name := range s.Types {
		for i, known := range categoryNames {
			if name == known {
				set |= 1 << i
			}
		}
	}
	return set, true
}

// intersect keeps the kinds both sides allow; a number on one side allows the
// integer of the other.
func intersect(a, b Category) Category {
	both := widen(a) & widen(b)
	if both&Number != 0 {
		both &^= Integer // covered
	}
	return both
}

// widen adds Integer where Number is allowed.
func widen(c Category) Category {
	if c&Number != 0 {
		c |= Integer
	}
	return c
}

// IsUntyped reports whether nothing is known; literals are untyped too.
func (t Type) IsUntyped() bool { return !t.typed }

// IsNever reports whether no value has this type.
func (t Type) IsNever() bool { return t.typed && t.set == 0 }

// IsLiteral reports whether t is that of a source literal.
func (t Type) IsLiteral() bool { return t.literal }

// May reports whether a value of this type can be of one of the categories; an
// untyped one always can.
func (t Type) May(c Category) bool {
	if !t.typed {
		return true
	}
	return widen(t.set)&widen(c) != 0
}

// String names the type as messages do: "string", "string or null", "any", "never".
func (t Type) String() string {
	switch {
	case !t.typed:
		return "any"
	case t.set == 0:
		return "never"
	}
	var names []string
	for i, name := range categoryNames {
		if t.set&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

// Equal reports whether two types come from the same schema, or know the same
// categories and nothing else.
func Equal(a, b Type) bool {
	if a.typed != b.typed || a.set != b.set || len(a.parts) != len(b.parts) {
		return false
	}
	for i := range a.parts {
		if a.parts[i] != b.parts[i] {
			return false
		}
	}
	return true
}

// Join is the type of a name bound to a or to b, depending on the path taken:
// the common type, or untyped when they differ.
func Join(a, b Type) Type {
	if Equal(a, b) && a.literal == b.literal {
		return a
	}
	return Untyped()
}

// Assignable reports whether every value a producer may yield fits the consumer
// as far as types are known. Names do not matter, only categories.
func Assignable(producer, consumer Type) bool {
	switch {
	case producer.IsNever():
		return true
	case consumer.IsNever():
		return !producer.typed && !producer.literal
	case !producer.typed || !consumer.typed:
		return true
	}
	return producer.set&^widen(consumer.set) == 0
}
