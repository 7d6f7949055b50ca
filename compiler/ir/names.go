package ir

import "strconv"

// Names gives names out once: the wanted name, or it with the mark and 2, 3, …
// behind when it is taken. Asking for one name again and again stays cheap.
type Names struct {
	Mark string
	// taken holds for every name given out the last number tried behind it.
	taken map[string]int
}

// Sites gives out the ids of the nodes of one block: x, x~2, x~3, … No author can
// write the mark.
func Sites() *Names { return &Names{Mark: "~"} }

// Take gives out a name.
func (n *Names) Take(wanted string) string {
	if n.taken == nil {
		n.taken = map[string]int{}
	}
	name, last := wanted, n.taken[wanted]
	for i := max(last+1, 2); n.taken[name] != 0; i++ {
		name = wanted + n.Mark + strconv.Itoa(i)
		n.taken[wanted] = i
	}
	n.taken[name] = 1
	return name
}
