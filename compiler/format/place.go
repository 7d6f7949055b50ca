package format

import (
	"bytes"
	"sort"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// place hangs every comment of the unit on the layout, by position alone.
func place(u *syntax.Unit, root *scope) {
	pl := &placer{file: u.File}
	pl.prepare(root)
	for _, c := range u.Comments {
		pl.put(root, c)
	}
	pl.settle(root)
}

type placer struct{ file *source.File }

// prepare puts items into source order and notes their blank lines.
func (pl *placer) prepare(s *scope) {
	s.arrange()
	for _, it := range s.items {
		it.blank = pl.blankBefore(it.span.Start)
		for _, p := range it.pieces {
			if p.scope != nil {
				pl.prepare(p.scope)
			}
		}
	}
}

// blankBefore reports whether at is first on its line and the line above is blank.
func (pl *placer) blankBefore(at source.Pos) bool {
	if pl.file == nil || at.Line < 2 {
		return false
	}
	before := pl.file.Line(at.Line)[:at.Col-1]
	return len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(pl.file.Line(at.Line-1))) == 0
}

// put finds the innermost scope around the comment and hangs it there.
func (pl *placer) put(s *scope, c syntax.Comment) {
	offset := c.At.Start.Offset
	next := sort.Search(len(s.items), func(i int) bool { return s.items[i].span.Start.Offset > offset })
	if next > 0 && s.items[next-1].span.Contains(offset) {
		pl.putInside(s.items[next-1], c)
		return
	}
	own := comment{text: c.Text, blank: pl.blankBefore(c.At.Start)}
	if c.Trailing && pl.putTrailing(s, next, c) {
		return
	}
	if next < len(s.items) {
		it := s.items[next]
		it.lead = append(it.lead, own)
		return
	}
	s.tail = append(s.tail, own)
}

// putTrailing hangs the comment on the construct before it on its line, or on the
// opening bracket. It reports false when there is neither.
func (pl *placer) putTrailing(s *scope, next int, c syntax.Comment) bool {
	opened := !s.root && s.span.Start.Line == c.At.Start.Line
	switch {
	case next > 0 && s.items[next-1].span.End.Line == c.At.Start.Line:
		if s.scalars && opened {
			// The line is the head of the block as well: there is no line of the
			// scalar alone, so the comment stays with the block.
			s.tail = append(s.tail, comment{text: c.Text})
			return true
		}
		s.items[next-1].trail = c.Text
		return true
	case next == 0 && opened:
		s.opening = c.Text
		return true
	default:
		return false
	}
}

// putInside handles a comment within the span of an item: it belongs to a scope
// of the item, to the place before an else, or to the item itself.
func (pl *placer) putInside(it *item, c syntax.Comment) {
	offset := c.At.Start.Offset
	for _, p := range it.pieces {
		switch {
		case p.scope != nil && p.scope.span.Contains(offset):
			pl.put(p.scope, c)
			return
		case p.gap != nil && p.gap.span.Contains(offset):
			if c.Trailing && offset < p.gap.word {
				p.gap.trail = c.Text
			} else {
				p.gap.comments = append(p.gap.comments, comment{text: c.Text, blank: pl.blankBefore(c.At.Start)})
			}
			return
		}
	}
	it.inner = append(it.inner, comment{text: c.Text, trailing: c.Trailing})
}

// settle gives inner comments their place: the last trailing one ends the line of
// a short construct when that is free, the others stand before it. It notes which
// scopes hold comments.
func (pl *placer) settle(s *scope) {
	s.noted = s.opening != "" || len(s.tail) > 0
	for _, it := range s.items {
		it.settle()
		s.noted = s.noted || it.ownComments()
		for _, p := range it.pieces {
			switch {
			case p.scope != nil:
				pl.settle(p.scope)
				s.noted = s.noted || p.scope.noted
			case p.gap != nil:
				s.noted = s.noted || !p.gap.empty()
			}
		}
	}
}

func (i *item) settle() {
	n := len(i.inner)
	if n == 0 {
		return
	}
	if last := i.inner[n-1]; last.trailing && i.trail == "" && i.short() {
		i.trail = last.text
		i.inner = i.inner[:n-1]
	}
	if len(i.inner) > 0 {
		i.inner[0].blank = i.blank
		i.blank = false
	}
	i.lead = append(i.lead, i.inner...)
}

// short reports whether the construct has no block of its own, so that the end of
// it is near its start.
func (i *item) short() bool {
	for _, p := range i.pieces {
		if p.gap != nil || p.scope != nil && p.scope.tall {
			return false
		}
	}
	return true
}
