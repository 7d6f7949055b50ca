package manifest

import "terfyn/internal/canon"

// Document is one manifest.
type Document struct {
	// File is the locator it was loaded by, relative to the root, with slashes.
	File string
	Kind Kind
	Root canon.Value
	// Text is what the document was read from, nil when it was not read. It only serves
	// to find positions.
	Text []byte
}

// Node is the whole document.
func (d *Document) Node() Node { return Node{doc: d, value: d.Root, exists: true} }

// Mode is how the documents of a set were chosen (nexflow.md 4.1).
type Mode string

// The modes.
const (
	DirectoryProject   Mode = "directory-project"
	ProjectSourceHints Mode = "project-source-hints"
	ExplicitFileList   Mode = "explicit-file-list"
)

// Set is the documents of one project, ordered by file.
type Set struct {
	Documents []*Document
	byKind    map[Kind][]*Document
}

// NewSet makes a set of documents that are ordered by file.
func NewSet(documents []*Document) *Set {
	s := &Set{Documents: documents, byKind: map[Kind][]*Document{}}
	for _, d := range documents {
		s.byKind[d.Kind] = append(s.byKind[d.Kind], d)
	}
	return s
}

// Of is the documents of a kind in file order.
func (s *Set) Of(k Kind) []*Document { return s.byKind[k] }

// Has reports whether the set has a document of the kind.
func (s *Set) Has(k Kind) bool { return len(s.byKind[k]) > 0 }

// Project is the project object of the set's Project document; an absent node
// when there is none.
func (s *Set) Project() Node { return s.one(Project) }

// Declared is the declarations of a kind, over all of its documents: the elements
// of its list, or the single object of Project and Workflow.
func (s *Set) Declared(k Kind) []Node {
	info, known := k.Info()
	if !known {
		return nil
	}
	var out []Node
	for _, d := range s.byKind[k] {
		list := d.Node().Get(info.List)
		if k == Project || k == Workflow {
			if list.Exists() {
				out = append(out, list)
			}
			continue
		}
		out = append(out, list.Items()...)
	}
	return out
}

func (s *Set) one(k Kind) Node {
	if all := s.Declared(k); len(all) > 0 {
		return all[0]
	}
	return Node{}
}
