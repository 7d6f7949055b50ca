package diag

import (
	"strings"

	"terfyn/compiler/source"
)

// Plain renders one diagnostic on one line: file:line:col: message [CODE], with
// the word "warning:" before the message of a warning. Without a place the
// position is left out.
func Plain(d Diagnostic) string {
	var b strings.Builder
	if !d.At.IsZero() {
		b.WriteString(d.At.String())
		b.WriteString(": ")
	}
	if d.Severity == Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(strings.ReplaceAll(d.Message(), "\n", " "))
	b.WriteString(" [" + string(d.Code) + "]")
	return b.String()
}

// Snippet renders a diagnostic as Plain does, followed by the source line with a
// mark under the span and by the related places. lookup returns the bytes of a
// file of the project, nil when it has none; the mark is then left out.
func Snippet(d Diagnostic, lookup func(path string) []byte) string {
	var b strings.Builder
	b.WriteString(Plain(d))
	b.WriteByte('\n')
	writeMark(&b, d.At, lookup)
	for _, r := range d.Related {
		b.WriteString("  ")
		if !r.At.IsZero() {
			b.WriteString(r.At.String() + ": ")
		}
		b.WriteString(r.Note + "\n")
		writeMark(&b, r.At, lookup)
	}
	return b.String()
}

func writeMark(b *strings.Builder, at source.Span, lookup func(path string) []byte) {
	if at.IsZero() || lookup == nil {
		return
	}
	data := lookup(at.File)
	if data == nil {
		return
	}
	line := string(source.NewFile(at.File, data).Line(at.Start.Line))
	before := min(at.Start.Col-1, len(line))
	end := len(line)
	if at.End.Line == at.Start.Line {
		end = min(at.End.Col-1, len(line))
	}
	b.WriteString("    " + strings.ToValidUTF8(line, "\uFFFD") + "\n    ")
	for _, r := range line[:before] {
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r) // a tab stays a tab so that the mark lines up
	}
	b.WriteByte('^')
	if marked := len([]rune(line[before:max(before, end)])); marked > 1 {
		b.WriteString(strings.Repeat("~", marked-1))
	}
	b.WriteByte('\n')
}
