package syntax

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"terfyn/compiler/source"
)

// Dump writes the tree as indented text, for people and goldens. Positions,
// comments, string forms and the order of fields inside a body do not show, so
// two files with equal dumps mean the same.
func Dump(u *Unit) string { return dumpUnit(u, false) }

// DumpPositions is Dump with line:col of the start behind every construct.
func DumpPositions(u *Unit) string { return dumpUnit(u, true) }

func dumpUnit(u *Unit, positions bool) string {
	d := dumper{positions: positions}
	for _, decl := range u.Decls {
		d.value("", reflect.ValueOf(decl))
	}
	return d.out.String()
}

// dumper walks the tree by reflection: a field added to a node shows up by itself.
type dumper struct {
	out       strings.Builder
	depth     int
	positions bool
}

func (d *dumper) line(label, text string, v reflect.Value) {
	d.out.WriteString(strings.Repeat("  ", d.depth))
	d.out.WriteString(strings.TrimSuffix(strings.TrimPrefix(label+": "+text, ": "), ": "))
	if node, ok := asNode(v); ok && d.positions {
		d.out.WriteString(" @" + node.Span().Start.String())
	}
	d.out.WriteByte('\n')
}

func asNode(v reflect.Value) (Node, bool) {
	if v.CanAddr() {
		v = v.Addr()
	}
	if !v.IsValid() || !v.CanInterface() {
		return nil, false
	}
	n, ok := v.Interface().(Node)
	return n, ok
}

func (d *dumper) value(label string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			d.value(label, v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 {
			return
		}
		d.line(label, "", reflect.Value{})
		d.depth++
		for i := range v.Len() {
			d.value("-", v.Index(i))
		}
		d.depth--
	case reflect.Struct:
		d.structure(label, v)
	case reflect.Bool:
		if v.Bool() {
			d.line(label, "true", reflect.Value{})
		}
	default:
		d.line(label, fmt.Sprint(v.Interface()), reflect.Value{})
	}
}

func (d *dumper) structure(label string, v reflect.Value) {
	if text, ok := scalar(v.Interface()); ok {
		d.line(label, text, v)
		return
	}
	d.line(label, v.Type().Name(), v)
	d.depth++
	defer func() { d.depth-- }()
	for i := range v.NumField() {
		switch f := v.Field(i).Interface().(type) {
		case source.Span, Body, []FieldSpan:
		case DeclInfo:
			if f.HasErrors {
				d.line("broken", "true", reflect.Value{})
			}
		default:
			d.value(v.Type().Field(i).Name, v.Field(i))
		}
	}
}

// scalar gives the one-line form of the leaves.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case Ident:
		return v.Name, true
	case Path:
		return v.String(), true
	case Text:
		return strconv.Quote(v.Value), true
	case Number:
		return v.Spelling, true
	case Flag:
		return strconv.FormatBool(v.Value), true
	case ModelRef:
		return v.String(), true
	case Capability:
		return v.String(), true
	case Approver:
		return v.String(), true
	default:
		return "", false
	}
}
