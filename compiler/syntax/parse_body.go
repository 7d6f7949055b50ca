package syntax

import (
	"slices"
	"strings"

	"terfyn/compiler/source"
)

// field is one row of the table that drives a body: a word and how to read what
// follows it. parse reports whether a value could be read.
type field struct {
	word  string
	parse func() bool
}

// keep builds a field whose value goes to dst. A value that is already there
// stays: the first of two wins.
func keep[T any](word string, dst **T, parse func() *T) field {
	return field{word, func() bool {
		v := parse()
		if v != nil && *dst == nil {
			*dst = v
		}
		return v != nil
	}}
}

func words(fields []field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.word
	}
	return out
}

// open consumes { and returns its place.
func (p *parser) open(what string) (source.Span, bool) {
	at := p.span(p.peek())
	if p.expect("{", "to open "+what) {
		return at, true
	}
	return at, false
}

// close consumes } of the construct opened at open, or complains once that it is
// missing, and returns the span of the braces.
func (p *parser) close(what string, open source.Span) source.Span {
	switch {
	case p.accept("}"):
	case p.lex.swallowed: // an unclosed block string took the brace; that was said
		p.failures++
	case p.aborted, p.stopped, p.said(p.peek()):
		p.failures++
	default:
		p.fail(p.withLacking(missingBrace(p.span(p.peek()), what, open), open))
	}
	return p.since(open.Start)
}

// body reads `{ word value … }` driven by fields, each at most once.
func (p *parser) body(what string, b *Body, fields ...field) bool {
	open, ok := p.open(what)
	if !ok || !p.enter() {
		return false
	}
	defer p.leave()
	base := len(p.kept)
	for !p.peek().is("}") && !p.done() {
		p.field(what, base, fields)
	}
	b.Fields, p.kept = slices.Clone(p.kept[base:]), p.kept[:base]
	b.Braces = p.close(what, open)
	return true
}

// field reads one field and puts it on p.kept, which from base on holds the fields
// of this body.
func (p *parser) field(what string, base int, fields []field) {
	t := p.peek()
	if t.kind != kindIdent {
		p.fail(unexpected(p.span(t), "a field of "+what+" or }", t))
		p.skipGroupOrToken()
		p.skipToField(fields)
		return
	}
	p.next()
	for _, f := range fields {
		if f.word != t.text {
			continue
		}
		first := (&Body{Fields: p.kept[base:]}).FieldAt(f.word)
		p.separator(f.word)
		read := f.parse()
		if !first.IsZero() {
			p.fail(duplicateField(p.span(t), f.word, what, first, p.since(t.start), read))
		}
		switch {
		case !read:
			p.skipToField(fields)
		case first.IsZero():
			p.kept = append(p.kept, FieldSpan{Word: f.word, At: p.since(t.start)})
		}
		return
	}
	p.fail(unknownField(p.span(t), t.text, what, words(fields)))
	p.skipToField(fields)
}

func (p *parser) skipGroupOrToken() {
	if t := p.peek(); t.is("{") || t.is("(") {
		p.skipGroup()
	} else {
		p.next()
	}
}

func (p *parser) skipToField(fields []field) {
	p.skipTo(func(t token) bool {
		for _, f := range fields {
			if t.word(f.word) {
				return true
			}
		}
		return false
	})
}

// outcome tells a list how reading one element went.
type outcome uint8

const (
	kept    outcome = iota + 1 // an element
	dropped                    // complained about, but read to its end
	lost                       // not readable; resynchronise
)

// list reads `{ (element sep)* }`. It returns nil, false only when there is no
// brace to open it or nesting is too deep.
func list[T any](p *parser, what string, element func() (T, outcome)) (items []T, braces source.Span, ok bool) {
	open, ok := p.open(what)
	if !ok || !p.enter() {
		return nil, open, false
	}
	defer p.leave()
	comma := true // a comma right here would separate nothing
	for !p.peek().is("}") && !p.done() {
		if t := p.peek(); t.is(",") {
			if comma {
				p.fail(unexpected(p.span(t), "an entry of "+what, t))
			}
			comma = true
			p.next()
			continue
		}
		comma = false
		start := p.peek()
		item, got := element()
		switch got {
		case kept:
			items = append(items, item)
		case lost:
			p.skipElement(start)
		}
	}
	return items, p.close(what, open), true
}

// skipElement leaves a broken element at the next comma, line or closing brace.
func (p *parser) skipElement(start token) {
	if p.peek() == start && !start.is("}") {
		p.skipGroupOrToken()
	}
	line := p.last.end.Line
	p.skipTo(func(t token) bool { return t.is(",") || t.start.Line > line })
}

// commas reads `( (element (',' element)*)? )`. element reports whether it could
// be read; the rest of a broken one is skipped.
func (p *parser) commas(what string, element func() bool) (parens source.Span, ok bool) {
	open := p.peek()
	if !p.expect("(", "to open "+what) || !p.enter() {
		return p.since(open.start), false
	}
	defer p.leave()
	if p.accept(")") {
		return p.since(open.start), true
	}
	told := false // that commas are needed
	for {
		if !element() {
			p.skipArgument()
		}
		if p.accept(")") {
			return p.since(open.start), true
		}
		if t := p.peek(); !t.is(",") {
			if p.startsElement(t) {
				if !told {
					p.fail(missingComma(p.between(p.last.end, p.last.end), p.span(t), what, t))
				}
				told = true
				continue
			}
			p.fail(unexpected(p.span(t), "a comma or ) in "+what, t).With(p.span(open), "( opened here"))
			p.skipArgument()
		}
		switch t := p.peek(); {
		case p.accept(")"):
			return p.since(open.start), true
		case !p.accept(","):
			return p.since(open.start), false
		case p.peek().is(")"):
			p.fail(trailingComma(p.span(t), what))
			p.next()
			return p.since(open.start), true
		}
	}
}

// startsElement reports whether another element follows directly although a comma
// is missing: one on the same line, or one with its name.
func (p *parser) startsElement(t token) bool {
	if p.said(t) {
		return false
	}
	named := t.kind == kindIdent && p.peekAt(1).is(":")
	sameLine := t.start.Line == p.last.end.Line
	switch {
	case named, sameLine && (t.isText() || t.kind == kindNumber):
		return true
	default:
		return sameLine && t.kind == kindIdent && !isHeadWord(t.text) && !p.peekAt(1).is("=")
	}
}

// skipArgument stops at the comma or parenthesis of this depth. An assignment on
// a later line means that the parenthesis was forgotten.
func (p *parser) skipArgument() {
	line := p.last.end.Line
	p.skipTo(func(t token) bool {
		return t.is(",") || t.is(")") ||
			t.kind == kindIdent && t.start.Line > line && p.peekAt(1).is("=")
	})
}

// distinct remembers names of one construct and complains about the second use.
type distinct struct {
	what string
	few  []given // the names while they are few, which is nearly always
	many map[string]given
}

// given is a name and the offsets where it was given.
type given struct {
	name       string
	start, end int
}

// manyNames is when distinct changes from a list to a map.
const manyNames = 12

// add reports whether name is new.
func (d *distinct) add(p *parser, name string, at source.Span) bool {
	if first, dup := d.first(name); dup {
		p.fail(duplicateEntry(at, d.what, name, p.file.Span(first.start, first.end)))
		return false
	}
	now := given{name, at.Start.Offset, at.End.Offset}
	if d.many == nil && len(d.few) < manyNames {
		d.few = append(d.few, now)
		return true
	}
	if d.many == nil {
		d.many = map[string]given{}
		for _, g := range d.few {
			d.many[g.name] = g
		}
	}
	d.many[name] = now
	return true
}

// first tells whether and where name was given before.
func (d *distinct) first(name string) (given, bool) {
	if d.many != nil {
		g, ok := d.many[name]
		return g, ok
	}
	i := slices.IndexFunc(d.few, func(g given) bool { return g.name == name })
	if i < 0 {
		return given{}, false
	}
	return d.few[i], true
}

// choice reads a word out of a fixed set.
func (p *parser) choice(what string, choices ...string) func() *Ident {
	return func() *Ident {
		t := p.peek()
		if t.kind == kindIdent {
			for _, c := range choices {
				if t.text == c {
					p.next()
					return &Ident{Name: t.text, At: p.span(t)}
				}
			}
		}
		p.fail(unknownWord(p.span(t), what, choices, t))
		if t.kind == kindIdent && !strings.ContainsAny(p.peekAt(1).text, "{(") {
			p.next()
		}
		return nil
	}
}
