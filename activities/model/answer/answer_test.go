package answer_test

import (
	"strings"
	"testing"

	"terfyn/activities/model/answer"
)

func TestExtractAccepts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"plain", `{"a":1}`, `{"a":1}`},
		{"space", "\n {\"a\":1} \n", `{"a":1}`},
		{"prose", "Here it is: {\"a\":1}. Done.", `{"a":1}`},
		{"fence", "```json\n{\"a\": {\"b\": [1,2]}}\n```", `{"a":{"b":[1,2]}}`},
		{"braces in a string", `ok {"a":"} { [","b":"\"}"} end`, `{"a":"} { [","b":"\"}"}`},
		{"prose brackets", "as {name} said [1] and [note]: {\"a\":1}", `{"a":1}`},
		{"array then object", `[1, 2] {"a":1}`, `{"a":1}`},
		{"exact numbers", `n: {"n":18446744073709551615,"m":9007199254740993,"f":0.1}`, `{"f":0.1,"m":9007199254740993,"n":18446744073709551615}`},
		{"empty object", `{}`, `{}`},
	} {
		got, err := answer.Extract(c.text)
		if err != nil || got.JSON() != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got.JSON(), err, c.want)
		}
	}
}

func TestExtractRefuses(t *testing.T) {
	t.Parallel()
	const not = "agent response is not a JSON object"
	for _, c := range []struct{ name, text, want string }{
		{"null", "null", not}, {"array", "[1]", not}, {"array of one object", `[{"a":1}]`, not}, {"string", `"x"`, not},
		{"object in a string", `"{\"a\":1}"`, not}, {"number", "42", not}, {"boolean", "true", not}, {"empty", " \n", not},
		{"prose", "I could not do it.", not}, {"fenced null", "```\nnull\n```", not},
		{"array in prose", `see [{"a":1}] there`, not},
		{"cut", `{"a":{"b":1}`, not}, {"cut in a string", `{"a":"x`, not}, {"cut array", `[{"a":1}`, not},
		{"broken", `{"a":1,}`, not}, {"unquoted", `{a: {"b":1}}`, not}, {"single quotes", `{'a':1}`, not},
		{"beyond a double", `x {"a":1e400}`, not},
		{"object then a cut one", `{"a":1} {"b":`, not},
		{"two", `{"a":1} {"b":2}`, "ambiguous"}, {"example first", "like {} : {\"a\":1}", "ambiguous"},
		{"twice the same", "{\"a\":1}\n```\n{\"a\":1}\n```", "ambiguous"},
	} {
		got, err := answer.Extract(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v; want an error with %q", c.name, got.JSON(), err, c.want)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "x {\"a\":\"}\"} y", "{}{}", "[{", "{a}", "```json\n{}\n```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := answer.Extract(text)
		if err != nil {
			return
		}
		again, err := answer.Extract("note: " + v.JSON() + " end")
		if err != nil || again.JSON() != v.JSON() {
			t.Fatalf("an extracted object is not extracted again: %s, %v", again.JSON(), err)
		}
	})
}
