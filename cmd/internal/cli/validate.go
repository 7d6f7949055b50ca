package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/buildinfo"
	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/internal/canon"
	"terfyn/policy/lint"
)

func newValidate(a *app) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:         "validate",
		Short:       "Check the project and report everything that is wrong with it",
		Annotations: map[string]string{outputsOf: sarif},
		Args:        arguments(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			r, ds, err := a.compile(false)
			if err != nil {
				return err
			}
			valid := !ds.HasErrors() && (!strict || len(ds) == 0)
			var advice []lint.Finding
			if !ds.HasErrors() {
				a.tellLocal(r)
				g, err := overlay(r.Graph, a.environment())
				if err != nil {
					return &coded{code: ExitInvalid, cause: err}
				}
				advice = unsaid(policyAdvice(r, g, a.environment()), ds)
				valid = valid && (!strict || !lint.HasHigh(advice))
			}
			if err := a.showValidation(r, ds, advice, valid); err != nil || valid {
				return err
			}
			return exit(ExitInvalid)
		},
	}
	c.Flags().BoolVar(&strict, "strict", false, "treat warnings and grave advice about policies as errors")
	return c
}

// sarif is the output for code scanning; only validate has it.
const sarif = "sarif"

func (a *app) showValidation(r *compiler.Result, ds diag.List, advice []lint.Finding, valid bool) error {
	if a.flags.output == sarif {
		all := slices.Clone(ds)
		for _, f := range advice {
			all.Add(f.Diagnostic())
		}
		log := render.Sarif{Version: buildinfo.Read().Version, Base: a.projectBase(), List: all, Lookup: r.Source, Layers: r.Layers}
		return render.JSON(a.out, log.Log())
	}
	a.keepWarnings(ds)
	return a.show(func(w io.Writer) { a.validationText(w, r, ds, advice, valid) },
		canon.F("valid", canon.Bool(valid)), canon.F("diagnostics", render.DiagnosticList(ds)), canon.F("layers", render.LayerList(r.Layers)), canon.F("policyLint", render.AdviceList(advice)))
}

// projectBase is the project's folder relative to the working directory, with
// slashes; "" when it does not lie below it.
func (a *app) projectBase() string {
	base := a.flags.project
	if filepath.IsAbs(base) {
		wd, err := os.Getwd()
		if err != nil {
			return ""
		}
		if base, err = filepath.Rel(wd, base); err != nil {
			return ""
		}
	}
	if base = filepath.Clean(base); !filepath.IsLocal(base) {
		return ""
	}
	return filepath.ToSlash(base)
}

func (a *app) validationText(w io.Writer, r *compiler.Result, ds diag.List, advice []lint.Finding, valid bool) {
	if valid {
		a.diagnostics(ds, r) // warnings beside a result that is good
	} else {
		render.Diagnostics(w, ds, r.Source, a.palette(w), a.plain())
	}
	render.Advice(w, advice, a.palette(w), a.plain())
	if !a.flags.quiet || !valid {
		say(w, "Layers: %s", render.LayerLine(r.Layers))
	}
	if valid {
		say(w, "%s", a.palette(w).Good("Validation successful"))
		return
	}
	say(w, "%s", a.palette(w).Bad("Validation failed"))
}
