package syntax

import "terfyn/compiler/source"

// expr reads a value. It gives nil when there is none here.
func (p *parser) expr() Expr {
	value := p.value()
	if value != nil {
		p.arithmetic()
	}
	return value
}

func (p *parser) value() Expr {
	p.callPrefix()
	t := p.peek()
	switch {
	case t.isText():
		return &StringExpr{Text: *p.text()}
	case t.kind == kindNumber:
		return &NumberExpr{Number: *p.number()}
	case t.is("{"):
		if o := p.object(); o != nil {
			return o
		}
		return nil
	case t.word("true") || t.word("false"):
		return &BoolExpr{Flag: *p.flag()}
	case t.kind != kindIdent || isHeadWord(t.text):
		p.fail(unexpected(p.span(t), "a value", t))
		return nil
	}
	path := p.path("a value")
	switch {
	case path == nil:
		return nil
	case !p.peek().is("("):
		return &PathExpr{Path: *path}
	}
	if call := p.call(*path); call != nil {
		p.fieldOfCall(*path)
		return call
	}
	return nil
}

// call reads the arguments after a callee.
func (p *parser) call(callee Path) *CallExpr {
	c := &CallExpr{Callee: callee}
	names := distinct{what: "argument"}
	var ok bool
	c.Parens, ok = p.commas("the arguments", func() bool {
		arg := &Arg{}
		if t := p.peek(); t.kind == kindIdent && p.peekAt(1).is(":") {
			arg.Name = p.name("an argument name")
			p.next()
		} else if t.kind == kindIdent && p.peekAt(1).is("=") {
			arg.Name = p.name("an argument name")
			p.fail(colonSpelling(p.span(p.next()), "an argument with a name"))
		}
		if arg.Value = p.expr(); arg.Value == nil {
			return false
		}
		if arg.Name == nil || names.add(p, arg.Name.Name, arg.Name.At) {
			c.Args = append(c.Args, arg)
		}
		return true
	})
	if !ok {
		return nil
	}
	return c
}

// object reads `{ key: value … }` with distinct keys.
func (p *parser) object() *ObjectExpr {
	names := distinct{what: "key"}
	fields, braces, ok := list(p, "the object", func() (*ObjectField, outcome) {
		key, ok := p.word("a key", isReserved)
		if t := p.peek(); ok && t.is("=") {
			p.fail(colonSpelling(p.span(t), "the value of a key"))
			p.next()
		} else if !ok || !p.expect(":", "after the key") {
			return nil, lost
		}
		value := p.expr()
		switch {
		case value == nil:
			return nil, lost
		case !names.add(p, key.Name, key.At):
			return nil, dropped
		}
		return &ObjectField{Key: key, Value: value}, kept
	})
	if !ok {
		return nil
	}
	return &ObjectExpr{Fields: fields, Braces: braces}
}

// cond reads a condition: terms joined by ||, each of terms joined by &&.
func (p *parser) cond() Cond {
	terms, at := p.joined("||", func() Cond {
		terms, at := p.joined("&&", p.comparison)
		switch len(terms) {
		case 0:
			return nil
		case 1:
			return terms[0]
		}
		if head, ok := terms[0].(*AndCond); ok { // (a && b) && c is a && b && c
			terms = append(head.Terms[:len(head.Terms):len(head.Terms)], terms[1:]...)
		}
		return &AndCond{Terms: terms, At: at}
	})
	switch len(terms) {
	case 0:
		return nil
	case 1:
		return terms[0]
	}
	if head, ok := terms[0].(*OrCond); ok {
		terms = append(head.Terms[:len(head.Terms):len(head.Terms)], terms[1:]...)
	}
	return &OrCond{Terms: terms, At: at}
}

// joined reads terms separated by op; none at all when one of them is lost.
func (p *parser) joined(op string, term func() Cond) ([]Cond, source.Span) {
	start := p.peek().start
	var terms []Cond
	for {
		c := term()
		if c == nil {
			return nil, source.Span{}
		}
		terms = append(terms, c)
		if !p.joins(op) {
			return terms, p.since(start)
		}
	}
}

func isComparison(t token) bool {
	if t.kind != kindMark {
		return false
	}
	switch t.text {
	case "==", "!=", "<", "<=", ">", ">=":
		return true
	default:
		return false
	}
}

// comparison reads one operand, or two around an operator. A second operator is
// complained about and read past.
func (p *parser) comparison() Cond {
	start := p.peek().start
	left := p.term()
	for first := true; left != nil; first = false {
		op := p.peek()
		switch {
		case op.is("="):
			p.fail(comparisonSpelling(p.span(op)))
			op.text = "=="
		case !isComparison(op):
			return left
		case !first:
			p.fail(chainedComparison(p.span(op), op.text))
		}
		p.next()
		right := p.term()
		if right == nil {
			return nil
		}
		left = &CompareCond{Op: op.text, Left: left, Right: right, At: p.since(start)}
	}
	return nil
}

// term reads an operand, and past arithmetic behind it.
func (p *parser) term() Cond {
	c := p.operand()
	if c != nil {
		p.arithmetic()
	}
	return c
}

func (p *parser) operand() Cond {
	p.callPrefix()
	t := p.peek()
	switch {
	case t.is("!"), p.notWord():
		return p.not()
	case t.is("("):
		return p.parenthesised()
	case t.isText():
		return &StringCond{Text: *p.text()}
	case t.kind == kindNumber:
		return &NumberCond{Number: *p.number()}
	case t.word("true") || t.word("false"):
		return &BoolCond{Flag: *p.flag()}
	case t.kind != kindIdent || isHeadWord(t.text):
		p.fail(unexpected(p.span(t), "a condition", t))
		return nil
	}
	path := p.path("a condition")
	if path == nil {
		return nil
	}
	if p.peek().is("(") {
		p.fail(callInCondition(path.Span(), path.String()))
		p.call(*path)
		p.skipFields()
	}
	return &PathCond{Path: *path}
}

func (p *parser) not() Cond {
	start := p.next()
	if !p.enter() {
		return nil
	}
	defer p.leave()
	x := p.operand()
	if x == nil {
		return nil
	}
	return &NotCond{X: x, At: p.since(start.start)}
}

func (p *parser) parenthesised() Cond {
	open := p.next()
	if !p.enter() {
		return nil
	}
	defer p.leave()
	c := p.cond()
	if c == nil || p.accept(")") {
		return c
	}
	p.fail(unexpected(p.span(p.peek()), ") to close the condition", p.peek()).With(p.span(open), "( opened here"))
	return nil
}
