package http_test

import (
	"context"
	"errors"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terfyn/activities/tool"
	"terfyn/activities/tool/http"
	"terfyn/activities/tool/tooltest"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

func serve(t *testing.T, h nethttp.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

func call(base, operation string) tool.Call {
	return tool.Call{
		Tool:      resource.Tool{Name: "api", Type: "http", HTTP: &resource.HTTP{BaseURL: base}},
		Operation: resource.Operation{Name: operation},
		Arguments: canon.Object(),
	}
}

func readOnly(c tool.Call) tool.Call {
	yes := true
	c.Operation.ReadOnly = &yes
	return c
}

// hidden puts an argument into the query that no message may show.
func hidden(c tool.Call) tool.Call {
	c.Arguments = canon.Object(canon.F("q", canon.String("hidden")))
	return c
}

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tooltest.Exercise(t, tooltest.Driver{Raw: true, Hang: true, Open: func(t *testing.T, a tooltest.Answer) (tool.Transport, tool.Call) {
		url := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
			switch {
			case a.Hang:
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			case a.Fail != "":
				w.WriteHeader(nethttp.StatusUnprocessableEntity)
				_, _ = io.WriteString(w, a.Fail)
			case a.Raw != nil:
				_, _ = w.Write(a.Raw)
			default:
				_, _ = io.WriteString(w, a.JSON)
			}
		})
		return http.Transport{}, call(url, "post.go")
	}})
}

func TestRequests(t *testing.T) {
	t.Setenv("HTTP_TEST_TOKEN", "s3cr3t-token")
	var seen *nethttp.Request
	var body string
	url := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		b, _ := io.ReadAll(r.Body)
		seen, body = r, string(b)
		w.WriteHeader(nethttp.StatusNoContent)
	})
	for _, c := range []struct {
		operation, remote, arguments string
		wantLine, wantBody           string
	}{
		{"post.api.v1.items", "", `{"n":18446744073709551615}`, "POST /base/api/v1/items", `{"n":18446744073709551615}`},
		{"send", "POST /v1/send", `{}`, "POST /base/v1/send", `{}`},
		{"put.a", "", `{"x":1.0}`, "PUT /base/a", `{"x":1}`},
		{"get.items", "", `{"q":"a b","n":9007199254740993,"tags":["x","y"],"gone":null,"o":{"k":1}}`, "GET /base/items?n=9007199254740993&o=%7B%22k%22%3A1%7D&q=a+b&tags=x&tags=y", ""},
		{"delete.items.7", "", `{}`, "DELETE /base/items/7", ""},
		{"get", "", `{}`, "GET /base", ""},
	} {
		k := call(url+"/base/", c.operation)
		k.Operation.RemoteName, k.Arguments, k.OperationID = c.remote, parse(t, c.arguments), "op-1"
		k.Tool.HTTP.Headers = []resource.Header{{Name: "Authorization", Value: "env:HTTP_TEST_TOKEN"}, {Name: "X-Plain", Value: "p"}}
		got, err := http.Transport{}.Call(t.Context(), k)
		if err != nil || got.Output.JSON() != "{}" {
			t.Errorf("%s: %s, %v", c.operation, got.Output.JSON(), err)
			continue
		}
		if line := seen.Method + " " + strings.TrimSuffix(seen.RequestURI, "/"); line != c.wantLine || body != c.wantBody {
			t.Errorf("%s sends %s with %s", c.operation, line, body)
		}
		h := seen.Header
		if h.Get("Authorization") != "s3cr3t-token" || h.Get("X-Plain") != "p" || h.Get("Terfyn-Operation-Id") != "op-1" || h.Get("Idempotency-Key") != "" {
			t.Errorf("%s: headers %v", c.operation, h)
		}
	}
	k := call(url, "post.x")
	k.OperationID, k.Operation.Idempotency = "op-2", "key"
	if _, err := (http.Transport{}).Call(t.Context(), k); err != nil || seen.Header.Get("Idempotency-Key") != "op-2" {
		t.Errorf("idempotency key %q, %v", seen.Header.Get("Idempotency-Key"), err)
	}
}

func TestRefusedBeforeSending(t *testing.T) {
	t.Parallel()
	count := 0
	url := serve(t, func(nethttp.ResponseWriter, *nethttp.Request) { count++ })
	with := func(f func(*tool.Call)) tool.Call { k := call(url, "post.x"); f(&k); return k }
	for _, c := range []struct {
		call tool.Call
		want string
	}{
		{call(url, "default"), "no default operation"},
		{call(url, ""), "no default operation"},
		{call(url, "items.list"), "no default operation"},
		{with(func(k *tool.Call) { k.Operation.RemoteName = "GET /../admin" }), "no plain path"},
		{with(func(k *tool.Call) { k.Operation.RemoteName = "GET /a?b=c" }), "no plain path"},
		{with(func(k *tool.Call) { k.Tool.HTTP = nil }), "no http block"},
		{with(func(k *tool.Call) { k.Tool.HTTP.BaseURL = "ftp://x" }), "baseUrl"},
		{with(func(k *tool.Call) { k.Arguments = canon.Int(1) }), "must be an object"},
		{with(func(k *tool.Call) { k.Tool.HTTP.Headers = []resource.Header{{Name: "A", Value: "env:HTTP_TEST_UNSET"}} }), "env:HTTP_TEST_UNSET"},
		{with(func(k *tool.Call) { k.Tool.HTTP.Headers = []resource.Header{{Name: "A", Value: "b\r\nC: d"}} }), "line break"},
	} {
		_, err := http.Transport{}.Call(t.Context(), c.call)
		if e, ok := errors.AsType[*tool.Error](err); !ok || e.Class != tool.BadInput || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
	if count != 0 {
		t.Errorf("%d requests were sent", count)
	}
}

func TestStatusClasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status         int
		after          string
		effects, reads tool.Class
	}{
		{404, "", tool.Failed, tool.Failed},
		{429, "", tool.NotSent, tool.NotSent},
		{503, "3", tool.NotSent, tool.NotSent},
		{503, "", tool.Unknown, tool.NotSent},
		{500, "3", tool.Unknown, tool.NotSent},
		{303, "", tool.Unknown, tool.Failed},
		{308, "", tool.Failed, tool.Failed},
	} {
		url := serve(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			if c.after != "" {
				w.Header().Set("Retry-After", c.after)
			}
			if c.status < 400 {
				w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			}
			w.WriteHeader(c.status)
		})
		for _, k := range []struct {
			call tool.Call
			want tool.Class
		}{{call(url, "post.x"), c.effects}, {readOnly(call(url, "get.x")), c.reads}} {
			_, err := http.Transport{}.Call(t.Context(), k.call)
			e, ok := errors.AsType[*tool.Error](err)
			if !ok || e.Class != k.want {
				t.Errorf("status %d to %s: %v, want %s", c.status, k.call.Operation.Name, err, k.want)
				continue
			}
			if c.status == 503 && c.after != "" && e.RetryAfter != 3*time.Second {
				t.Errorf("retry after %v", e.RetryAfter)
			}
		}
	}
}

func TestLostConnections(t *testing.T) {
	t.Parallel()
	dropped := serve(t, func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		panic(nethttp.ErrAbortHandler)
	})
	cut := serve(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"id":`)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String()
	_ = l.Close()
	for _, c := range []struct {
		name string
		call tool.Call
		want tool.Class
	}{
		{"refused", call(closed, "post.x"), tool.NotSent},
		{"refused, reading", hidden(call(closed, "get.x")), tool.NotSent},
		{"dropped", call(dropped, "post.x"), tool.Unknown},
		{"dropped, read-only", readOnly(call(dropped, "get.x")), tool.NotSent},
		{"cut answer", call(cut, "post.x"), tool.Unknown},
	} {
		_, err := http.Transport{}.Call(t.Context(), c.call)
		if e, ok := errors.AsType[*tool.Error](err); !ok || e.Class != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		} else if strings.Contains(e.Message, "hidden") {
			t.Errorf("%s: the message shows an argument: %s", c.name, e.Message)
		}
	}
}

func TestCancelledAfterSendingIsUnknown(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	url := serve(t, func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	for _, c := range []struct {
		call tool.Call
		want tool.Class
	}{{call(url, "post.x"), tool.Unknown}, {readOnly(call(url, "get.x")), tool.NotSent}} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-arrived
			cancel()
		}()
		_, err := http.Transport{}.Call(ctx, c.call)
		if e, ok := errors.AsType[*tool.Error](err); !ok || e.Class != c.want || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %s", c.call.Operation.Name, err, c.want)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Setenv("HTTP_TEST_TOKEN", "s3cr3t-token")
	for _, c := range []struct{ contentType, body, want, id string }{
		{"application/json", `{"id":"m-1","n":1.0}`, `{"id":"m-1","n":1}`, "m-1"},
		{"application/json", `{"id":18446744073709551615}`, `{"id":18446744073709551615}`, "18446744073709551615"},
		{"application/json", `7`, `7`, "header-id"},
		{"text/plain", `7`, `"7"`, "header-id"},
		{"text/plain", `[1]`, `[1]`, "header-id"},
		{"application/json", `{"n":1e400}`, `"{\"n\":1e400}"`, "header-id"},
		{"application/json", ``, `{}`, "header-id"},
		{"application/json", `{"echo":"Bearer s3cr3t-token"}`, `{"echo":"Bearer [REDACTED]"}`, "header-id"},
	} {
		url := serve(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.Header().Set("Content-Type", c.contentType)
			w.Header().Set("X-Request-Id", "header-id")
			_, _ = io.WriteString(w, c.body)
		})
		k := call(url, "post.x")
		k.Tool.HTTP.Headers = []resource.Header{{Name: "Authorization", Value: "env:HTTP_TEST_TOKEN"}}
		got, err := http.Transport{}.Call(t.Context(), k)
		if err != nil || got.Output.JSON() != c.want || got.ProviderID != c.id {
			t.Errorf("%s: %s id %q, %v", c.body, got.Output.JSON(), got.ProviderID, err)
		}
	}
	url := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		nethttp.Error(w, "bad token "+r.Header.Get("Authorization"), nethttp.StatusForbidden)
	})
	k := call(url, "post.x")
	k.Tool.HTTP.Headers = []resource.Header{{Name: "Authorization", Value: "env:HTTP_TEST_TOKEN"}}
	if _, err := (http.Transport{}).Call(t.Context(), k); err == nil || strings.Contains(err.Error(), "s3cr3t") {
		t.Errorf("an error shows the secret: %v", err)
	}
	big := serve(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 9<<20))
	})
	got, err := http.Transport{}.Call(t.Context(), call(big, "post.x"))
	if text, _ := got.Output.AsString(); err != nil || !got.Truncated || len(text) != 8<<20 {
		t.Errorf("a huge answer: truncated %v, %d bytes, %v", got.Truncated, len(text), err)
	}
}

func TestReadsFollowTheirOwnOriginOnly(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if r.URL.Path == "/old" {
			nethttp.Redirect(w, r, "/new", nethttp.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.URL.Path)
	})
	got, err := http.Transport{}.Call(t.Context(), readOnly(call(url, "get.old")))
	if text, _ := got.Output.AsString(); err != nil || text != "/new" {
		t.Errorf("%q, %v", text, err)
	}
}
