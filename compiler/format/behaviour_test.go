package format

import (
	"slices"
	"strings"
	"testing"
)

// TestBehaviour233CommentsStay: comments travel with their field, footer and blank
// ones are kept, and a second run changes nothing.
func TestBehaviour233CommentsStay(t *testing.T) {
	t.Parallel()
	const src = `// head
//
// second paragraph
agent A {
    // about grants
    grants { tool.t.a // first
        tool.t.b }
    // about the model
    model mock/m // why this one
    // tail of A
}
workflow w(x: any) {
    // before the call
    t.op() // the call
    // end of w
}
// footer
//
`
	once := formatted(t, src)
	if again := formatted(t, once); again != once {
		t.Errorf("a second run changes\n%s\nto\n%s", once, again)
	}
	if !slices.Equal(placedComments([]byte(src)), placedComments([]byte(once))) {
		t.Errorf("comments are lost or have left their block:\n%s", once)
	}
	for _, together := range []string{
		"// about the model\n    model mock/m // why this one", "// about grants\n    grants {", "// before the call\n    t.op() // the call",
	} {
		if !strings.Contains(once, together) {
			t.Errorf("%q does not stand together:\n%s", together, once)
		}
	}
	if !strings.HasSuffix(once, "}\n\n// footer\n//\n") {
		t.Errorf("the footer is not at the end:\n%s", once)
	}
}

// TestBehaviour236EveryBlockIsKept names the blocks that a printer forgets easily.
func TestBehaviour236EveryBlockIsKept(t *testing.T) {
	t.Parallel()
	const src = `
policy p { preset strict hitl { interruptOn { t { allowedDecisions { approve } switchMap { a { b } } } } } egress { allowHosts { "h" } } }
tool t { type mcp mcp { transport "stdio" command "c" args { "-x" } } workspace { root "r" } retry { maxAttempts 2 } limits { maxStateBytes 3 } }
tool u { type http http { baseUrl "https://h" headers { "K" "env:V" } } }
tool v { type temporal temporal { taskQueue "q" kind nexus } }
environment e {
    overrides { agents { A { model m/x } } policies { p { approvals { requireAllTools true } } } tools { u { http { baseUrl "https://i" } } } }
    approvers { ann "key" group ops { ann } }
    runtime { namespace "n" }
}
workflow w() trigger schedule { cron "@daily" } { approval g { with { a: 1 } } }
`
	out := formatted(t, src)
	for _, word := range strings.Fields(`preset hitl interruptOn switchMap egress mcp args workspace retry limits http headers temporal overrides agents
		policies tools approvals approvers group runtime trigger approval with`) {
		if !strings.Contains(out, word) {
			t.Errorf("%s is gone:\n%s", word, out)
		}
	}
	checkRoundTrip(t, []byte(src))
}

func TestBehaviour237ParenthesesOfConditions(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a && (b || c)": "a && (b || c)", "(a && b) || c": "a && b || c", "!(a && b)": "!(a && b)", "!((a))": "!a",
		"(a < b) && (b < c)": "a < b && b < c", "(a == b) == c": "(a == b) == c", "((a || b) || c)": "a || b || c",
	} {
		out := formatted(t, "workflow w(a: any, b: any, c: any) { if "+in+" { } }")
		if !strings.Contains(out, "if "+want+" {") {
			t.Errorf("%s became\n%s", in, out)
		}
	}
}
