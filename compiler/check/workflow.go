package check

import (
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
)

func (c *checker) workflow(w *syntax.WorkflowDecl) {
	c.policyName(w.Policy)
	c.effectNames(w.Effects)
	c.whole("timeoutSeconds", w.TimeoutSeconds)
	b := &body{checker: c, workflow: w, result: c.typeOf(w.Result)}
	for _, t := range w.Triggers {
		b.trigger(t)
	}
	s := scope.Scope{}
	for _, p := range w.Params {
		s[p.Name.Name] = scope.Binding{Type: c.typeOf(&p.Type), Param: true}
	}
	b.block(s, w.Body, flow{straight: true})
}

// Enveloped reports whether a workflow's output document wraps its returned
// value: at least one return is not an object literal (language.md 14.2).
func Enveloped(w *syntax.WorkflowDecl) bool { return envelopedBlock(w.Body) }

func envelopedBlock(b *syntax.Block) bool {
	if b == nil {
		return false
	}
	for _, s := range b.Stmts {
		if envelopedStmt(s) {
			return true
		}
	}
	return false
}

func envelopedStmt(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ReturnStmt:
		_, object := s.Value.(*syntax.ObjectExpr)
		return !object
	case *syntax.IfStmt:
		return envelopedBlock(s.Then) || envelopedBlock(s.Else) || s.ElseIf != nil && envelopedStmt(s.ElseIf)
	case *syntax.ForStmt:
		return envelopedBlock(s.Body)
	case *syntax.WhileStmt:
		return envelopedBlock(s.Body)
	case *syntax.RetryStmt:
		return envelopedBlock(s.Body)
	default:
		return false
	}
}

// body checks the statements of one workflow.
type body struct {
	*checker
	workflow *syntax.WorkflowDecl
	result   types.Type
}

// flow says where a statement stands.
type flow struct {
	straight    bool // not inside of a control-flow body
	parallelFor bool // inside the body of a parallel for
}

func (f flow) nested() flow { f.straight = false; return f }

// block checks statements in order and binds their names in s. It reports
// whether the block returns on every path.
func (b *body) block(s scope.Scope, block *syntax.Block, f flow) (returns bool) {
	if block == nil {
		return false
	}
	for _, stmt := range block.Stmts {
		if b.stmt(s, stmt, f) {
			returns = true
		}
	}
	return returns
}

func (b *body) stmt(s scope.Scope, stmt syntax.Stmt, f flow) (returns bool) {
	switch stmt := stmt.(type) {
	case *syntax.AssignStmt:
		b.secret(stmt.Name.Name, stmt.Value, false)
		b.bind(s, stmt.Name, b.assignment(s, stmt.Value, f))
	case *syntax.CallStmt:
		b.call(s, stmt.Call, f)
	case *syntax.ParallelStmt:
		b.parallel(s, stmt, f)
	case *syntax.IfStmt:
		return b.branch(s, stmt, f)
	case *syntax.ForStmt:
		b.loop(s, stmt, f)
	case *syntax.WhileStmt:
		b.while(s, stmt, f)
	case *syntax.RetryStmt:
		return b.retry(s, stmt, f)
	case *syntax.ApprovalStmt:
		if stmt.With != nil {
			b.expr(s, stmt.With, true, f)
		}
		b.bind(s, stmt.Name, types.Untyped()) // a person may edit the payload
	case *syntax.ReturnStmt:
		b.ret(s, stmt, f)
		return true
	}
	return false
}

func (b *body) bind(s scope.Scope, name syntax.Ident, t types.Type) {
	if s[name.Name].Param {
		b.add(immutableParameter(name))
		return
	}
	s[name.Name] = scope.Binding{Type: t}
}

// assignment is the type of what an assignment binds; its strings are plain text.
func (b *body) assignment(s scope.Scope, value syntax.Expr, f flow) types.Type {
	return typeOfShape(b.expr(s, value, false, f))
}

// parallel checks every branch against the scope before the block.
func (b *body) parallel(s scope.Scope, p *syntax.ParallelStmt, f flow) {
	before := s.Clone()
	for _, branch := range p.Branches {
		b.secret(branch.Name.Name, branch.Value, false)
		b.bind(s, branch.Name, b.assignment(before, branch.Value, f))
	}
}

// branch leaves in s what both arms bind; an arm that returns has no say.
func (b *body) branch(s scope.Scope, stmt *syntax.IfStmt, f flow) (returns bool) {
	b.cond(s, stmt.Cond)
	then, other := s.Clone(), s.Clone()
	thenReturns := b.block(then, stmt.Then, f.nested())
	otherReturns := false
	if stmt.ElseIf != nil {
		otherReturns = b.branch(other, stmt.ElseIf, f.nested())
	} else {
		otherReturns = b.block(other, stmt.Else, f.nested())
	}
	after := scope.Join(then, other)
	switch {
	case thenReturns && !otherReturns:
		after = other
	case otherReturns && !thenReturns:
		after = then
	}
	clear(s)
	for name, bound := range after {
		s[name] = bound
	}
	return thenReturns && otherReturns
}

func (b *body) loop(s scope.Scope, stmt *syntax.ForStmt, f flow) {
	element := types.Items(typeOfShape(b.expr(s, stmt.Collection, true, f)))
	f = f.nested()
	if stmt.Parallel {
		f.parallelFor = true
	} else {
		s.Widen(scope.Without(assigned(stmt.Body), stmt.Var.Name))
	}
	inner := s.Clone()
	inner[stmt.Var.Name] = scope.Binding{Type: element}
	b.block(inner, stmt.Body, f)
}

func (b *body) while(s scope.Scope, stmt *syntax.WhileStmt, f flow) {
	b.rounds(stmt.Limit)
	b.cond(s, stmt.Cond)
	s.Widen(assigned(stmt.Body))
	b.block(s.Clone(), stmt.Body, f.nested())
}

// retry runs its body at least once, so what every path of it binds stays, and
// the condition sees it.
func (b *body) retry(s scope.Scope, stmt *syntax.RetryStmt, f flow) (returns bool) {
	b.rounds(stmt.Limit)
	outer := assigned(stmt.Body)
	s.Widen(outer)
	before := s.Clone()
	returns = b.block(s, stmt.Body, f.nested())
	b.cond(s, stmt.Cond)
	for _, name := range outer {
		if _, existed := before[name]; existed {
			s.Widen([]string{name})
		}
	}
	return returns
}

func (b *body) ret(s scope.Scope, stmt *syntax.ReturnStmt, f flow) {
	if f.parallelFor {
		b.add(complain.ReturnInParallel(stmt.At))
	}
	shape := b.expr(s, stmt.Value, true, f)
	for _, m := range types.Fit(shape, b.result) {
		b.add(complain.BadReturn(placeOf(stmt.Value, m.Path), b.workflow.Result.Name, m))
	}
}
