package diff_test

import (
	"strings"
	"testing"

	"terfyn/internal/canon"
	"terfyn/planner/diff"
)

func parse(t *testing.T, s string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

// show gives a change as: sign path before -> after.
func show(changes []diff.Change) string {
	lines := make([]string, len(changes))
	for i, c := range changes {
		lines[i] = string(c.Kind) + " " + c.Path + " " + c.Before.JSON() + " -> " + c.After.JSON()
	}
	return strings.Join(lines, "\n")
}

func TestFields(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, before, after, want string }{
		{"equal", `{"a":{"b":1}}`, `{"a":{"b":1.0}}`, ``},
		{"nested", `{"a":{"b":1},"c":1}`, `{"a":{"b":2},"d":true}`, "changed a.b 1 -> 2\nremoved c 1 -> null\nadded d null -> true"},
		{"big numbers", `{"a":9007199254740993}`, `{"a":9007199254740992}`, "changed a 9007199254740993 -> 9007199254740992"},
		{"named entries", `{"o":[{"name":"x","v":1},{"name":"y"}]}`, `{"o":[{"name":"z"},{"name":"x","v":2}]}`,
			"changed o[x].v 1 -> 2\nremoved o[y] {\"name\":\"y\"} -> null\nadded o[z] null -> {\"name\":\"z\"}"},
		{"entries by id", `{"s":[{"id":"x","v":1}]}`, `{"s":[{"id":"x","v":2}]}`, "changed s[x].v 1 -> 2"},
		{"entries in another order", `{"o":[{"name":"x"},{"name":"y"}]}`, `{"o":[{"name":"y"},{"name":"x"}]}`,
			`changed o [{"name":"x"},{"name":"y"}] -> [{"name":"y"},{"name":"x"}]`},
		{"repeated names", `{"o":[{"name":"x"},{"name":"x"}]}`, `{"o":[{"name":"x"}]}`, `changed o [{"name":"x"},{"name":"x"}] -> [{"name":"x"}]`},
		{"plain list", `{"l":["a","b"]}`, `{"l":["b"]}`, `changed l ["a","b"] -> ["b"]`},
		{"whole", `{"a":1}`, `true`, `changed  {"a":1} -> true`},
		{"emptied list", `{"l":[]}`, `{"l":[{"name":"x"}]}`, `changed l [] -> [{"name":"x"}]`},
	} {
		if got := show(diff.Fields(parse(t, test.before), parse(t, test.after))); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{`{"headers":[{"name":"X","value":"secret"}]}`, `{"headers":[{"name":"X","value":"[REDACTED]"}]}`},
		{`{"headers":[{"name":"X","value":"env:X"},{"name":"Y","value":"file:/run/y"}]}`, `{"headers":[{"name":"X","value":"env:X"},{"name":"Y","value":"file:/run/y"}]}`},
		{`{"headers":[{"value":"secret"}]}`, `{"headers":[{"value":"[REDACTED]"}]}`},
		{`{"apiKeyFrom":"env:KEY","authToken":"abc","maxTokens":5}`, `{"apiKeyFrom":"env:KEY","authToken":"[REDACTED]","maxTokens":5}`},
		{`{"url":"postgres://u:p@db/x"}`, `{"url":"postgres://[REDACTED]@db/x"}`},
		{`{"url":"https://db/x?a=b@c"}`, `{"url":"https://db/x?a=b@c"}`},
		{`{"args":["--token","abc","--token=abc","--token","env:T","-v","x"]}`, `{"args":["--token","[REDACTED]","--token=[REDACTED]","--token","env:T","-v","x"]}`},
		{`{"value":"plain","password":""}`, `{"password":"","value":"plain"}`},
		{`{"input":"{\"token\":\"abc\",\"n\":1.50}"}`, `{"input":"{\"n\":1.5,\"token\":\"[REDACTED]\"}"}`},
		{`{"input":"{\"b\": 1, \"a\":2}"}`, `{"input":"{\"b\": 1, \"a\":2}"}`},
		{`{"input":"{broken","url":"[x]"}`, `{"input":"{broken","url":"[x]"}`},
		{`{"password":["a",{"b":"c"}]}`, `{"password":["[REDACTED]",{"b":"c"}]}`},
	} {
		if got := diff.Mask(parse(t, test.in)).JSON(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.in, got, test.want)
		}
	}
}

func TestMaskLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`s: tool hub.post(token: "a\"b", text: "c", apiKey: "env:KEY")`: `s: tool hub.post(token: "[REDACTED]", text: "c", apiKey: "env:KEY")`,
		`t: let password = "x"`:                `t: let password = "[REDACTED]"`,
		`t: let password = template "x${a}"`:   `t: let password = template "[REDACTED]"`,
		`t: let password = input.password`:     `t: let password = input.password`,
		`r: return {secret: "", n: 1}`:         `r: return {secret: "", n: 1}`,
		`while: while (a == "token: x") limit`: `while: while (a == "token: x") limit`,
	} {
		if got := diff.MaskLine(line); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", line, got, want)
		}
	}
}

// Two secrets that differ are shown as a change and neither is shown.
func TestChangeOfSecretsIsMasked(t *testing.T) {
	t.Parallel()
	before := parse(t, `{"http":{"headers":[{"name":"A","value":"one"},{"name":"B","value":"two"}]}}`)
	after := parse(t, `{"http":{"headers":[{"name":"A","value":"three"},{"name":"C","value":"four"}]}}`)
	want := `changed http.headers[A].value "[REDACTED]" -> "[REDACTED, changed]"
removed http.headers[B] {"name":"B","value":"[REDACTED]"} -> null
added http.headers[C] null -> {"name":"C","value":"[REDACTED]"}`
	if got := show(diff.Fields(before, after)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A secret that changed within a larger value, or in a line of a program, is marked;
// one that stayed is not.
func TestChangedSecretsAreMarked(t *testing.T) {
	t.Parallel()
	before := parse(t, `{"args":["--token","one","--api-key=k","x"],"note":"{\"token\":\"a\",\"n\":1}","url":"https://me:one@h"}`)
	after := parse(t, `{"args":["--token","two","--api-key=k","y"],"note":"{\"token\":\"b\",\"n\":1}","url":"https://me:two@h"}`)
	want := `changed args ["--token","[REDACTED]","--api-key=[REDACTED]","x"] -> ["--token","[REDACTED, changed]","--api-key=[REDACTED]","y"]
changed note "{\"n\":1,\"token\":\"[REDACTED]\"}" -> "{\"n\":1,\"token\":\"[REDACTED, changed]\"}"
changed url "https://[REDACTED]@h" -> "https://[REDACTED, changed]@h"`
	if got := show(diff.Fields(before, after)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	lines := []diff.Line{
		{Kind: diff.LineRemoved, Text: `token: "[REDACTED]"`}, {Kind: diff.LineAdded, Text: `token: "[REDACTED]"`},
		{Kind: diff.LineSame, Text: "x"}, {Kind: diff.LineAdded, Text: `token: "[REDACTED]"`},
	}
	diff.MarkLines(lines)
	if lines[1].Text != `token: "[REDACTED, changed]"` || lines[0].Text != `token: "[REDACTED]"` || lines[3].Text != `token: "[REDACTED]"` {
		t.Errorf("lines are %v", lines)
	}
}

func FuzzFields(f *testing.F) {
	f.Add(`{"a":[{"name":"x"}]}`, `{"a":[{"name":"y"}]}`)
	f.Add(`[1,2]`, `null`)
	f.Fuzz(func(t *testing.T, a, b string) {
		before, errA := canon.Parse([]byte(a))
		after, errB := canon.Parse([]byte(b))
		if errA != nil || errB != nil {
			return
		}
		changes := diff.Fields(before, after)
		if canon.Equal(before, after) != (len(changes) == 0) {
			t.Errorf("%s and %s give %d changes", before.JSON(), after.JSON(), len(changes))
		}
		if len(diff.Fields(after, before)) != len(changes) {
			t.Errorf("the way back from %s to %s is not as long", after.JSON(), before.JSON())
		}
	})
}

// Secrets in queries, assignments and command lines are hidden as those in user
// information are.
func TestMaskInsideOfTexts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{`{"http":{"baseUrl":"https://x.example?apikey=CANARY"}}`, `{"http":{"baseUrl":"https://x.example?apikey=[REDACTED]"}}`},
		{`{"baseUrl":"https://x.example?a=b&key=CANARY"}`, `{"baseUrl":"https://x.example?a=b&key=[REDACTED]"}`},
		{
			`{"runtime":{"address":"u:CANARY@h:1","state":"postgres://u:CANARY@h/db?password=CANARY"}}`,
			`{"runtime":{"address":"[REDACTED]@h:1","state":"postgres://[REDACTED]@h/db?password=[REDACTED]"}}`,
		},
		{`{"testCommand":"TOKEN=CANARY make test --password CANARY"}`, `{"testCommand":"TOKEN=[REDACTED] make test --password [REDACTED]"}`},
		{`{"args":["-p","CANARY","--key","CANARY","A_TOKEN=CANARY","x"]}`, `{"args":["-p","[REDACTED]","--key","[REDACTED]","A_TOKEN=[REDACTED]","x"]}`},
	} {
		if got := diff.Mask(parse(t, test.in)).JSON(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.in, got, test.want)
		}
	}
	if got := diff.MaskLine(`s: tool hub.get(url: "https://h?token=CANARY")`); got != `s: tool hub.get(url: "https://h?token=[REDACTED]")` {
		t.Errorf("MaskLine gives %s", got)
	}
}
