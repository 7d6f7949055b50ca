package render

import (
	"io"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
)

// Diagnostics writes each diagnostic with its source line, a mark, the related
// places and the fix; lookup gives the bytes of a source file. plain keeps the text
// to ASCII.
func Diagnostics(w io.Writer, list diag.List, lookup func(string) []byte, p Palette, plain bool) {
	style := diag.Style{
		Place: p.Strong,
		Grave: func(s diag.Severity, text string) string {
			if s == diag.Warning {
				return p.Careful(text)
			}
			return p.Bad(text)
		},
		Fix: p.Good,
	}
	if plain {
		style.Text = ASCII
	}
	for _, d := range list {
		_, _ = io.WriteString(w, style.Snippet(d, lookup))
	}
}

// DiagnosticList is the list as documents show it. Lines and columns count from 1,
// columns in bytes, and an end is the place after the last byte.
func DiagnosticList(list diag.List) canon.Value {
	out := make([]canon.Value, len(list))
	for i, d := range list {
		related := make([]canon.Value, len(d.Related))
		for j, r := range d.Related {
			related[j] = canon.Object(append(place(r.At), canon.F("note", canon.String(r.Note)))...)
		}
		fields := append(place(d.At),
			canon.F("code", canon.String(string(d.Code))), canon.F("severity", canon.String(d.Severity.String())),
			canon.F("summary", canon.String(d.Summary)), canon.F("message", canon.String(d.Message())),
			canon.F("related", canon.List(related...)),
		)
		if d.Fix != nil {
			fields = append(fields, canon.F("fix", canon.Object(append(place(d.Fix.At),
				canon.F("title", canon.String(d.Fix.Title)), canon.F("replacement", canon.String(d.Fix.Text)))...)))
		}
		out[i] = canon.Object(fields...)
	}
	return canon.List(out...)
}

// LayerList is what the layers of a compilation came to, as documents show it.
func LayerList(layers []compiler.Layer) canon.Value {
	out := make([]canon.Value, len(layers))
	for i, l := range layers {
		out[i] = canon.Object(canon.F("name", canon.String(l.Name)), canon.F("status", canon.String(string(l.Status))))
	}
	return canon.List(out...)
}

// LayerLine is LayerList as one line for people.
func LayerLine(layers []compiler.Layer) string {
	line := ""
	for i, l := range layers {
		if i > 0 {
			line += ", "
		}
		word := string(l.Status)
		if l.Status == compiler.NotRun {
			word = "not run"
		}
		line += l.Name + " " + word
	}
	return line
}

func place(at source.Span) []canon.Field {
	if at.IsZero() {
		if at.File == "" {
			return nil
		}
		return []canon.Field{canon.F("file", canon.String(at.File))}
	}
	return []canon.Field{
		canon.F("file", canon.String(at.File)),
		canon.F("line", canon.Int(int64(at.Start.Line))), canon.F("column", canon.Int(int64(at.Start.Col))),
		canon.F("endLine", canon.Int(int64(at.End.Line))), canon.F("endColumn", canon.Int(int64(at.End.Col))),
	}
}
