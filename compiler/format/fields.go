package format

import (
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// fields collects the present fields of a body in canonical order.
type fields struct {
	body *syntax.Body
	into *scope
}

func fieldsOf(b *syntax.Body) *fields {
	return &fields{body: b, into: tallBraces(b.Braces)}
}

func (f *fields) add(word string, pieces ...piece) {
	f.into.add(f.body.FieldAt(word), append(line(text(word+" ")), pieces...)...)
}

func (f *fields) ident(word string, v *syntax.Ident) {
	if v != nil {
		f.add(word, text(v.Name))
	}
}

func (f *fields) path(word string, v *syntax.Path) {
	if v != nil {
		f.add(word, text(v.String()))
	}
}

func (f *fields) text(word string, v *syntax.Text) {
	if v != nil {
		f.add(word, literal(*v))
	}
}

func (f *fields) number(word string, v *syntax.Number) {
	if v != nil {
		f.add(word, text(v.Spelling))
	}
}

func (f *fields) flag(word string, v *syntax.Flag) {
	if v != nil {
		f.add(word, text(boolWord(v.Value)))
	}
}

func (f *fields) model(word string, v *syntax.ModelRef) {
	if v != nil {
		f.add(word, text(v.String()))
	}
}

// scope adds a field whose value is a scope. Callers pass nil for an absent one.
func (f *fields) scope(word string, s *scope) {
	if s != nil {
		f.add(word, inside(s))
	}
}

func (f *fields) strings(word string, v *syntax.StringList) {
	if v != nil {
		f.scope(word, each(flatBraces(v.Braces, " "), v.Items, func(t syntax.Text) (source.Span, []piece) {
			return t.At, line(text(quote(t.Value)))
		}))
	}
}

func (f *fields) effects(word string, v *syntax.EffectSet) {
	if v != nil {
		f.scope(word, paths(v.Braces, v.Items))
	}
}

// capabilities adds a set; grants stand one per line, policy lists on one line.
func (f *fields) capabilities(word string, v *syntax.CapabilitySet, s func(source.Span) *scope) {
	if v != nil {
		f.scope(word, each(s(v.Braces), v.Items, func(c syntax.Capability) (source.Span, []piece) {
			return c.Span(), line(text(c.String()))
		}))
	}
}

func commaBraces(span source.Span) *scope { return flatBraces(span, ", ") }

func paths(braces source.Span, items []syntax.Path) *scope {
	return each(commaBraces(braces), items, func(p syntax.Path) (source.Span, []piece) {
		return p.Span(), line(text(p.String()))
	})
}

func idents(braces source.Span, sep string, items []syntax.Ident) *scope {
	return each(flatBraces(braces, sep), items, func(i syntax.Ident) (source.Span, []piece) {
		return i.At, line(text(i.Name))
	})
}

// each fills a scope from a list in the author's order.
func each[T any](s *scope, items []T, build func(T) (source.Span, []piece)) *scope {
	for _, v := range items {
		span, pieces := build(v)
		s.add(span, pieces...)
	}
	return s
}

// scalarsIn marks a scope whose trailing comments may fall to its end.
func scalarsIn(s *scope) *scope {
	s.scalars = true
	return s
}
