package yamlprofile

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// text is the source, for the one thing that the library's nodes do not tell. It
// is asked about places in ascending order.
type text struct {
	bytes []byte
	// offset is the place asked about last, in bytes; line and column count from 0,
	// column in characters as the library does.
	offset, line, column int
	suspect, looked      bool
}

// lonelyTag reports whether the tag ! stands before the unquoted scalar n. The
// library drops that tag, so the place of the node is looked up.
func (t *text) lonelyTag(n *yaml.Node) bool {
	if n.Style != 0 || !t.hasLonelyTags() {
		return false
	}
	rest := t.from(n.Line-1, n.Column-1)
	for first := true; len(rest) > 0; first = false {
		switch c := rest[0]; {
		case c == '!':
			return true // a scalar with another tag has the style of tagged ones
		case c == '&':
			rest = rest[wordEnd(rest):]
		case first, (c == '\n' || c == '\r') && n.Value == "":
			return false // what follows belongs to another node
		case c == '#':
			rest = rest[lineEnd(rest):]
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			rest = rest[1:]
		default:
			return false
		}
	}
	return false
}

func wordEnd(b []byte) int {
	if i := bytes.IndexAny(b, " \t\r\n,[]{}"); i >= 0 {
		return i
	}
	return len(b)
}

func lineEnd(b []byte) int {
	if i := bytes.IndexAny(b, "\r\n"); i >= 0 {
		return i
	}
	return len(b)
}

// hasLonelyTags reports whether the text may have such a tag at all, which hardly
// any text does.
func (t *text) hasLonelyTags() bool {
	if t.looked {
		return t.suspect
	}
	t.looked = true
	for rest := t.bytes; !t.suspect; {
		i := bytes.IndexByte(rest, '!')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		t.suspect = len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n,]}<"), rest[0]) >= 0
	}
	return t.suspect
}

// from is the text from a place on, empty when the place lies behind the last one.
func (t *text) from(line, column int) []byte {
	for t.offset < len(t.bytes) && (t.line < line || t.line == line && t.column < column) {
		t.step()
	}
	if t.line != line || t.column != column {
		return nil
	}
	return t.bytes[t.offset:]
}

// step goes to the next character.
func (t *text) step() {
	c, size := utf8.DecodeRune(t.bytes[t.offset:])
	t.offset += size
	if c == '\n' || c == '\r' && !bytes.HasPrefix(t.bytes[t.offset:], []byte("\n")) {
		t.line, t.column = t.line+1, 0
		return
	}
	t.column++
}
