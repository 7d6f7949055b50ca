package manifest

// Position is a place in the text of a document, for people and editors. The zero
// Position is an unknown one.
type Position struct {
	Line   int // from 1
	Column int // from 1, in characters
	// UTF16 is Column in UTF-16 code units; 0 where only the line is known.
	UTF16 int
}

// Known reports whether the position is one.
func (p Position) Known() bool { return p.Line > 0 }

// RedactedMember stands in a path for a member whose name is not repeated.
const RedactedMember = "<redacted>"

// Sought is a place that is looked for in the text of a document.
type Sought struct {
	// Path is the JSON Pointer. Where something on it is missing, the nearest place
	// that is there counts.
	Path string
	// Known is the members that an object may have; the first other one is meant when
	// the path ends with RedactedMember.
	Known []string
}
