package check

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/internal/complain"
	"terfyn/compiler/source"
	"terfyn/internal/ordered"
)

// edge is one call of a workflow.
type edge struct {
	callee string
	at     source.Span
}

// recursion reports every call that closes a cycle of workflows.
func (c *checker) recursion() {
	w := &walk{checker: c, done: map[string]bool{}, depth: map[string]int{}}
	for _, name := range ordered.Keys(c.edges) {
		w.visit(name)
	}
}

type walk struct {
	*checker
	chain []string
	done  map[string]bool
	depth map[string]int // place in chain, from 1; 0 for none
}

func (w *walk) visit(name string) {
	if w.done[name] {
		return
	}
	w.chain = append(w.chain, name)
	w.depth[name] = len(w.chain)
	for _, e := range w.edges[name] {
		if i := w.depth[e.callee]; i > 0 {
			w.add(complain.RecursiveCall(e.at, circle(w.chain[i-1:])))
			continue
		}
		w.visit(e.callee)
	}
	w.chain = w.chain[:len(w.chain)-1]
	w.depth[name] = 0
	w.done[name] = true
}

// shownNames is how many names of a circle a message shows at most.
const shownNames = 40

// circle words a chain of calls that comes back to its first workflow.
func circle(chain []string) string {
	names := slices.Clone(chain[:min(len(chain), shownNames)])
	if left := len(chain) - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	return strings.Join(append(names, chain[0]), " → ")
}
