package syntax

import "terfyn/compiler/source"

// block reads `{ statement* }`. It gives nil when there is no brace to open it.
func (p *parser) block(what string) *Block {
	open, ok := p.open(what)
	if !ok || !p.enter() {
		return nil
	}
	defer p.leave()
	b := &Block{}
	for !p.peek().is("}") && !p.done() {
		start := p.peek()
		if s := p.statement(); s != nil {
			b.Stmts = append(b.Stmts, s)
		} else {
			p.skipStatement(start)
		}
	}
	b.Braces = p.close(what, open)
	return b
}

// skipStatement leaves a broken statement at a later line that can start one.
func (p *parser) skipStatement(start token) {
	if p.peek() == start {
		p.skipGroupOrToken()
	}
	line := p.last.end.Line
	p.skipTo(func(t token) bool { return t.kind == kindIdent && t.start.Line > line })
}

// statement reads one statement. It gives nil when the statement was lost, or was
// complained about as a whole.
func (p *parser) statement() Stmt {
	t := p.peek()
	if t.kind != kindIdent {
		return p.strayExpr(t)
	}
	switch t.text {
	case "parallel":
		return p.parallel()
	case "if":
		if s := p.ifStmt(); s != nil {
			return s
		}
		return nil
	case "for":
		return p.forStmt(t.start, false)
	case "while":
		return p.whileStmt()
	case "return":
		return p.returnStmt()
	case "else":
		p.fail(strayElse(p.span(t)))
		return nil
	case "retry":
		if p.peekAt(1).word("until") {
			return p.retryStmt()
		}
	case "approval":
		if p.peekAt(1).kind == kindIdent && p.peekAt(2).is("{") {
			return p.approvalStmt()
		}
	}
	if p.peekAt(1).is("=") {
		if s := p.assign(); s != nil {
			return s
		}
		return nil
	}
	return p.callStmt()
}

// strayExpr handles a statement that does not start with a word.
func (p *parser) strayExpr(t token) Stmt {
	switch {
	case t.isText():
		p.fail(notAStatement(p.span(t), "a string"))
	case t.kind == kindNumber:
		p.fail(notAStatement(p.span(t), "a number"))
	default:
		p.fail(unexpected(p.span(t), "a statement or }", t))
	}
	return nil
}

func (p *parser) assign() *AssignStmt {
	name, ok := p.word("a name to bind", isHeadWord)
	if !ok || !p.expect("=", "after the name") {
		return nil
	}
	value := p.expr()
	if value == nil {
		return nil
	}
	return &AssignStmt{Name: name, Value: value}
}

// callStmt reads the only kind of expression that may stand alone.
func (p *parser) callStmt() Stmt {
	p.callPrefix()
	path := p.path("a statement")
	if path == nil {
		return nil
	}
	switch t := p.peek(); {
	case t.is("("):
		call := p.call(*path)
		if call == nil || p.strayElseIf(*path) {
			return nil
		}
		p.fieldOfCall(*path)
		p.arithmetic()
		return &CallStmt{Call: call}
	case t.is("=") && len(path.Parts) > 1:
		p.fail(fieldAssignment(path.Span(), path.String()))
		p.next()
		p.expr()
	default:
		p.fail(strayReference(*path))
	}
	return nil
}

func (p *parser) parallel() Stmt {
	word := p.next()
	switch t := p.peek(); {
	case t.is("{"):
		return p.fork(word)
	case t.word("for"):
		return p.forStmt(word.start, true)
	case t.word("while"):
		p.fail(parallelLoop(p.span(word), "while"))
		return p.whileStmt()
	case t.word("retry"):
		p.fail(parallelLoop(p.span(word), "retry"))
		return p.statement()
	}
	p.fail(parallelAlone(p.span(word)))
	return nil
}

func (p *parser) fork(word token) Stmt {
	open, ok := p.open("parallel")
	if !ok || !p.enter() {
		return nil
	}
	defer p.leave()
	s := &ParallelStmt{}
	names := distinct{what: "branch"}
	for !p.peek().is("}") && !p.done() {
		start := p.peek()
		if start.kind != kindIdent || isHeadWord(start.text) || !p.peekAt(1).is("=") {
			p.fail(onlyAssignments(p.span(start)))
			if p.statement() == nil {
				p.skipStatement(start)
			}
			continue
		}
		branch := p.assign()
		if branch == nil {
			p.skipStatement(start)
		} else if names.add(p, branch.Name.Name, branch.Name.At) {
			s.Branches = append(s.Branches, branch)
		}
	}
	s.Braces = p.close("parallel", open)
	s.At = p.since(word.start)
	return s
}

func (p *parser) ifStmt() *IfStmt {
	word := p.next()
	if !p.enter() { // a long else-if chain nests like blocks do
		return nil
	}
	defer p.leave()
	s := &IfStmt{Cond: p.cond()}
	if s.Cond == nil {
		return nil
	}
	if s.Then = p.block("if"); s.Then == nil {
		return nil
	}
	if t := p.peek(); isElseIf(t) && !p.peekAt(1).is("=") && !p.peekAt(1).is("(") && !p.peekAt(1).is(".") {
		if s.ElseIf = p.elseIf(); s.ElseIf == nil {
			return nil
		}
		s.ElseAt = p.span(t)
	} else if t.word("else") {
		p.next()
		s.ElseAt = p.span(t)
		if p.peek().word("if") {
			s.ElseIf = p.ifStmt()
		} else {
			s.Else = p.block("else")
		}
		if s.Else == nil && s.ElseIf == nil {
			return nil
		}
	}
	s.At = p.since(word.start)
	return s
}

func (p *parser) forStmt(start source.Pos, parallel bool) Stmt {
	p.next()
	s := &ForStmt{Parallel: parallel}
	name := p.binding("a loop variable")
	if name == nil {
		return nil
	}
	s.Var = *name
	t := p.peek()
	if !t.word("in") {
		p.fail(unexpected(p.span(t), "in after the loop variable", t))
		return nil
	}
	p.next()
	if t := p.peek(); t.is("{") {
		p.fail(objectAsCollection(p.span(t)))
		p.skipGroup()
		if p.peek().is("{") {
			p.skipGroup()
		}
		return nil
	}
	if s.Collection = p.expr(); s.Collection == nil {
		return nil
	}
	if s.Body = p.block("for"); s.Body == nil {
		return nil
	}
	s.At = p.since(start)
	return s
}

func (p *parser) whileStmt() Stmt {
	word := p.next()
	s := &WhileStmt{}
	s.Cond, s.Limit, s.Body = p.bounded("while")
	if s.Body == nil {
		return nil
	}
	s.At = p.since(word.start)
	return s
}

func (p *parser) retryStmt() Stmt {
	word := p.next()
	p.next()
	s := &RetryStmt{}
	s.Cond, s.Limit, s.Body = p.bounded("retry until")
	if s.Body == nil {
		return nil
	}
	s.At = p.since(word.start)
	return s
}

// bounded reads `cond limit n block`. The body is nil when the loop is lost; a
// loop with a bad limit is kept so that its body is read.
func (p *parser) bounded(loop string) (Cond, Number, *Block) {
	cond := p.cond()
	if cond == nil {
		return nil, Number{}, nil
	}
	var limit Number
	if t := p.peek(); t.word("limit") {
		p.next()
		if n := p.whole("the limit of "+loop, "1"); n != nil {
			limit = *n
		} else if p.peek().kind == kindIdent {
			p.path("a limit") // the message was given; read past it to the body
		}
	} else {
		p.fail(missingLimit(p.span(t), loop, t))
	}
	return cond, limit, p.block(loop)
}

func (p *parser) approvalStmt() Stmt {
	word := p.next()
	name := p.binding("the name of the approval")
	if name == nil {
		return nil
	}
	s := &ApprovalStmt{Name: *name}
	if !p.body("approval "+clip(name.Name), &s.Body,
		keep("description", &s.Description, p.text),
		keep("redactKeys", &s.RedactKeys, p.stringList("redactKeys")),
		keep("with", &s.With, p.object)) {
		return nil
	}
	s.At = p.since(word.start)
	return s
}

func (p *parser) returnStmt() Stmt {
	word := p.next()
	value := p.expr()
	if value == nil {
		return nil
	}
	return &ReturnStmt{Value: value, At: p.since(word.start)}
}
