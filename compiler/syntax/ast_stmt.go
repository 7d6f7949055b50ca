package syntax

import "terfyn/compiler/source"

// Block is { statement … }.
type Block struct {
	Stmts  []Stmt
	Braces source.Span
}

// Span covers the braces.
func (b *Block) Span() source.Span { return b.Braces }

// Stmt is a statement of a workflow body.
//
//sumtype:decl
type Stmt interface {
	Node
	stmt()
}

// AssignStmt is `name = expr`.
type AssignStmt struct {
	Name  Ident
	Value Expr
}

// ParallelStmt is `parallel { name = expr … }`.
type ParallelStmt struct {
	Branches []*AssignStmt
	Braces   source.Span
	At       source.Span
}

// IfStmt is `if cond { … }` with an optional else part: at most one of Else and
// ElseIf is set.
type IfStmt struct {
	Cond   Cond
	Then   *Block
	ElseAt source.Span // the word else, zero without an else part
	Else   *Block
	ElseIf *IfStmt
	At     source.Span
}

// ForStmt is `for name in expr { … }`, with `parallel` before it or not.
type ForStmt struct {
	Parallel   bool
	Var        Ident
	Collection Expr
	Body       *Block
	At         source.Span
}

// WhileStmt is `while cond limit n { … }`.
type WhileStmt struct {
	Cond  Cond
	Limit Number
	Body  *Block
	At    source.Span
}

// RetryStmt is `retry until cond limit n { … }`.
type RetryStmt struct {
	Cond  Cond
	Limit Number
	Body  *Block
	At    source.Span
}

// ApprovalStmt is `approval name { … }`, a stop for a person.
type ApprovalStmt struct {
	Name        Ident
	Body        Body
	Description *Text
	RedactKeys  *StringList
	With        *ObjectExpr
	At          source.Span
}

// ReturnStmt is `return expr`.
type ReturnStmt struct {
	Value Expr
	At    source.Span
}

// CallStmt is a call whose result is dropped.
type CallStmt struct {
	Call *CallExpr
}

// Span covers the statement.
func (s *AssignStmt) Span() source.Span { return s.Name.At.To(s.Value.Span()) }

// Span covers the statement.
func (s *ParallelStmt) Span() source.Span { return s.At }

// Span covers the statement with its else part.
func (s *IfStmt) Span() source.Span { return s.At }

// Span covers the statement.
func (s *ForStmt) Span() source.Span { return s.At }

// Span covers the statement.
func (s *WhileStmt) Span() source.Span { return s.At }

// Span covers the statement.
func (s *RetryStmt) Span() source.Span { return s.At }

// Span covers the statement.
func (s *ApprovalStmt) Span() source.Span { return s.At }

// Span covers the statement.
func (s *ReturnStmt) Span() source.Span { return s.At }

// Span covers the statement.
func (s *CallStmt) Span() source.Span { return s.Call.Span() }

func (*AssignStmt) stmt()   {}
func (*ParallelStmt) stmt() {}
func (*IfStmt) stmt()       {}
func (*ForStmt) stmt()      {}
func (*WhileStmt) stmt()    {}
func (*RetryStmt) stmt()    {}
func (*ApprovalStmt) stmt() {}
func (*ReturnStmt) stmt()   {}
func (*CallStmt) stmt()     {}
