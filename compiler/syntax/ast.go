package syntax

import (
	"strings"

	"terfyn/compiler/source"
)

// Node is anything that has a place in the source.
type Node interface {
	Span() source.Span
}

// Unit is the tree of one file.
type Unit struct {
	File     *source.File
	Decls    []Decl
	Comments []Comment // in source order
}

// Comment is one // comment. Text starts with the slashes and has no line end
// and no blanks at its end.
type Comment struct {
	Text     string
	Trailing bool // a token stands before it on its line
	At       source.Span
}

// Span is the place of the comment.
func (c Comment) Span() source.Span { return c.At }

// Ident is a name as written.
type Ident struct {
	Name string
	At   source.Span
}

// Span is the place of the name.
func (i Ident) Span() source.Span { return i.At }

// Path is names joined by dots; it has at least one part.
type Path struct {
	Parts []Ident
}

// Span runs from the first to the last part.
func (p Path) Span() source.Span {
	if len(p.Parts) == 0 {
		return source.Span{}
	}
	return p.Parts[0].At.To(p.Parts[len(p.Parts)-1].At)
}

// Head is the first part.
func (p Path) Head() Ident { return p.Parts[0] }

// String joins the parts with dots.
func (p Path) String() string { return joinParts(p.Parts) }

// Text is a string literal in either form; Value is what it denotes.
type Text struct {
	Value string
	Block bool // written with three quotes; carries no meaning
	At    source.Span
}

// Span is the place of the literal with its quotes.
func (t Text) Span() source.Span { return t.At }

// Number is a number literal; Spelling is exactly what was written.
type Number struct {
	Spelling string
	At       source.Span
}

// Span is the place of the literal.
func (n Number) Span() source.Span { return n.At }

// IsInteger reports whether the spelling has neither fraction nor exponent.
func (n Number) IsInteger() bool { return !strings.ContainsAny(n.Spelling, ".eE") }

// Flag is true or false in flag or value position.
type Flag struct {
	Value bool
	At    source.Span
}

// Span is the place of the word.
func (f Flag) Span() source.Span { return f.At }

// ModelRef is provider/id.
type ModelRef struct {
	Provider Ident
	ID       Ident // may hold dots and colons
}

// Span covers provider and id.
func (m ModelRef) Span() source.Span { return m.Provider.At.To(m.ID.At) }

// String gives provider/id.
func (m ModelRef) String() string { return m.Provider.Name + "/" + m.ID.Name }

// CapabilityKind tells what a capability lets its holder call. Zero is invalid.
type CapabilityKind uint8

// The kinds of capability.
const (
	ToolCapability     CapabilityKind = iota + 1 // tool.NAME.OPERATION
	AgentCapability                              // agent.NAME
	WorkflowCapability                           // workflow.NAME
)

// Capability is one entry of grants or requiredFor. Path is complete, with the
// leading word, and has the shape its kind demands.
type Capability struct {
	Kind CapabilityKind
	Path Path
}

// Span is the place of the whole path.
func (c Capability) Span() source.Span { return c.Path.Span() }

// String is the capability as policy and traces spell it.
func (c Capability) String() string { return c.Path.String() }

// Target is the tool, agent or workflow that is named.
func (c Capability) Target() Ident { return c.Path.Parts[1] }

// Operation is the dotted operation of a tool capability, "" for the others.
func (c Capability) Operation() string { return joinParts(c.Path.Parts[2:]) }

func joinParts(parts []Ident) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.Name
	}
	return strings.Join(names, ".")
}

// CapabilitySet is { capability … }. A present but empty set is not nil.
type CapabilitySet struct {
	Items  []Capability
	Braces source.Span
}

// Span covers the braces.
func (s *CapabilitySet) Span() source.Span { return s.Braces }

// EffectSet is { effect … }. A present but empty set is not nil.
type EffectSet struct {
	Items  []Path
	Braces source.Span
}

// Span covers the braces.
func (s *EffectSet) Span() source.Span { return s.Braces }

// StringList is { "a" "b" … }.
type StringList struct {
	Items  []Text
	Braces source.Span
}

// Span covers the braces.
func (s *StringList) Span() source.Span { return s.Braces }

// IdentList is { a b … } where the grammar wants plain words.
type IdentList struct {
	Items  []Ident
	Braces source.Span
}

// Span covers the braces.
func (s *IdentList) Span() source.Span { return s.Braces }

// FieldSpan says where one kept field of a body stands: from its word to the end
// of its value.
type FieldSpan struct {
	Word string
	At   source.Span
}

// Body is the part every `{ word value … }` construct shares. Fields lists the
// kept fields in source order; the typed values live in the struct around it.
type Body struct {
	Braces source.Span
	Fields []FieldSpan
}

// Span covers the braces.
func (b *Body) Span() source.Span { return b.Braces }

// FieldAt gives the place of a field, word included; zero when it is absent.
func (b *Body) FieldAt(word string) source.Span {
	for _, f := range b.Fields {
		if f.Word == word {
			return f.At
		}
	}
	return source.Span{}
}
