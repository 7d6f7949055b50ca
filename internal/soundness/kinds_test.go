package soundness

import (
	"fmt"
	"testing"

	"terfyn/compiler/ir"
	"terfyn/compiler/runnable"
)

// kindOf names the kind of a statement.
func kindOf(n ir.Node) string {
	switch n := n.(type) {
	case ir.Let:
		return "let"
	case ir.Agent:
		return "agent"
	case ir.Tool:
		return "tool"
	case ir.Workflow:
		return "workflow"
	case ir.Approval:
		return "approval"
	case ir.If:
		return "if"
	case ir.For:
		if n.Parallel {
			return "parallel for"
		}
		return "for"
	case ir.While:
		return "while"
	case ir.Retry:
		return "retry"
	case ir.Fork:
		return "parallel"
	case ir.Return:
		return "return"
	}
	return fmt.Sprintf("%T", n)
}

// probes are the smallest workflows that use one kind each, on an agent and a tool.
var probes = map[string]string{
	"let":          `x = doc`,
	"agent":        `A(doc)`,
	"tool":         `t.op(d: doc)`,
	"workflow":     `inner(doc)`,
	"approval":     `approval g { with { a: doc.s } }`,
	"if":           `if doc.ok { x = 1 }`,
	"for":          `for e in doc.items { x = e }`,
	"parallel for": `parallel for e in doc.items { t.op(e: e) }`,
	"while":        `while doc.ok limit 2 { x = 1 }`,
	"retry":        `retry until doc.ok limit 2 { x = 1 }`,
	"parallel":     `parallel { a = A(doc) b = t.op(d: doc) }`,
	"return":       `return doc`,
	"delegation":   `Boss(doc)`,
}

// canRun asks the compiler which kinds this build carries out: those whose probe has
// no gap.
func canRun(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for kind, statement := range probes { // each is a project of its own
		r, ds := compile(project{"main.agent": `
tool t { type mock safety { trusted true } operations { op { effects { t.write } } } }
agent A { model mock/default }
agent Boss { model mock/default grants { agent.A } }
workflow inner(doc: any) { return doc }
workflow probe(doc: any) { ` + statement + ` }
`})
		if ds.HasErrors() {
			t.Fatalf("the probe of %s does not compile:\n%s", kind, ds)
		}
		out[kind] = len(runnable.Run(r.Graph, r.Programs, "probe")) == 0
	}
	return out
}

// countWritten counts the statements of a project by kind.
func countWritten(count *tally, programs []ir.Program) {
	var walk func(nodes []ir.Node)
	walk = func(nodes []ir.Node) {
		for _, n := range nodes {
			count.add("written", kindOf(n))
			for _, b := range ir.Blocks(n) {
				walk(b.Nodes)
			}
		}
	}
	for _, p := range programs {
		walk(p.Body)
	}
}

// countExecuted counts the statements of a run that were executed for sure: what left
// evidence of its own or around something that did, and what stands before such a
// statement in its block. A run that ended well executed its whole outermost block,
// when no return could have cut it short.
func countExecuted(count *tally, p ir.Program, seen map[string]bool, succeeded bool) {
	reach(count, p.Body, "", seen, succeeded && returns(p.Body) <= 1 && endsInReturn(p.Body))
}

func reach(count *tally, nodes []ir.Node, prefix string, seen map[string]bool, after bool) bool {
	for i := len(nodes) - 1; i >= 0; i-- {
		n := nodes[i]
		site := prefix + n.Site()
		after = after || seen[site]
		for _, b := range ir.Blocks(n) {
			if reach(count, b.Nodes, b.Prefix(site), seen, false) {
				after = true
			}
		}
		if after {
			count.add("executed", kindOf(n))
		}
	}
	return after
}

func returns(nodes []ir.Node) (n int) {
	for _, node := range nodes {
		if kindOf(node) == "return" {
			n++
		}
		for _, b := range ir.Blocks(node) {
			n += returns(b.Nodes)
		}
	}
	return n
}

func endsInReturn(nodes []ir.Node) bool {
	return len(nodes) > 0 && kindOf(nodes[len(nodes)-1]) == "return"
}
