package nexflow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"terfyn/compiler/nexflow/manifest"
)

// maxName is the greatest length of a project's name, in characters.
const maxName = 128

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func isID(s string) bool { return manifest.IsID(s) }

// isName reports whether s can be shown as one line that reads as it is written.
func isName(s string) bool {
	return utf8.ValidString(s) && s != "" && strings.TrimSpace(s) == s && utf8.RuneCountInString(s) <= maxName &&
		!strings.ContainsFunc(s, misleads)
}

// misleads is for characters that end a line, control a terminal or turn the
// direction of what follows.
func misleads(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}
