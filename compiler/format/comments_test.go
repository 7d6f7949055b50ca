package format

import (
	"bytes"
	"strings"
	"testing"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// marker is the comment that the tests below put everywhere.
const marker = "// marker"

// TestCommentAnywhere puts a comment at every run of blanks of every program, once behind
// what stands there and once on a line of its own, and holds the contract of the
// formatter for each result. The comment must also stay inside its braces.
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
					out := Unit(unit)
					if from, to := depthAt(changed, marker), depthAt(out, marker); from != to {
						t.Fatalf("the comment moved from depth %d to %d\n--- source\n%s\n--- output\n%s", from, to, changed, out)
					}
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

// depthAt counts the braces open at the place of the text. It knows strings and
// comments just well enough for that.
func depthAt(src []byte, text string) int {
	s, depth := string(src[:bytes.Index(src, []byte(text))]), 0
	for s != "" {
		skip := 1
		switch {
		case strings.HasPrefix(s, `"""`):
			skip = 6 + strings.Index(s[3:], `"""`)
		case strings.HasPrefix(s, "//"):
			skip = 1 + strings.IndexByte(s, '\n')
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
	return depth
}
