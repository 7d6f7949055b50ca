package syntax

import (
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// Slips of people who come from other languages: what was meant is read as if it
// had been written right, so that one slip gives one message.

// callPrefix drops `agent.` or `workflow.` before the name of a callee.
func (p *parser) callPrefix() {
	t := p.peek()
	if !t.word("agent") && !t.word("workflow") || !p.peekAt(1).is(".") || p.peekAt(2).kind != kindIdent {
		return
	}
	name := p.peekAt(2)
	p.fail(prefixedCallee(p.between(t.start, name.start), t.text, name.text))
	p.next()
	p.next()
}

// separator drops a colon or equals sign between a field and its value.
func (p *parser) separator(field string) {
	if t := p.peek(); t.is(":") || t.is("=") {
		p.fail(fieldSeparator(p.span(t), field, t.text))
		p.next()
	}
}

// arithmetic reads past operators behind a value on its line, and what they join.
func (p *parser) arithmetic() {
	for told := false; ; told = true {
		t := p.peek()
		sameLine := t.start.Line == p.last.end.Line
		switch {
		case t.kind == kindForeign && strings.Contains("+-*%", t.text):
			p.failures++ // the lexer has said it
		case sameLine && t.is("/"), sameLine && t.kind == kindNumber && t.text[0] == '-':
			if !told {
				p.fail(noArithmetic(p.span(t), t.text[:1]))
			}
		default:
			return
		}
		p.next()
		if t.kind != kindNumber {
			p.skipOperand()
		}
	}
}

// skipOperand reads past what an operator that does not exist joins.
func (p *parser) skipOperand() {
	switch t := p.peek(); {
	case t.kind == kindModelID || t.kind == kindNumber || t.isText():
		p.next()
	case t.is("("):
		p.skipGroup()
	case t.kind == kindIdent && !isHeadWord(t.text) && !p.peekAt(1).is("=") && !p.peekAt(1).is(":"):
		p.next()
		p.skipFields()
	}
}

// fieldOfCall reads past the fields of the result of a call, which must be bound
// first.
func (p *parser) fieldOfCall(callee Path) {
	if !p.peek().is(".") {
		return
	}
	dot := p.peek()
	p.fail(fieldOfCall(p.span(dot), callee.String()))
	p.skipFields()
}

// skipFields consumes what may follow a name: fields and arguments.
func (p *parser) skipFields() {
	for {
		switch {
		case p.peek().is("(") && p.peek().start.Line == p.last.end.Line:
			p.skipGroup()
		case p.peek().is(".") && p.peekAt(1).kind == kindIdent:
			p.next()
			p.next()
		default:
			return
		}
	}
}

// joins consumes the operator op between conditions, also where it is spelled as a
// word.
func (p *parser) joins(op string) bool {
	if p.accept(op) {
		return true
	}
	word := "and"
	if op == "||" {
		word = "or"
	}
	t := p.peek()
	if !t.word(word) {
		return false
	}
	p.fail(operatorWord(p.span(t), word, op))
	p.next()
	return true
}

// notWord recognises `not` before an operand. A name of that spelling is followed by
// none.
func (p *parser) notWord() bool {
	t := p.peek()
	if !t.word("not") {
		return false
	}
	switch after := p.peekAt(1); {
	case after.is("("), after.is("!"):
	case after.kind != kindIdent, after.word("limit"), after.word("and"), after.word("or"):
		return false
	}
	p.fail(operatorWord(p.between(t.start, p.peekAt(1).start), "not", "!"))
	return true
}

// isElseIf tells the words that other languages write for else if.
func isElseIf(t token) bool { return t.word("elif") || t.word("elsif") || t.word("elseif") }

// elseIf reads the rest of an if behind a word for else if that does not exist.
func (p *parser) elseIf() *IfStmt {
	t := p.peek()
	p.fail(elseIfWord(p.span(t), t.text))
	return p.ifStmt()
}

// strayElseIf recognises `elif (…) {`, which was read as a call.
func (p *parser) strayElseIf(callee Path) bool {
	word := token{kind: kindIdent, text: callee.Head().Name}
	if len(callee.Parts) != 1 || !isElseIf(word) || !p.peek().is("{") {
		return false
	}
	p.fail(elseIfWord(callee.Span(), word.text))
	p.block("if")
	return true
}

// between is the text from one place up to another.
func (p *parser) between(from, to source.Pos) source.Span {
	return source.Span{File: p.file.Path, Start: from, End: to}
}

func prefixedCallee(at source.Span, kind, name string) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "%ss are called by name: write %s without %q", kind, clip(name), kind+".").
		WithFix(at, "", "remove "+kind+".")
}

func fieldSeparator(at source.Span, field, mark string) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "fields take no : or =; the value of %s follows directly", clip(field)).WithFix(at, "", "remove "+mark)
}

func fieldOfCall(at source.Span, callee string) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at,
		"a field cannot be read from a call directly; bind its result first: name = %s(…), then read the field of name", clip(callee))
}

func operatorWord(at source.Span, word, op string) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "the operator %q is written %s", word, op).WithFix(at, op, "write "+op)
}

func elseIfWord(at source.Span, word string) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "%q is written else if", word).WithFix(at, "else if", "write else if")
}

func colonSpelling(at source.Span, what string) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "%s is given with a colon; write : instead of =", what).WithFix(at, ":", "write :")
}

func missingComma(after source.Span, at source.Span, what string, got token) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "%s are separated by commas; put one before %s", what, got.describe()).
		WithFix(after, ",", "add the comma")
}

func missingType(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "the type is missing after ->; write one, such as -> any, or remove ->")
}

func modelWithoutProvider(at source.Span, name string) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "a model is written PROVIDER/ID, such as mock/default; %q is only one of both", clip(name))
}

func quotedModel(t token, at source.Span) diag.Diagnostic {
	d := diag.Errorf(diag.UnexpectedToken, at, "a model is written PROVIDER/ID without quotes")
	provider, id, _ := strings.Cut(t.text, "/")
	if !isSpelled(provider, isNameByte) || !isLetter(provider[0]) || !isSpelled(id, isModelByte) || isReserved(provider) {
		return d
	}
	return d.WithFix(at, t.text, "remove the quotes")
}

func isSpelled(s string, in func(byte) bool) bool {
	for i := range len(s) {
		if !in(s[i]) {
			return false
		}
	}
	return s != ""
}
