package render

import (
	"fmt"
	"io"

	"terfyn/internal/canon"
	"terfyn/policy/lint"
)

// Advice writes findings about policies, one on a line. plain keeps the text to ASCII.
func Advice(w io.Writer, fs []lint.Finding, p Palette, plain bool) {
	for _, f := range fs {
		at := ""
		if !f.At.IsZero() {
			at = fmt.Sprintf("%s:%d:%d: ", f.At.File, f.At.Start.Line, f.At.Start.Col)
		}
		text := f.Message
		if plain {
			text = ASCII(text)
		}
		_, _ = fmt.Fprintf(w, "%s%s: %s [%s]\n", at, adviceWord(f.Severity, p), text, f.Code)
	}
}

func adviceWord(s lint.Severity, p Palette) string {
	word := "advice (" + string(s) + ")"
	switch s {
	case lint.High:
		return p.Bad(word)
	case lint.Medium:
		return p.Careful(word)
	}
	return word
}

// AdviceList is the findings as documents show them.
func AdviceList(fs []lint.Finding) canon.Value {
	out := make([]canon.Value, len(fs))
	for i, f := range fs {
		summary := f.Diagnostic().Summary
		out[i] = canon.Object(append(place(f.At),
			canon.F("code", canon.String(string(f.Code))), canon.F("severity", canon.String(string(f.Severity))),
			canon.F("policy", canon.String(f.Policy)), canon.F("summary", canon.String(summary)), canon.F("message", canon.String(f.Message)))...)
	}
	return canon.List(out...)
}
