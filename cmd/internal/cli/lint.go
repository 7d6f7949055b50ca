package cli

import (
	"slices"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/planner"
	"terfyn/policy/lint"
)

// policyAdvice lints the policies of a compiled project as they apply to one
// environment.
func policyAdvice(r *compiler.Result, g resource.Graph, environment string) []lint.Finding {
	return lint.Policies(lint.In{Graph: g, Bounds: r.Bounds, Environment: environment, Locate: r.Locate})
}

// unsaid leaves out findings that a diagnostic of the same place already tells.
func unsaid(fs []lint.Finding, ds diag.List) []lint.Finding {
	return slices.DeleteFunc(fs, func(f lint.Finding) bool {
		return slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == f.Code && d.At == f.At })
	})
}

// plannedAdvice is the advice a plan shows; a plan stands without the sources, so
// it has no places.
func plannedAdvice(g resource.Graph, environment string) []planner.Lint {
	out := []planner.Lint{}
	for _, f := range lint.Policies(lint.In{Graph: g, Bounds: effects.Compute(g), Environment: environment}) {
		out = append(out, planner.Lint{Code: string(f.Code), Policy: f.Policy, Severity: string(f.Severity), Message: f.Message})
	}
	return out
}
