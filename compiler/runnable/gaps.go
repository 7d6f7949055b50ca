package runnable

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/validate"
)

// Gap is one place that uses something this build does not carry out.
type Gap struct {
	Kind      resource.Kind
	Name      string
	Field     string // as a validate.Locator takes it
	Construct string // as the author wrote it
	// Advisory: runs go on without it and nothing they do is less guarded.
	Advisory bool
}

// String words the gap for messages.
func (g Gap) String() string {
	if g.Kind == resource.KindProject {
		return g.Construct
	}
	return fmt.Sprintf("%s of %s %s", g.Construct, strings.ToLower(string(g.Kind)), g.Name)
}

// Gaps lists every gap of a project. g is normalized; the list is sorted.
func Gaps(g resource.Graph, programs []ir.Program) []Gap {
	var out gaps
	out.project(g)
	for _, a := range g.Agents {
		out.agent(g, a)
	}
	for _, t := range g.Tools {
		out.tool(t)
	}
	for _, p := range g.Policies {
		out.policy(p)
	}
	for _, e := range g.Environments {
		out.environment(g, e)
	}
	for _, w := range g.Workflows {
		out.workflow(w)
	}
	for _, p := range programs {
		out.nodes(p.Workflow, "", p.Body)
	}
	slices.SortStableFunc(out, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Field, b.Field))
	})
	return out
}

// Diagnostics words gaps as warnings; at finds their places and may be nil.
func Diagnostics(all []Gap, at validate.Locator) diag.List {
	var out diag.List
	for _, g := range all {
		format := "%s: this version of terfyn pins it but does not run it; runs that come to it are refused"
		if g.Advisory {
			format = "%s: this version of terfyn pins it but does not act on it"
		}
		out.Add(diag.Warnf(diag.NotRunnable, place(g, at), format, g))
	}
	return out
}

func place(g Gap, at validate.Locator) source.Span {
	if at == nil {
		return source.Span{}
	}
	for field := g.Field; ; {
		if s := at(g.Kind, g.Name, field); !s.IsZero() || field == "" {
			return s
		}
		field = field[:max(0, strings.LastIndexByte(field, '.'))]
	}
}
