package conceal

import (
	"regexp"
	"strings"
)

// literal is a quoted text of a source line; one that is not closed goes to its end.
var literal = regexp.MustCompile(`"((?:[^"\\]|\\.)*)(?:"|\\?$)`)

// before is the name a literal stands under: token: "…", state "…", token = "…".
var before = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_-]*)"?[ \t]*[:=]?[ \t]*$`)

// Line gives a line of source with every secret in it as stars, as many bytes as it
// had. Quoted are the value of a header, the text under a secret's name, and that
// after a secret's flag.
func Line(line string) string {
	var spans []Span
	inside := func(from int, found []Span) {
		for _, s := range found {
			spans = append(spans, Span{from + s.Start, from + s.End})
		}
	}
	last, flag, option := 0, false, false
	for i, m := range literal.FindAllStringSubmatchIndex(line, -1) {
		text, between := line[m[2]:m[3]], line[last:m[0]]
		inside(last, Text(between))
		name := before.FindStringSubmatch(line[:m[0]])
		pair := i > 0 && !option && between != "" && strings.TrimSpace(between) == ""
		listed := strings.Trim(between, ", \t") == ""
		switch {
		case Reference(text):
		case pair, flag && listed, name != nil && Name(name[1]):
			spans = append(spans, Span{m[2], m[3]})
		default:
			inside(m[2], Command(text))
		}
		last, flag, option = m[1], Flag(text), option && listed || strings.HasPrefix(text, "-")
	}
	inside(last, Text(line[last:]))
	out := []byte(line)
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			out[i] = '*'
		}
	}
	return string(out)
}
