package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// lexer produces tokens one at a time and keeps comments aside. report returns
// false when nobody wants further diagnostics; lexing then ends.
type lexer struct {
	file      *source.File
	src       []byte
	text      string // src once more: what tokens say is cut out of it, never copied
	pos       int
	line      int
	lineStart int
	badUTF8   int  // offset of the first bad byte not yet reported, -1 for none
	tokenLine int  // line on which the last token ended, 0 for none
	slash     bool // the last token was a slash
	sumLine   int  // line of which was said last that there is no arithmetic
	comments  []Comment
	report    func(diag.Diagnostic) bool
	stopped   bool
	swallowed bool // an unclosed block string took the rest of the file
}

func newLexer(file *source.File, report func(diag.Diagnostic) bool) *lexer {
	return &lexer{
		file: file, src: file.Bytes, text: string(file.Bytes), pos: file.Start(), line: 1, lineStart: file.Start(),
		badUTF8: firstInvalid(file.Bytes), report: report,
	}
}

func firstInvalid(src []byte) int {
	for i := 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func (l *lexer) here() source.Pos {
	return source.Pos{Offset: l.pos, Line: l.line, Col: l.pos - l.lineStart + 1}
}

func (l *lexer) spanFrom(start source.Pos) source.Span {
	return source.Span{File: l.file.Path, Start: start, End: l.here()}
}

func (l *lexer) complain(d diag.Diagnostic) {
	if !l.report(d) {
		l.stopped = true
	}
}

// next gives the next token; at the end it gives kindEOF again and again.
func (l *lexer) next() token {
	if l.slash {
		l.slash = false
		if t, ok := l.modelID(); ok {
			return t
		}
	}
	for {
		l.skipBlank()
		if l.stopped || l.pos >= len(l.src) {
			l.checkUTF8()
			return token{kind: kindEOF, start: l.here(), end: l.here()}
		}
		start := l.here()
		t, ok := l.scan(start)
		l.checkUTF8()
		if ok {
			t.start, t.end = start, l.here()
			l.tokenLine = l.line
			return t
		}
	}
}

// checkUTF8 reports the first bad byte once the lexer has passed it.
func (l *lexer) checkUTF8() {
	if l.badUTF8 < 0 || l.pos <= l.badUTF8 {
		return
	}
	at := l.file.Span(l.badUTF8, l.badUTF8+1)
	l.badUTF8 = -1
	l.complain(invalidUTF8(at))
}

func (l *lexer) skipBlank() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			l.newline()
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
		case c == '/' && l.at(1) == '/':
			l.comment()
		default:
			return
		}
	}
}

func (l *lexer) newline() {
	l.pos++
	l.line++
	l.lineStart = l.pos
}

// at gives the byte n places ahead, 0 past the end.
func (l *lexer) at(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

func (l *lexer) comment() {
	start := l.here()
	end := len(l.src)
	if i := bytes.IndexByte(l.src[l.pos:], '\n'); i >= 0 {
		end = l.pos + i
	}
	text := strings.TrimRight(l.text[l.pos:end], " \t\r")
	l.pos += len(text)
	at := l.spanFrom(start)
	l.pos = end
	l.comments = append(l.comments, Comment{Text: text, Trailing: l.tokenLine == l.line, At: at})
}

// scan reads one lexeme. ok is false when there was none, which has been reported.
func (l *lexer) scan(start source.Pos) (t token, ok bool) {
	c := l.src[l.pos]
	switch {
	case isLetter(c):
		return token{kind: kindIdent, text: l.run(isNameByte)}, true
	case isDigit(c) || c == '-' && isDigit(l.at(1)):
		return l.number(start), true
	case c == '"' && l.at(1) == '"' && l.at(2) == '"':
		return l.block(start), true
	case c == '"':
		return l.oneLine(start), true
	}
	if t, ok := l.mark(); ok {
		return t, true
	}
	if t, ok := l.foreign(start); ok {
		return t, t.kind != 0
	}
	r, n := utf8.DecodeRune(l.src[l.pos:])
	l.pos += n
	if r != utf8.RuneError || n > 1 {
		l.complain(badCharacter(l.spanFrom(start), r))
	}
	return token{}, false
}

// mark reads punctuation. Directly after a slash a model id may follow, which is
// spelled more freely than a name; the lexer then gives it as the next token.
func (l *lexer) mark() (token, bool) {
	two := l.text[l.pos:min(l.pos+2, len(l.src))]
	switch two {
	case "->", "==", "!=", "<=", ">=", "&&", "||":
		l.pos += 2
		return token{kind: kindMark, text: two}, true
	}
	switch c := l.src[l.pos]; c {
	case '{', '}', '(', ')', '.', ',', ':', '=', '<', '>', '!', '/':
		l.pos++
		l.slash = c == '/'
		return token{kind: kindMark, text: two[:1]}, true
	}
	return token{}, false
}

// modelID reads the id directly after a slash token, if there is one.
func (l *lexer) modelID() (token, bool) {
	start := l.here()
	text := l.run(isModelByte)
	if text == "" {
		return token{}, false
	}
	l.tokenLine = l.line
	return token{kind: kindModelID, text: text, start: start, end: l.here()}, true
}

func (l *lexer) run(in func(byte) bool) string {
	from := l.pos
	for l.pos < len(l.src) && in(l.src[l.pos]) {
		l.pos++
	}
	return l.text[from:l.pos]
}

func (l *lexer) number(start source.Pos) token {
	from := l.pos
	if l.src[l.pos] == '-' {
		l.pos++
	}
	whole := l.run(isDigit)
	if l.at(0) == '.' && isDigit(l.at(1)) {
		l.pos++
		l.run(isDigit)
	}
	l.exponent()
	bad := len(whole) > 1 && whole[0] == '0'
	if isNameByte(l.at(0)) && l.at(0) != '-' {
		l.run(isNameByte)
		bad = true
	}
	text := l.text[from:l.pos]
	if bad {
		l.complain(malformedNumber(l.spanFrom(start), text))
	}
	return token{kind: kindNumber, text: text}
}

func (l *lexer) exponent() {
	if c := l.at(0); c != 'e' && c != 'E' {
		return
	}
	sign := 0
	if s := l.at(1); s == '+' || s == '-' {
		sign = 1
	}
	if isDigit(l.at(1 + sign)) {
		l.pos += 1 + sign
		l.run(isDigit)
	}
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' }

func isModelByte(c byte) bool { return isNameByte(c) || c == '.' || c == ':' }
