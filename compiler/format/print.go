package format

import (
	"strings"
	"unicode/utf8"
)

const (
	indentUnit = "    "
	// width is the longest line that a scope may fill before it is broken up.
	width = 100
)

// printer writes a layout. It assumes that comments are placed.
type printer struct {
	out   strings.Builder
	level int
	col   int // runes on the current line
}

func (p *printer) write(s string) {
	p.out.WriteString(s)
	p.col += utf8.RuneCountInString(s)
}

func (p *printer) newline() {
	p.out.WriteByte('\n')
	p.col = 0
}

func (p *printer) indent() { p.write(strings.Repeat(indentUnit, p.level)) }

// tall prints the lines of a scope, brackets excluded; the cursor is at the start
// of a line before and after.
func (p *printer) tall(s *scope) {
	s.canonical()
	first := true
	separate := func(blank bool) {
		if !first && (blank || s.root) {
			p.newline()
		}
		first = false
	}
	for i, it := range s.items {
		for j, c := range it.lead {
			if j == 0 {
				separate(c.blank)
			} else if c.blank {
				p.newline()
			}
			p.comment(c)
		}
		if len(it.lead) == 0 {
			separate(it.blank)
		} else if it.blank {
			p.newline()
		}
		p.indent()
		p.item(it)
		if i < len(s.items)-1 {
			p.write(s.tallSep)
		}
		p.trailing(it.trail)
		p.newline()
	}
	for i, c := range s.tail {
		if i == 0 {
			separate(c.blank)
		} else if c.blank {
			p.newline()
		}
		p.comment(c)
	}
}

func (p *printer) comment(c comment) {
	p.indent()
	p.write(c.text)
	p.newline()
}

func (p *printer) trailing(text string) {
	if text != "" {
		p.write(" " + text)
	}
}

// item prints the pieces of a construct behind the indentation.
func (p *printer) item(it *item) {
	if flat, ok := flatItem(it); ok && p.fits(flat) {
		p.write(flat)
		return
	}
	for _, piece := range it.pieces {
		p.piece(piece)
	}
}

func (p *printer) fits(s string) bool { return p.col+utf8.RuneCountInString(s) <= width }

func (p *printer) piece(piece piece) {
	switch {
	case piece.str != nil:
		p.str(*piece.str)
	case piece.scope != nil:
		p.scope(piece.scope)
	case piece.gap != nil:
		p.gap(piece.gap)
	default:
		p.write(piece.text)
	}
}

func (p *printer) str(value string) {
	if !blockable(value) {
		p.write(quote(value))
		return
	}
	p.write(`"""`)
	p.level++
	for _, line := range strings.Split(value, "\n") {
		p.newline()
		if line != "" {
			p.indent()
			p.write(line)
		}
	}
	p.newline()
	p.indent()
	p.write(`"""`)
	p.level--
}

func (p *printer) scope(s *scope) {
	if s.clauses {
		p.clauseLines(s)
		return
	}
	if flat, ok := flatScope(s); ok && p.fits(flat) {
		p.write(flat)
		return
	}
	p.write(s.open)
	if s.hugs() {
		for _, piece := range s.items[0].pieces {
			p.piece(piece)
		}
		p.write(s.close)
		return
	}
	p.trailing(s.opening)
	p.newline()
	p.level++
	p.tall(s)
	p.level--
	p.indent()
	p.write(s.close)
}

// hugs reports whether the only argument of a call may open on the line of the
// call: it ends in brackets of its own and no comment stands beside it.
func (s *scope) hugs() bool {
	if s.open != "(" || len(s.items) != 1 || s.opening != "" || len(s.tail) > 0 || s.items[0].ownComments() {
		return false
	}
	pieces := s.items[0].pieces
	return pieces[len(pieces)-1].scope != nil
}

// clauseLines prints the clauses of a workflow and the start of the line on which
// its body opens.
func (p *printer) clauseLines(s *scope) {
	if len(s.items) == 0 {
		p.write(" ")
		return
	}
	p.trailing(s.opening)
	p.newline()
	p.level++
	p.tall(s)
	p.level--
	p.indent()
}

func (p *printer) gap(g *gap) {
	if g.empty() {
		p.write(" else ")
		return
	}
	p.trailing(g.trail)
	p.newline()
	for _, c := range g.comments {
		if c.blank {
			p.newline()
		}
		p.comment(c)
	}
	p.indent()
	p.write("else ")
}

// flatItem gives the one-line form of a construct, if it has one.
func flatItem(it *item) (string, bool) {
	var b strings.Builder
	for _, piece := range it.pieces {
		switch {
		case piece.str != nil:
			if blockable(*piece.str) {
				return "", false
			}
			b.WriteString(quote(*piece.str))
		case piece.scope != nil:
			flat, ok := flatScope(piece.scope)
			if !ok {
				return "", false
			}
			b.WriteString(flat)
		case piece.gap != nil:
			return "", false
		default:
			b.WriteString(piece.text)
		}
		if b.Len() > 4*width { // no line can hold it; do not build more
			return "", false
		}
	}
	return b.String(), true
}

func flatScope(s *scope) (string, bool) {
	switch {
	case s.clauses:
		return " ", len(s.items) == 0
	case s.noted:
		return "", false
	case len(s.items) == 0:
		return s.open + s.close, true
	case s.tall:
		return "", false
	}
	parts := make([]string, 0, len(s.items))
	total := 0
	for _, it := range s.items {
		flat, ok := flatItem(it)
		total += len(flat)
		if !ok || total > 4*width {
			return "", false
		}
		parts = append(parts, flat)
	}
	inner := strings.Join(parts, s.flatSep)
	if s.open == "{" {
		inner = " " + inner + " "
	}
	return s.open + inner + s.close, true
}
