package rules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/settest"
)

// dice makes the parts of random sets: few ids of each sort, so that lists overlap.
type dice struct{ *rand.Rand }

// some is a list of ids with a common beginning, some of them twice, some not
// declared.
func (d dice) some(prefix string, ids, most int) string {
	var out []string
	for range d.IntN(most + 1) {
		out = append(out, fmt.Sprintf(`"%s%d"`, prefix, d.IntN(ids)))
	}
	return "[" + strings.Join(out, ",") + "]"
}

func (d dice) one(prefix string, ids int) string { return fmt.Sprintf("%s%d", prefix, d.IntN(ids)) }

func (d dice) of(words ...string) string { return words[d.IntN(len(words))] }

// objects is n objects, written by a function of their number.
func objects(n int, write func(i int) string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = "{" + write(i) + "}"
	}
	return "[" + strings.Join(out, ",") + "]"
}

// permissions is how many permissions a set has: few, or few and many others that
// are about nobody, or now and then so many that not all of them are named.
func permissions(d dice, seed uint64) int {
	switch {
	case seed%3 == 1:
		return 150
	case seed%60 == 0:
		return 900
	}
	return d.IntN(14)
}

// randomSet is a set about which there is much to say: five participants p0 to p4,
// five capabilities, gates, permissions, tasks, steps and handoffs between them.
func randomSet(t testing.TB, seed uint64) settest.Files {
	d := dice{rand.New(rand.NewPCG(seed, 11))}
	set := settest.Parse(t, `
-- project.yaml
{kind: Project, project: {id: p, policies: {networkAccess: {}}}}
-- agents.yaml
{kind: AgentSet, agents: [{id: a0}, {id: a1}]}
-- actors.yaml
{kind: ActorSet}
-- capabilities.yaml
{kind: CapabilitySet}
-- permissions.yaml
{kind: PermissionSet}
-- definitions.yaml
{kind: AgentDefinitionSet}
-- tasks.yaml
{kind: TaskSet}
-- flow.yaml
{kind: Workflow, workflow: {id: w}}
-- handoffs.yaml
{kind: HandoffSet}
`)
	p := parts{dice: d, t: t, set: set}
	p.policy(seed)
	p.work()
	return p.set
}

// parts fills a set.
type parts struct {
	dice
	t   testing.TB
	set settest.Files
}

func (p *parts) put(file, pointer, json string) { p.set = p.set.Put(p.t, file+".yaml", pointer, json) }

// policy is gates, participants, capabilities and permissions.
func (p *parts) policy(seed uint64) {
	d := p.dice
	p.put("project", "/project/approvalGates", objects(3, func(i int) string {
		return fmt.Sprintf(`"id":"g%d","requiredApprovers":%s,"targets":[{"kind":"task","id":"%s"},{"kind":"workflow-step","id":"%s","scope":{"kind":"workflow","id":"w"}}]`,
			i, d.some("p", 6, 3), d.one("t", 6), d.one("s", 7))
	}))
	p.put("project", "/project/policies/networkAccess/rules", objects(2, func(i int) string {
		return fmt.Sprintf(`"id":"n%d","effect":"%s","actors":%s`, i, d.of("allow", "deny"), d.some("p", 6, 4))
	}))
	p.put("actors", "/actors", objects(5, func(i int) string {
		if i < 2 {
			return fmt.Sprintf(`"id":"p%d","kind":"agent","agentRef":{"kind":"agent","id":"a%d"}`, i, i)
		}
		return fmt.Sprintf(`"id":"p%d","kind":"%s"`, i, d.of("human", "service"))
	}))
	capabilities := []string{"c0", "c1", "c2", "c3", "access_network"}
	p.put("capabilities", "/capabilities", objects(len(capabilities), func(i int) string {
		return fmt.Sprintf(`"id":"%s","risk":"%s"`, capabilities[i], d.of("low", "high"))
	}))
	p.put("permissions", "/permissions", objects(permissions(d, seed), func(i int) string {
		if seed%3 == 1 && i >= 14 {
			return fmt.Sprintf(`"id":"r%d","subjects":["nobody"],"capabilities":["nothing"],"effect":"%s","approvalGate":"g0"`, i, d.of("allow", "approval_required", "deny"))
		}
		gate := d.of("", fmt.Sprintf(`,"approvalGate":"%s"`, d.one("g", 4)))
		list := strings.ReplaceAll(d.some("c", 6, 4), "c5", "access_network")
		return fmt.Sprintf(`"id":"r%d","subjects":%s,"capabilities":%s,"effect":"%s"%s`, i, d.some("p", 6, 4), list, d.of("allow", "approval_required", "deny", "allow"), gate)
	}))
}

// work is definitions, tasks, the steps of a workflow and handoffs.
func (p *parts) work() {
	d := p.dice
	p.put("definitions", "/agentDefinitions", objects(2, func(i int) string {
		return fmt.Sprintf(`"id":"d%d","agentRef":"a%d","definitionVersion":"1","components":{"capabilityRefs":%s,"permissionRefs":%s}`, i, i, d.some("c", 5, 4), d.some("r", 9, 4))
	}))
	p.put("tasks", "/tasks", objects(5, func(i int) string {
		before := "[]"
		if i > 0 {
			before = d.some("t", i, 3)
		}
		return fmt.Sprintf(`"id":"t%d","owner":"%s","participants":%s,"dependsOn":%s,"capabilitiesRequired":%s,"approvalGates":%s`,
			i, d.one("p", 6), d.some("p", 5+d.IntN(2), 3), before, d.some("c", 5, 4), d.some("g", 3+d.IntN(2), 2))
	}))
	p.put("flow", "/workflow/stages", `[{"id":"one","steps":`+objects(6, func(i int) string {
		return fmt.Sprintf(`"id":"s%d","task":"%s","dependsOn":%s,"approvalGates":%s`, i, d.one("t", 6), d.some("s", 7, 2), d.some("g", 4, 2))
	})+`}]`)
	p.put("handoffs", "/handoffs", objects(d.IntN(4), func(i int) string {
		return fmt.Sprintf(`"id":"h%d","from":%s,"to":%s`, i, d.some("p", 6, 3), d.some("p", 6, 3))
	}))
}
