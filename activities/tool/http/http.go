// Package http owns tools of type http: one operation is one request under the
// tool's base URL. Header references are resolved for each request and kept
// nowhere.
//
// What matters most here is what a failure means: whether the request may have
// reached the server. The package leaves out retries.
package http

import (
	"context"
	"errors"
	nethttp "net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
	"terfyn/internal/secret"
)

// The headers that carry the operation id.
const (
	operationHeader   = "Terfyn-Operation-Id"
	idempotencyHeader = "Idempotency-Key"
)

// maxAnswerBytes bounds how much of an answer is read.
const maxAnswerBytes = 8 << 20

// maxRedirects bounds the redirects of one reading request.
const maxRedirects = 5

// Transport sends http calls. The zero value uses the default round tripper.
type Transport struct {
	// RoundTripper sends the requests; nil = the default one.
	RoundTripper nethttp.RoundTripper
}

// methods are the methods an operation may name; the value says whether the
// arguments travel in the body.
var methods = map[string]bool{
	nethttp.MethodGet: false, nethttp.MethodHead: false, nethttp.MethodDelete: false,
	nethttp.MethodPost: true, nethttp.MethodPut: true, nethttp.MethodPatch: true,
}

// Call sends one request.
func (t Transport) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	ctx, cancel := c.Within(ctx)
	defer cancel()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// Fires before the first byte is flushed, so that "not sent" is never wrong.
		WroteHeaders: func() { sent.Store(true) },
	})
	req, secrets, err := request(ctx, c)
	if err != nil {
		return tool.Result{}, err
	}
	client := nethttp.Client{Transport: t.RoundTripper, CheckRedirect: redirects(req.Method)}
	res, err := client.Do(req)
	if err != nil {
		return tool.Result{}, lost(ctx, c, sent.Load(), err, secrets)
	}
	defer func() { _ = res.Body.Close() }()
	return answer(ctx, c, res, secrets)
}

// redirects follows only reading requests, and only to the same origin: a
// redirect must neither repeat an effect nor carry credentials elsewhere.
func redirects(method string) func(*nethttp.Request, []*nethttp.Request) error {
	return func(next *nethttp.Request, via []*nethttp.Request) error {
		if method != nethttp.MethodGet && method != nethttp.MethodHead {
			return nethttp.ErrUseLastResponse
		}
		first := via[0].URL
		if next.URL.Scheme != first.Scheme || next.URL.Host != first.Host || len(via) > maxRedirects {
			return nethttp.ErrUseLastResponse
		}
		return nil
	}
}

// request builds the request and returns the secrets it carries.
func request(ctx context.Context, c tool.Call) (*nethttp.Request, []string, error) {
	method, path, err := endpoint(c)
	if err != nil {
		return nil, nil, err
	}
	base, err := baseURL(c)
	if err != nil {
		return nil, nil, err
	}
	if c.Arguments.Kind() != canon.KindObject && !c.Arguments.IsNull() {
		return nil, nil, tool.Failf(tool.BadInput, "arguments", "the arguments of %s.%s must be an object, not %s", c.Tool.Name, c.Operation.Name, c.Arguments.Kind())
	}
	target := base.JoinPath(path)
	var body string
	if methods[method] {
		body = canon.Object(c.Arguments.Fields()...).JSON()
	} else if q := query(c.Arguments); q != "" {
		target.RawQuery = q
	}
	req, err := nethttp.NewRequestWithContext(ctx, method, target.String(), strings.NewReader(body))
	if err != nil {
		return nil, nil, tool.Failf(tool.BadInput, "request", "the request of %s.%s cannot be built", c.Tool.Name, c.Operation.Name).Because(err)
	}
	if body == "" {
		req.Body, req.ContentLength, req.GetBody = nethttp.NoBody, 0, nil
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json, text/plain;q=0.9, */*;q=0.8")
	secrets, err := headers(req, c)
	return req, secrets, err
}

func headers(req *nethttp.Request, c tool.Call) (secrets []string, err error) {
	for _, h := range c.Tool.HTTP.Headers {
		value, err := secret.Resolve(h.Value)
		if err != nil {
			return nil, tool.Failf(tool.BadInput, "secret", "header %s of tool %s: %s", h.Name, c.Tool.Name, err)
		}
		if secret.IsReference(h.Value) {
			secrets = append(secrets, value)
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, tool.Failf(tool.BadInput, "header", "header %s of tool %s holds a line break", h.Name, c.Tool.Name)
		}
		if strings.EqualFold(h.Name, "Host") {
			req.Host = value
			continue
		}
		req.Header.Set(h.Name, value)
	}
	if c.OperationID != "" {
		req.Header.Set(operationHeader, c.OperationID)
		if c.Operation.Idempotency == "key" {
			req.Header.Set(idempotencyHeader, c.OperationID)
		}
	}
	return secrets, nil
}

// endpoint reads the method and path: the remote name "POST /v1/send", or the
// dotted name post.v1.send.
func endpoint(c tool.Call) (method, path string, err error) {
	name := c.Remote()
	method, path, spaced := strings.Cut(name, " ")
	if !spaced {
		method, path, _ = strings.Cut(name, ".")
		path = strings.ReplaceAll(path, ".", "/")
	}
	method = strings.ToUpper(method)
	if _, ok := methods[method]; !ok {
		return "", "", tool.Failf(tool.BadInput, "no_default_operation",
			"tool %s has no default operation: %q must start with an HTTP method, such as get.items or \"GET /items\"", c.Tool.Name, name)
	}
	path = strings.TrimSpace(path)
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." || strings.ContainsAny(part, "?#\\") {
			return "", "", tool.Failf(tool.BadInput, "path", "operation %q of tool %s names no plain path", name, c.Tool.Name)
		}
	}
	return method, path, nil
}

func baseURL(c tool.Call) (*url.URL, error) {
	if c.Tool.HTTP == nil {
		return nil, tool.Failf(tool.BadInput, "base_url", "tool %s declares no http block", c.Tool.Name)
	}
	u, err := url.Parse(c.Tool.HTTP.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, tool.Failf(tool.BadInput, "base_url", "baseUrl %q of tool %s is no absolute http or https URL with a host", c.Tool.HTTP.BaseURL, c.Tool.Name)
	}
	return u, nil
}

// query writes arguments as a query: null is left out, a list is repeated,
// an object is its JSON.
func query(arguments canon.Value) string {
	q := url.Values{}
	for _, f := range arguments.Fields() {
		values := []canon.Value{f.Value}
		if f.Value.Kind() == canon.KindList {
			values = f.Value.Items()
		}
		for _, v := range values {
			if !v.IsNull() {
				q.Add(f.Name, v.Text())
			}
		}
	}
	return q.Encode()
}

// lost classifies a request that got no answer.
func lost(ctx context.Context, c tool.Call, sent bool, err error, secrets []string) error {
	if ctx.Err() != nil {
		return tool.Ended(ctx, c, sent)
	}
	// The URL holds arguments of reading requests, which do not belong in a message.
	shown := err
	if ue, ok := errors.AsType[*url.Error](err); ok {
		shown = ue.Err
	}
	what := tool.RedactText(shown.Error(), secrets)
	if !sent {
		return tool.Failf(tool.NotSent, "unreachable", "tool %s could not be reached: %s", c.Tool.Name, what).Because(err)
	}
	class := tool.NotSent
	if c.HasEffects() {
		class = tool.Unknown
	}
	return tool.Failf(class, "connection_lost", "the connection to tool %s was lost after the request was sent: %s", c.Tool.Name, what).Because(err)
}
