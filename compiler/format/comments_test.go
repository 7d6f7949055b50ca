package format

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// marker is the comment that the tests below put everywhere.
const marker = "// marker"

// TestCommentAnywhere puts a comment at every run of blanks of every program, once behind
// what stands there and once on a line of its own, and holds the contract of the
// formatter for each result.
func TestCommentAnywhere(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := len(parse(t, src).Comments)
			placed := 0
			for i, c := range src {
				if !isSpace(c) || i > 0 && isSpace(src[i-1]) {
					continue // one place per run of blanks
				}
				for _, comment := range []string{" " + marker + "\n", "\n" + marker + "\n"} {
					changed := bytes.Join([][]byte{src[:i], []byte(comment), src[i:]}, nil)
					unit, problems := syntax.Parse(source.NewFile("main.agent", changed), syntax.ParseLimits{})
					if problems.HasErrors() || len(unit.Comments) != before+1 {
						continue // inside a string or another comment
					}
					placed++
					checkRoundTrip(t, changed)
				}
			}
			if placed == 0 {
				t.Error("no place for a comment was found")
			}
		})
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' }

func parse(t *testing.T, src []byte) *syntax.Unit {
	t.Helper()
	unit, problems := syntax.Parse(source.NewFile("main.agent", src), syntax.ParseLimits{})
	if problems.HasErrors() {
		t.Fatalf("does not parse:\n%s", problems)
	}
	return unit
}

// placedComments lists every comment with the braces open at its place. The source
// has no errors, so strings and comments are all there is to know about.
func placedComments(src []byte) []string {
	out := []string{}
	depth := 0
	for s := string(src); s != ""; {
		skip := 1
		switch {
		case strings.HasPrefix(s, `"""`):
			skip = 6 + strings.Index(s[3:], `"""`)
		case strings.HasPrefix(s, "//"):
			text, _, _ := strings.Cut(s, "\n")
			out = append(out, strconv.Itoa(depth)+" "+strings.TrimRight(text, " \t\r"))
			skip = len(text)
		case s[0] == '"':
			for s[skip] != '"' {
				if s[skip] == '\\' {
					skip++
				}
				skip++
			}
			skip++
		case s[0] == '{':
			depth++
		case s[0] == '}':
			depth--
		}
		s = s[skip:]
	}
	slices.Sort(out)
	return out
}
