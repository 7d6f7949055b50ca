package render

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"
)

// maxCell is the longest table cell in bytes.
const maxCell = 96

// Table writes aligned columns under a heading in capitals.
func Table(w io.Writer, heading []string, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, strings.Join(heading, "\t"))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = Cell(c)
		}
		_, _ = fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	_ = t.Flush() // the writer beneath reports its own errors
}

// Cell makes s fit a table: one line, valid UTF-8, at most 96 bytes, with "..."
// where something was cut off. Nothing at all is shown as "-".
func Cell(s string) string {
	if s == "" {
		return "-"
	}
	s = strings.ToValidUTF8(strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(s), "?")
	if len(s) <= maxCell {
		return s
	}
	cut := maxCell - len("...")
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// Time is t for people, "-" for none.
func Time(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

// Stamp is t for documents, "" for none.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// ASCII replaces what is not ASCII: punctuation by its plain spelling, anything
// else by a question mark, one for each character so that marks stay in place.
func ASCII(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r == '…':
			b.WriteString("...")
		case r == '→':
			b.WriteString("->")
		case r == '–' || r == '—':
			b.WriteByte('-')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
