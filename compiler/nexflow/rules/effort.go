package rules

// mostSteps is how many elementary steps a rule may spend on comparing everyone
// with everything. No set that people write comes near it; a set that is made to
// keep a checker busy gets the stricter answer then, never silence.
const mostSteps = 25_000_000

// maxRelated is how many places one finding names. Permissions of a hostile set
// could all meet all others; no more than this is of use to a reader.
const maxRelated = 200

// notCompared ends the message of a finding that stands for the stricter answer.
const notCompared = ", since there is more to compare than is compared here."

// effort counts the steps of one rule.
type effort struct{ left, spent int }

// effort is a new count, which the checker knows of.
func (c *checker) effort() *effort {
	e := &effort{left: c.mostSteps}
	c.efforts = append(c.efforts, e)
	return e
}

// spend counts steps of work that is bounded by itself.
func (e *effort) spend(steps int) { e.spent += steps }

// take counts steps and reports whether they may still be made. Once they may not,
// no others may.
func (e *effort) take(steps int) bool {
	if e.left < steps {
		e.left = 0
		return false
	}
	e.left -= steps
	e.spent += steps
	return true
}
