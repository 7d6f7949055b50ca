package format

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// layoutCases states single rules of layout and of comments.
var layoutCases = []struct{ name, in, want string }{
	{"empty file", "", ""},
	{"only comments", "\n// a\n\n\n// b\n//\n", "// a\n\n// b\n//\n"},
	{"CRLF and byte-order mark", "\xEF\xBB\xBF// c\r\nagent a {\r\n}\r\n", "// c\nagent a {}\n"},
	{"blank lines collapse", "agent a {\n\n\n model m/x\n\n\n\n input I\n\n}\n", "agent a {\n    model m/x\n\n    input I\n}\n"},
	{"presence survives", "tool t { operations {} safety {} }", "tool t {\n    safety {}\n    operations {}\n}\n"},
	{"trailing comment follows a reordered field", "agent a {\n input I // in\n model m/x // mod\n}\n",
		"agent a {\n    model m/x // mod\n    input I // in\n}\n"},
	{"own-line comment follows a reordered field", "agent a {\n // in\n input I\n // mod\n model m/x\n}\n",
		"agent a {\n    // mod\n    model m/x\n    // in\n    input I\n}\n"},
	{"own-line comment before a line with two fields", "agent a {\n // c\n input I model m/x\n}\n",
		"agent a {\n    model m/x\n    // c\n    input I\n}\n"},
	{"comment of an empty block stays inside", "agent a {\n // c\n}\n", "agent a {\n    // c\n}\n"},
	{"scalar comment stays on a line of its own", "agent a { constraints {\n maxTokens 1 // cap\n maxIterations 2\n } }",
		"agent a {\n    constraints {\n        maxIterations 2\n        maxTokens 1 // cap\n    }\n}\n"},
	{"comments at the end", "agent a {}\n// x\n\n// y\n", "agent a {}\n\n// x\n\n// y\n"},
	{"comment opens a flat list", "agent a { fallbackModels { // f\n m/x m/y } }",
		"agent a {\n    fallbackModels { // f\n        m/x\n        m/y\n    }\n}\n"},
	{"fewest parentheses", "workflow w() { if (a < b) && (b < c) { } }", "workflow w() {\n    if a < b && b < c {}\n}\n"},
	{"needed parentheses", "workflow w() { if !(a < b) && (c || d) == (e) { } }", "workflow w() {\n    if !(a < b) && (c || d) == e {}\n}\n"},
	{"file path as written", `agent a { instructions file ( "a/b.md" ) }`, "agent a {\n    instructions file(\"a/b.md\")\n}\n"},
	{"value with a line break", `agent a { instructions "a\n b\n\nc" }`,
		"agent a {\n    instructions \"\"\"\n        a\n         b\n\n        c\n        \"\"\"\n}\n"},
	{"indented value cannot be raw", `agent a { instructions " a\n b" }`, "agent a {\n    instructions \" a\\n b\"\n}\n"},
	{"blank edge cannot be raw", `agent a { instructions "a\n" }`, "agent a {\n    instructions \"a\\n\"\n}\n"},
	{"three quotes cannot be raw", `agent a { instructions "a\n\"\"\"" }`, "agent a {\n    instructions \"a\\n\\\"\\\"\\\"\"\n}\n"},
	{"carriage return cannot be raw", `agent a { instructions "a\r\nb" }`, "agent a {\n    instructions \"a\\r\\nb\"\n}\n"},
	{"block without line break", "agent a { instructions \"\"\"\n x \"y\"\n\"\"\" }", "agent a {\n    instructions \"x \\\"y\\\"\"\n}\n"},
	{"list entry with a line break stays quoted", `tool t { mcp { args { "a\nb" } } }`, "tool t {\n    mcp {\n        args { \"a\\nb\" }\n    }\n}\n"},
	{"long object breaks into lines",
		`workflow w() { return { first: "0123456789012345678901234567890123456789", second: "0123456789012345678901234567890123456789" } }`,
		"workflow w() {\n    return {\n        first: \"0123456789012345678901234567890123456789\"\n        second: \"0123456789012345678901234567890123456789\"\n    }\n}\n"},
	{"only argument opens on the line of the call",
		"workflow w() { f({ a: 1 // one\n b: 2 }) }", "workflow w() {\n    f({\n        a: 1 // one\n        b: 2\n    })\n}\n"},
	{"comment inside a condition stands before the statement",
		"workflow w() { while a && // c\n b limit 2 { } }", "workflow w() {\n    // c\n    while a && b limit 2 {}\n}\n"},
	{"comment between head and body", "workflow w() // c\n{ }", "// c\nworkflow w() {}\n"},
	{"comment before else", "workflow w() { if a { } // t\n // o\n else { } }", "workflow w() {\n    if a {} // t\n    // o\n    else {}\n}\n"},
	{"bare review and review with an empty block", "policy p { hitl { interruptOn { a b {} } } }",
		"policy p {\n    hitl {\n        interruptOn {\n            a\n            b {}\n        }\n    }\n}\n"},
	{"number spelling is kept", "workflow w() { return { a: 1.50, b: -2E+3, c: 12345678901234567890123 } }",
		"workflow w() {\n    return { a: 1.50, b: -2E+3, c: 12345678901234567890123 }\n}\n"},
}

func TestLayout(t *testing.T) {
	t.Parallel()
	for _, c := range layoutCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, formatted(t, c.in)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			checkRoundTrip(t, []byte(c.in))
		})
	}
}
