package yamlprofile

import (
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	const head = "kind: TaskSet\nmetadata:\n  project: p\n"
	for _, c := range []struct {
		name, text string
		fault      Fault
		line       int
	}{
		{"tab", head + "tasks:\n\t- id: a\n", FaultTab, 5},
		{"tab behind blanks", head + "tasks:\n  - id: a\n  \ttitle: b\n", FaultTab, 6},
		{"tab in the first line", "\ta: 1\n", FaultTab, 1},
		{"tab in a mapping", head + "tasks:\n  - id: a\n    owner:\n\t\tx: 1\n", FaultTab, 7},
		{"tab after a value", head + "a: x\n\tb: 1\n", FaultTab, 5},
		{"tab in a block", head + "a: |\n\tx\n", FaultTab, 5},
		{"colon", head + "title: Review: the docs\n", FaultColon, 4},
		{"colon in a list", head + "tasks:\n  - id: a\n    title: Review: the docs\n    owner: b\n", FaultColon, 6},
		{"colon in the first line", "a: b: c\n", FaultColon, 1},
		{"colon at the end", head + "title: Review the docs:\n", FaultColon, 4},
		{"bracket", head + "labels: [a, b\ntasks:\n  - id: a\n", FaultBracket, 4},
		{"bracket deep inside", head + "tasks:\n  - id: a\n    dependsOn: [a, b\n    owner: c\n  - id: d\n", FaultBracket, 6},
		{"bracket in the first line", "a: [b\n", FaultBracket, 1},
		{"brace", head + "x: {a: 1\ny: 2\n", FaultBracket, 4},
		{"comma", head + "x: [{a: 1} {b: 2}]\n", FaultBracket, 4},
		{"quote", head + "a: \"x\nb: 1\nc: 2\n", FaultQuote, 4},
		{"single quote", head + "a: 'x\nb: 1\n", FaultQuote, 4},
		{"quote in the first line", "a: \"x\nb: 1\n", FaultQuote, 1},
		{"quote before other quotes", head + "tasks:\n  - id: a\n    title: \"Review\n    owner: \"b\"\n", FaultQuote, 6},
		{"after a quote", head + "a: \"x\" y\nb: 1\n", FaultAfter, 4},
		{"after a quote in a list", head + "labels:\n  - 'x' y\n", FaultAfter, 5},
		{"outdent of a quoted value", head + "tasks:\n  - id: a\n    title: b\n   owner: \"c\" # d\n", FaultIndent, 7},
		{"outdent of an apostrophe", head + "tasks:\n  - id: a\n    title: b\n   owner: it's\n", FaultIndent, 7},
		{"quote over two lines", head + "a: \"x\n  y\"\nb: 1\n  c: 2\n", FaultIndent, 7},
		{"escape", head + "a: \"x\\d\"\n", FaultEscape, 4},
		{"outdent", head + "tasks:\n  - id: a\n    title: b\n   owner: c\n", FaultIndent, 7},
		{"outdent of a list", head + "tasks:\n    - id: a\n   - id: b\n", FaultIndent, 6},
		{"indent", head + "a: x\n  b: 1\n", FaultIndent, 5},
		{"indent of a field", head + "tasks:\n  - id: a\n      title: b\n", FaultIndent, 6},
		{"outdent in the first mapping", "  a: 1\nb: 2\n", FaultIndent, 2},
		{"entry behind a key", head + "a: - b\n", FaultEntry, 4},
		{"no colon", head + "tasks\nx: 1\n", FaultNoColon, 4},
		{"no colon in a list", head + "tasks:\n  - id: a\n    title\n    owner: b\n", FaultNoColon, 6},
		{"no blank after the colon", head + "a:1\nb: 2\n", FaultNoColon, 4},
		{"alias", head + "a: 1\nb: *none\nc: 2\n", FaultAlias, 5},
		{"asterisk", head + "a: *.example\n", FaultStart, 4},
		{"at sign", head + "a: @team\n", FaultStart, 4},
		{"percent sign", head + "a: 1\n%x\n", FaultDirective, 5},
		{"version", "%YAML 2.0\n---\na: 1", FaultDirective, 1},
		{"line separator", head + "a: x\u2028y\n", FaultCharacter, 4},
		{"control character", head + "a: x\x01y\n", FaultCharacter, 4},
		{"brackets at the end", head + "a:\n  - [\n\n\n", FaultBracket, 5},
		{"brackets alone", strings.Repeat("[", 300), FaultBracket, 1},
		{"bracket that closes nothing", head + "a: ]\n", FaultBracket, 4},
		{"depth", "a:\n " + strings.Repeat("- ", 300), FaultDepth, 2},
	} {
		for ending, text := range map[string]string{"LF": c.text, "CRLF": strings.ReplaceAll(c.text, "\n", "\r\n"), "mark": "\xef\xbb\xbf" + c.text} {
			_, r := Parse([]byte(text))
			if r == nil || r.Reason != manifest.ReasonParse || r.Fault != c.fault || r.Line != c.line {
				t.Errorf("%s, %s: %+v instead of %s in line %d", c.name, ending, r, c.fault, c.line)
			}
		}
	}
}
