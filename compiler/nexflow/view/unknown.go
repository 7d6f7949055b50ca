package view

import (
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/schema"
)

const (
	// MaxUnknownFields is how many objects with fields that no schema knows are listed.
	MaxUnknownFields = 200
	// maxCompared is how many names of such fields are compared with known ones.
	maxCompared = 5000
	// maxSlips is how many letters a near name differs in.
	maxSlips = 2
)

// UnknownFields is an object with fields that the schema of its document does not
// know and that look like a slip: the name is nearly that of a field the object lacks,
// or a field of the object around it or one in it. Objects are open, so other fields
// that no schema knows are no mistake: they mean nothing and are not listed. Names are
// not shown.
type UnknownFields struct {
	Kind manifest.Kind `json:"kind"` // of the document
	File string        `json:"file"`
	Path string        `json:"path"`
	// Count is how many there are.
	Count int `json:"count"`
	// Near is the fields that the object lacks and that have nearly the name of one of
	// them.
	Near []string `json:"near"`
	// Misplaced is the fields among them that the object around this one, or one in it,
	// knows by that name.
	Misplaced []MisplacedField `json:"misplaced"`
	Marks     []Mark           `json:"marks"`
}

// MisplacedField is a field with the place, a JSON Pointer, of the object that it would
// mean something in.
type MisplacedField struct {
	Field string `json:"field"`
	In    string `json:"in"`
}

// strays collects objects with unknown fields.
type strays struct {
	doc *manifest.Document
	// marked needs a look, others do not; both are bounded.
	marked, others []UnknownFields
	total          int
	compared       int
}

// unknownFields lists those that need a look first, otherwise in the order of the
// documents. cut says that there are more, or that not every name was compared.
func unknownFields(set *manifest.Set) (list []UnknownFields, cut bool) {
	s := &strays{}
	for _, d := range set.Documents {
		s.doc = d
		s.visit(place{node: d.Node(), shape: schema.ShapeOf(d.Kind)}, nil)
	}
	list = append(append([]UnknownFields{}, s.marked...), s.others...)
	list = list[:min(len(list), MaxUnknownFields)]
	return list, s.total > len(list) || s.compared == maxCompared
}

// place is a value with its shape. The pattern is its path with "*" for elements.
type place struct {
	node    manifest.Node
	shape   *schema.Shape
	pattern string
}

func (p place) member(name string, shape *schema.Shape) place {
	return place{p.node.Get(name), shape, strings.TrimPrefix(p.pattern+"."+name, ".")}
}

// visit looks at a value and everything that is known below it. around is the object
// that it lies in, nil for the document.
func (s *strays) visit(p place, around *place) {
	if p.shape.Items != nil {
		for _, item := range p.node.Items() {
			s.visit(place{item, p.shape.Items, p.pattern + ".*"}, around)
		}
	}
	if len(p.shape.Members) == 0 {
		return
	}
	var unknown []string
	for _, f := range p.node.Value().Fields() {
		if _, known := p.shape.Find(f.Name); !known {
			unknown = append(unknown, f.Name)
		}
	}
	if len(unknown) > 0 {
		s.add(p, around, unknown)
	}
	for _, f := range p.node.Value().Fields() {
		if inner, known := p.shape.Find(f.Name); known && (len(inner.Members) > 0 || inner.Items != nil) {
			s.visit(p.member(f.Name, inner), &p)
		}
	}
}

func (s *strays) add(p place, around *place, unknown []string) {
	u := UnknownFields{Kind: s.doc.Kind, File: s.doc.File, Path: p.node.Path(), Count: len(unknown), Near: []string{}, Misplaced: []MisplacedField{}, Marks: []Mark{}}
	suspect := false
	for _, name := range unknown {
		if home, found := p.home(name, around); found {
			u.Misplaced = append(u.Misplaced, MisplacedField{Field: name, In: home.node.Path()})
			suspect = suspect || bearsAuthority(s.doc.Kind, home.pattern)
			continue
		}
		if near := s.near(name, p); near != "" && !slices.Contains(u.Near, near) {
			u.Near = append(u.Near, near)
			suspect = suspect || bearsAuthority(s.doc.Kind, p.pattern)
		}
	}
	if s.compared == maxCompared && bearsAuthority(s.doc.Kind, p.pattern) {
		suspect = true // among so many names one may hide
	}
	if !suspect && len(u.Near) == 0 && len(u.Misplaced) == 0 {
		return
	}
	s.total++
	if !suspect {
		s.others = appendWithin(s.others, u)
		return
	}
	u.Marks = append(u.Marks, MarkStrayField)
	s.marked = appendWithin(s.marked, u)
}

func appendWithin(list []UnknownFields, u UnknownFields) []UnknownFields {
	if len(list) == MaxUnknownFields {
		return list
	}
	return append(list, u)
}

// home is the object one level in or out that knows a field by its exact name. Lists
// have no one object that could be meant.
func (p place) home(name string, around *place) (place, bool) {
	for _, m := range p.shape.Members {
		if _, knows := m.Shape.Find(name); knows {
			return p.member(m.Name, m.Shape), true
		}
	}
	if around != nil {
		if _, knows := around.shape.Find(name); knows {
			return *around, true
		}
	}
	return place{}, false
}

// near is the field that an object lacks and that has nearly that name, "" for none.
func (s *strays) near(name string, p place) string {
	if s.compared == maxCompared {
		return ""
	}
	s.compared++
	var lacking []string
	for _, m := range p.shape.Members {
		if _, has := p.node.Value().Get(m.Name); !has {
			lacking = append(lacking, m.Name)
		}
	}
	return nearName(name, lacking)
}

// nearName is the one of the names that is nearly the given one, however either is
// written in capitals; "" for none.
func nearName(name string, names []string) string {
	spelt := map[string]string{}
	var lacking []string
	for _, n := range names {
		lower := strings.ToLower(n)
		spelt[lower] = n
		lacking = append(lacking, lower)
	}
	lower := strings.ToLower(name)
	if spelt[lower] != "" {
		return spelt[lower]
	}
	return spelt[diag.NearEdits(lower, lacking, maxSlips)]
}
