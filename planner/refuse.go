package planner

import (
	"cmp"
	"fmt"
	"slices"

	"terfyn/compiler/resource"
	"terfyn/planner/risk"
)

// refusals applies the rules of governing policies about applying itself, and
// adds or raises the items that go with them. A rule of any governing policy
// counts for the whole project: there is one snapshot.
func refusals(after resource.Graph, p Plan) ([]Refusal, []risk.Item) {
	out, items := []Refusal{}, slices.Clone(p.RiskItems)
	if items == nil {
		items = []risk.Item{}
	}
	if name, required := requiring(after, func(p resource.Policy) bool { return p.RequireEvidence }); required && p.Evidence != EvidenceCurrent {
		r := RequiredEvidence("Policy/"+name, p.Evidence)
		items = append(items, risk.Item{Category: r.Category, Severity: risk.High, Target: r.Target, Reason: r.Reason})
		out = append(out, r)
	}
	name, required := requiring(after, func(p resource.Policy) bool { return p.RequireDefinitionVersions })
	if !required {
		return out, items
	}
	for i, item := range items {
		if item.Category == risk.DefinitionUnversioned {
			items[i].Severity = risk.High
			out = append(out, Refusal{item.Category, item.Target, fmt.Sprintf("%s Policy/%s requires a new version.", item.Reason, name)})
		}
	}
	for _, a := range after.Agents {
		if a.Version == "" {
			target := "Agent/" + a.Name
			reason := fmt.Sprintf("%s declares no version and Policy/%s requires one.", target, name)
			items = append(items, risk.Item{Category: risk.DefinitionUnversioned, Severity: risk.High, Target: target, Reason: reason})
			out = append(out, Refusal{risk.DefinitionUnversioned, target, reason})
		}
	}
	return out, items
}

// RequiredEvidence is the refusal for evidence that by requires and whose status
// is not EvidenceCurrent.
func RequiredEvidence(by string, status Evidence) Refusal {
	reason := fmt.Sprintf("%s requires current acceptance evidence for this configuration, and its status is: %s.", by, cmp.Or(status, EvidenceUnchecked))
	return Refusal{risk.EvidenceMissing, by, reason}
}

// requiring finds the first governing policy with a property.
func requiring(g resource.Graph, has func(resource.Policy) bool) (string, bool) {
	for _, w := range g.Workflows {
		if p, _, ok := g.GoverningPolicy(w); ok && has(p) {
			return p.Name, true
		}
	}
	for _, a := range g.Agents {
		if p, ok := g.ResolvePolicy(a.Policy); ok && has(p) {
			return p.Name, true
		}
	}
	return "", false
}
