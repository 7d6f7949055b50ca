package syntax

import (
	"slices"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// Parse reads one file. It always yields a tree; declarations with errors are
// marked Broken and hold what could be read. The list is sorted and bounded by
// opts.Errors. Zero opts mean the defaults.
func Parse(file *source.File, opts ParseLimits) (*Unit, diag.List) {
	opts = opts.withDefaults()
	unit := &Unit{File: file}
	if size := len(file.Bytes); size > opts.Bytes {
		start := file.Start()
		return unit, diag.List{fileTooLarge(file.Span(start, start), size, opts.Bytes)}
	}
	p := &parser{file: file, opts: opts}
	p.lex = newLexer(file, p.addLexical)
	for p.peek().kind != kindEOF {
		if d := p.topLevel(); d != nil {
			unit.Decls = append(unit.Decls, d)
		}
		p.aborted = false
		p.braces = 0
	}
	unit.Comments = p.lex.comments
	p.markBroken(unit)
	p.diags.Sort()
	return unit, p.diags
}

// parser holds the state of one Parse. Every production leaves it at the first
// token that is not its own.
type parser struct {
	file  *source.File
	opts  ParseLimits
	lex   *lexer
	ahead []token     // lookahead, at most three
	last  token       // the token consumed last
	kept  []FieldSpan // fields of the bodies being read, innermost last
	parts []Ident     // parts of the path being read
	diags diag.List

	depth    int   // nesting of productions, bounded by opts.Depth
	braces   int   // open braces since the declaration began
	lexical  []int // offsets of the lexer's errors
	failures int   // errors found by the parser itself
	aborted  bool  // the rest of this declaration is given up
	stopped  bool  // the error limit is reached; nothing more is read
}

// add records a diagnostic of lexer or parser. It returns false once the limit of
// errors is reached.
func (p *parser) add(d diag.Diagnostic) bool {
	if p.stopped {
		return false
	}
	if len(p.diags) == p.opts.Errors {
		p.diags.Add(tooManyErrors(d.At, p.opts.Errors))
		p.stopped = true
		return false
	}
	p.diags.Add(d)
	return true
}

// addLexical records a diagnostic of the lexer, which runs ahead of the parser and
// so cannot be counted to the declaration being read.
func (p *parser) addLexical(d diag.Diagnostic) bool {
	p.lexical = append(p.lexical, d.At.Start.Offset)
	return p.add(d)
}

// fail records an error of the parser unless one was given for the same place.
func (p *parser) fail(d diag.Diagnostic) {
	p.failures++
	if !p.aborted && !p.stopped && !p.complainedAt(d.At.Start.Offset) {
		p.add(d)
	}
}

// said reports whether something was said about a token.
func (p *parser) said(t token) bool { return p.complainedAt(t.start.Offset) }

func (p *parser) complainedAt(offset int) bool {
	for i := len(p.diags) - 1; i >= 0; i-- {
		if p.diags[i].At.Start.Offset == offset {
			return true
		}
	}
	return false
}

func (p *parser) peek() token { return p.peekAt(0) }

// peekAt looks n tokens ahead, n < 3. A declaration that was given up looks like
// the end of the file to every production inside it.
func (p *parser) peekAt(n int) token {
	for len(p.ahead) <= n && !p.aborted && !p.stopped {
		p.ahead = append(p.ahead, p.lex.next())
	}
	if p.aborted || p.stopped { // also when reading ahead just met the error limit
		return token{kind: kindEOF, start: p.last.end, end: p.last.end}
	}
	return p.ahead[n]
}

func (p *parser) next() token {
	t := p.peek()
	if p.aborted || p.stopped {
		return t
	}
	p.ahead = p.ahead[:copy(p.ahead, p.ahead[1:])]
	if t.kind == kindEOF {
		return t
	}
	switch {
	case t.is("{"):
		p.braces++
	case t.is("}"):
		p.braces--
	}
	p.last = t
	return t
}

func (p *parser) span(t token) source.Span {
	return source.Span{File: p.file.Path, Start: t.start, End: t.end}
}

// since is the span from start to the end of the last token consumed.
func (p *parser) since(start source.Pos) source.Span {
	end := p.last.end
	if end.Offset < start.Offset {
		end = start
	}
	return source.Span{File: p.file.Path, Start: start, End: end}
}

// accept consumes the mark if it is next.
func (p *parser) accept(mark string) bool {
	if p.peek().is(mark) {
		p.next()
		return true
	}
	return false
}

// expect consumes the mark or complains that it is missing after what.
func (p *parser) expect(mark, after string) bool {
	if p.accept(mark) {
		return true
	}
	p.fail(unexpected(p.span(p.peek()), mark+" "+after, p.peek()))
	return false
}

// enter counts one level of nesting. When there are too many it complains and
// gives up the declaration; the caller then returns at once, without leave.
func (p *parser) enter() bool {
	if p.depth < p.opts.Depth {
		p.depth++
		return true
	}
	p.fail(tooDeep(p.span(p.peek()), p.opts.Depth))
	if p.aborted || p.stopped {
		return false
	}
	for p.braces > 0 && p.peek().kind != kindEOF && !p.atHead() {
		p.next()
	}
	p.aborted = true
	return false
}

func (p *parser) leave() { p.depth-- }

// atHead reports whether a new declaration clearly starts here although the
// braces before it are not closed: with a reserved word anywhere, with the other
// words only in the first column.
func (p *parser) atHead() bool {
	t := p.peek()
	if t.kind != kindIdent {
		return false
	}
	switch t.text {
	case "agent":
		return p.peekAt(1).kind == kindIdent && p.peekAt(2).is("{")
	case "workflow":
		return p.peekAt(1).kind == kindIdent && p.peekAt(2).is("(")
	case "tool", "policy", "environment", "provider":
		return t.start.Col == 1 && p.peekAt(1).kind == kindIdent && p.peekAt(2).is("{")
	default:
		return false
	}
}

// done reports whether a list or body must end here without its brace.
func (p *parser) done() bool { return p.peek().kind == kindEOF || p.atHead() }

// skipGroup consumes a balanced group that opens here.
func (p *parser) skipGroup() {
	depth := 0
	for !p.done() {
		switch t := p.next(); {
		case t.is("{") || t.is("("):
			depth++
		case t.is("}") || t.is(")"):
			depth--
		}
		if depth <= 0 {
			return
		}
	}
}

// skipTo consumes tokens of this depth until stop says so, a closing mark of the
// group around is reached, or the declaration ends.
func (p *parser) skipTo(stop func(token) bool) {
	for !p.done() {
		t := p.peek()
		switch {
		case stop(t) || t.is("}"):
			return
		case t.is("{") || t.is("("):
			p.skipGroup()
		default:
			p.next()
		}
	}
}

// markBroken flags declarations in which the lexer found errors; the parser's own
// errors were flagged when the declaration was read.
func (p *parser) markBroken(unit *Unit) {
	for _, d := range unit.Decls {
		info := d.info()
		info.HasErrors = info.HasErrors || slices.ContainsFunc(p.lexical, info.At.Contains)
	}
}
