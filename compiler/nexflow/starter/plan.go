package starter

import "errors"

// Found is what lies at the place of a document.
type Found int

// What can lie there. The zero Found is invalid.
const (
	Absent Found = iota + 1
	Identical
	Other // other content, or no regular file
)

// Status is what became of a document.
type Status string

// The states of documents.
const (
	Created Status = "created"
	Skipped Status = "skipped"
)

// ErrAppeared tells that a file appeared, or one that was to be kept went, while
// others were being made; what the call had made is gone again.
var ErrAppeared = errors.New("the folder changed meanwhile")

// ErrNotWritable tells that the folder does not take new files; nothing was made.
var ErrNotWritable = errors.New("the folder cannot be written to")

// Plan says what to do.
type Plan struct {
	// Create and Keep share the documents out, unless there are conflicts.
	Create, Keep []File
	// Conflicts are the names of documents in whose place something else lies. With
	// one of them nothing is written.
	Conflicts []string
}

// NewPlan decides by what lies at the place of each document, in their order.
func NewPlan(files []File, found []Found) Plan {
	var p Plan
	for i, f := range files {
		switch found[i] {
		case Absent:
			p.Create = append(p.Create, f)
		case Identical:
			p.Keep = append(p.Keep, f)
		default:
			p.Conflicts = append(p.Conflicts, f.Name)
		}
	}
	if len(p.Conflicts) > 0 {
		p.Create, p.Keep = nil, nil
	}
	return p
}
