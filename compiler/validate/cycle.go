package validate

import (
	"fmt"
	"slices"
	"strings"
)

// onCycles gives the nodes that lie on a cycle of next. It walks every edge once,
// so that only what really goes round is looked at more closely.
func onCycles(nodes []string, next map[string][]string) map[string]bool {
	t := &tarjan{next: next, seen: map[string]int{}, low: map[string]int{}, open: map[string]bool{}, found: map[string]bool{}}
	for _, n := range nodes {
		if t.seen[n] == 0 {
			t.visit(n)
		}
	}
	return t.found
}

// tarjan finds strongly connected components; those of more than one node, and
// nodes that lead to themselves, are the cycles.
type tarjan struct {
	next  map[string][]string
	seen  map[string]int // order of the first visit, from 1
	low   map[string]int
	stack []string
	open  map[string]bool // on the stack
	found map[string]bool
}

func (t *tarjan) visit(n string) {
	t.seen[n] = len(t.seen) + 1
	t.low[n] = t.seen[n]
	t.stack = append(t.stack, n)
	t.open[n] = true
	for _, to := range t.next[n] {
		switch {
		case to == n:
			t.found[n] = true
		case t.seen[to] == 0:
			t.visit(to)
			t.low[n] = min(t.low[n], t.low[to])
		case t.open[to]:
			t.low[n] = min(t.low[n], t.seen[to])
		}
	}
	if t.low[n] != t.seen[n] {
		return
	}
	at := len(t.stack) - 1
	for t.stack[at] != n {
		at--
	}
	for _, member := range t.stack[at:] {
		t.open[member] = false
		if len(t.stack)-at > 1 {
			t.found[member] = true
		}
	}
	t.stack = t.stack[:at]
}

// cycleFrom finds a shortest path from start back to start, ends included; nil
// when there is none.
func cycleFrom(start string, next map[string][]string) []string {
	from := map[string]string{}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for _, to := range next[queue[0]] {
			if to == start {
				path := []string{start}
				for at := queue[0]; at != start; at = from[at] {
					path = append(path, at)
				}
				path = append(path, start)
				slices.Reverse(path)
				return path
			}
			if _, seen := from[to]; !seen {
				from[to] = queue[0]
				queue = append(queue, to)
			}
		}
	}
	return nil
}

// depth is how deep calls nest below a workflow, and the callee where they do.
type depth struct {
	calls int
	next  string
}

// depthOf fills known for from and everything below it. next must have no cycle.
func depthOf(from string, next map[string][]string, known map[string]depth) int {
	if d, ok := known[from]; ok {
		return d.calls
	}
	deepest := depth{}
	for _, to := range next[from] {
		if n := depthOf(to, next, known) + 1; n > deepest.calls {
			deepest = depth{calls: n, next: to}
		}
	}
	known[from] = deepest
	return deepest.calls
}

// shownNames is how many names of a chain a message shows at most.
const shownNames = 40

// chainFrom words the deepest chain below a workflow.
func chainFrom(from string, known map[string]depth) string {
	names := []string{from}
	for d := known[from]; d.calls > 0 && len(names) < shownNames; d = known[d.next] {
		names = append(names, d.next)
	}
	if left := known[from].calls + 1 - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	return strings.Join(names, " -> ")
}
