package derived

import (
	"encoding/json"
	"slices"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/planner/chart"
)

// In is a project as it applies to one environment.
type In struct {
	Graph    resource.Graph // normalized, overlay applied
	Programs []ir.Program
	Bounds   effects.Bounds // of Graph
}

// Of gives what follows from the resource of that kind and name, an object without
// members where nothing does. The resource exists in the graph.
func Of(in In, kind resource.Kind, name string) (canon.Value, error) {
	drawn, err := chart.Build(in.Graph, in.Programs, in.Bounds, "")
	if err != nil {
		return canon.Value{}, err
	}
	d := derivation{In: in, chart: drawn}
	switch kind {
	case resource.KindAgent:
		return d.agent(name)
	case resource.KindWorkflow:
		return d.workflow(name), nil
	case resource.KindTool:
		return d.tool(name), nil
	case resource.KindPolicy:
		return d.policy(name), nil
	case resource.KindModelProvider:
		return d.provider(name), nil
	case resource.KindEnvironment:
		return d.environment(name), nil
	case resource.KindProject:
		return d.project(), nil
	}
	return canon.Object(), nil
}

type derivation struct {
	In
	chart chart.Chart
}

// callers lists who leads to a node, as kind/name.
func (d derivation) callers(id string) canon.Value {
	out := []string{}
	for _, e := range d.chart.Edges {
		if e.To == id && !slices.Contains(out, e.From) {
			out = append(out, e.From)
		}
	}
	slices.Sort(out)
	return canon.Strings(out)
}

// environment lists what the overlay touches.
func (d derivation) environment(name string) canon.Value {
	e, _ := d.Graph.Environment(name)
	var out []string
	for _, n := range ordered.Keys(e.Agents) {
		out = append(out, "agent/"+n)
	}
	for _, n := range ordered.Keys(e.Policies) {
		out = append(out, "policy/"+n)
	}
	for _, n := range ordered.Keys(e.Tools) {
		out = append(out, "tool/"+n)
	}
	return canon.Object(canon.F("overrides", canon.Strings(out)))
}

func (d derivation) provider(name string) canon.Value {
	var agents []string
	for _, a := range d.Graph.Agents {
		if strings.HasPrefix(a.Model, name+"/") {
			agents = append(agents, "agent/"+a.Name)
		}
	}
	return canon.Object(canon.F("usedBy", canon.Strings(agents)))
}

// project gives the limits that hold where a tool or workflow sets none.
func (d derivation) project() canon.Value {
	return canon.Object(canon.F("limits", plain(d.Graph.Limits.Over(resource.BuiltinLimits()))))
}

// plain is the value of a type that holds only strings, numbers and flags.
func plain(v any) canon.Value {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("derived: plain fields cannot be encoded: " + err.Error())
	}
	out, err := canon.Parse(raw)
	if err != nil {
		panic("derived: encoded fields are not JSON: " + err.Error())
	}
	return out
}

// bound is a bound as documents show it; its lists are never null.
func bound(b effects.Bound) canon.Value {
	v := plain(b).Without("kind").Without("name")
	for _, name := range []string{"effects", "operations", "unknown", "unreachable"} {
		if v.At(name).IsNull() {
			v = v.With(name, canon.List())
		}
	}
	return v
}

func text(name, s string) canon.Field { return canon.F(name, canon.String(s)) }

func flag(name string, b bool) canon.Field { return canon.F(name, canon.Bool(b)) }

func number(name string, n int64) canon.Field { return canon.F(name, canon.Int(n)) }
