package soundness

import (
	"fmt"
	"slices"
	"strings"
)

// project is a generated project: its files by path.
type project map[string]string

// recSchema is the type Rec of generated projects: the shape of record, open.
const recSchema = `{"type":"object","properties":{"ok":{"type":"boolean"},"n":{"type":"integer"},"s":{"type":"string"},"items":{"type":"array"},"sub":{"type":"object"}}}`

// argsSchema is the schema of some operations; many calls do not fit it.
const argsSchema = `{"type":"object","properties":{"k0":{"type":["string","integer","object"]}}}`

type toolPlan struct {
	name, kind string
	open       bool // no operations block
	ops        []opPlan
}

type opPlan struct {
	capability string
	name       string
	effects    []string
	declared   bool // there is an effects block, if only an empty one
	readOnly   bool
	reconcile  string
}

type agentPlan struct {
	name   string
	typed  bool // input Rec
	result bool // output Rec
	grants []string
}

type flowPlan struct {
	name   string
	params []string
	types  []string
	result bool // -> Rec
	calls  []string
	body   string
}

// generator writes one project.
type generator struct {
	dice
	tools    []toolPlan
	agents   []agentPlan
	flows    []flowPlan
	people   bool // an environment names approvers
	gaps     bool // constructs that are rare: transports and settings of other systems
	defaults bool
	text     strings.Builder
}

// generate gives the project of a seed.
func generate(seed uint64) project {
	g := &generator{dice: throw(seed, "project")}
	g.people, g.gaps, g.defaults = g.chance(25), g.chance(12), g.chance(20)
	for i := range 2 + g.IntN(3) {
		g.tools = append(g.tools, g.planTool(i))
	}
	for i := range 2 + g.IntN(2) {
		g.agents = append(g.agents, agentPlan{name: fmt.Sprintf("A%d", i), typed: g.chance(25), result: g.chance(25)})
	}
	for i := range 2 + g.IntN(3) {
		g.flows = append(g.flows, g.planFlow(i))
	}
	for i := range g.agents {
		g.agents[i].grants = g.planGrants(i)
	}
	for i := range g.flows {
		g.flows[i].body = g.writeBody(i)
	}
	g.writeTools()
	g.writeAgents()
	g.writeFlows()
	g.writeSettings()
	return project{"main.agent": g.text.String(), "schemas/Rec.json": recSchema, "schemas/Args.json": argsSchema}
}

func (g *generator) planTool(i int) toolPlan {
	t := toolPlan{name: fmt.Sprintf("t%d", i), kind: pick(g.dice, []string{"mock", "native", "native", "http"}), open: g.chance(8)}
	if g.gaps && g.chance(40) {
		t.kind = pick(g.dice, []string{"mcp", "temporal"})
	}
	if t.open {
		return t
	}
	reader := ""
	for j := range g.IntN(5) {
		o := opPlan{name: fmt.Sprintf("op%d", j)}
		if g.chance(25) {
			o.name = fmt.Sprintf("part.op%d", j)
		}
		o.capability = "tool." + t.name + "." + o.name
		o.readOnly = g.chance(20) || (j == 0 && g.chance(35))
		pool := []string{t.name + ".read", t.name + ".write", t.name + ".write.deep", "net.send"}
		if !o.readOnly {
			pool = append(pool, "destructive")
		}
		o.effects = some(g.dice, pool, 30)
		if len(o.effects) == 0 && g.chance(85) {
			o.effects = []string{pool[0]}
		}
		o.declared = len(o.effects) > 0 || g.chance(30)
		if o.readOnly {
			reader = o.name
		} else if reader != "" && g.chance(80) {
			o.reconcile = reader
		}
		t.ops = append(t.ops, o)
	}
	return t
}

func (g *generator) planFlow(i int) flowPlan {
	f := flowPlan{name: fmt.Sprintf("w%d", i), result: g.chance(15)}
	for j := range pick(g.dice, []int{0, 1, 1, 1, 2, 3}) {
		f.params = append(f.params, fmt.Sprintf("p%d", j))
		f.types = append(f.types, pick(g.dice, []string{"any", "any", "any", "Rec"}))
	}
	return f
}

// capability is an operation some tool offers, "" when the chosen one is empty.
func (g *generator) capability() string {
	t := pick(g.dice, g.tools)
	if t.open {
		return "tool." + t.name + "." + pick(g.dice, []string{"any", "get.any"})
	}
	if len(t.ops) == 0 {
		return ""
	}
	return pick(g.dice, t.ops).capability
}

func (g *generator) planGrants(agent int) []string {
	var out []string
	for range g.IntN(5) {
		c := g.capability()
		if g.chance(4) { // delegation, also in circles
			c = "agent." + g.agents[g.IntN(len(g.agents))].name
			if g.chance(50) {
				c = "workflow." + g.flows[g.IntN(len(g.flows))].name
			}
			if c == "agent."+g.agents[agent].name {
				continue
			}
		}
		if c != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// reachable is what a resource leads to, for choosing policies and clauses that let the
// project compile.
type reachable struct {
	effects, operations []string
	unknown             bool
}

// follow walks from a callee such as tool.t.op, agent.A or workflow.w.
func (g *generator) follow(callee string, seen map[string]bool, out *reachable) {
	if seen[callee] {
		return
	}
	seen[callee] = true
	for i := range g.agents {
		if callee == "agent."+g.agents[i].name {
			for _, grant := range g.agents[i].grants {
				g.follow(grant, seen, out)
			}
		}
	}
	for i := range g.flows {
		if callee == "workflow."+g.flows[i].name {
			for _, call := range g.flows[i].calls {
				g.follow(call, seen, out)
			}
		}
	}
	if strings.HasPrefix(callee, "tool.") {
		g.followOperation(callee, seen, out)
	}
}

func (g *generator) followOperation(capability string, seen map[string]bool, out *reachable) {
	out.operations = append(out.operations, capability)
	for _, t := range g.tools {
		for _, o := range t.ops {
			if o.capability != capability {
				continue
			}
			out.unknown = out.unknown || !o.declared
			out.effects = append(out.effects, o.effects...)
			if o.reconcile != "" {
				g.follow("tool."+t.name+"."+o.reconcile, seen, out)
			}
			return
		}
	}
	out.unknown = true
}

func (g *generator) reached(flow int) reachable {
	var r reachable
	g.follow("workflow."+g.flows[flow].name, map[string]bool{}, &r)
	slices.Sort(r.effects)
	r.effects = slices.Compact(r.effects)
	return r
}
