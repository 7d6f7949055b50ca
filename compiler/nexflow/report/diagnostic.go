package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

// maxPath is the greatest length of a JSON Pointer in a report, in characters.
const maxPath = 512

// redactedField stands for a longer one.
const redactedField = "<redacted-field>"

// Diagnostic is a finding as documents show it (nexflow.md 9.1).
type Diagnostic struct {
	Severity          manifest.Severity `json:"severity"`
	EffectiveSeverity manifest.Severity `json:"effectiveSeverity,omitempty"`
	Code              code.Code         `json:"code"`
	Layer             *manifest.Layer   `json:"layer"`
	File              *string           `json:"file"`
	Kind              *manifest.Kind    `json:"kind"`
	Path              *string           `json:"path"`
	Keyword           *string           `json:"keyword"`
	Message           string            `json:"message"`
	Related           []Related         `json:"related"`
	Details           *manifest.Details `json:"details,omitempty"`
	Suggestion        string            `json:"suggestion,omitempty"`
}

// Related is another place that matters; without a path where only files count.
type Related struct {
	File string  `json:"file"`
	Path *string `json:"path,omitempty"`
}

func diagnostic(r manifest.Record, strict bool) Diagnostic {
	d := Diagnostic{
		Severity: r.Severity, EffectiveSeverity: effective(r, strict), Code: r.Code,
		Layer: present(r.Layer), File: present(r.File), Kind: present(r.Kind), Keyword: present(r.Keyword),
		Message: r.Message, Related: make([]Related, len(r.Related)), Details: r.Details.Present(), Suggestion: r.Suggestion,
	}
	if r.Line > 0 {
		d.Suggestion = strings.TrimPrefix(fmt.Sprintf("%s See line %d.", r.Suggestion, r.Line), " ")
	}
	if r.HasPath() && r.File != "" {
		d.Path = &r.Path
	}
	for i, p := range r.Related {
		d.Related[i] = Related{File: p.File}
		if r.HasPath() {
			d.Related[i].Path = &p.Path
		}
	}
	return d
}

// effective is the severity that a policy gives a finding, "" where it changes none.
func effective(r manifest.Record, strict bool) manifest.Severity {
	if strict && r.Severity == manifest.Warning {
		return manifest.Error
	}
	return ""
}

func shownPath(path string) string {
	if len(path) > maxPath && utf8.RuneCountInString(path) > maxPath {
		return redactedField
	}
	return path
}
