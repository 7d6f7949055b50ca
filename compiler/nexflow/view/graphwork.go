package view

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/nexflow/refs"
)

func (t graphText) actors() {
	if len(t.by[refs.Actor]) == 0 {
		return
	}
	fmt.Fprintln(t.w, "actors")
	for _, n := range t.by[refs.Actor] {
		t.after(nil, t.g.Nodes[n].Identity, note("agent", t.targets(n, "agent-ref")), note("operated by", t.targets(n, "operated-by")),
			note("represented by", t.targets(n, "represented-by")), note("integration", t.targets(n, "integration-ref")))
	}
}

func (t graphText) tasks() {
	nodes := t.by[refs.Task]
	if len(nodes) == 0 {
		return
	}
	fmt.Fprintln(t.w, "tasks, what comes before -> what depends on it")
	for _, n := range t.sorted(nodes, refs.Task) {
		t.after(t.targets(n, "depends-on"), t.g.Nodes[n].Identity, note("owner", t.targets(n, "owner")),
			note("with", t.targets(n, "participants")), note("gates", t.targets(n, "approval-gates")))
	}
}

func (t graphText) workflows() {
	before := t.dependencies()
	for _, flow := range t.by[refs.Workflow] {
		fmt.Fprintf(t.w, "workflow %s, steps in their order\n", t.g.Nodes[flow].Identity)
		var steps []int
		for _, s := range t.by[refs.WorkflowStep] {
			if t.g.Nodes[s].File == t.g.Nodes[flow].File {
				steps = append(steps, s)
			}
		}
		for _, s := range t.sorted(steps, refs.WorkflowStep) {
			first := t.targets(s, "depends-on")
			for _, b := range before[s] {
				if !slices.Contains(first, b) {
					first = append(first, b)
				}
			}
			t.after(first, t.g.Nodes[s].Identity, note("task", t.targets(s, "task")),
				note("gates", t.targets(s, "approval-gates")), note("emits", t.targets(s, "emits")))
		}
		for _, p := range t.g.pairs() {
			if from, to := t.g.Edges[p.from], t.g.Edges[p.to]; from.File == t.g.Nodes[flow].File && to.Status != EdgeResolved {
				t.after([]string{t.g.target(from)}, t.g.target(to))
			}
		}
	}
}

// dependencies is what comes before a step because its workflow says so.
func (t graphText) dependencies() map[int][]string {
	out := map[int][]string{}
	for _, p := range t.g.pairs() {
		if to := t.g.ends[p.to].to; to >= 0 {
			out[to] = append(out[to], t.g.target(t.g.Edges[p.from]))
		}
	}
	return out
}

// sorted puts nodes of a kind behind what they wait for; what waits in a circle
// stays at the end, as it is declared.
func (t graphText) sorted(nodes []int, kind refs.Space) []int {
	waits := map[int]int{}
	next := map[int][]int{}
	for _, o := range t.g.orders(kind) {
		waits[o.after]++
		next[o.before] = append(next[o.before], o.after)
	}
	var out []int
	done := map[int]bool{}
	put := func(n int) {
		done[n] = true
		out = append(out, n)
		for _, m := range next[n] {
			waits[m]--
		}
	}
	for more := true; more; {
		more = false
		for _, n := range nodes {
			if !done[n] && waits[n] == 0 {
				put(n)
				more = true
			}
		}
	}
	for _, n := range nodes {
		if !done[n] {
			out = append(out, n)
		}
	}
	return out
}

func (t graphText) handoffs() {
	if len(t.by[refs.Handoff]) == 0 {
		return
	}
	fmt.Fprintln(t.w, "handoffs, from -> to")
	for _, n := range t.by[refs.Handoff] {
		from, to := t.targets(n, "from"), t.targets(n, "to")
		t.after([]string{orNobody(from)}, orNobody(to), note("artifacts", t.targets(n, "artifacts")), "handoff "+t.g.Nodes[n].Identity)
	}
}

func orNobody(ids []string) string {
	if len(ids) == 0 {
		return "nobody"
	}
	return strings.Join(ids, ", ")
}

func (t graphText) permissions() {
	if len(t.by[refs.Permission]) == 0 {
		return
	}
	fmt.Fprintln(t.w, "permissions, subjects -> capabilities")
	for _, n := range t.by[refs.Permission] {
		effect := t.g.effects[n]
		if gate := t.targets(n, "approval-gate"); len(gate) > 0 {
			effect += " at gate " + strings.Join(gate, ", ")
		}
		t.after([]string{orNobody(t.targets(n, "subjects"))}, strings.Join(t.targets(n, "capabilities"), ", "), effect, "permission "+t.g.Nodes[n].Identity)
	}
}
