package yamlprofile

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Fault is why a text is not well-formed, where that can be told. It is a word of
// ours: what the library says repeats parts of the text.
type Fault string

// The faults.
const (
	FaultTab       Fault = "tab"         // a tab indents a line
	FaultColon     Fault = "colon"       // a colon and a blank inside an unquoted text
	FaultBracket   Fault = "bracket"     // a bracket or brace is not closed, or a comma is missing
	FaultQuote     Fault = "quote"       // a quote is not closed
	FaultAfter     Fault = "after-quote" // something follows a quoted text
	FaultEscape    Fault = "escape"      // an escape that YAML does not have
	FaultIndent    Fault = "indent"      // a line is indented less or more than its neighbours
	FaultEntry     Fault = "entry"       // a list entry where none can be
	FaultNoColon   Fault = "no-colon"    // a line that is neither a field nor an entry
	FaultAlias     Fault = "alias"       // an alias without its anchor
	FaultStart     Fault = "start"       // an unquoted text begins with a sign that means something
	FaultCharacter Fault = "character"   // a character that YAML does not allow or reads as a line end
	FaultDepth     Fault = "depth"       // nested too deep
	FaultDirective Fault = "directive"   // a line that begins with a percent sign
)

// causes tells faults by the fixed parts of the library's messages, in this order.
var causes = []struct {
	phrase string
	fault  Fault
}{
	{"unknown anchor", FaultAlias},
	{"tab character", FaultTab},
	{"mapping values are not allowed", FaultColon},
	{"expected ',' or", FaultBracket},
	{"unexpected end of stream", FaultQuote},
	{"unexpected document indicator", FaultQuote},
	{"escape c", FaultEscape},
	{"hexdecimal", FaultEscape},
	{"block sequence entries are not allowed", FaultEntry},
	{"could not find expected ':'", FaultNoColon},
	{"expected key", FaultIndent},
	{"expected '-' indicator", FaultIndent},
	{"expected <document start>", FaultIndent},
	{"cannot start any token", FaultStart},
	{"alphabetic or numeric character", FaultStart},
	{"expected comment or line break", FaultStart},
	{"indentation indicator equal to 0", FaultStart},
	{"undefined tag handle", FaultStart},
	{"expected '!'", FaultStart},
	{"tag URI", FaultStart},
	{"URI escaped octet", FaultStart},
	{"expected node content", FaultBracket},
	{"control characters", FaultCharacter},
	{"exceeded max depth", FaultDepth},
	{"incompatible YAML document", FaultDirective},
	{"%YAML", FaultDirective},
	{"%TAG", FaultDirective},
	{"directive", FaultDirective},
}

// explain finds the cause and the line of an error of the library in b.
func explain(b []byte, err error) (Fault, int) {
	b = withoutVersion(b)
	fault := Fault("")
	for _, c := range causes {
		if strings.Contains(err.Error(), c.phrase) {
			fault = c.fault
			break
		}
	}
	// The library counts some lines from 0 and others from 1, and leaves out the first
	// line. One more line before all others shifts both kinds apart from that.
	shifted := &byLine{rest: append([]byte("#\n"), b...)}
	failure := failureOf(shifted)
	if failure == nil {
		return fault, lineOf(err)
	}
	line := lineOf(failure)
	if !isOfParser(failure) && line > 0 {
		line--
	}
	l := look{bytes: b, lines: lineStarts(b), read: shifted.lines - 1}
	switch fault {
	case FaultIndent, FaultAlias, FaultTab:
		line = l.firstFailure(line, phraseOf(failure))
	case FaultCharacter:
		line = l.firstControl()
	case FaultBracket:
		if found := l.tabAfter(line, phraseOf(failure)); found > 0 {
			return FaultTab, found
		}
	}
	return l.refine(fault, l.written(line))
}

// written is the line, or the last one that has something in it before: the end of the
// text is no place to look at.
func (l look) written(n int) int {
	n = min(n, len(l.lines))
	for n > 1 && strings.TrimSpace(l.line(n)) == "" {
		n--
	}
	return n
}

// isOfParser reports whether an error counts lines from 0: those that come not from
// a character but from the order of what the characters make up.
func isOfParser(err error) bool {
	for _, phrase := range []string{"expected key", "expected '-' indicator", "expected <document start>", "expected ',' or", "expected node content", "undefined tag handle", "duplicate %", "incompatible YAML"} {
		if strings.Contains(err.Error(), phrase) {
			return true
		}
	}
	return false
}

// phraseOf is the message of an error without its place.
func phraseOf(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if _, after, found := strings.Cut(text, ": "); found && strings.HasPrefix(text, "line ") {
		return after
	}
	return text
}

// failureOf is the error of the library about a text, nil for none.
func failureOf(r io.Reader) (err error) {
	defer func() {
		if recover() != nil {
			err = nil
		}
	}()
	d := yaml.NewDecoder(r)
	for {
		var n yaml.Node
		if err := d.Decode(&n); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// byLine gives a text line by line and counts them. The library asks for little more
// than it has looked at.
type byLine struct {
	rest  []byte
	lines int
	begun bool // part of a line was given
}

// Read gives at most one line.
func (r *byLine) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	if !r.begun {
		r.lines++
	}
	end := lineEnd(r.rest)
	if bytes.HasPrefix(r.rest[end:], []byte("\r\n")) {
		end++
	}
	n := copy(p, r.rest[:min(end+1, len(r.rest))])
	r.begun = n <= end
	r.rest = r.rest[n:]
	return n, nil
}
