package resource

import (
	"strings"
	"testing"

	"terfyn/internal/canon"
)

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parsing the fixture: %v", err)
	}
	return v
}

func TestMockScriptPicksTheFirstFittingConversation(t *testing.T) {
	t.Parallel()
	script, err := ParseMockScript(parse(t, `{"conversations":[
		{"match":{"review.approved":true,"ticket.id":"T-1"},"turns":[{"text":"approved"}]},
		{"match":{"items.1.n":9007199254740993},"turns":[{"text":"big"}]},
		{"contains":"say \"hi\"","turns":[{"text":"quoted"}]},
		{"match":{"contains":"urgent"},"turns":[{"text":"urgent"}]},
		{"match":{"gone":null,"kind":"rest"},"turns":[{"text":"rest"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ input, want string }{
		{`{"review":{"approved":true},"ticket":{"id":"T-1"}}`, "approved"},
		{`{"items":[{},{"n":9007199254740993}]}`, "big"},
		{`{"items":[{},{"n":9007199254740992}]}`, ""},
		{`{"a":["please say \"hi\" now"]}`, "quoted"},
		{`{"review":{"approved":false},"note":"urgent!"}`, "urgent"},
		{`{"kind":"rest"}`, "rest"},
		{`"kind"`, ""},
	} {
		conversation, ok := script.Conversation(parse(t, c.input))
		got := ""
		if ok {
			got = conversation.Turns[0].Text
		}
		if got != c.want {
			t.Errorf("input %s plays %q, want %q", c.input, got, c.want)
		}
	}
}

func TestMockScriptReadsATurn(t *testing.T) {
	t.Parallel()
	script, err := ParseMockScript(parse(t, `{"turns":[
		{"calls":[{"tool":"articles","arguments":{"id":"A1"}},{"tool":"list"}],"usage":{"input":10,"output":20},"costUsd":"0.01"},
		{"output":{"n":18446744073709551615},"stop":"max_tokens"},
		{"error":{"status":429,"message":"slow down"}},
		{"text":""}]}`))
	if err != nil {
		t.Fatal(err)
	}
	turns := script.Conversations[0].Turns
	if c := turns[0].Calls; len(c) != 2 || c[0].Tool != "articles" || c[0].Arguments.Str("id") != "A1" || c[1].Arguments.JSON() != "{}" {
		t.Errorf("calls = %+v", c)
	}
	if turns[0].Input != 10 || turns[0].Tokens != 20 || turns[0].CostUSD != "0.01" {
		t.Errorf("usage = %+v", turns[0])
	}
	if got := turns[1].Output.JSON(); got != `{"n":18446744073709551615}` || turns[1].Stop != "length" {
		t.Errorf("output = %s, stop %q", got, turns[1].Stop)
	}
	if turns[2].Error == nil || turns[2].Error.Status != 429 || !turns[3].HasText {
		t.Errorf("turns = %+v", turns[2:])
	}
}

func TestMockScriptErrorsNameThePath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, want string }{
		{`[]`, "a mock script must be an object"},
		{`{}`, "either conversations or turns"},
		{`{"turns":[{"text":"a"}],"conversations":[]}`, "either conversations or turns"},
		{`{"turns":[]}`, "turns must be an array"},
		{`{"turn":[]}`, "turn is not a known key"},
		{`{"conversations":[{"turns":[{"text":"a"},{"txt":"b"}]}]}`, "conversations[0].turns[1].txt is not a known key"},
		{`{"conversations":[{"match":3,"turns":[{"text":"a"}]}]}`, "conversations[0].match must be an object"},
		{`{"turns":[{"output":[1]}]}`, "turns[0].output must be an object, not array"},
		{`{"turns":[{"output":{},"text":"a"}]}`, "turns[0] has both output and text"},
		{`{"turns":[{"stop":"end"}]}`, "turns[0] needs calls"},
		{`{"turns":[{"text":"a","error":{"status":500}}]}`, "turns[0] has an error beside an answer"},
		{`{"turns":[{"error":{"status":200}}]}`, "turns[0].error.status"},
		{`{"turns":[{"text":"a","usage":{"input":-1}}]}`, "turns[0].usage.input"},
		{`{"turns":[{"text":"a","costUsd":"1e3"}]}`, "turns[0].costUsd"},
		{`{"turns":[{"text":"a","stop":"soon"}]}`, "turns[0].stop"},
		{`{"turns":[{"calls":[{"arguments":{}}]}]}`, "turns[0].calls[0].tool must be a string"},
	} {
		_, err := ParseMockScript(parse(t, c.script))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.script, err, c.want)
		}
	}
}

func TestMockToolScript(t *testing.T) {
	t.Parallel()
	script, err := ParseMockToolScript(parse(t, `{"operations":{
		"send":[{"match":{"to":"x"},"error":{"class":"unknown","message":"lost"}},{"output":{"id":"m-1"}}],
		"find":[{"contains":"needle","output":[1,2]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := script.Answer("send", parse(t, `{"to":"x"}`)); !ok || a.Error == nil || a.Error.Class != "unknown" {
		t.Errorf("scripted error = %+v, %v", a, ok)
	}
	if a, ok := script.Answer("send", parse(t, `{"to":"y"}`)); !ok || a.Output.Str("id") != "m-1" {
		t.Errorf("fallback answer = %+v, %v", a, ok)
	}
	if _, ok := script.Answer("find", parse(t, `{}`)); ok {
		t.Error("an answer without a fitting match was given")
	}
	for _, c := range []struct{ script, want string }{
		{`{"operations":[]}`, "operations must be an object"},
		{`{"operations":{"a":[{}]}}`, "operations.a[0] needs either output or error"},
		{`{"operations":{"a":[{"error":{"class":"odd"}}]}}`, "operations.a[0].error.class must be one of bad_input"},
		{`{"operations":{"a":[{"output":1,"delay":2}]}}`, "operations.a[0].delay is not a known key"},
	} {
		_, err := ParseMockToolScript(parse(t, c.script))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.script, err, c.want)
		}
	}
}
