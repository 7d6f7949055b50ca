package types

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/internal/ordered"
)

// UndeclaredError says that a schema forbids a member.
type UndeclaredError struct {
	Name string
	In   Type
}

// Error contains the words "is not declared".
func (e *UndeclaredError) Error() string {
	switch {
	case !e.In.May(Object):
		return fmt.Sprintf("field %q is not declared: the schema takes %s, which has no fields", e.Name, e.In)
	case isIndex(e.Name[strings.LastIndexByte(e.Name, '.')+1:]):
		return fmt.Sprintf("field %q is not declared: the schema takes %s, which has no field of this name", e.Name, e.In)
	}
	return fmt.Sprintf("field %q is not declared: the schema allows no field of this name", e.Name)
}

// Known lists the fields the schema does declare, sorted.
func (e *UndeclaredError) Known() []string {
	names := map[string]bool{}
	for _, part := range e.In.parts {
		for name := range part.Properties {
			names[name] = true
		}
	}
	return ordered.Keys(names)
}

func isIndex(segment string) bool {
	i, err := strconv.Atoi(segment)
	return err == nil && i >= 0
}

// Member is the type of reading field name of a value of type t. It is an
// *UndeclaredError when the schema forbids the field, and untyped when the schema
// says nothing about it.
func Member(t Type, name string) (Type, error) {
	var declared []*jsonschema.Schema
	for _, part := range t.parts {
		found, err := property(part, name, t)
		if err != nil {
			return Untyped(), err
		}
		if found != nil {
			declared = append(declared, found)
		}
	}
	if len(declared) == 0 {
		return Untyped(), nil
	}
	member := ofAll(declared...)
	if member.IsNever() {
		return Untyped(), &UndeclaredError{Name: name, In: t}
	}
	return member, nil
}

// property reads one schema by itself: the schema of the property, nil when it
// says nothing, an error when it forbids the property.
func property(s *jsonschema.Schema, name string, in Type) (*jsonschema.Schema, error) {
	if p, ok := s.Properties[name]; ok {
		return p, nil
	}
	for pattern := range s.PatternProperties {
		if pattern.MatchString(name) {
			return nil, nil
		}
	}
	if closed(s) {
		return nil, &UndeclaredError{Name: name, In: in}
	}
	return nil, nil
}

// closed reports additionalProperties: false, in either spelling of false.
func closed(s *jsonschema.Schema) bool {
	switch extra := s.AdditionalProperties.(type) {
	case bool:
		return !extra
	case *jsonschema.Schema:
		return extra.Always != nil && !*extra.Always
	}
	return false
}

// Items is the type of the elements of an array of type t, untyped when the
// schema does not say.
func Items(t Type) Type {
	var all []*jsonschema.Schema
	for _, part := range t.parts {
		if len(part.PrefixItems) > 0 {
			return Untyped() // elements differ by position
		}
		if items := elements(part); items != nil {
			all = append(all, items)
		}
	}
	return ofAll(all...)
}

func elements(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Items2020 != nil {
		return s.Items2020
	}
	items, _ := s.Items.(*jsonschema.Schema) // the keyword of older drafts
	return items
}

// item is the type of the element at index.
func item(t Type, index int) Type {
	var all []*jsonschema.Schema
	for _, part := range t.parts {
		switch items := elements(part); {
		case index < len(part.PrefixItems):
			all = append(all, part.PrefixItems[index])
		case items != nil:
			all = append(all, items)
		}
	}
	return ofAll(all...)
}

// Lookup is the type of the input place a wiring path names: fields of objects,
// and indices of arrays as decimal segments (meta.x, tags.1). It is stricter
// than Member: a value that is no object has no fields, so naming one is an
// *UndeclaredError.
func Lookup(t Type, path ...string) (Type, error) {
	for _, segment := range path {
		if !t.typed && len(t.parts) == 0 {
			return Untyped(), nil
		}
		index, err := strconv.Atoi(segment)
		switch {
		case t.May(Array) && err == nil && index >= 0 && (t.typed && !t.May(Object)):
			t = item(t, index)
		case !t.May(Object):
			return Untyped(), &UndeclaredError{Name: dotted(path), In: t}
		default:
			if t, err = Member(t, segment); err != nil {
				return Untyped(), &UndeclaredError{Name: dotted(path), In: Basic(Object)}
			}
		}
	}
	return t, nil
}

func dotted(path []string) string { return strings.Join(path, ".") }
