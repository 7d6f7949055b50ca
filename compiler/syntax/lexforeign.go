package syntax

import (
	"strings"
	"unicode/utf8"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// What other languages write and this one does not: the lexer says once what is
// written here instead, and gives a token that stands for the whole slip, so that
// no second message follows from it.

// longestList is how far the bracket that closes a list is looked for.
const longestList = 1 << 12

// foreign reads a lexeme of another language. ok is false when there is none.
func (l *lexer) foreign(start source.Pos) (t token, ok bool) {
	switch c := l.src[l.pos]; c {
	case '#':
		l.ofLine(func(rest string) int { return len(rest) })
		l.complain(hashComment(l.spanFrom(start)))
		return token{}, true
	case '\'', '`':
		return l.otherQuotes(start, c)
	case '[':
		return l.brackets(start)
	case '&', '|':
		l.pos++
		two := string(c) + string(c)
		l.complain(singleOperator(l.spanFrom(start), string(c), two))
		return token{kind: kindMark, text: two}, true
	case '+', '-', '*', '%':
		return l.arithmetic(start, c), true
	}
	return token{}, false
}

// ofLine moves on by as many bytes of the rest of the line as take says, and gives
// them.
func (l *lexer) ofLine(take func(rest string) int) string {
	rest := l.text[l.pos:]
	if end := strings.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	n := take(rest)
	l.pos += n
	return rest[:n]
}

// otherQuotes reads a string in other quotes up to the closing one on its line. A
// lone quote is a character like any other.
func (l *lexer) otherQuotes(start source.Pos, quote byte) (token, bool) {
	text := l.ofLine(func(rest string) int { return 2 + strings.IndexByte(rest[1:], quote) })
	if len(text) < 2 {
		l.pos = start.Offset
		return token{}, false
	}
	text = text[1 : len(text)-1]
	l.complain(otherQuotes(l.spanFrom(start), text))
	return token{kind: kindString, text: text}, true
}

// brackets reads from [ to the ] that closes it, as one value that does not exist.
func (l *lexer) brackets(start source.Pos) (token, bool) {
	end := closingBracket(l.src[l.pos:min(len(l.src), l.pos+longestList)])
	if end < 0 {
		return token{}, false
	}
	text := l.text[l.pos : l.pos+end]
	index := l.pos > 0 && isNameByte(l.src[l.pos-1])
	l.pos += end
	if n := strings.Count(text, "\n"); n > 0 {
		l.line += n
		l.lineStart = start.Offset + strings.LastIndexByte(text, '\n') + 1
	}
	l.complain(noBrackets(l.spanFrom(start), index))
	return token{kind: kindForeign, text: text}, true
}

// closingBracket is the length of the text up to the bracket that closes the first
// one, -1 when there is none before the braces around it end.
func closingBracket(src []byte) int {
	brackets, braces := 0, 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '[':
			brackets++
		case ']':
			if brackets--; brackets == 0 {
				return i + 1
			}
		case '{':
			braces++
		case '}':
			if braces--; braces < 0 {
				return -1
			}
		case '"':
			for i++; i < len(src) && src[i] != '"' && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// arithmetic reads an operator that does not exist. Of several on one line the first
// is complained about.
func (l *lexer) arithmetic(start source.Pos, c byte) token {
	l.pos++
	switch at := l.spanFrom(start); {
	case c == '*' && l.afterAny(".{,"):
		l.complain(noPattern(at))
	case l.sumLine != l.line:
		l.sumLine = l.line
		l.complain(noArithmetic(at, string(c)))
	}
	return token{kind: kindForeign, text: string(c)}
}

// afterAny reports whether one of marks stands before the character just read.
func (l *lexer) afterAny(marks string) bool {
	before := strings.TrimRight(l.text[:l.pos-1], " \t\r\n")
	return before != "" && strings.IndexByte(marks, before[len(before)-1]) >= 0
}

func hashComment(at source.Span) diag.Diagnostic {
	d := diag.Errorf(diag.BadCharacter, at, "comments begin with //, not with #")
	return d.WithFix(firstByte(at), "//", "write //")
}

func otherQuotes(at source.Span, text string) diag.Diagnostic {
	d := diag.Errorf(diag.BadCharacter, at, `strings take double quotes: "…", or """…""" for several lines`)
	if strings.ContainsAny(text, `"\`) || !utf8.ValidString(text) {
		return d
	}
	return d.WithFix(at, `"`+text+`"`, "write double quotes")
}

func noBrackets(at source.Span, index bool) diag.Diagnostic {
	if index {
		return diag.Errorf(diag.BadCharacter, at,
			"there is no [ ]: an element of a list cannot be read by its number; go through the list with for, or let a tool give the element")
	}
	return diag.Errorf(diag.BadCharacter, at,
		"there are no lists in [ ]: the sets of a declaration are written { a, b }, and a list as a value comes from an input, a tool or an agent")
}

func singleOperator(at source.Span, one, two string) diag.Diagnostic {
	return diag.Errorf(diag.BadCharacter, at, "the operator %q does not exist; write %s", one, two).WithFix(at, two, "write "+two)
}

func noArithmetic(at source.Span, op string) diag.Diagnostic {
	return diag.Errorf(diag.BadCharacter, at,
		`the character '%s' has no meaning here, there is no arithmetic: let a tool or an agent compute the value, and join texts in a template such as "${a} ${b}"`, op)
}

func noPattern(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.BadCharacter, at, "there are no patterns: '*' does not stand for all names; write every one of them out")
}

func firstByte(at source.Span) source.Span {
	at.End = at.Start
	at.End.Offset++
	at.End.Col++
	return at
}
