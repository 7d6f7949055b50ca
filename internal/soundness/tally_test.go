package soundness

import (
	"fmt"
	"strings"
	"sync"

	"terfyn/internal/ordered"
)

// tally counts what the whole test came to, so that it cannot quietly come to nothing.
type tally struct {
	mu     sync.Mutex
	counts map[string]map[string]int // group, what
}

func newTally() *tally { return &tally{counts: map[string]map[string]int{}} }

func (t *tally) add(group, what string) { t.addN(group, what, 1) }

func (t *tally) addN(group, what string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[group] == nil {
		t.counts[group] = map[string]int{}
	}
	t.counts[group][what] += n
}

func (t *tally) of(group, what string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[group][what]
}

// String lists all counts, one group a line.
func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	for _, group := range ordered.Keys(t.counts) {
		fmt.Fprintf(&b, "%s:", group)
		for _, what := range ordered.Keys(t.counts[group]) {
			fmt.Fprintf(&b, " %s %d,", what, t.counts[group][what])
		}
		b.WriteString("\n")
	}
	return b.String()
}
