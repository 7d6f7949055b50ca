package diag

import (
	"fmt"
	"strings"

	"terfyn/compiler/source"
)

// Fix is a change of the source that removes the complaint and that a tool may
// offer to make. Only changes that keep what the author meant become a Fix.
type Fix struct {
	Title string      // what it does, in a few words
	At    source.Span // the text that is replaced; an empty range is an insertion
	Text  string      // what stands there afterwards
}

// WithFix attaches a fix, unless there is no place for it.
func (d Diagnostic) WithFix(at source.Span, text, title string) Diagnostic {
	if !at.IsZero() {
		d.Fix = &Fix{Title: title, At: at, Text: text}
	}
	return d
}

// Meant asks whether the known name nearest to the one found was meant, and where that is
// hardly in doubt makes writing it at the place the fix. Without a near name nothing
// changes, and without a place only the question is asked.
func (d Diagnostic) Meant(at source.Span, found string, known []string) Diagnostic {
	near := Near(found, known)
	if near == "" {
		return d
	}
	d.Detail += DidYouMean(near)
	if !clearly(found, near, known) {
		return d
	}
	return d.WithFix(at, near, "write "+near)
}

// clearly reports whether found can only be a slip for near: one edit or another
// case away, as no other known name is, and not one of a numbered series.
func clearly(found, near string, known []string) bool {
	if !slip(found, near) || strings.Map(letters, found) == strings.Map(letters, near) {
		return false
	}
	for _, k := range known {
		if k != near && slip(found, k) {
			return false
		}
	}
	return true
}

func slip(a, b string) bool {
	return strings.EqualFold(a, b) || min(len(a), len(b)) > 2 && edits(a, b, 2) < 2
}

// letters drops digits.
func letters(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// DidYouMean is the end of a message that points at a near name, "" when there is
// none.
func DidYouMean(near string) string {
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}
