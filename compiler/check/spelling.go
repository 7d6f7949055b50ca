package check

import (
	"strings"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// operationPlace is the part of a place that spells the operation: the whole, or the
// end of tool.operation and tool.TOOL.OPERATION. It is zero where the spelling is
// another.
func operationPlace(at source.Span, tool, operation string) source.Span {
	if strings.ContainsAny(operation, "\n\r\t\"\\") {
		return source.Span{} // written with escapes
	}
	switch length(at) - len(operation) {
	case 0:
		return at
	case len(tool) + len("."):
		return inside(at, len(tool)+len("."), 0)
	case len("tool.") + len(tool) + len("."):
		return inside(at, len("tool.")+len(tool)+len("."), 0)
	default:
		return source.Span{}
	}
}

// textPlace is what stands between the quotes of a string, or all of it when its
// spelling is not its value.
func textPlace(t syntax.Text) source.Span {
	if at := unquoted(t); !at.IsZero() {
		return at
	}
	return t.At
}

// unquoted is the text of a one-line string without its quotes, zero when its spelling
// is not its value.
func unquoted(t syntax.Text) source.Span {
	if t.Block || length(t.At) != len(t.Value)+len(`""`) {
		return source.Span{}
	}
	return inside(t.At, 1, 1)
}

// length is the number of bytes of a place on one line, -1 for others.
func length(at source.Span) int {
	if at.IsZero() || at.Start.Line != at.End.Line {
		return -1
	}
	return at.End.Offset - at.Start.Offset
}

// inside leaves bytes out at both ends of a place.
func inside(at source.Span, before, after int) source.Span {
	at.Start.Offset, at.Start.Col = at.Start.Offset+before, at.Start.Col+before
	at.End.Offset, at.End.Col = at.End.Offset-after, at.End.Col-after
	return at
}
