package soundness

import (
	"fmt"
	"slices"
	"strings"
)

func (g *generator) linef(format string, args ...any) { fmt.Fprintf(&g.text, format+"\n", args...) }

// maybe writes a line with a chance of percent.
func (g *generator) maybe(percent int, format string, args ...any) {
	if g.chance(percent) {
		g.linef(format, args...)
	}
}

func set(names []string) string { return "{ " + strings.Join(names, " ") + " }" }

func flag(b bool) string { return fmt.Sprint(b) }

func (g *generator) writeTools() {
	for _, t := range g.tools {
		g.linef("tool %s {\n    type %s", t.name, t.kind)
		switch t.kind {
		case "http":
			g.linef(`    http { baseUrl "https://t.example" headers { "X-Key" "env:T_KEY" } }`)
		case "mcp":
			g.linef(`    mcp { transport "stdio" command "server" args { "-q" } }`)
		case "temporal":
			g.linef(`    temporal { taskQueue "team" kind activity }`)
		case "native":
			g.maybe(20, `    workspace { root "area" testCommand "make" }`)
		}
		if g.chance(90) {
			g.linef("    safety {")
			g.maybe(65, "        trusted %s", flag(g.chance(90)))
			g.maybe(60, "        sideEffects %s", flag(g.chance(70)))
			g.maybe(10, "        requiresApproval %s", flag(g.chance(70)))
			g.linef("    }")
		}
		g.maybe(20, `    retry { maxAttempts 2 backoff "%s" }`, pick(g.dice, []string{"fixed", "exponential"}))
		g.maybe(10, "    limits { maxToolOutputBytes 4096 toolOutputExceedPolicy %s }", pick(g.dice, []string{"fail", "truncate"}))
		g.maybe(20, `    description "tool %s"`, t.name)
		if !t.open {
			g.linef("    operations {")
			for _, o := range t.ops {
				g.writeOperation(t, o)
			}
			g.linef("    }")
		}
		g.linef("}")
	}
}

func (g *generator) writeOperation(t toolPlan, o opPlan) {
	g.linef("        %s {", o.name)
	if o.declared {
		g.linef("            effects %s", set(o.effects))
	}
	if o.readOnly {
		g.linef("            readOnly true")
		g.maybe(25, "            timeoutSeconds 1") // a local activity
	} else {
		g.maybe(50, "            idempotency %s", pick(g.dice, []string{"key", "safe", "none"}))
	}
	if o.reconcile != "" {
		g.linef("            reconcile %s", o.reconcile)
	}
	g.maybe(10, `            schema "schemas/Args.json"`)
	g.maybe(10, "            maxInputBytes 200")
	g.maybe(10, `            description "operation %s"`, o.name)
	switch t.kind {
	case "http":
		g.linef(`            name "POST /%s"`, o.name)
	case "native":
		g.linef(`            name "echo"`)
	}
	g.linef("        }")
}

func (g *generator) writeAgents() {
	for i, a := range g.agents {
		model := "mock/default"
		if g.gaps && g.chance(20) {
			model = pick(g.dice, []string{"anthropic/any-1", "lab/any.1"})
		}
		g.linef("agent %s {\n    model %s\n    instructions %q", a.name, model, instructions(a.name))
		g.linef("    constraints { maxIterations %d }", 1+g.IntN(4))
		if a.typed {
			g.linef("    input Rec")
		}
		if a.result {
			g.linef("    output Rec")
		}
		if len(a.grants) > 0 || g.chance(30) {
			g.linef("    grants %s", set(a.grants))
		}
		if g.gaps {
			g.maybe(20, "    mayEscalate true")
			g.maybe(10, "    workingTree exclusive")
			g.maybe(10, "    fallbackModels { mock/default }")
		}
		own := g.chance(15)
		if own {
			g.linef("    policy own%d", i)
		}
		g.linef("}")
		if own {
			g.writeOwnPolicy(i)
		}
	}
}

// instructions let the model know whose turn it is.
func instructions(agent string) string { return "You are " + agent + "." }

// writeOwnPolicy makes calls of one agent stricter: gates, or effects that are
// refused when they are tried.
func (g *generator) writeOwnPolicy(agent int) {
	g.linef("policy own%d {", agent)
	var r reachable
	for _, grant := range g.agents[agent].grants {
		g.follow(grant, map[string]bool{}, &r)
	}
	slices.Sort(r.effects)
	g.writeApprovals(slices.Compact(r.operations))
	if g.chance(40) {
		g.linef("    effects { permit %s }", set(some(g.dice, slices.Compact(r.effects), 80)))
	}
	g.linef("}")
}

func (g *generator) writeApprovals(reached []string) {
	required := some(g.dice, reached, 25)
	slices.Sort(required)
	g.linef("    approvals {\n        inLoop %s", pick(g.dice, []string{"pause", "pause", "pause", "deny"}))
	if len(required) > 0 {
		g.linef("        requiredFor %s", set(slices.Compact(required)))
	}
	g.maybe(8, "        requireAllTools true")
	g.maybe(20, "        permissive true")
	silence := true
	if g.people && g.chance(50) {
		g.linef("        approvers { ann group:desk }")
		silence = false
	}
	if g.chance(12) {
		g.linef("        minApprovals 2")
		silence = false
	}
	if g.chance(15) {
		g.linef("        forbidSubmitter true")
		silence = false
	}
	if g.chance(20) {
		ways := []string{"reject", "escalate"}
		if silence {
			ways = append(ways, "approve")
		}
		g.linef("        timeoutSeconds 60\n        onTimeout %s", pick(g.dice, ways))
	}
	g.linef("    }")
}

// writeFlows writes every workflow with a policy and a clause that its reach allows.
func (g *generator) writeFlows() {
	var all []string
	known := true
	for i := range g.flows {
		r := g.reached(i)
		all, known = append(all, r.effects...), known && !r.unknown
		g.writeFlow(i, r)
	}
	if slices.Sort(all); known && g.defaults {
		name := pick(g.dice, []string{"default", "house"})
		g.writePolicy(name, slices.Compact(all), nil)
		if name == "house" {
			g.linef("defaults { policy house model mock/default runtime local }")
		}
	}
}

func (g *generator) writeFlow(i int, r reachable) {
	f := g.flows[i]
	var params []string
	for j, p := range f.params {
		params = append(params, p+": "+f.types[j])
	}
	result, clauses := "", ""
	if f.result {
		result = " -> Rec"
	}
	if (!r.unknown && g.chance(70)) || g.chance(slip) {
		name := fmt.Sprintf("rule%d", i)
		clauses = " policy " + name
		g.writePolicy(name, g.mostly(r.effects), r.operations)
	}
	if (!r.unknown && g.chance(40)) || g.chance(slip) {
		clauses += " effects " + set(g.widened(g.mostly(r.effects)))
	}
	g.linef("workflow %s(%s)%s%s", f.name, strings.Join(params, ", "), result, clauses)
	g.maybe(10, `    description "flow %d"`, i)
	g.maybe(5, "    timeoutSeconds 3600")
	if len(f.params) == 1 {
		g.maybe(5, `    trigger schedule { cron "0 9 * * 1-5" overlap skip input { n: 1 } }`)
	}
	g.maybe(5, `    trigger event "some.thing" { dedupe mail.id }`)
	g.linef("{\n%s}", f.body)
}

// slip is how often, in percent, a policy or a clause says too little: projects that
// must not compile.
const slip = 1

// mostly leaves out an effect now and then.
func (g *generator) mostly(effects []string) []string {
	if len(effects) > 0 && g.chance(slip) {
		return effects[1:]
	}
	return effects
}

// widened writes some effects by a name above them.
func (g *generator) widened(effects []string) []string {
	var out []string
	for _, e := range effects {
		if head, _, dotted := strings.Cut(e, "."); dotted && g.chance(30) {
			e = head
		}
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

func (g *generator) writePolicy(name string, effects, operations []string) {
	g.linef("policy %s {", name)
	g.maybe(20, "    preset %s", pick(g.dice, []string{"strict", "permissive", "shell_safe"}))
	g.maybe(20, "    execution { maxTotalCostUsd 2.5 maxIterations 6 }")
	slices.Sort(operations)
	g.writeApprovals(slices.Compact(operations))
	var permit, ask []string
	for _, e := range g.widened(effects) {
		if g.chance(80) {
			permit = append(permit, e)
		} else {
			ask = append(ask, e)
		}
	}
	g.linef("    effects { permit %s permitWithApproval %s }", set(permit), set(ask))
	if g.chance(50) {
		g.linef("    hitl {\n        interruptOn {")
		for _, t := range some(g.dice, g.tools, 60) {
			g.linef("            %s { allowedDecisions { approve reject edit } }", t.name)
		}
		g.linef("        }\n    }")
	}
	g.maybe(10, "    tools { forbidUnknownTools true }")
	g.linef("}")
}

func (g *generator) writeSettings() {
	if g.people || g.chance(10) {
		g.linef("environment local {")
		if g.people {
			g.linef(`    approvers { ann "ann@desk.example" ben "ben@desk.example" sam "sam@desk.example" group desk { ben sam } }`)
		}
		g.linef("    overrides { agents { A0 { constraints { maxIterations 3 } } } }\n}")
	}
	g.maybe(15, "limits { maxLoopIterations 5 maxWorkflowNesting 8 checkpointExceedPolicy fail }")
	if g.gaps {
		g.linef(`provider lab { type openai baseUrl "https://models.example/v1" apiKeyFrom "env:LAB_KEY" }`)
	}
}
