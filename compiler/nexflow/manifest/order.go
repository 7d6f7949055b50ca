package manifest

import "slices"

// Order is a closed set of words that rise.
type Order [][]string

// The orders of nexflow.md 3 and 8. Words of one step rank alike.
var (
	Classifications = Order{{"public"}, {"internal"}, {"confidential"}, {"restricted"}}
	Access          = Order{{"none"}, {"read", "query"}, {"write"}, {"admin"}}
	Autonomy        = Order{{"manual_only"}, {"suggest_only"}, {"ask_before_changes"}, {"autonomous_safe"}, {"autonomous_extended"}}
	Risks           = Order{{"low"}, {"medium"}, {"high"}, {"critical"}}
	UpdateModes     = Order{{"automatic"}, {"actor_requested"}, {"review_required"}, {"approval_required"}, {"prohibited"}}
)

// Rank is the position of a word from zero, and whether it is a word of the order.
func (o Order) Rank(word string) (int, bool) {
	for i, step := range o {
		if slices.Contains(step, word) {
			return i, true
		}
	}
	return 0, false
}

// Above reports whether a ranks higher than b. Words outside the order are above
// nothing and below nothing.
func (o Order) Above(a, b string) bool {
	ra, known := o.Rank(a)
	rb, both := o.Rank(b)
	return known && both && ra > rb
}
