package export_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// generator writes random projects that compile. Names collide with temporaries on
// purpose, and every statement and kind of value occurs.
type generator struct {
	*rand.Rand
	b        strings.Builder
	depth    int
	callable int // workflows w0 … before this one may be called
	parallel bool
}

var pool = []string{"a", "b", "a_arg0", "a_arg1", "b_arg0", "_t0", "_t1", "for_arg0", "a_arg0_arg0", "op_arg0", "W_arg0", "limit", "approval"}

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("    ", g.depth))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

// scope are the names that may be read.
type scope []string

func (s scope) with(name string) scope { return append(s[:len(s):len(s)], name) }

func (g *generator) ref(s scope) string {
	return s[g.IntN(len(s))] + g.one("", "", ".x", ".x.y")
}

// template is a text in a position where it may refer to things.
func (g *generator) template(s scope) string {
	return g.one(`"plain"`, `""`, `"a \"quoted\" \\ text\twith\nescapes"`,
		fmt.Sprintf(`"${%s}"`, g.ref(s)), fmt.Sprintf(`"n ${ %s } of ${%s}"`, g.ref(s), g.ref(s)), `"open ${"`)
}

func (g *generator) number() string {
	return g.one("0", "7", "-3", "0.5", "1.50", "1e3", "2.5e-9", "123456789012345678901234567890", "1e30")
}

func (g *generator) value(s scope, depth int, template bool) string {
	n := 7
	if depth > 2 {
		n = 4
	}
	switch g.IntN(n) {
	case 0:
		return g.ref(s)
	case 1:
		if template {
			return g.template(s)
		}
		return g.one(`"plain ${text}"`, `"x"`)
	case 2:
		return g.number()
	case 3:
		return g.one("true", "false")
	case 4:
		var fields []string
		for i := range g.IntN(3) {
			fields = append(fields, fmt.Sprintf("k%d: %s", i, g.value(s, depth+1, template)))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	default:
		return g.call(s, depth+1)
	}
}

func (g *generator) call(s scope, depth int) string {
	arg := func(n int) string { return fmt.Sprintf("p%d: %s", n, g.value(s, depth, true)) }
	pick := 7
	if g.callable > 0 {
		pick = 8
	}
	switch g.IntN(pick) {
	case 0:
		return "A(" + g.value(s, depth, true) + ")"
	case 1:
		return "A(arg0: " + g.value(s, depth, true) + ")"
	case 2:
		return "A(" + g.value(s, depth, true) + ", " + g.value(s, depth, true) + ")"
	case 3:
		return "t.op()"
	case 4:
		return "t.op(" + arg(0) + ")"
	case 5:
		return "t.deep.op(" + arg(1) + ", " + arg(0) + ")"
	case 6:
		return "A()"
	default:
		w := g.IntN(g.callable)
		if w%2 == 0 {
			return fmt.Sprintf("w%d(%s)", w, g.value(s, depth, true))
		}
		return fmt.Sprintf("w%d(q: %s, %s)", w, g.value(s, depth, true), g.value(s, depth, true))
	}
}

func (g *generator) cond(s scope, depth int) string {
	n := 7
	if depth > 2 {
		n = 4
	}
	switch g.IntN(n) {
	case 0, 1:
		return g.ref(s)
	case 2:
		return g.one("true", "false")
	case 3:
		return fmt.Sprintf("%s %s %s", g.ref(s), g.one("==", "!=", "<", "<=", ">", ">="), g.one(g.number(), `"plain ${x}"`, g.ref(s)))
	case 4:
		return "!(" + g.cond(s, depth+1) + ")"
	case 5:
		return "(" + g.cond(s, depth+1) + ") && (" + g.cond(s, depth+1) + ")"
	default:
		return "(" + g.cond(s, depth+1) + ") || (" + g.cond(s, depth+1) + ") || " + g.cond(s, depth+1)
	}
}

func (g *generator) block(s scope, least int) {
	g.depth++
	for range least + g.IntN(4) {
		s = g.statement(s)
	}
	g.depth--
}

func (g *generator) statement(s scope) scope {
	name := g.one(pool...)
	n := 11
	if g.depth > 3 {
		n = 4
	}
	switch g.IntN(n) {
	case 0:
		g.line("%s = %s", name, g.value(s, 0, false))
		return s.with(name)
	case 1:
		g.line("%s = %s", name, g.call(s, 0))
		return s.with(name)
	case 2:
		g.line("%s", g.call(s, 0))
	case 3:
		if !g.parallel && g.IntN(3) == 0 {
			g.line("return %s", g.value(s, 0, true))
		}
	case 4:
		g.line("if %s {", g.cond(s, 0))
		g.block(s, 0)
		if g.IntN(2) == 0 {
			g.line("} else if %s {", g.cond(s, 0))
			g.block(s, 1)
		}
		if g.IntN(2) == 0 {
			g.line("} else {")
			g.block(s, 1)
		}
		g.line("}")
	case 5:
		g.line("parallel {")
		g.line("    %s = %s", name, g.value(s, 0, false))
		g.line("    other = %s", g.call(s, 0))
		g.line("}")
		return s.with(name).with("other")
	case 6, 7, 8, 9:
		g.loop(name, s)
	default:
		g.line("approval %s { %s with { p: %s q: %s } }", name, g.one("", `description "look" redactKeys { "p" }`), g.value(s, 0, true), g.value(s, 0, true))
		return s.with(name)
	}
	return s
}

func (g *generator) loop(name string, s scope) {
	switch g.IntN(4) {
	case 0:
		g.line("for %s in %s {", name, g.one(g.ref(s), g.call(s, 1), g.template(s)))
		g.block(s.with(name), 1)
		g.line("}")
	case 1:
		before := g.parallel
		g.parallel = true
		g.line("parallel for %s in %s {", name, g.ref(s))
		g.block(s.with(name), 1)
		g.line("}")
		g.parallel = before
	case 2:
		g.line("while %s limit %d {", g.cond(s, 0), 1+g.IntN(9))
		g.block(s, 1)
		g.line("}")
	default:
		g.line("retry until %s limit %d {", g.cond(s, 0), 1+g.IntN(9))
		g.block(s, 1)
		g.line("}")
	}
}

func randomProject(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
	g.line("agent A { model mock/default %s %s }", g.one("", "policy p", "grants {}", "grants { tool.u.read agent.B workflow.w0 }"), g.one("", "constraints { temperature 0.50 maxTokens 5 }", "mayEscalate true", "workingTree exclusive", "fallbackModels { mock/b mock/a }"))
	g.line("agent B { model mock/default %s }", g.one("", `instructions "x ${not} a template"`, "instructions \"\"\"\n    one\n\n      two\n    \"\"\"", `version "1.2" replaces "1.1" changeSummary "less"`))
	g.line("tool t { type mock %s %s }", g.one("", "safety { sideEffects false }", "safety { trusted true requiresApproval false }"), g.one("", `description "d"`, "limits { maxToolOutputBytes 5 toolInputExceedPolicy fail }"))
	g.line("tool u { type mock operations { read { readOnly true %s } %s } }", g.one("", "effects {}", "effects { a }"), g.one("", "deep.write { effects { a.b, destructive } }", `drop { name "DROP" timeoutSeconds 5 idempotency key reconcile read }`))
	g.line("tool sealed { type mock operations {} }")
	g.line("policy p { %s %s %s }", g.one("", "preset strict", "preset permissive"), g.one("", "effects {}", "effects { permit { a } permitWithApproval { destructive } }"), g.one("", "egress {}", "tools { forbidUnknownTools false }", "hitl { interruptOn { u sealed { allowedDecisions { approve edit } allowedEditArgs { \"x\" } } } }"))
	if g.IntN(2) == 0 {
		g.line("environment prod { %s }", g.one("", "overrides { agents { B { constraints { temperature 0 } } } policies { p { execution { maxTotalCostUsd 1.50 } } } }", `approvers { ann "key" group ops { ann } }`, `runtime { namespace "n" }`))
	}
	for i := range 1 + g.IntN(3) {
		g.callable = i
		params := scope{"in"}
		head := "in: any"
		if i%2 == 1 {
			params, head = scope{"p", "q"}, "p: any, q: any"
		}
		g.line("workflow w%d(%s) %s {", i, head, g.one("", "policy p", "timeoutSeconds 9", `description "d"`))
		g.block(params, 2)
		g.line("}")
	}
	return g.b.String()
}

func TestRoundTripOfRandomProjects(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		src := randomProject(seed)
		if !tryRoundTrip(t, src) {
			t.Fatalf("seed %d does not compile:\n%s", seed, src)
		}
	}
}
