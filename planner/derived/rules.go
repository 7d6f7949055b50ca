package derived

import (
	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// tool shows each operation with what is known about it beside its declaration.
func (d derivation) tool(name string) canon.Value {
	t, _ := d.Graph.Tool(name)
	manifest := "open: any operation name can be called, with unknown effects"
	switch {
	case t.OperationsDeclared && len(t.Operations) == 0:
		manifest = "closed and empty: nothing can be called"
	case t.OperationsDeclared:
		manifest = "closed: only these operations can be called"
	}
	operations := []canon.Value{}
	for _, n := range d.chart.Nodes {
		if n.Tool != name {
			continue
		}
		_, o, _ := d.Graph.Operation(n.ID)
		entry := canon.Object(
			text("capability", n.ID), flag("sideEffects", t.HasSideEffects(n.Name)), text("argumentsSchema", native.ArgumentsSchema(t, o)),
			canon.F("usedBy", d.callers(n.ID)),
		)
		if n.Unknown != "" {
			entry = entry.With("unknownEffects", canon.String(n.Unknown))
		}
		operations = append(operations, entry)
	}
	return canon.Object(text("manifest", manifest), canon.F("operations", canon.List(operations...)),
		canon.F("limits", plain(t.Limits.Over(d.Graph.Limits).Over(resource.BuiltinLimits()))))
}

// policy shows the rules once the preset is laid beneath the policy's own fields,
// and what runs under them.
func (d derivation) policy(name string) canon.Value {
	var governs []string
	for _, a := range d.Graph.Agents {
		if a.Policy == name {
			governs = append(governs, "agent/"+a.Name)
		}
	}
	for _, w := range d.Graph.Workflows {
		if p, safe, ok := d.Graph.GoverningPolicy(w); ok && !safe && p.Name == name {
			governs = append(governs, "workflow/"+w.Name)
		}
	}
	out := canon.Object(canon.F("governs", canon.Strings(governs)))
	if p, ok := d.Graph.ResolvePolicy(name); ok {
		out = out.With("effective", effective(p))
	}
	return out
}

// effective is a resolved policy. Its name stands around it, and a preset that only
// sets fields has become those fields.
func effective(p resource.Policy) canon.Value {
	v := plain(p).Without("name")
	if p.Preset != string(resource.ShellSafe) {
		v = v.Without("preset")
	}
	return v
}
