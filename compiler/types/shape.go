package types

import (
	"fmt"
	"strconv"
)

// Shape is an argument as the checker sees it: the fields of an object literal,
// the elements of a list, or else just a type.
type Shape struct {
	Type     Type // used when IsObject and IsList are false
	IsObject bool
	Fields   []Field // in source order
	IsList   bool
	Items    []Shape
}

// Field is one field of an object literal.
type Field struct {
	Name  string
	Shape Shape
}

// ValueOf is the shape of a value known only by its type.
func ValueOf(t Type) Shape { return Shape{Type: t} }

// ObjectOf is the shape of an object literal.
func ObjectOf(fields ...Field) Shape { return Shape{IsObject: true, Fields: fields} }

// ListOf is the shape of a list of known elements.
func ListOf(items ...Shape) Shape { return Shape{IsList: true, Items: items} }

// Mismatch is one place of an argument that does not fit.
type Mismatch struct {
	Path       []string // fields and indices from the argument; empty = the argument itself
	Undeclared bool     // the place must not exist; otherwise its type is wrong
	Got, Want  Type
	Message    string // contains "is not declared" or "not compatible"
}

// Fit compares an argument with what a consumer declares, recursively, and
// reports every mismatch in source order.
func Fit(s Shape, consumer Type) []Mismatch { return fit(s, consumer, nil) }

func fit(s Shape, want Type, path []string) []Mismatch {
	switch {
	case s.IsObject && len(s.Fields) > 0 && want.May(Object):
		return fitFields(s.Fields, want, path)
	case s.IsObject && len(s.Fields) > 0:
		return undeclaredFields(s.Fields, want, path)
	case s.IsObject:
		return fitType(Basic(Object), want, path)
	case s.IsList && want.typed && !want.May(Array):
		return fitElementsNowhere(s, want, path)
	case s.IsList:
		var out []Mismatch
		for i, element := range s.Items {
			out = append(out, fit(element, item(want, i), extend(path, strconv.Itoa(i)))...)
		}
		return out
	default:
		return fitType(s.Type, want, path)
	}
}

func fitFields(fields []Field, want Type, path []string) []Mismatch {
	var out []Mismatch
	for _, f := range fields {
		at := extend(path, f.Name)
		member, err := Member(want, f.Name)
		if err != nil {
			out = append(out, undeclared(at, want))
			continue
		}
		out = append(out, fit(f.Shape, member, at)...)
	}
	return out
}

// undeclaredFields reports an object literal where no object is taken.
func undeclaredFields(fields []Field, want Type, path []string) []Mismatch {
	var out []Mismatch
	for _, f := range fields {
		out = append(out, undeclared(extend(path, f.Name), want))
	}
	return out
}

// fitElementsNowhere reports a list where no array is taken.
func fitElementsNowhere(s Shape, want Type, path []string) []Mismatch {
	if len(s.Items) == 0 {
		return fitType(Basic(Array), want, path)
	}
	var out []Mismatch
	for i := range s.Items {
		out = append(out, undeclared(extend(path, strconv.Itoa(i)), want))
	}
	return out
}

func fitType(got, want Type, path []string) []Mismatch {
	if Assignable(got, want) {
		return nil
	}
	name := got.String()
	if got.literal {
		name = "a literal"
	}
	text := fmt.Sprintf("%s is not compatible with %s", name, want)
	if len(path) > 0 {
		text = fmt.Sprintf("field %q: %s", dotted(path), text)
	}
	return []Mismatch{{Path: path, Got: got, Want: want, Message: text}}
}

func undeclared(path []string, want Type) Mismatch {
	e := UndeclaredError{Name: dotted(path), In: want}
	return Mismatch{Path: path, Undeclared: true, Want: want, Message: e.Error()}
}

func extend(path []string, segment string) []string {
	return append(path[:len(path):len(path)], segment)
}
