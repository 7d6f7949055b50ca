package syntax

import (
	"strconv"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// lacking looks for the block that most likely lacks its brace, among those that
// opened between an unclosed brace and the place where this was noticed: the first
// whose closing brace, alone at the start of its line, stands left of the line that
// opened the block. It reads the source once more. at is zero when indentation says
// nothing.
func (p *parser) lacking(open source.Span, until int) (at source.Span, closed int) {
	l := *p.lex
	l.report, l.comments, l.badUTF8, l.slash, l.stopped = func(diag.Diagnostic) bool { return true }, nil, -1, false, false
	l.pos, l.line, l.lineStart = open.Start.Offset, open.Start.Line, open.Start.Offset-open.Start.Col+1
	type level struct{ from, to source.Pos } // the first token of the line that opens it, and the end of its brace
	var blocks []level
	first := source.Pos{} // the first token of the line
	for t := l.next(); t.kind != kindEOF && t.start.Offset < until; t = l.next() {
		if t.start.Line != first.Line {
			first = t.start
		}
		switch {
		case t.is("{"):
			blocks = append(blocks, level{first, t.end})
		case t.is("}") && len(blocks) > 1:
			top := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			if t.start == first && t.start.Col < top.from.Col {
				return p.between(top.from, top.to), t.start.Line
			}
		}
	}
	return source.Span{}, 0
}

// withLacking points at the block that most likely lacks the brace.
func (p *parser) withLacking(d diag.Diagnostic, open source.Span) diag.Diagnostic {
	at, closed := p.lacking(open, d.At.Start.Offset)
	if at.IsZero() {
		return d
	}
	head, _, _ := strings.Cut(string(p.file.Bytes[at.Start.Offset:at.End.Offset]), "\n")
	head = strings.TrimSpace(head)
	d.Detail += "; by the indentation it is the block opened at line " + strconv.Itoa(at.Start.Line) + " that is not closed"
	return d.With(at, "`%s` most likely lacks its }: the } of line %d stands further left", clip(head), closed)
}
