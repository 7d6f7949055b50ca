package manifest

import "slices"

// MaxHeld is how many findings are kept once there are twice as many. No output
// shows that many, and a hostile set has some for every few bytes.
const MaxHeld = 50_000

// Findings collects records without holding more of them than can matter: the first
// in order, and the first error and the first warning wherever they come. What is
// let go comes after all that is kept, so that the first records in order and
// whether there is an error or a warning are always right. The zero Findings is
// empty.
type Findings struct {
	held []Record
	// last is the last record of the ones that are kept once some were let go.
	last *Record
	seen [3]bool // severities among held, by rank
}

// Add takes a record.
func (f *Findings) Add(r Record) {
	if f.last != nil && f.seen[r.Severity.rank()] && compareRecords(r, *f.last) > 0 {
		return
	}
	f.seen[r.Severity.rank()] = true
	f.held = append(f.held, r)
	if len(f.held) >= 2*MaxHeld {
		f.shorten()
	}
}

// Records is what was kept, in no particular order.
func (f *Findings) Records() []Record { return slices.Clip(f.held) }

// shorten keeps its array, so that a set with very many findings does not make it
// grow again and again.
func (f *Findings) shorten() {
	Sort(f.held)
	kept, rest := f.held[:MaxHeld], f.held[MaxHeld:]
	last := kept[MaxHeld-1]
	var firsts []Record
	for _, s := range []Severity{Error, Warning, Info} {
		is := func(r Record) bool { return r.Severity == s }
		if slices.ContainsFunc(kept, is) {
			continue
		}
		if i := slices.IndexFunc(rest, is); i >= 0 {
			firsts = append(firsts, rest[i])
		}
	}
	clear(rest)
	f.held, f.last = append(kept, firsts...), &last
}
