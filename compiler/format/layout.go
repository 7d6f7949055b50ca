package format

import (
	"cmp"
	"slices"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// scope is a bracketed region with items inside. It prints flat, on one line, or
// tall, with one item per line one level in.
type scope struct {
	open, close string
	span        source.Span // with the brackets; zero in a tree built by hand
	items       []*item     // source order until sorted
	tall        bool        // never flat
	clauses     bool        // the unbracketed clauses of a workflow
	root        bool        // the file
	scalars     bool        // its trailing comments may fall to its end
	flatSep     string
	tallSep     string

	opening string    // trailing comment behind the opening bracket
	tail    []comment // own-line comments before the closing bracket
	noted   bool      // there is a comment somewhere inside
}

// item is one construct: pieces in a row, with the comments that go with it.
type item struct {
	rank   int
	span   source.Span
	pieces []piece
	blank  bool // the source has a blank line before it
	lead   []comment
	inner  []comment // found inside the construct but in none of its scopes
	trail  string
}

// comment is an own-line comment to print.
type comment struct {
	text     string
	blank    bool // the source has a blank line before it
	trailing bool // it was trailing in the source
}

// piece is a part of an item; exactly one of the fields is set.
type piece struct {
	text  string
	str   *string // a string literal that may print as a block
	scope *scope
	gap   *gap
}

// gap is the place between } and else, where comments may stand.
type gap struct {
	span     source.Span // from } to the next {
	word     int         // offset of else
	trail    string
	comments []comment
}

func (g *gap) empty() bool { return g.trail == "" && len(g.comments) == 0 }

func text(s string) piece          { return piece{text: s} }
func literal(t syntax.Text) piece  { return piece{str: &t.Value} }
func inside(s *scope) piece        { return piece{scope: s} }
func line(pieces ...piece) []piece { return pieces }

// tallBraces is a scope that always takes several lines unless it is empty.
func tallBraces(span source.Span) *scope {
	return &scope{open: "{", close: "}", span: span, tall: true}
}

// flatBraces is a scope that takes one line when it fits and holds no comment.
func flatBraces(span source.Span, sep string) *scope {
	return &scope{open: "{", close: "}", span: span, flatSep: sep}
}

// parens is a comma-separated scope.
func parens(span source.Span) *scope {
	return &scope{open: "(", close: ")", span: span, flatSep: ", ", tallSep: ","}
}

func (s *scope) add(span source.Span, pieces ...piece) *scope {
	s.items = append(s.items, &item{rank: len(s.items), span: span, pieces: pieces})
	return s
}

// arrange sorts items into source order for the comments; rank keeps the order
// in which they print.
func (s *scope) arrange() {
	slices.SortStableFunc(s.items, func(a, b *item) int {
		return cmp.Compare(a.span.Start.Offset, b.span.Start.Offset)
	})
}

func (s *scope) canonical() {
	slices.SortStableFunc(s.items, func(a, b *item) int { return cmp.Compare(a.rank, b.rank) })
}

func (i *item) ownComments() bool { return i.trail != "" || len(i.lead) > 0 }
