package derived

import (
	"cmp"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner/chart"
	"terfyn/policy"
)

// agent shows how the model of an agent sees its grants, and how long it may take.
func (d derivation) agent(name string) (canon.Value, error) {
	a, _ := d.Graph.Agent(name)
	shown, err := resource.ShownNames(a)
	if err != nil {
		return canon.Value{}, err
	}
	tools := make([]canon.Value, len(shown))
	for i, s := range shown {
		tools[i] = canon.Object(text("name", s.Name), text("capability", s.Capability))
	}
	var turns []canon.Value
	for _, w := range d.reaching("agent/" + name) {
		turns = append(turns, canon.Object(text("workflow", w), number("most", int64(policy.TurnLimit(&d.Graph, w, name)))))
	}
	if turns == nil {
		turns = append(turns, canon.Object(text("workflow", ""), number("most", int64(policy.TurnLimit(&d.Graph, "", name)))))
	}
	b, _ := d.Bounds.Agent(name)
	return canon.Object(
		canon.F("tools", canon.List(tools...)), canon.F("turns", canon.List(turns...)),
		number("outputTokens", cmp.Or(a.Constraints.MaxTokens, resource.DefaultMaxTokens)),
		canon.F("calledBy", d.callers("agent/"+name)), canon.F("gates", d.gates("agent/"+name)), canon.F("bound", bound(b)),
	), nil
}

// reaching lists the workflows that lead to a node, by name.
func (d derivation) reaching(id string) []string {
	var out []string
	for _, w := range d.Graph.Workflows {
		if d.chart.Reachable("workflow/" + w.Name)[id] {
			out = append(out, w.Name)
		}
	}
	return out
}

// workflow shows what a run of it may do, and under which policy.
func (d derivation) workflow(name string) canon.Value {
	node, _ := d.chart.Node("workflow/" + name)
	budget := policy.BudgetFor(&d.Graph, name)
	b, _ := d.Bounds.Workflow(name)
	statements := []canon.Value{}
	for _, e := range d.chart.From("workflow/" + name) {
		if asked, _ := d.chart.Node(e.To); e.Kind == chart.Ask {
			statements = append(statements, canon.Object(text("site", e.Sites[0].Site), text("description", asked.Detail)))
		}
	}
	return canon.Object(
		text("governedBy", node.Detail),
		canon.F("budget", canon.Object(text("maxCostUsd", budget.MaxCostUSD), number("maxActiveSeconds", int64(budget.MaxActive.Seconds())))),
		canon.F("calledBy", d.callers("workflow/"+name)), canon.F("approvalStatements", canon.List(statements...)),
		canon.F("gates", d.gates("workflow/"+name)), canon.F("bound", bound(b)),
	)
}

// gates lists what stops on the way from a node, also through agents and nested
// workflows. From a workflow only rules count that hold in its runs: its own and
// those of workflows nested in it.
func (d derivation) gates(from string) canon.Value {
	out := []canon.Value{}
	on := d.chart.Reachable(from)
	start, _ := d.chart.Node(from)
	for _, e := range d.chart.Edges {
		for _, g := range e.Gates {
			if !on[e.From] || (start.Kind == chart.Workflow && !on["workflow/"+g.Workflow]) {
				continue
			}
			out = append(out, canon.Object(text("capability", e.To), text("by", e.From), text("workflow", g.Workflow), text("verdict", g.Verdict), text("rule", g.Rule)))
		}
	}
	return canon.List(out...)
}
