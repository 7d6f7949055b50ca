package cli

import (
	"io"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/internal/canon"
)

func newValidate(a *app) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "validate",
		Short: "Check the project and report everything that is wrong with it",
		Args:  arguments(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			r, ds, err := a.compile(false)
			if err != nil {
				return err
			}
			valid := !ds.HasErrors() && (!strict || len(ds) == 0)
			if valid {
				if _, err := overlay(r.Graph, a.environment()); err != nil {
					return &coded{code: ExitInvalid, cause: err}
				}
			}
			if err := a.showValidation(r, ds, valid); err != nil || valid {
				return err
			}
			return exit(ExitInvalid)
		},
	}
	c.Flags().BoolVar(&strict, "strict", false, "treat warnings as errors")
	return c
}

func (a *app) showValidation(r *compiler.Result, ds diag.List, valid bool) error {
	layers := make([]canon.Value, len(r.Layers))
	for i, l := range r.Layers {
		layers[i] = canon.Object(str("name", l.Name), str("status", string(l.Status)))
	}
	a.keepWarnings(ds)
	return a.show(func(w io.Writer) { a.validationText(w, r, ds, valid) },
		canon.F("valid", canon.Bool(valid)), canon.F("diagnostics", render.DiagnosticList(ds)), canon.F("layers", canon.List(layers...)))
}

func (a *app) validationText(w io.Writer, r *compiler.Result, ds diag.List, valid bool) {
	render.Diagnostics(w, ds, r.Source, a.plain())
	line := ""
	for _, l := range r.Layers {
		if line != "" {
			line += ", "
		}
		line += l.Name + " " + layerWord(l.Status)
	}
	if !a.flags.quiet || !valid {
		say(w, "Layers: %s", line)
	}
	if valid {
		say(w, "%s", a.palette(w).Good("Validation successful"))
		return
	}
	say(w, "%s", a.palette(w).Bad("Validation failed"))
}

func layerWord(s compiler.Status) string {
	if s == compiler.NotRun {
		return "not run"
	}
	return string(s)
}

// diagnostics writes a list with source lines to stderr, for commands whose result
// is something else.
func (a *app) diagnostics(ds diag.List, r *compiler.Result) {
	render.Diagnostics(a.err, ds, r.Source, a.plain())
}

// keepWarnings puts the warnings of a list into the document.
func (a *app) keepWarnings(ds diag.List) {
	for _, d := range ds {
		if d.Severity == diag.Warning {
			a.warnings = append(a.warnings, render.Warning{Class: "diagnostic", Reason: string(d.Code), Message: diag.Plain(d)})
		}
	}
}
