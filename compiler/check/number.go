package check

import (
	"strconv"

	"terfyn/compiler/ir"
	"terfyn/compiler/syntax"
	"terfyn/internal/canon"
)

// whole complains about a whole number that the running system cannot hold.
// Absent numbers are fine.
func (c *checker) whole(what string, n *syntax.Number) {
	if n == nil {
		return
	}
	if _, err := strconv.ParseInt(n.Spelling, 10, 64); err != nil {
		c.add(numberOutOfRange(n.At, what, n.Spelling, "at most 9223372036854775807"))
	}
}

// rounds checks the limit of a loop.
func (c *checker) rounds(n syntax.Number) {
	if i, err := strconv.ParseInt(n.Spelling, 10, 64); err != nil || i > ir.MaxLimit {
		c.add(numberOutOfRange(n.At, "limit", n.Spelling, "at most "+strconv.Itoa(ir.MaxLimit)))
	}
}

// between checks a decimal against bounds, inclusive; high "" is unbounded.
func (c *checker) between(what string, n *syntax.Number, low, high string) {
	if n == nil {
		return
	}
	want := low + " or more"
	if high != "" {
		want = "from " + low + " to " + high
	}
	if !inRange(n.Spelling, low, high) {
		c.add(numberOutOfRange(n.At, what, n.Spelling, want))
	}
}

// inRange compares exactly; what is no number of the value model is in no range.
func inRange(spelling, low, high string) bool {
	v, err := canon.Number(spelling)
	if err != nil {
		return false
	}
	if order, _ := canon.Compare(v, bound(low)); order < 0 {
		return false
	}
	if high == "" {
		return true
	}
	order, _ := canon.Compare(v, bound(high))
	return order <= 0
}

func bound(s string) canon.Value {
	v, err := canon.Number(s)
	if err != nil {
		panic("check: malformed bound " + s)
	}
	return v
}
