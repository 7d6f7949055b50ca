package http

import (
	"context"
	"fmt"
	"io"
	nethttp "net/http"
	"strconv"
	"strings"
	"time"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

// maxRetryAfter bounds what a server may ask a workflow to wait.
const maxRetryAfter = time.Hour

// answer reads and classifies an answer.
func answer(ctx context.Context, c tool.Call, res *nethttp.Response, secrets []string) (tool.Result, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswerBytes+1))
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return tool.Result{}, refused(c, res, tool.RedactText(string(body[:min(len(body), 2*tool.MaxMessage)]), secrets))
	}
	if err != nil {
		return tool.Result{}, lost(ctx, c, true, fmt.Errorf("status %d, reading the answer: %w", res.StatusCode, err), secrets)
	}
	if len(body) > maxAnswerBytes {
		// The effect happened, so the call succeeded; only the document is lost.
		out := canon.String(tool.RedactText(string(body[:maxAnswerBytes]), secrets))
		return tool.Result{Output: out, Truncated: true, ProviderID: headerID(res.Header)}, nil
	}
	out := tool.Redact(parse(res, body), secrets)
	id := tool.ProviderID(out)
	if id == "" {
		id = headerID(res.Header)
	}
	return tool.Result{Output: out, ProviderID: id}, nil
}

func headerID(h nethttp.Header) string {
	for _, name := range []string{"Provider-Id", "X-Request-Id"} {
		if id := h.Get(name); id != "" {
			return tool.Bound(id)
		}
	}
	return ""
}

// parse reads JSON exactly; other text is a string; nothing is an empty object.
// Some servers do not name JSON as such, so objects and arrays are tried under
// any content type. JSON outside of the number model stays text.
func parse(res *nethttp.Response, body []byte) canon.Value {
	text := strings.TrimSpace(string(body))
	if text == "" {
		return canon.Object()
	}
	named := strings.Contains(res.Header.Get("Content-Type"), "json")
	if named || text[0] == '{' || text[0] == '[' {
		if v, err := canon.Parse([]byte(text)); err == nil {
			return v
		}
	}
	return canon.String(string(body))
}

// refused classifies a status that is no success.
func refused(c tool.Call, res *nethttp.Response, text string) error {
	status := res.StatusCode
	wait, asked := retryAfter(res.Header)
	code := "http_" + strconv.Itoa(status)
	fail := func(class tool.Class) *tool.Error {
		return tool.Failf(class, code, "tool %s answered %s.%s with status %d %s: %s",
			c.Tool.Name, c.Tool.Name, c.Operation.Name, status, nethttp.StatusText(status), text)
	}
	switch {
	case status == nethttp.StatusTooManyRequests, status == nethttp.StatusServiceUnavailable && asked:
		e := fail(tool.NotSent)
		e.RetryAfter = wait
		return e
	case status >= 500, status < 400 && status != nethttp.StatusTemporaryRedirect && status != nethttp.StatusPermanentRedirect:
		// No statement about the effect: a redirect after POST often means that it happened.
		if c.HasEffects() {
			return fail(tool.Unknown)
		}
		if status < 400 {
			return fail(tool.Failed)
		}
		return fail(tool.NotSent)
	}
	return fail(tool.Failed)
}

// retryAfter reads the header as seconds or a date.
func retryAfter(h nethttp.Header) (wait time.Duration, asked bool) {
	text := h.Get("Retry-After")
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(n, 0), int64(maxRetryAfter/time.Second))) * time.Second, true
	}
	at, err := nethttp.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return min(max(time.Until(at), 0), maxRetryAfter), true
}
