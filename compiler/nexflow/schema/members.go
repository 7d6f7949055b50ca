package schema

import (
	"strings"
	"sync"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// Shape is what the schemas know of the values in one place of a document.
type Shape struct {
	// Members is the members that an object is known to have, in an order that does not
	// change. Without any the value may be anything.
	Members []Member
	// Items is what the elements of a list are, nil where they have no members.
	Items *Shape
}

// Member is one member that an object may have.
type Member struct {
	Name  string
	Shape *Shape
}

// Find is the shape of a member, and whether there is such a member.
func (s *Shape) Find(name string) (*Shape, bool) {
	for _, m := range s.Members {
		if m.Name == name {
			return m.Shape, true
		}
	}
	return nil, false
}

// ShapeOf is the shape of the documents of a kind, empty when the schemas of this
// build do not load. Members that are always refused are not part of it. The shape is
// shared.
func ShapeOf(k manifest.Kind) *Shape {
	if s := shapes()[k]; s != nil {
		return s
	}
	return &Shape{}
}

var shapes = sync.OnceValue(func() map[manifest.Kind]*Shape {
	out := map[manifest.Kind]*Shape{}
	l, err := builtin()
	if err != nil {
		return out
	}
	for _, info := range manifest.Kinds() {
		out[info.Kind] = &Shape{}
		l.shape(out[info.Kind], roots[info.Kind], l.documents[base+roots[info.Kind]])
	}
	return out
})

// shape adds to s what one schema of a document says. The keywords that only bound
// members have no part in it: each member they bound is in properties as well.
func (l *library) shape(s *Shape, document string, schema canon.Value) {
	if ref := schema.Str("$ref"); ref != "" {
		name, target := l.lookup(document, ref)
		l.shape(s, name, target)
	}
	for _, choice := range []string{"oneOf", "anyOf"} {
		for _, branch := range schema.At(choice).Items() {
			l.shape(s, document, branch)
		}
	}
	for _, f := range schema.At("properties").Fields() {
		if not, refused := f.Value.Get("not"); refused && len(not.Fields()) == 0 {
			continue
		}
		member, known := s.Find(f.Name)
		if !known {
			member = &Shape{}
			s.Members = append(s.Members, Member{f.Name, member})
		}
		l.shape(member, document, f.Value)
	}
	if items, ok := schema.Get("items"); ok {
		inner := s.Items
		if inner == nil {
			inner = &Shape{}
		}
		l.shape(inner, document, items)
		if len(inner.Members) > 0 || inner.Items != nil {
			s.Items = inner
		}
	}
}

// lookup follows a reference that stands in a schema document.
func (l *library) lookup(document, ref string) (name string, target canon.Value) {
	name, pointer, _ := strings.Cut(ref, "#")
	if name == "" {
		name = document
	}
	target = l.documents[base+name]
	for _, segment := range strings.Split(pointer, "/")[1:] {
		target = target.At(segment)
	}
	return name, target
}
