package risk_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/planner/risk"
)

// TestEachCategory makes one item of every category this package judges by itself.
func TestEachCategory(t *testing.T) {
	t.Parallel()
	house := func(g *resource.Graph) *resource.Policy { return &g.Policies[0] }
	edits := map[risk.Category]func(*resource.Graph){
		risk.ApprovalRemoval:       func(g *resource.Graph) { house(g).Preset = "" },
		risk.ApprovalTimeout:       func(g *resource.Graph) { house(g).Approvals.OnTimeout = "approve" },
		risk.ApproverRelaxation:    func(g *resource.Graph) { house(g).Approvals.MinApprovals = 1 },
		risk.SignatureRelaxation:   func(g *resource.Graph) { house(g).Approvals.Signed = false },
		risk.PolicyRelaxation:      func(g *resource.Graph) { house(g).RequireEvidence = false },
		risk.BudgetRelaxation:      func(g *resource.Graph) { house(g).Execution.MaxTotalCostUSD = "9" },
		risk.EffectPermitWidening:  func(g *resource.Graph) { house(g).Effects.Permit = []string{"mail"} },
		risk.EgressWidening:        func(g *resource.Graph) { house(g).AllowHosts = []string{"t.example", "evil.example"} },
		risk.AuthorityWidening:     func(g *resource.Graph) { g.Agents[0].Grants = []string{"tool.t.send", "tool.t.find"} },
		risk.CapabilityDelta:       func(g *resource.Graph) { g.Agents[0].Grants = []string{"tool.t.send", "tool.t.find"} },
		risk.EffectDelta:           func(g *resource.Graph) { g.Tools[0].Operations[0].Effects = []string{"mail.send", "money"} },
		risk.ToolSurfaceChange:     func(g *resource.Graph) { g.Tools[0].Exclusive = "" },
		risk.ToolTransportChange:   func(g *resource.Graph) { g.Tools[0].HTTP = &resource.HTTP{BaseURL: "https://u.example"} },
		risk.IdempotencyWeakened:   func(g *resource.Graph) { g.Tools[0].Operations[0].Idempotency = "" },
		risk.ModelChange:           func(g *resource.Graph) { g.Agents[0].Model = "mock/other" },
		risk.RuntimeTargetChange:   func(g *resource.Graph) { g.Defaults.Runtime = "far" },
		risk.TriggerAdded:          func(g *resource.Graph) { g.Workflows[0].Triggers = []resource.Trigger{{Kind: "event", Event: "in"}} },
		risk.DefinitionUnversioned: func(g *resource.Graph) { g.Agents[0].Instructions = "Other." },
	}
	for _, c := range risk.Categories() {
		if c == risk.EvidenceMissing {
			continue // made by the planner, which knows the evidence; see its tests
		}
		t.Run(string(c), func(t *testing.T) {
			t.Parallel()
			edit, ok := edits[c]
			if !ok {
				t.Fatal("no change makes an item of this category")
			}
			after := base()
			edit(&after)
			items := assess(base(), after)
			i := slices.IndexFunc(items, func(i risk.Item) bool { return i.Category == c })
			if i < 0 {
				t.Fatalf("%+v", items)
			}
			if items[i].Reason == "" || items[i].Target == "" || items[i].Severity == "" {
				t.Errorf("%+v", items[i])
			}
			reach := []risk.Category{risk.AuthorityWidening, risk.CapabilityDelta, risk.EffectDelta}
			if slices.Contains(reach, c) && len(items[i].Witness) == 0 {
				t.Errorf("an item about reach has no witness: %+v", items[i])
			}
			if slices.ContainsFunc(assess(base(), base()), func(i risk.Item) bool { return i.Category == c }) {
				t.Error("no change gives an item of this category")
			}
		})
	}
}

var constant = regexp.MustCompile(`(?m)^\t[A-Za-z]+ +Category = "([a-z_]+)"`)

// TestCategoriesAreComplete compares the list with the constants.
func TestCategoriesAreComplete(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("item.go")
	if err != nil {
		t.Fatal(err)
	}
	var declared []risk.Category
	for _, m := range constant.FindAllStringSubmatch(string(source), -1) {
		declared = append(declared, risk.Category(m[1]))
	}
	slices.Sort(declared)
	if got := risk.Categories(); !slices.Equal(got, declared) || !slices.IsSorted(got) {
		t.Errorf("%v, declared are %v", got, declared)
	}
}
