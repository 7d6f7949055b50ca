package format

import (
	"strings"

	"terfyn/compiler/syntax"
)

// Binding strength of conditions, weakest first.
const (
	orLevel = iota + 1
	andLevel
	compareLevel
	unaryLevel
)

func levelOf(c syntax.Cond) int {
	switch c.(type) {
	case *syntax.OrCond:
		return orLevel
	case *syntax.AndCond:
		return andLevel
	case *syntax.CompareCond:
		return compareLevel
	default:
		return unaryLevel
	}
}

// condition prints a condition with the fewest parentheses that parse to the
// same tree.
func condition(c syntax.Cond) string {
	var b strings.Builder
	writeCond(&b, c, orLevel)
	return b.String()
}

// writeCond prints c where the grammar wants something at least as strong as
// level.
func writeCond(b *strings.Builder, c syntax.Cond, level int) {
	if levelOf(c) < level {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch c := c.(type) {
	case *syntax.OrCond:
		writeTerms(b, c.Terms, " || ", orLevel)
	case *syntax.AndCond:
		writeTerms(b, c.Terms, " && ", andLevel)
	case *syntax.CompareCond:
		writeCond(b, c.Left, unaryLevel)
		b.WriteString(" " + c.Op + " ")
		writeCond(b, c.Right, unaryLevel)
	case *syntax.NotCond:
		b.WriteByte('!')
		writeCond(b, c.X, unaryLevel)
	case *syntax.PathCond:
		b.WriteString(c.Path.String())
	case *syntax.StringCond:
		b.WriteString(quote(c.Text.Value))
	case *syntax.NumberCond:
		b.WriteString(c.Number.Spelling)
	case *syntax.BoolCond:
		b.WriteString(boolWord(c.Flag.Value))
	}
}

// writeTerms prints terms of one operator. A later term of the same operator was
// parenthesised in the source and stays so: the tree has it as a term.
func writeTerms(b *strings.Builder, terms []syntax.Cond, op string, level int) {
	for i, t := range terms {
		if i > 0 {
			b.WriteString(op)
		}
		writeCond(b, t, level+1)
	}
}

func boolWord(v bool) string {
	if v {
		return "true"
	}
	return "false"
}
