package cli

import (
	"fmt"

	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/compiler/diag"
)

// shownOfCode is how many warnings of one code a command shows whose result is
// something else. terfyn validate shows all of them.
const shownOfCode = 10

// few keeps the errors of a list and the first warnings of each code; left words how
// many more there are.
func few(ds diag.List) (kept diag.List, left []render.Warning) {
	seen := map[diag.Code]int{}
	var order []diag.Code
	for _, d := range ds {
		if d.Severity == diag.Warning {
			if seen[d.Code]++; seen[d.Code] == shownOfCode+1 {
				order = append(order, d.Code)
			}
			if seen[d.Code] > shownOfCode {
				continue
			}
		}
		kept = append(kept, d)
	}
	for _, code := range order {
		left = append(left, render.Warning{
			Class: "diagnostic", Reason: string(code),
			Message: fmt.Sprintf("and %d more of %s; terfyn validate lists all", seen[code]-shownOfCode, code),
		})
	}
	return kept, left
}

// fewDiagnostics writes what few keeps to stderr, and what it leaves out in a line
// for each code.
func (a *app) fewDiagnostics(ds diag.List, r *compiler.Result) {
	kept, left := few(ds)
	a.diagnostics(kept, r)
	for _, w := range left {
		a.note("Warning (%s): %s", w.Class, w.Message)
	}
}

// keepFew puts what few keeps into the document.
func (a *app) keepFew(ds diag.List) {
	kept, left := few(ds)
	a.keepWarnings(kept)
	a.warnings = append(a.warnings, left...)
}

// invalid ends a command whose project is not valid. Where its result would be a
// document, the one of terfyn validate takes its place.
func (a *app) invalid(ds diag.List, r *compiler.Result, document bool) error {
	a.fewDiagnostics(a.beside(ds), r)
	if document {
		if !a.document() {
			a.flags.output = "json" // the command has another flag for it
		}
		if err := a.showValidation(r, ds, nil, false); err != nil {
			return err
		}
	}
	return exit(ExitInvalid)
}

// diagnostics writes a list with source lines to stderr, for commands whose result
// is something else.
func (a *app) diagnostics(ds diag.List, r *compiler.Result) {
	render.Diagnostics(a.err, ds, r.Source, a.palette(a.err), a.plain())
}

// keepWarnings puts the warnings of a list into the document.
func (a *app) keepWarnings(ds diag.List) {
	for _, d := range ds {
		if d.Severity == diag.Warning {
			a.warnings = append(a.warnings, render.Warning{Class: "diagnostic", Reason: string(d.Code), Message: diag.Plain(d)})
		}
	}
}
