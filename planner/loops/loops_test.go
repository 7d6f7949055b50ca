package loops_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/ir"
	"terfyn/internal/canon"
	"terfyn/planner/loops"
)

var yes = ir.Test{Expr: ir.Literal{Value: canon.Bool(true)}}

func show(ls []loops.Loop, cs []loops.Call) string {
	var b strings.Builder
	for _, l := range ls {
		fmt.Fprintf(&b, "%s %s: %s limit %d bound %d total %s\n", l.Workflow, l.Site, l.Kind, l.Limit, l.Bound, l.Total)
	}
	for _, c := range cs {
		fmt.Fprintf(&b, "%s %s: at most %s of %s\n", c.Workflow, c.Site, c.AtMost, c.Callee)
	}
	return b.String()
}

// Every kind of loop has its bound, every call in it the product of those around
// it, through arms and branches; what stands outside of loops is not listed.
func TestBoundsMultiply(t *testing.T) {
	t.Parallel()
	ask := ir.Agent{ID: "ask", Agent: "writer"}
	programs := []ir.Program{
		{Workflow: "w", Body: []ir.Node{
			ask,
			ir.For{ID: "for", Var: "x", Body: []ir.Node{
				ir.If{ID: "if", Cond: yes, Then: []ir.Node{
					ir.While{ID: "while", Cond: yes, Limit: 3, Body: []ir.Node{ask, ir.Tool{ID: "t", Tool: "hub", Operation: "post"}}},
				}, Else: []ir.Node{ir.Workflow{ID: "sub", Workflow: "inner"}}},
			}},
			ir.For{ID: "for~2", Parallel: true, Body: []ir.Node{ir.Approval{ID: "look"}}},
			ir.Fork{ID: "fork", Branches: [][]ir.Node{{ir.Retry{ID: "retry", Until: yes, Limit: 5000, Body: []ir.Node{ask}}}}},
			ir.Graph{ID: "graph", Tasks: []ir.Task{{Name: "a", Body: []ir.Node{ask}}}},
		}},
		{Workflow: "a", Body: []ir.Node{ir.While{ID: "while", Cond: yes, Limit: 1}}},
	}
	got := show(loops.Of(programs, 200))
	want := `a while: while limit 1 bound 1 total 1
w for: for limit 0 bound 200 total 200
w for/if/then/while: while limit 3 bound 3 total 600
w for~2: parallel for limit 0 bound 200 total 200
w fork/0/retry: retry limit 5000 bound 200 total 200
w for/if/then/while/ask: at most 600 of agent.writer
w for/if/then/while/t: at most 600 of tool.hub.post
w for/if/else/sub: at most 200 of workflow.inner
w for~2/look: at most 200 of workflow.approval
w fork/0/retry/ask: at most 200 of agent.writer
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Products larger than a machine word stay exact.
func TestProductsAreExact(t *testing.T) {
	t.Parallel()
	body := []ir.Node{ir.Tool{ID: "t", Tool: "x", Operation: "y"}}
	want := big.NewInt(1)
	for i := range 12 {
		body = []ir.Node{ir.For{ID: fmt.Sprint("f", i), Body: body}}
		want.Mul(want, big.NewInt(1000))
	}
	_, calls := loops.Of([]ir.Program{{Workflow: "w", Body: body}}, 1000)
	if len(calls) != 1 || string(calls[0].AtMost) != want.String() {
		t.Errorf("%+v, want %s", calls, want)
	}
}

func TestTotals(t *testing.T) {
	t.Parallel()
	sums := loops.Totals([]loops.Call{{"w", "a", "tool.x.y", "3"}, {"w", "b", "tool.x.y", "4"}, {"v", "a", "tool.x.y", "5"}})
	if len(sums) != 2 || sums[loops.Key{Workflow: "w", Callee: "tool.x.y"}].Int64() != 7 || sums[loops.Key{Workflow: "v", Callee: "tool.x.y"}].Int64() != 5 {
		t.Errorf("%v", sums)
	}
}
