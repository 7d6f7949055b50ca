package verify

import (
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
func (v *verifier) recursion() {
	w := &walk{verifier: v, done: map[string]bool{}}
	for _, name := range ordered.Keys(v.edges) {
		w.visit(name)
	}
}

type walk struct {
	*verifier
	chain []string
	done  map[string]bool
}

func (w *walk) visit(name string) {
	if w.done[name] {
		return
	}
	w.chain = append(w.chain, name)
	for _, e := range w.edges[name] {
		if i := slices.Index(w.chain, e.callee); i >= 0 {
			w.add(complain.RecursiveCall(e.at, strings.Join(append(slices.Clone(w.chain[i:]), e.callee), " → ")))
			continue
		}
		w.visit(e.callee)
	}
	w.chain = w.chain[:len(w.chain)-1]
	w.done[name] = true
}
