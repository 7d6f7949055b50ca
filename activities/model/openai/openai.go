// Package openai owns the wire of OpenAI-compatible providers: chat completions
// through the official SDK, for the vendor itself and for every base URL that
// speaks the same protocol.
//
// Requests are written and tool arguments read by the canonical codec, so that
// numbers in schemas and arguments keep every digit. The SDK's retries are off:
// the workflow retries. Which provider has which base URL is model/open's.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"

	"terfyn/activities/model"
	"terfyn/internal/secret"
)

// VendorURL is the endpoint of the vendor itself.
const VendorURL = "https://api.openai.com/v1"

// maxAnswerBytes bounds one answer of a provider.
const maxAnswerBytes = 32 << 20

// Settings say how to reach a provider.
type Settings struct {
	Name     string // as shown in errors
	BaseURL  string // "" = VendorURL; a trailing slash is dropped
	KeyFrom  string // reference resolved at each call; "" = no key is sent
	NewStyle bool   // the cap is sent as max_completion_tokens, which newer vendor models demand
	Client   *http.Client
}

// Provider is one OpenAI-compatible endpoint.
type Provider struct {
	name    string
	keyFrom string
	options []option.RequestOption
	style   string // member name of the output token cap
}

// New checks the settings; it neither dials nor reads the key.
func New(s Settings) (*Provider, error) {
	base, err := baseURL(s.BaseURL)
	if err != nil {
		return nil, err
	}
	client := s.Client
	if client == nil {
		client = &http.Client{}
	}
	bounded := *client
	bounded.Transport = limited{next: client.Transport}
	bounded.CheckRedirect = sameOrigin
	style := "max_tokens"
	if s.NewStyle {
		style = "max_completion_tokens"
	}
	return &Provider{
		name: s.Name, keyFrom: s.KeyFrom, style: style,
		options: []option.RequestOption{
			option.WithBaseURL(base), option.WithHTTPClient(&bounded), option.WithMaxRetries(0),
		},
	}, nil
}

func baseURL(base string) (string, error) {
	if base == "" {
		return VendorURL, nil
	}
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", &model.Error{Class: model.Config, Message: fmt.Sprintf("baseUrl %q is no absolute http or https URL with a host", base)}
	}
	return strings.TrimRight(base, "/"), nil
}

// sameOrigin refuses redirects that would carry the conversation elsewhere.
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if next.URL.Scheme != first.Scheme || next.URL.Host != first.Host || len(via) > 5 {
		return errors.New("the provider redirects to another origin")
	}
	return nil
}

// Generate makes one attempt.
func (p *Provider) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	body, err := encode(r, p.style)
	if err != nil {
		return model.Response{}, err
	}
	var answered *http.Response
	options := append(p.options[:len(p.options):len(p.options)], option.WithResponseInto(&answered))
	if p.keyFrom != "" {
		key, err := secret.Resolve(p.keyFrom)
		if err != nil {
			return model.Response{}, &model.Error{Class: model.Config, Message: "key of provider " + p.name + ": " + err.Error()}
		}
		options = append(options, option.WithAPIKey(key))
	} else {
		options = append(options, option.WithHeaderDel("Authorization"))
	}
	// The bare service, not the SDK's client, so that nothing is read from the environment.
	service := sdk.NewChatCompletionService(options...)
	got, err := service.New(ctx, param.Override[sdk.ChatCompletionNewParams](rawJSON(body)))
	if err != nil {
		return model.Response{}, p.failure(ctx, r, answered, err)
	}
	return decode(r, got)
}

// rawJSON is a body that is already JSON.
type rawJSON []byte

// MarshalJSON returns the bytes as they are.
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }
