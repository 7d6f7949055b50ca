package syntax

import (
	"strconv"

	"terfyn/compiler/source"
)

type kind uint8

const (
	kindEOF kind = iota + 1
	kindIdent
	kindNumber
	kindString
	kindBlock
	kindModelID // directly after a slash
	kindMark    // punctuation or operator; text tells which
	kindForeign // a slip that the lexer has complained about; text is its spelling
)

// token is one lexeme. text is the name, the number's spelling, the string's
// value, or the mark.
type token struct {
	kind  kind
	text  string
	start source.Pos
	end   source.Pos
}

func (t token) is(mark string) bool   { return t.kind == kindMark && t.text == mark }
func (t token) word(name string) bool { return t.kind == kindIdent && t.text == name }
func (t token) isText() bool          { return t.kind == kindString || t.kind == kindBlock }

// describe names the token in a message.
func (t token) describe() string {
	switch t.kind {
	case kindEOF:
		return "the end of the file"
	case kindString, kindBlock:
		return "a string"
	case kindNumber:
		return "the number " + clip(t.text)
	case kindIdent, kindModelID, kindMark, kindForeign:
		return strconv.Quote(clip(t.text))
	default:
		return "nothing"
	}
}

// clip keeps messages short when the source is not.
func clip(s string) string {
	const longest = 60
	if len(s) <= longest {
		return s
	}
	return s[:longest] + "…"
}

// isReserved tells the four words that may not name anything anywhere.
func isReserved(name string) bool {
	switch name {
	case "agent", "workflow", "parallel", "return":
		return true
	default:
		return false
	}
}

// isHeadWord tells the words that open a statement and so may not be bound.
func isHeadWord(name string) bool {
	switch name {
	case "if", "else", "for", "while":
		return true
	default:
		return isReserved(name)
	}
}
