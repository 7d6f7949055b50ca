package native_test

import (
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"terfyn/activities/tool"
	"terfyn/activities/tool/native"
)

// forge is a GitHub server that knows one pull request.
func forge(t *testing.T, token string) (asked *[]string) {
	t.Helper()
	asked = &[]string{}
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = append(*asked, r.Method+" "+r.URL.Path+" "+string(body))
		if token != "" && r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(nethttp.StatusUnauthorized)
			return
		}
		switch {
		case strings.HasSuffix(r.URL.Path, "/pulls/7") && strings.Contains(r.Header.Get("Accept"), "diff"):
			_, _ = io.WriteString(w, "-a\n+b\n")
		case strings.HasSuffix(r.URL.Path, "/pulls/7"):
			_, _ = io.WriteString(w, `{"number":7,"big":12345678901234567890}`)
		case strings.HasSuffix(r.URL.Path, "/pulls/8"):
			w.WriteHeader(nethttp.StatusNotFound)
			_, _ = io.WriteString(w, "no "+token)
		case r.Method == nethttp.MethodPost:
			_, _ = io.WriteString(w, `{"id":42,"echo":"`+token+`"}`)
		case strings.HasSuffix(r.URL.Path, "/commits/feature/x/check-runs"):
			_, _ = io.WriteString(w, `{"total_count":0,"check_runs":[]}`)
		default:
			w.WriteHeader(nethttp.StatusInternalServerError)
		}
	}))
	t.Cleanup(s.Close)
	t.Setenv("GITHUB_API_URL", s.URL)
	t.Setenv("GITHUB_TOKEN", token)
	return asked
}

func TestGitHub(t *testing.T) {
	asked := forge(t, "s3cr3t")
	for _, c := range []struct{ operation, arguments, want string }{
		{"pull_request.get", `{"owner":"o","repo":"r","number":7}`, `{"big":12345678901234567890,"number":7}`},
		{"pull_request.diff", `{"owner":"o","repo":"r","number":7}`, `{"diff":"-a\n+b\n"}`},
		{"check_runs.list", `{"owner":"o","repo":"r","ref":"feature/x"}`, `{"check_runs":[],"total_count":0}`},
	} {
		if got, e := run(t, "", c.operation, c.arguments); e != nil || got.JSON() != c.want {
			t.Errorf("%s: %s, %v", c.operation, got.JSON(), e)
		}
	}
	r, err := native.Transport{}.Call(t.Context(), call("", "post_comment", parse(t, `{"owner":"o","repo":"r","number":7,"body":"fine"}`)))
	if err != nil || r.ProviderID != "42" || strings.Contains(r.Output.JSON(), "s3cr3t") {
		t.Errorf("post_comment: %+v, %v", r, err)
	}
	if last := (*asked)[len(*asked)-1]; last != `POST /repos/o/r/issues/7/comments {"body":"fine"}` {
		t.Errorf("sent %s", last)
	}
	if _, e := run(t, "", "pull_request.get", `{"owner":"o","repo":"r","number":8}`); e == nil || e.Class != tool.Failed || strings.Contains(e.Message, "s3cr3t") {
		t.Errorf("a missing pull request: %v", e)
	}
}

func TestGitHubLeavesNoDoubtAboutReading(t *testing.T) {
	forge(t, "")
	for operation, want := range map[string]tool.Class{"pull_request.get": tool.NotSent, "post_comment": tool.Unknown} {
		t.Setenv("GITHUB_API_URL", broken(t))
		_, e := run(t, "", operation, `{"owner":"o","repo":"r","number":1`+map[string]string{"post_comment": `,"body":"x"`}[operation]+`}`)
		if e == nil || e.Class != want {
			t.Errorf("%s: %v, want %s", operation, e, want)
		}
	}
	for _, arguments := range []string{
		`{"owner":"..","repo":"r","number":1}`, `{"owner":"o/x","repo":"r","number":1}`, `{"owner":"o","repo":"r?x","number":1}`,
		`{"owner":"o","repo":"r","number":0}`, `{"owner":"o","repo":"r"}`,
	} {
		if _, e := run(t, "", "pull_request.get", arguments); e == nil || e.Class != tool.BadInput {
			t.Errorf("%s: %v", arguments, e)
		}
	}
	if _, e := run(t, "", "check_runs.list", `{"owner":"o","repo":"r","ref":"../x"}`); e == nil || e.Class != tool.BadInput {
		t.Errorf("a ref that leaves: %v", e)
	}
}

// broken is a server that fails after it got the request.
func broken(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.WriteHeader(nethttp.StatusInternalServerError)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
