package render

import (
	"io"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
)

// Diagnostics writes each diagnostic with its source line and a mark; lookup
// gives the bytes of a source file. plain keeps the text to ASCII.
func Diagnostics(w io.Writer, list diag.List, lookup func(string) []byte, plain bool) {
	for _, d := range list {
		s := diag.Snippet(d, lookup)
		if d.Code == diag.LiteralSecret {
			s = diag.Plain(d) + "\n" // the source line holds the secret
		}
		if plain {
			s = ASCII(s)
		}
		_, _ = io.WriteString(w, s)
	}
}

// DiagnosticList is the list as documents show it.
func DiagnosticList(list diag.List) canon.Value {
	out := make([]canon.Value, len(list))
	for i, d := range list {
		related := make([]canon.Value, len(d.Related))
		for j, r := range d.Related {
			related[j] = canon.Object(append(place(r.At), canon.F("note", canon.String(r.Note)))...)
		}
		out[i] = canon.Object(append(place(d.At),
			canon.F("code", canon.String(string(d.Code))), canon.F("severity", canon.String(d.Severity.String())),
			canon.F("summary", canon.String(d.Summary)), canon.F("message", canon.String(d.Message())),
			canon.F("related", canon.List(related...)),
		)...)
	}
	return canon.List(out...)
}

func place(at source.Span) []canon.Field {
	if at.IsZero() {
		return nil
	}
	return []canon.Field{
		canon.F("file", canon.String(at.File)),
		canon.F("line", canon.Int(int64(at.Start.Line))), canon.F("column", canon.Int(int64(at.Start.Col))),
		canon.F("endLine", canon.Int(int64(at.End.Line))), canon.F("endColumn", canon.Int(int64(at.End.Col))),
	}
}
