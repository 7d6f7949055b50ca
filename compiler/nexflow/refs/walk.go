package refs

import (
	"strings"

	"terfyn/compiler/nexflow/manifest"
)

// Reference is one value that refers to something.
type Reference struct {
	Row   *Row
	place int // of Row in the table
	// To is the target namespace, ID the target as written and Scope the workflow
	// that it lies in, for steps and stages.
	To        Space
	ID, Scope string
	// Node is the referring value.
	Node manifest.Node
	// Parent is the object or array that holds Node.
	Parent manifest.Node
}

// References iterates over every value of the documents that the table names and that is a
// text, document by document in file order and within a document in the order of
// the table. Whether Row.When holds is left to the caller, except that words
// without the form of an event type are no references.
func (x *Index) References(yield func(Reference) bool) {
	for _, d := range x.set.Documents {
		shape := shapes[d.Kind]
		if shape == nil {
			continue
		}
		w := walker{yield: yield}
		if d.Kind == manifest.Workflow {
			w.workflow = d.Node().At("workflow", "id").Text()
		}
		if !w.visit(shape, d.Node(), manifest.Node{}, manifest.Node{}) {
			return
		}
	}
}

// shape is the part of the table below one place in documents of a kind.
type shape struct {
	name     string // member, or "*" for every element
	row      *Row   // set at the end of a pointer
	place    int    // of row in the table
	children []*shape
}

// shapes is the table as one tree for each kind.
var shapes = shapesOf(table)

func shapesOf(rows []Row) map[manifest.Kind]*shape {
	out := map[manifest.Kind]*shape{}
	for i := range rows {
		at := out[rows[i].From]
		if at == nil {
			at = &shape{}
			out[rows[i].From] = at
		}
		for _, name := range strings.Split(rows[i].Pointer, "/")[1:] {
			at = at.child(name)
		}
		at.row, at.place = &rows[i], i
	}
	return out
}

func (s *shape) child(name string) *shape {
	for _, c := range s.children {
		if c.name == name {
			return c
		}
	}
	c := &shape{name: name}
	s.children = append(s.children, c)
	return c
}

type walker struct {
	workflow string
	yield    func(Reference) bool
}

// visit reports whether to go on. The grandparent is where a target's scope has
// its target.
func (w *walker) visit(s *shape, n, parent, grandparent manifest.Node) bool {
	if s.row != nil && !w.reference(s, n, parent, grandparent) {
		return false
	}
	for _, c := range s.children {
		if c.name == "*" {
			for _, item := range n.Items() {
				if !w.visit(c, item, n, parent) {
					return false
				}
			}
			continue
		}
		if member := n.Get(c.name); member.Exists() && !w.visit(c, member, n, parent) {
			return false
		}
	}
	return true
}

func (w *walker) reference(s *shape, n, parent, grandparent manifest.Node) bool {
	row := s.row
	id, text := n.Value().AsString()
	if !text {
		return true
	}
	r := Reference{Row: row, place: s.place, To: row.To, ID: id, Node: n, Parent: parent}
	switch row.When {
	case EventShaped:
		if !manifest.IsEventType(id) {
			return true
		}
	case SameWorkflow:
		r.Scope = w.workflow
	case OwnKind:
		r.To = Space(parent.Get("kind").Text())
		r.Scope = parent.At("scope", "id").Text()
	case NeedsActorSet:
		r.Parent = grandparent // the list of the references
	}
	return w.yield(r)
}
