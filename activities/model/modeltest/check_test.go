package modeltest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"terfyn/activities/model/modeltest"
)

const (
	user  = `{"role":"user","content":"go"}`
	calls = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"t","arguments":"{}"}}]}`
	resA  = `{"role":"tool","tool_call_id":"a","content":""}`
	resB  = `{"role":"tool","tool_call_id":"b","content":"x"}`
	tool  = `{"type":"function","function":{"name":"t","parameters":{"type":"object"}}}`
)

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer k")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestServerRefusesMalformedConversations(t *testing.T) {
	t.Parallel()
	server := modeltest.NewServer(modeltest.ByTurn(modeltest.Turn{Text: "ok"}, modeltest.Turn{Text: "ok"}))
	defer server.Close()
	list := func(messages ...string) string {
		return `{"model":"m","messages":[` + strings.Join(messages, ",") + `]}`
	}
	with := func(members string) string { return `{"model":"m","messages":[` + user + `],` + members + `}` }
	for _, c := range []struct{ body, want string }{
		{list(user), ""},
		{list(user, calls, resA, resB), ""},
		{with(`"tools":[` + tool + `],"tool_choice":"auto"`), ""},
		{list(), "messages is empty"},
		{list(user, calls, resA), "the calls b have no answer"},
		{list(user, calls, resA, user), "the calls b before it have no answer"},
		{list(user, calls, resA, resA, resB), "which no call before it waits for"},
		{list(user, calls, resB, resA), "before"},
		{list(user, resA), "which no call before it waits for"},
		{list(user, `{"role":"assistant"}`), "neither content nor tool_calls"},
		{list(user, `{"role":"assistant","content":"x","tool_calls":[]}`), "tool_calls is empty"},
		{list(user, strings.ReplaceAll(calls, `"b"`, `"a"`)), "there twice"},
		{list(user, strings.Replace(calls, `"{}"`, `"{"`, 1)), "text of a JSON object"},
		{list(user, user, `{"role":"system","content":"late"}`), "only allowed first"},
		{with(`"tools":[]`), "tools is empty"},
		{with(`"tool_choice":"none"`), "tool_choice without tools"},
		{with(`"tools":[` + strings.Replace(tool, `"t"`, `"ws.read"`, 1) + `]`), "does not match"},
		{with(`"tools":[` + tool + `,` + tool + `]`), "there twice"},
		{with(`"tools":[` + strings.Replace(tool, `"name"`, `"effects":[],"name"`, 1) + `]`), "unknown field effects"},
		{with(`"stream":true`), "unknown field stream"},
		{with(`"max_tokens":0`), "max_tokens must be"},
		{with(`"response_format":{"type":"json_schema","json_schema":{"name":"o","schema":{}}}`), "must be a strict json_schema"},
	} {
		status, body := post(t, server.URL, c.body)
		if (c.want == "") != (status == http.StatusOK) || !strings.Contains(body, c.want) {
			t.Errorf("%s\ngives %d %s\nwant %q", c.body, status, body, c.want)
		}
	}
	if n, faults := server.Calls(), len(server.Faults()); n != 22 || faults != 19 {
		t.Errorf("%d calls, %d faults", n, faults)
	}
}
