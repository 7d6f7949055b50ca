package manifest

import (
	"strconv"
	"strings"

	"terfyn/internal/canon"
)

// Node is a value in a document together with its place. The zero Node is an
// absent value; so is what Get returns for a missing member, which still has the
// place where the member would stand. Accessors of an absent node or of another
// type of value return the zero of their result, so that rules read straight on:
// what is missing has been reported by the schema layer, or means nothing.
type Node struct {
	doc    *Document
	path   string
	value  canon.Value
	exists bool
}

// Exists reports whether there is a value.
func (n Node) Exists() bool { return n.exists }

// Document is the document the node belongs to, nil for the zero Node.
func (n Node) Document() *Document { return n.doc }

// File is the file of the document.
func (n Node) File() string {
	if n.doc == nil {
		return ""
	}
	return n.doc.File
}

// Path is the JSON Pointer of the node; "" is the document itself.
func (n Node) Path() string { return n.path }

// Value is the value itself.
func (n Node) Value() canon.Value { return n.value }

// Get is the member of an object.
func (n Node) Get(name string) Node {
	v, ok := n.value.Get(name)
	return Node{doc: n.doc, path: n.path + "/" + Escape(name), value: v, exists: ok}
}

// At follows names through objects.
func (n Node) At(names ...string) Node {
	for _, name := range names {
		n = n.Get(name)
	}
	return n
}

// Items is the elements of an array.
func (n Node) Items() []Node {
	vs := n.value.Items()
	if len(vs) == 0 {
		return nil
	}
	out := make([]Node, len(vs))
	for i, v := range vs {
		out[i] = Node{doc: n.doc, path: n.path + "/" + strconv.Itoa(i), value: v, exists: true}
	}
	return out
}

// Len is the number of elements of an array.
func (n Node) Len() int { return len(n.value.Items()) }

// Text is the string, "" for anything else.
func (n Node) Text() string {
	s, _ := n.value.AsString()
	return s
}

// Is reports whether the node is the string s.
func (n Node) Is(s string) bool {
	t, ok := n.value.AsString()
	return ok && t == s
}

// True reports whether the node is the boolean true.
func (n Node) True() bool {
	b, _ := n.value.AsBool()
	return b
}

// Texts is the strings of an array; elements of other types are left out.
func (n Node) Texts() []string {
	vs := n.value.Items()
	out := make([]string, 0, len(vs))
	for _, v := range vs {
		if s, ok := v.AsString(); ok {
			out = append(out, s)
		}
	}
	return out
}

// TextSet is the strings of an array as a set.
func (n Node) TextSet() map[string]bool {
	vs := n.value.Items()
	out := make(map[string]bool, len(vs))
	for _, v := range vs {
		if s, ok := v.AsString(); ok {
			out[s] = true
		}
	}
	return out
}

// Lists reports whether the array has the string s.
func (n Node) Lists(s string) bool {
	for _, v := range n.value.Items() {
		if t, ok := v.AsString(); ok && t == s {
			return true
		}
	}
	return false
}

// Place is where the node stands.
func (n Node) Place() Place { return Place{File: n.File(), Path: n.path} }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Escape writes a member name as a JSON Pointer segment.
func Escape(name string) string {
	if strings.ContainsAny(name, "~/") {
		return pointerEscapes.Replace(name)
	}
	return name
}
