package export

import (
	"slices"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// Documents gives every resource as a document with apiVersion, kind, metadata and
// spec: the project first, then by kind and name. A workflow carries its program.
// Presence bits stay, and what is declared and empty is shown as an empty list.
// The documents are output only; nothing reads them back.
func Documents(g resource.Graph, programs []ir.Program) []canon.Value {
	encoded := map[string]canon.Value{}
	for _, p := range programs {
		encoded[p.Workflow] = ir.EncodeProgram(p)
	}
	list := resource.Resources(g)
	slices.SortStableFunc(list, func(a, b resource.Resource) int { return rank(a) - rank(b) })
	out := make([]canon.Value, len(list))
	for i, r := range list {
		spec := r.Spec.Without("name").Without("project")
		spec = declaredEmpty(spec, "operationsDeclared", "operations")
		spec = declaredEmpty(spec, "grantsDeclared", "grants")
		spec = declaredEmpty(spec, "effectsDeclared", "effects")
		spec = declaredEmpty(spec, "egressDeclared", "allowHosts")
		if p, ok := encoded[r.Name]; ok && r.Kind == resource.KindWorkflow {
			spec = spec.With("program", p)
		}
		out[i] = canon.Object(
			canon.F("apiVersion", canon.String(resource.APIVersion)),
			canon.F("kind", canon.String(string(r.Kind))),
			canon.F("metadata", canon.Object(canon.F("name", canon.String(r.Name)))),
			canon.F("spec", spec),
		)
	}
	return out
}

func rank(r resource.Resource) int {
	if r.Kind == resource.KindProject {
		return 0
	}
	return 1
}

// declaredEmpty adds the empty list that a presence bit stands for.
func declaredEmpty(spec canon.Value, bit, field string) canon.Value {
	declared, _ := spec.At(bit).AsBool()
	if _, there := spec.Get(field); declared && !there {
		return spec.With(field, canon.List())
	}
	return spec
}
