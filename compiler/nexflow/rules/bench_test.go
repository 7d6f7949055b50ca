package rules_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/canon"
)

// people is the start of the sets below: two participants who hand over to each
// other, one gate and permissions about one capability.
const people = `
-- project.yaml
{kind: Project, project: {id: p, approvalGates: [{id: g, requiredApprovers: [ann]}]}}
-- actors.yaml
{kind: ActorSet, actors: [{id: ann, kind: human}, {id: bot, kind: agent, agentRef: {kind: agent, id: bot}}]}
-- agents.yaml
{kind: AgentSet, agents: [{id: bot}]}
-- capabilities.yaml
{kind: CapabilitySet, capabilities: [{id: cut, risk: high}]}
-- permissions.yaml
{kind: PermissionSet, permissions: [{id: a, subjects: [ann, bot], capabilities: [cut], effect: approval_required, approvalGate: g}]}
-- handoffs.yaml
{kind: HandoffSet, handoffs: [{id: h, from: [ann], to: [bot]}, {id: i, from: [bot], to: [ann]}]}
`

// chainOf has n tasks that each depend on the one before, and one workflow whose
// steps are as long a chain.
func chainOf(tb testing.TB, n int) *refs.Index {
	var tasks, steps strings.Builder
	for i := range n {
		before, step := "", ""
		if i > 0 {
			before, step = fmt.Sprintf(`"t%d"`, i-1), fmt.Sprintf(`"s%d"`, i-1)
		}
		owner := []string{"ann", "bot"}[i%2]
		fmt.Fprintf(&tasks, `,{"id":"t%d","owner":"%s","dependsOn":[%s],"capabilitiesRequired":["cut"],"approvalGates":["g"]}`, i, owner, before)
		fmt.Fprintf(&steps, `,{"id":"s%d","task":"t%d","dependsOn":[%s]}`, i, i, step)
	}
	return settest.Parse(tb, people+`
-- tasks.yaml
{kind: TaskSet}
-- workflow.yaml
{kind: Workflow, workflow: {id: w}}
`).Put(tb, "tasks.yaml", "/tasks", `[`+tasks.String()[1:]+`]`).
		Put(tb, "workflow.yaml", "/workflow/stages", `[{"id":"s","steps":[`+steps.String()[1:]+`]}]`).Index()
}

// flowsOf has n workflows of three steps each, over the same tasks.
func flowsOf(tb testing.TB, n int) *refs.Index {
	set := settest.Parse(tb, people+`
-- tasks.yaml
{kind: TaskSet, tasks: [{id: t1, owner: ann}, {id: t2, owner: bot, dependsOn: [t1], capabilitiesRequired: [cut], approvalGates: [g]}, {id: t3, owner: ann, dependsOn: [t2]}]}
-- flow.yaml
{kind: Workflow, workflow: {id: w, stages: [{id: s, steps: [{id: a, task: t1}, {id: b, task: t2, dependsOn: [a]}, {id: c, task: t3, dependsOn: [b]}]}]}}
`)
	flow := set["flow.yaml"].At("workflow")
	for i := range n {
		id := canon.String("w" + strconv.Itoa(i))
		set["flow"+strconv.Itoa(i)+".yaml"] = set["flow.yaml"].With("workflow", flow.With("id", id))
	}
	return set.Without("flow.yaml").Index()
}

func BenchmarkRules(b *testing.B) {
	for _, set := range []struct {
		name string
		of   func(testing.TB, int) *refs.Index
		n    int
	}{
		{"workflows", flowsOf, 2_000}, {"workflows", flowsOf, 8_000}, {"chain", chainOf, 5_000}, {"chain", chainOf, 20_000},
	} {
		b.Run(set.name+"-"+strconv.Itoa(set.n), func(b *testing.B) {
			x := set.of(b, set.n)
			b.ReportAllocs()
			for b.Loop() {
				if found := rules.Check(x); len(found) > 0 {
					b.Fatalf("the set has findings, the first %s", found[0].Code)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*set.n), "ns/item")
		})
	}
}

// TestLongSetsAreQuiet runs the sets of the benchmark, smaller.
func TestLongSetsAreQuiet(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]*refs.Index{"chain": chainOf(t, 3_000), "workflows": flowsOf(t, 500)} {
		if found := working(x); len(found) > 0 {
			t.Errorf("%s has %d findings, the first %s", name, len(found), found[0])
		}
	}
}
