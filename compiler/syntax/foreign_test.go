package syntax

import (
	"strings"
	"testing"

	"terfyn/compiler/diag"
)

// TestForeignSpellings holds what people write who come from other languages: each
// slip gives one message that says what is written here, and where that is certain a
// change that repairs it.
func TestForeignSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src string
		code      diag.Code
		fragment  string
		fixed     string // the source after the fix, "" when none is offered
	}{
		{"hash", "# a note, with (marks\nlimits { }", diag.BadCharacter, "comments begin with //", "// a note, with (marks\nlimits { }"},
		{"hash behind a field", "limits {\nmaxStateBytes 1 # much\n}", diag.BadCharacter, "comments begin with //", "limits {\nmaxStateBytes 1 // much\n}"},
		{"single quotes", "agent a { description 'it is' policy p }", diag.BadCharacter, "double quotes", `agent a { description "it is" policy p }`},
		{"single quotes in a value", inBody("x = f('a', c)"), diag.BadCharacter, "double quotes", inBody(`x = f("a", c)`)},
		{"single quotes around quotes", `agent a { description 'say "x"' }`, diag.BadCharacter, "double quotes", ""},
		{"back quotes", "agent a { description `x` }", diag.BadCharacter, "double quotes", `agent a { description "x" }`},
		{"one apostrophe", "agent a { ' }", diag.BadCharacter, "no meaning", ""},
		{"list", inBody("x = [1, 2]\ny = c"), diag.BadCharacter, "no lists", ""},
		{"list of lines", inBody("x = [\n  \"a]\",\n  { b: [c] }\n]\ny = c"), diag.BadCharacter, "no lists", ""},
		{"list as an argument", inBody("x = f([c, xs], c)"), diag.BadCharacter, "no lists", ""},
		{"list to go through", inBody("for x in [1, 2] { f(x) }"), diag.BadCharacter, "no lists", ""},
		{"list of grants", "agent a { grants [tool.b.c, tool.d.e] policy p }", diag.BadCharacter, "{ a, b }", ""},
		{"index", inBody("x = xs[0].name\ny = c"), diag.BadCharacter, "by its number", ""},
		{"index in a call", inBody("x = f(xs[0].a, c)\ny = c"), diag.BadCharacter, "by its number", ""},
		{"index in a condition", inBody("if xs[0].ok { f(c) }\ny = c"), diag.BadCharacter, "by its number", ""},
		{"sum", inBody("x = 1 + 2\ny = c"), diag.BadCharacter, "no arithmetic", ""},
		{"sums", inBody("return c.a + c.b * 3 - f(c)"), diag.BadCharacter, "no arithmetic", ""},
		{"sum as an argument", inBody(`f("a" + c.name, b: c)`), diag.BadCharacter, "no arithmetic", ""},
		{"sum in a condition", inBody("while c.n + 1 < 3 limit 4 { }"), diag.BadCharacter, "no arithmetic", ""},
		{"sum in parentheses", inBody("x = 2 * (c.a + c.b)"), diag.BadCharacter, "no arithmetic", ""},
		{"quotient", inBody("x = c.a / c.b / 2"), diag.BadCharacter, "no arithmetic", ""},
		{"negative number behind a name", inBody("x = f(c -1)"), diag.BadCharacter, "no arithmetic", ""},
		{"pattern", "agent a { grants { tool.mail.* } policy p }", diag.BadCharacter, "no patterns", ""},
		{"pattern alone", "agent a { grants { * } }", diag.BadCharacter, "no patterns", ""},
		{"single and", inBody("if c & xs { }"), diag.BadCharacter, "write &&", inBody("if c && xs { }")},
		{"and", inBody("if c.a and c.b { }"), diag.UnexpectedToken, "written &&", inBody("if c.a && c.b { }")},
		{"or", inBody("while c == 1 or xs limit 3 { }"), diag.UnexpectedToken, "written ||", inBody("while c == 1 || xs limit 3 { }")},
		{"not", inBody("if not c.ok { }"), diag.UnexpectedToken, "written !", inBody("if !c.ok { }")},
		{"not before parentheses", inBody("if not (c) { }"), diag.UnexpectedToken, "written !", inBody("if !(c) { }")},
		{"elif", inBody("if c { } elif xs { x = 1 } else { }"), diag.UnexpectedToken, "else if", inBody("if c { } else if xs { x = 1 } else { }")},
		{"elsif in parentheses", inBody("if c { } elsif (xs) { x = 1 }"), diag.UnexpectedToken, "else if", inBody("if c { } else if (xs) { x = 1 }")},
		{"colon behind a field", "agent a { input: Ticket output T }", diag.UnexpectedToken, "no : or =", "agent a { input Ticket output T }"},
		{"equals behind a field", "agent a { model = m/x }", diag.UnexpectedToken, "no : or =", "agent a { model  m/x }"},
		{"colon behind a block", "agent a { constraints: { maxTokens 3 } }", diag.UnexpectedToken, "no : or =", "agent a { constraints { maxTokens 3 } }"},
		{"colon in headers", `tool t { http { headers { "A": "b" } } }`, diag.UnexpectedToken, "no : or =", `tool t { http { headers { "A" "b" } } }`},
		{"colon behind an operation", `tool t { operations { a: { } } }`, diag.UnexpectedToken, "no : or =", `tool t { operations { a { } } }`},
		{"equals behind a clause", "workflow w() policy = p { }", diag.UnexpectedToken, "no : or =", "workflow w() policy  p { }"},
		{"equals in an object", inBody("return { a = 1, b: 2 }"), diag.UnexpectedToken, "write :", inBody("return { a : 1, b: 2 }")},
		{"equals in a call", inBody("x = f(a = c, b: c)"), diag.UnexpectedToken, "write :", inBody("x = f(a : c, b: c)")},
		{"comma missing", inBody("x = f(a: c b: c)"), diag.UnexpectedToken, `separated by commas; put one before "b"`, inBody("x = f(a: c, b: c)")},
		{"commas missing", inBody("x = f(c xs c)"), diag.UnexpectedToken, "separated by commas", inBody("x = f(c, xs c)")},
		{"comma missing on the next line", inBody("x = f(a: c\nb: c)"), diag.UnexpectedToken, "separated by commas", inBody("x = f(a: c,\nb: c)")},
		{"comma missing in parameters", "workflow w(a: any b: any) { }", diag.UnexpectedToken, "separated by commas", "workflow w(a: any, b: any) { }"},
		{"agent prefix", inBody("x = agent.Critic(c)"), diag.UnexpectedToken, "agents are called by name: write Critic", inBody("x = Critic(c)")},
		{"workflow prefix", inBody("workflow.step(c)"), diag.UnexpectedToken, "workflows are called by name", inBody("step(c)")},
		{"field of a call", inBody("x = f(c).a.b\ny = c"), diag.UnexpectedToken, "bind its result first", ""},
		{"field of a call to go through", inBody("for x in f(c).items { f(x) }"), diag.UnexpectedToken, "bind its result first", ""},
		{"field of a call in a condition", inBody("while !Critic(c).ok limit 3 { c.x() }"), diag.CallInCondition, "bind it first", ""},
		{"type missing before a clause", "workflow w() -> policy house { }", diag.UnexpectedToken, "type is missing", ""},
		{"type missing before the body", "workflow w() -> { return 1 }", diag.UnexpectedToken, "type is missing", ""},
		{"model without a provider", "agent a {\n model large\n policy p\n}", diag.UnexpectedToken, `"large" is only one of both`, ""},
		{"model in quotes", `agent a { model "lab/large" policy p }`, diag.UnexpectedToken, "without quotes", "agent a { model lab/large policy p }"},
		{"other model in quotes", `agent a { model "large" policy p }`, diag.UnexpectedToken, "without quotes", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			unit, problems := parse(c.src)
			if len(problems) != 1 || problems[0].Code != c.code || !strings.Contains(problems[0].Message(), c.fragment) {
				t.Fatalf("%s\ngives\n%s\nwant one %s with %q", c.src, problems, c.code, c.fragment)
			}
			if len(unit.Decls) > 0 && !unit.Decls[0].Broken() && c.name != "hash" {
				t.Error("the declaration is not marked as broken")
			}
			fixed := ""
			if f := problems[0].Fix; f != nil {
				fixed = c.src[:f.At.Start.Offset] + f.Text + c.src[f.At.End.Offset:]
			}
			if fixed != c.fixed {
				t.Errorf("the fix gives\n%s\nwant\n%s", fixed, c.fixed)
			}
			if _, left := parse(fixed); fixed != "" && len(left) > 0 && c.name != "commas missing" {
				t.Errorf("the repaired source has problems:\n%s", left)
			}
		})
	}
}

// TestWordsOfOtherLanguagesAreNames: what is said about foreign words never touches
// a program that is right.
func TestWordsOfOtherLanguagesAreNames(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		inBody("if not { } while not limit 3 { } retry until not limit 3 { }"),
		inBody("and = c or = and if or && and || not { }"),
		inBody("if c { } elif = c elsif.op(c) elif(c)"),
		"workflow w() -> policy policy house { }",
		"workflow w() -> policy { }",
		"workflow w() -> effects { }",
		"workflow w() -> description description \"x\" { }",
		`agent a { description "# it's [1 + 2] & *" }`,
	} {
		if _, problems := parse(src); len(problems) > 0 {
			t.Errorf("%s\n%s", src, problems)
		}
	}
}

// TestWherePlacesPoint holds the places that messages name beside their own.
func TestWherePlacesPoint(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, at, related string }{
		"parenthesis of a call":      {"workflow w(c: any) {\n    x = f(\n        c\n    y = c\n}", "4:5", "2:10 ( opened here"},
		"parenthesis of a condition": {"workflow w(c: any) {\n    if (c {\n    }\n}", "2:11", "2:8 ( opened here"},
		"model":                      {"agent a {\n    model large\n    policy p\n}", "2:11", ""},
		"arrow":                      {"workflow w() ->\n    policy p\n{\n}", "1:14", ""},
		"inner brace":                {"workflow w(c: any) {\n    if c {\n        x = 1\n    for y in c {\n        f(y)\n    }\n}\n", "8:1", "1:20 workflow w opens here; 2:5 `if c {` most likely lacks its }: the } of line 7 stands further left"},
		"inner brace, next head":     {"agent a {\n    grants {\n        tool.b.c\n}\n\nagent d {\n}\n", "6:1", "1:9 agent a opens here; 2:5 `grants {` most likely lacks its }: the } of line 4 stands further left"},
		"outer brace":                {"workflow w(c: any) {\n    if c {\n        x = 1\n    }\n", "5:1", "1:20 workflow w opens here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := parse(c.src)
			if len(problems) != 1 || problems[0].At.Start.String() != c.at {
				t.Fatalf("got\n%s\nwant one at %s", problems, c.at)
			}
			var related []string
			for _, r := range problems[0].Related {
				related = append(related, r.At.Start.String()+" "+r.Note)
			}
			if got := strings.Join(related, "; "); got != c.related {
				t.Errorf("got\n%s\nwant\n%s", got, c.related)
			}
		})
	}
}
