package build

import (
	"slices"

	"terfyn/compiler/ir"
	"terfyn/internal/canon"
)

// Ref reads a parameter, a binding or a loop variable and then fields of it.
func Ref(name string, fields ...string) ir.Ref {
	return ir.Ref{Path: append([]string{name}, fields...)}
}

// Field reads on from a reference.
func Field(of ir.Ref, fields ...string) ir.Ref {
	return ir.Ref{Path: slices.Concat(of.Path, fields)}
}

// Arg is one value under a name: an argument, a field of an object, an entry of a
// gate's payload.
func Arg(name string, value ir.Expr) ir.Arg { return ir.Arg{Name: name, Expr: value} }

// Object builds an object.
func Object(fields ...ir.Arg) ir.Object { return ir.Object{Fields: fields} }

// Text is a constant string; nothing in it is replaced.
func Text(s string) ir.Literal { return ir.Literal{Value: canon.String(s)} }

// Int is a constant whole number.
func Int(n int64) ir.Literal { return ir.Literal{Value: canon.Int(n)} }

// Flag is a constant truth value.
func Flag(b bool) ir.Literal { return ir.Literal{Value: canon.Bool(b)} }

// Constant is any other constant.
func Constant(v canon.Value) ir.Literal { return ir.Literal{Value: v} }

// Template joins words and values into a string. A single Token alone keeps the
// type of its value.
func Template(parts ...ir.Part) ir.Template { return ir.Template{Parts: parts} }

// Words is literal text of a Template.
func Words(text string) ir.Part { return ir.Part{Text: text} }

// Token is a value in a Template.
func Token(of ir.Ref) ir.Part { return ir.Part{Ref: of.Path} }

// Is holds when a value is true; it must be a Ref or a constant.
func Is(value ir.Expr) ir.Cond { return ir.Test{Expr: value} }

// Not negates.
func Not(c ir.Cond) ir.Cond { return ir.Not{Of: c} }

// All holds when all conditions do.
func All(of ...ir.Cond) ir.Cond { return ir.And{Of: of} }

// Any holds when one condition does.
func Any(of ...ir.Cond) ir.Cond { return ir.Or{Of: of} }

// Compare compares two values; each must be a Ref or a constant.
func Compare(left ir.Expr, op ir.CompareOp, right ir.Expr) ir.Cond {
	return ir.Compare{Op: op, Left: Is(left), Right: Is(right)}
}
