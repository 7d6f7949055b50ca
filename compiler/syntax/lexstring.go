package syntax

import (
	"strings"

	"terfyn/compiler/source"
)

// oneLine reads a string up to its quote. When the line ends first, the text so
// far is the value and lexing goes on behind the line.
func (l *lexer) oneLine(start source.Pos) token {
	l.pos++
	var b strings.Builder // stays empty while nothing is escaped
	for {
		from := l.pos
		for l.pos < len(l.src) && !endsPlain(l.src[l.pos]) {
			l.pos++
		}
		if l.at(0) == '"' && b.Len() == 0 {
			l.pos++
			return token{kind: kindString, text: l.text[from : l.pos-1]}
		}
		b.WriteString(l.text[from:l.pos])
		switch l.at(0) {
		case '"':
			l.pos++
			return token{kind: kindString, text: b.String()}
		case '\\':
			l.escape(&b)
		default: // line end or end of file
			l.complain(unclosedString(l.spanFrom(start)))
			return token{kind: kindString, text: b.String()}
		}
	}
}

// endsPlain tells the bytes that end a run of ordinary text in a one-line string.
func endsPlain(c byte) bool { return c == '"' || c == '\\' || c == '\n' || c == '\r' }

func (l *lexer) escape(b *strings.Builder) {
	start := l.here()
	l.pos++
	if i := strings.IndexByte(`"\ntr`, l.at(0)); i >= 0 {
		b.WriteByte("\"\\\n\t\r"[i])
		l.pos++
		return
	}
	if c := l.at(0); l.pos < len(l.src) && c != '\n' && c != '\r' {
		for l.pos++; l.pos < len(l.src) && l.src[l.pos]&0xC0 == 0x80; { // the rest of a rune
			l.pos++
		}
		l.complain(unknownEscape(l.spanFrom(start)))
	}
}

// block reads a string in three quotes, raw up to the next three quotes.
func (l *lexer) block(start source.Pos) token {
	l.pos += 3
	length := strings.Index(l.text[l.pos:], `"""`)
	closed := length >= 0
	if !closed {
		length = len(l.src) - l.pos
	}
	raw := l.text[l.pos : l.pos+length]
	if !closed {
		l.swallowed = true
		l.complain(unclosedBlock(l.spanFrom(start)))
	}
	if n := strings.Count(raw, "\n"); n > 0 {
		l.line += n
		l.lineStart = l.pos + strings.LastIndexByte(raw, '\n') + 1
	}
	l.pos += length
	if closed {
		l.pos += 3
	}
	return token{kind: kindBlock, text: BlockValue(raw)}
}

// BlockValue gives the value of a block string from the text between its quotes:
// line ends become LF, a blank first and last line are dropped, the indentation
// common to all non-blank lines is removed, and blank lines become empty.
func BlockValue(raw string) string {
	raw = strings.ReplaceAll(strings.ReplaceAll(raw, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(raw, "\n")
	if isBlank(lines[0]) {
		lines = lines[1:]
	}
	if n := len(lines); n > 0 && isBlank(lines[n-1]) {
		lines = lines[:n-1]
	}
	margin := commonMargin(lines)
	for i, line := range lines {
		if isBlank(line) {
			lines[i] = ""
		} else {
			lines[i] = line[margin:]
		}
	}
	return strings.Join(lines, "\n")
}

func isBlank(line string) bool { return strings.Trim(line, " \t") == "" }

// commonMargin is the length of the longest run of blanks that starts every
// non-blank line. A tab equals only a tab.
func commonMargin(lines []string) int {
	margin, seen := "", false
	for _, line := range lines {
		if isBlank(line) {
			continue
		}
		own := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if !seen {
			margin, seen = own, true
			continue
		}
		n := 0
		for n < len(margin) && n < len(own) && margin[n] == own[n] {
			n++
		}
		margin = margin[:n]
	}
	return len(margin)
}
