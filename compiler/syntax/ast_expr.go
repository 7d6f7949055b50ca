package syntax

import "terfyn/compiler/source"

// Expr is a value expression.
//
//sumtype:decl
type Expr interface {
	Node
	expr()
}

// PathExpr refers to a binding, parameter or loop variable and a field below it.
type PathExpr struct {
	Path Path
}

// CallExpr is `callee(args)`.
type CallExpr struct {
	Callee Path
	Args   []*Arg
	Parens source.Span
}

// Arg is one argument; Name is nil for a positional one.
type Arg struct {
	Name  *Ident
	Value Expr
}

// StringExpr is a string literal. Whether ${…} in it means anything depends on
// where it stands; see ParseTemplate.
type StringExpr struct {
	Text Text
}

// NumberExpr is a number literal.
type NumberExpr struct {
	Number Number
}

// BoolExpr is true or false.
type BoolExpr struct {
	Flag Flag
}

// ObjectExpr is `{ key: expr … }`. The keys are distinct.
type ObjectExpr struct {
	Fields []*ObjectField
	Braces source.Span
}

// ObjectField is one `key: expr`.
type ObjectField struct {
	Key   Ident
	Value Expr
}

// Span covers the path.
func (e *PathExpr) Span() source.Span { return e.Path.Span() }

// Span covers callee and arguments.
func (e *CallExpr) Span() source.Span { return e.Callee.Span().To(e.Parens) }

// Span covers the literal.
func (e *StringExpr) Span() source.Span { return e.Text.At }

// Span covers the literal.
func (e *NumberExpr) Span() source.Span { return e.Number.At }

// Span covers the word.
func (e *BoolExpr) Span() source.Span { return e.Flag.At }

// Span covers the braces.
func (e *ObjectExpr) Span() source.Span { return e.Braces }

// Span covers key and value.
func (f *ObjectField) Span() source.Span { return f.Key.At.To(f.Value.Span()) }

// Span covers name and value.
func (a *Arg) Span() source.Span {
	if a.Name != nil {
		return a.Name.At.To(a.Value.Span())
	}
	return a.Value.Span()
}

func (*PathExpr) expr()   {}
func (*CallExpr) expr()   {}
func (*StringExpr) expr() {}
func (*NumberExpr) expr() {}
func (*BoolExpr) expr()   {}
func (*ObjectExpr) expr() {}

// Cond is a condition. Conditions hold no calls, no objects and no templates;
// parentheses are not kept, the shape of the tree says what they said.
//
//sumtype:decl
type Cond interface {
	Node
	cond()
}

// OrCond is two or more terms joined by ||. The first term is never an OrCond.
type OrCond struct {
	Terms []Cond
	At    source.Span
}

// AndCond is two or more terms joined by &&. The first term is never an AndCond.
type AndCond struct {
	Terms []Cond
	At    source.Span
}

// CompareCond is one comparison; Op is one of == != < <= > >=.
type CompareCond struct {
	Op    string
	Left  Cond
	Right Cond
	At    source.Span
}

// NotCond is !x.
type NotCond struct {
	X  Cond
	At source.Span
}

// PathCond is a reference in a condition.
type PathCond struct {
	Path Path
}

// StringCond is a string literal in a condition; it is plain text.
type StringCond struct {
	Text Text
}

// NumberCond is a number literal in a condition.
type NumberCond struct {
	Number Number
}

// BoolCond is true or false in a condition.
type BoolCond struct {
	Flag Flag
}

// Span covers the condition; parentheses around the whole of it are outside.
func (c *OrCond) Span() source.Span { return c.At }

// Span covers the condition; parentheses around the whole of it are outside.
func (c *AndCond) Span() source.Span { return c.At }

// Span covers the condition; parentheses around the whole of it are outside.
func (c *CompareCond) Span() source.Span { return c.At }

// Span covers the condition; parentheses around the whole of it are outside.
func (c *NotCond) Span() source.Span { return c.At }

// Span covers the path.
func (c *PathCond) Span() source.Span { return c.Path.Span() }

// Span covers the literal.
func (c *StringCond) Span() source.Span { return c.Text.At }

// Span covers the literal.
func (c *NumberCond) Span() source.Span { return c.Number.At }

// Span covers the word.
func (c *BoolCond) Span() source.Span { return c.Flag.At }

func (*OrCond) cond()      {}
func (*AndCond) cond()     {}
func (*CompareCond) cond() {}
func (*NotCond) cond()     {}
func (*PathCond) cond()    {}
func (*StringCond) cond()  {}
func (*NumberCond) cond()  {}
func (*BoolCond) cond()    {}
