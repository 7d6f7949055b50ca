package ir

import "terfyn/internal/canon"

// Expr computes a value from the bindings in scope; it calls nothing.
//
//sumtype:decl
type Expr interface{ expr() }

// Literal is a constant.
type Literal struct{ Value canon.Value }

// Ref reads a binding and then fields; a missing field is null.
type Ref struct{ Path []string }

// Object builds an object.
type Object struct{ Fields []Arg }

// Template concatenates parts into a string, or, when it is exactly one
// reference, yields the referenced value with its type.
type Template struct{ Parts []Part }

// Part is literal text, or a reference when Ref is not empty.
type Part struct {
	Text string
	Ref  []string
}

func (Literal) expr()  {}
func (Ref) expr()      {}
func (Object) expr()   {}
func (Template) expr() {}

// Cond is a condition.
//
//sumtype:decl
type Cond interface{ cond() }

// CompareOp is one of == != < <= > >=.
type CompareOp string

// The comparison operators.
const (
	Eq CompareOp = "=="
	Ne CompareOp = "!="
	Lt CompareOp = "<"
	Le CompareOp = "<="
	Gt CompareOp = ">"
	Ge CompareOp = ">="
)

// Not negates.
type Not struct{ Of Cond }

// And is true when all of its conditions are; it stops early.
type And struct{ Of []Cond }

// Or is true when one of its conditions is; it stops early.
type Or struct{ Of []Cond }

// Compare compares two values; sides are conditions whose value is any JSON value.
type Compare struct {
	Op          CompareOp
	Left, Right Cond
}

// Test is a bare operand: a literal or a path. As a condition it must be
// boolean; null counts as false.
type Test struct{ Expr Expr }

func (Not) cond()     {}
func (And) cond()     {}
func (Or) cond()      {}
func (Compare) cond() {}
func (Test) cond()    {}
