package yamlprofile

import (
	"bytes"
	"io"
	"strings"
)

// look is a text that is not well-formed.
type look struct {
	bytes []byte
	lines []int // offsets
	read  int   // how many lines were read when the fault was found
}

// line is the text of a line from 1, without its end.
func (l look) line(n int) string {
	if n < 1 || n > len(l.lines) {
		return ""
	}
	rest := l.bytes[l.lines[n-1]:]
	return string(rest[:lineEnd(rest)])
}

// upTo is the first n lines.
func (l look) upTo(n int) io.Reader { return bytes.NewReader(l.bytes[:l.end(n)]) }

// end is where line n ends, its line end included.
func (l look) end(n int) int {
	if n >= len(l.lines) {
		return len(l.bytes)
	}
	return l.lines[n]
}

// firstFailure is the line with which the text begins to fail in this way: the last of
// those that were read, or a few before. It is otherwise, when that cannot be told.
func (l look) firstFailure(otherwise int, phrase string) int {
	fails := func(n int) bool {
		err := failureOf(l.upTo(n))
		return err != nil && phraseOf(err) == phrase
	}
	high := min(max(l.read, 1), len(l.lines))
	if !fails(high) {
		return otherwise
	}
	width := 1
	low := high - 1
	for low > 0 && fails(low) {
		high, width = low, width*2
		low = max(0, high-width)
	}
	for low+1 < high {
		if middle := (low + high) / 2; fails(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// firstControl is the line of the first character that YAML does not allow.
func (l look) firstControl() int {
	for n := range l.lines {
		bad := func(r rune) bool {
			return r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff || r == 0xfeff
		}
		if strings.ContainsFunc(l.line(n+1), bad) {
			return n + 1
		}
	}
	return 0
}

// tabAfter is the line with which the text begins to fail, if a tab indents it; else 0.
func (l look) tabAfter(from int, phrase string) int {
	if n := l.firstFailure(from, phrase); isIndentedByTab(l.line(n)) {
		return n
	}
	return 0
}

// isIndentedByTab reports whether a tab is among the blanks that begin a line.
func isIndentedByTab(line string) bool {
	blanks := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return strings.Contains(blanks, "\t") && len(blanks) < len(line)
}

// refine looks at the line for what the message alone does not tell.
func (l look) refine(fault Fault, n int) (Fault, int) {
	text := l.line(n)
	if isIndentedByTab(text) && fault != FaultQuote && fault != FaultCharacter && fault != FaultAlias {
		return FaultTab, n
	}
	switch fault {
	case FaultColon:
		if strings.Count(strings.TrimSpace(text)+" ", ": ") < 2 {
			return FaultIndent, n
		}
	case FaultIndent, FaultNoColon:
		if q := l.openQuote(n); q > 0 {
			return FaultQuote, q
		}
		if fault == FaultIndent && goesOnAfterQuote(text) {
			return FaultAfter, n
		}
	case FaultStart:
		if strings.HasPrefix(text, "%") {
			return FaultDirective, n
		}
	case FaultTab:
		return FaultStart, n
	}
	return fault, n
}

// goesOnAfterQuote reports whether a line has something behind a quoted value, or the
// end of a quote that began before.
func goesOnAfterQuote(line string) bool {
	value := valueOf(line)
	if value == "" || value[0] != '"' && value[0] != '\'' {
		return strings.Count(line, `"`)%2 == 1
	}
	_, rest, closed := strings.Cut(value[1:], value[:1])
	rest = strings.TrimSpace(rest)
	return closed && rest != "" && !strings.ContainsRune("#:,]}", rune(rest[0]))
}

// valueOf is what stands behind the name or the hyphen that begins a line.
func valueOf(line string) string {
	_, value, found := strings.Cut(line, ": ")
	if !found {
		_, value, _ = strings.Cut(line, "- ")
	}
	return strings.TrimSpace(value)
}

// openQuote is the line before n whose last value begins with a quote that is not
// closed there, if the text gets past line n once it is closed; else 0.
func (l look) openQuote(n int) int {
	for q := n; q > 0 && q > n-maxQuoted; q-- {
		text := l.line(q)
		value := valueOf(text)
		if value == "" || value[0] != '"' && value[0] != '\'' || strings.Count(value, value[:1])%2 == 0 {
			continue
		}
		closed := l.lines[q-1] + len(text)
		if failureOf(io.MultiReader(bytes.NewReader(l.bytes[:closed]), strings.NewReader(value[:1]), bytes.NewReader(l.bytes[closed:l.end(n)]))) == nil {
			return q
		}
	}
	return 0
}

// maxQuoted is how many lines before a fault an open quote is looked for.
const maxQuoted = 20
