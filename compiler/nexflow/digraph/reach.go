package digraph

import (
	"cmp"
	"slices"
)

// Ask is a question about a graph: which of the nodes To does no path reach that
// begins at one of the nodes From?
type Ask struct{ From, To []string }

// Unreached answers all questions at once, for each the nodes of its To that are
// not reached, in their order. A node reaches itself. All ids must be nodes.
//
// It carries 64 questions at a time through that part of the graph which lies
// between their ends. On a chain of steps where each asks about its neighbour this
// is linear; a table of all ancestors would be quadratic.
func (g *Graph) Unreached(asks []Ask) [][]string {
	out := make([][]string, len(asks))
	c := g.components()
	spans := make([]span, 0, len(asks))
	for i, a := range asks {
		if len(a.To) > 0 {
			spans = append(spans, g.span(c, i, a))
		}
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	marks := make([]uint64, c.count())
	for batch := range slices.Chunk(spans, 64) {
		g.carry(c, asks, batch, marks)
		for bit, s := range batch {
			for _, id := range asks[s.ask].To {
				if marks[c.of[g.number[id]]]&(1<<bit) == 0 {
					out[s.ask] = append(out[s.ask], id)
				}
			}
		}
		low, high := bounds(batch)
		clear(marks[low : high+1])
	}
	return out
}

// span is the components between which the answer to a question lies.
type span struct{ ask, low, high int }

func (g *Graph) span(c *components, i int, a Ask) span {
	s := span{ask: i, low: c.count() - 1}
	for _, id := range a.From {
		s.low = min(s.low, c.of[g.number[id]])
	}
	for _, id := range a.To {
		s.high = max(s.high, c.of[g.number[id]])
	}
	// An end before every start is never reached; the span is then that end alone.
	s.low = min(s.low, s.high)
	return s
}

func bounds(batch []span) (low, high int) {
	low = batch[0].low
	for _, s := range batch {
		high = max(high, s.high)
	}
	return low, high
}

// carry sets in marks, for every component of the batch's bounds, a bit for each
// question of the batch whose starts reach it.
func (g *Graph) carry(c *components, asks []Ask, batch []span, marks []uint64) {
	low, high := bounds(batch)
	for bit, s := range batch {
		for _, id := range asks[s.ask].From {
			if at := c.of[g.number[id]]; at >= low && at <= high {
				marks[at] |= 1 << bit
			}
		}
	}
	for i := low; i <= high; i++ {
		for _, v := range c.members(i) {
			for _, p := range g.before[v] {
				if at := c.of[p]; at >= low {
					marks[i] |= marks[at]
				}
			}
		}
	}
}
