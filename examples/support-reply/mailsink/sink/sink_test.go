package sink_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"terfyn/examples/support-reply/mailsink/sink"
)

func serve(t *testing.T, s *sink.Sink) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

// do sends one request and returns status and body; status 0 is a lost connection.
func do(t *testing.T, method, url, operation, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if operation != "" {
		req.Header.Set(sink.OperationHeader, operation)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, strings.TrimSpace(string(b))
}

func TestConversation(t *testing.T) {
	t.Parallel()
	url := serve(t, &sink.Sink{})
	for _, c := range []struct {
		method, path, operation, body string
		status                        int
		want                          string
	}{
		{"GET", "/lookup?operationId=op-1", "", "", 200, `{"sent":false}`},
		{"POST", "/send", "op-1", `{"to":"a@b.example"}`, 200, `{"accepted":true,"id":"mail-1"}`},
		{"GET", "/lookup?operationId=op-1", "", "", 200, `{"providerId":"mail-1","result":{"accepted":true,"id":"mail-1"},"sent":true}`},
		{"POST", "/send", "op-1", `{"to":"a@b.example"}`, 200, `{"accepted":true,"id":"mail-2"}`}, // no idempotency here
		{"GET", "/lookup", "", "", 400, `{"error":"the query needs operationId"}`},
		{"POST", "/send", "op-2", `[]`, 400, `the body must be one JSON object`},
		{"POST", "/control", "", `{"loseNext":-1}`, 400, `loseNext must be 0 or more`},
		{"DELETE", "/send", "", "", 404, `there is no DELETE /send`},
		{"GET", "/messages", "", "", 200, `{"count":2,`},
	} {
		status, got := do(t, c.method, url+c.path, c.operation, c.body)
		if status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, status, got, c.status, c.want)
		}
	}
}

func TestLostAnswersAreAccepted(t *testing.T) {
	t.Parallel()
	s := &sink.Sink{}
	url := serve(t, s)
	if status, got := do(t, "POST", url+"/control", "", `{"loseNext":1}`); status != 200 {
		t.Fatalf("control: %d %s", status, got)
	}
	if status, got := do(t, "POST", url+"/send", "op-1", `{}`); status != 0 {
		t.Errorf("the connection was not dropped: %d %s", status, got)
	}
	if _, got := do(t, "GET", url+"/lookup?operationId=op-1", "", ""); !strings.Contains(got, `"sent":true`) {
		t.Errorf("lookup: %s", got)
	}
	if status, _ := do(t, "POST", url+"/send", "op-2", `{}`); status != 200 {
		t.Errorf("the second answer is lost too: %d", status)
	}
	if m := s.Messages(); len(m) != 2 || m[0].Answered || !m[1].Answered {
		t.Errorf("messages %+v", m)
	}
}

func TestLogOutlivesTheSink(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	first, err := sink.Resume(&log)
	if err != nil {
		t.Fatal(err)
	}
	do(t, "POST", serve(t, first)+"/send", "op-1", `{"to":"a@b.example"}`)
	second, err := sink.Resume(bytes.NewBuffer(log.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if m := second.Messages(); len(m) != 1 || m[0].OperationID != "op-1" || string(m[0].Mail) != `{"to":"a@b.example"}` {
		t.Errorf("messages %+v", m)
	}
	if _, err := sink.Resume(bytes.NewBufferString("{\n")); err == nil || !strings.Contains(err.Error(), "message 1") {
		t.Errorf("a broken log: %v", err)
	}
}
