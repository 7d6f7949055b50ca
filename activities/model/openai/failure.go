package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	sdk "github.com/openai/openai-go/v3"

	"terfyn/activities/model"
)

// maxRetryAfter bounds what a server may ask a workflow to wait.
const maxRetryAfter = time.Hour

// failure classifies what went wrong. The provider's own message is left out: it
// may quote the conversation or the key. Its code, type and parameter are short
// identifiers and stay.
func (p *Provider) failure(ctx context.Context, r model.Request, answered *http.Response, err error) error {
	switch ended := ctx.Err(); {
	case errors.Is(ended, context.DeadlineExceeded):
		return model.Timeout(ended)
	case ended != nil:
		return fmt.Errorf("calling provider %s: %w", p.name, ended)
	}
	if answered == nil {
		return &model.Error{Class: model.Retryable, Message: "provider " + p.name + " could not be reached or the connection was lost", Cause: err}
	}
	e := &model.Error{Class: model.StatusClass(answered.StatusCode), Status: answered.StatusCode, Cause: err}
	if answered.StatusCode < 400 {
		e.Class = model.Retryable
		e.Message = fmt.Sprintf("provider %s sent an answer with status %d that cannot be read", p.name, e.Status)
		return e
	}
	e.Message = fmt.Sprintf("provider %s answered with status %d %s%s", p.name, e.Status, http.StatusText(e.Status), codes(err))
	e.RetryAfter = retryAfter(answered.Header)
	if e.Class == model.Permanent {
		e.Structure = model.Structure(r)
	}
	return e
}

func codes(err error) string {
	api, ok := errors.AsType[*sdk.Error](err)
	if !ok {
		return ""
	}
	text := ""
	for _, f := range []struct{ name, value string }{{"code", api.Code}, {"type", api.Type}, {"param", api.Param}} {
		if f.value != "" {
			text += ", " + f.name + " " + model.Token(f.value)
		}
	}
	return text
}

// retryAfter reads the server's wish: milliseconds, seconds or a date.
func retryAfter(h http.Header) time.Duration {
	return min(max(wished(h), 0), maxRetryAfter)
}

func wished(h http.Header) time.Duration {
	for _, f := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		if n, err := strconv.ParseInt(h.Get(f.name), 10, 64); err == nil {
			return time.Duration(min(n, int64(maxRetryAfter/f.unit))) * f.unit
		}
	}
	if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		return time.Until(at)
	}
	return 0
}

// limited is a transport whose answers end in an error past maxAnswerBytes.
type limited struct{ next http.RoundTripper }

// RoundTrip sends the request.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	next := l.next
	if next == nil {
		next = http.DefaultTransport
	}
	res, err := next.RoundTrip(r)
	if err == nil {
		res.Body = &limitedBody{ReadCloser: res.Body, left: maxAnswerBytes}
	}
	return res, err
}

type limitedBody struct {
	io.ReadCloser
	left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("the answer is larger than %d bytes", maxAnswerBytes)
	}
	return n, err
}
