// Package open owns the choice of a model provider by name: declared aliases
// first, then the built-in namespaces, and prices on top. It leaves out the
// wires of the providers.
package open

import (
	"context"
	"fmt"
	"strings"

	"terfyn/activities/model"
	"terfyn/activities/model/mock"
	"terfyn/activities/model/openai"
	"terfyn/activities/model/price"
	"terfyn/compiler/resource"
)

// builtin is one namespace that needs no declaration.
type builtin struct {
	namespace, baseURL, keyFrom string
}

// builtins speak the OpenAI wire under their own base URL.
var builtins = []builtin{
	{"openai", openai.VendorURL, "env:OPENAI_API_KEY"},
	{"gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "env:GEMINI_API_KEY"},
	{"grok", "https://api.x.ai/v1", "env:XAI_API_KEY"},
	{"kimi", "https://api.moonshot.ai/v1", "env:MOONSHOT_API_KEY"},
}

// mockNamespace is the built-in model that dials nothing.
const mockNamespace = "mock"

// Namespaces are the built-in namespaces that Model can open.
func Namespaces() []string {
	out := []string{mockNamespace}
	for _, b := range builtins {
		out = append(out, b.namespace)
	}
	return out
}

// Model returns the provider of ref (namespace/model_id) and the id to put into
// model.Request. A declared provider wins over a built-in one of its name. No key
// is read and nothing is dialled. Errors are *model.Error of class Config.
func Model(ref string, declared []resource.Provider, prices price.Table) (p model.Provider, id string, err error) {
	namespace, id, ok := strings.Cut(ref, "/")
	if !ok || namespace == "" || id == "" {
		return nil, "", refused("model %q does not have the form namespace/model_id", ref)
	}
	settings, family, err := settingsOf(namespace, declared)
	if err != nil {
		return nil, "", err
	}
	if family == mockNamespace {
		return mock.Provider{}, id, nil
	}
	wire, err := openai.New(settings)
	if err != nil {
		return nil, "", fmt.Errorf("provider %s: %w", namespace, err)
	}
	return priced{next: wire, name: family + "/" + id, prices: prices}, id, nil
}

// settingsOf returns the wire settings and the price family of a namespace: an
// alias of a vendor's own endpoint has the vendor's prices, one with a base URL
// of its own has its own.
func settingsOf(namespace string, declared []resource.Provider) (openai.Settings, string, error) {
	for _, d := range declared {
		if d.Name != namespace {
			continue
		}
		if d.Type == mockNamespace {
			return openai.Settings{}, mockNamespace, nil
		}
		b, ok := find(d.Type)
		if !ok {
			return openai.Settings{}, "", refused("provider %s has the type %q, which has no adapter; use openai, gemini, grok, kimi or mock", d.Name, d.Type)
		}
		s, family := settings(b), b.namespace
		s.Name = d.Name
		if d.APIKeyFrom != "" {
			s.KeyFrom = d.APIKeyFrom
		}
		if d.BaseURL != "" {
			s.BaseURL, s.NewStyle, family = d.BaseURL, false, d.Name
			if d.APIKeyFrom == "" {
				s.KeyFrom = "" // the vendor's key is never sent to another host
			}
		}
		return s, family, nil
	}
	if namespace == mockNamespace {
		return openai.Settings{}, mockNamespace, nil
	}
	b, ok := find(namespace)
	if !ok {
		return openai.Settings{}, "", refused("unknown provider namespace %q; declare a provider of that name or use %s", namespace, strings.Join(Namespaces(), ", "))
	}
	return settings(b), b.namespace, nil
}

func find(namespace string) (builtin, bool) {
	for _, b := range builtins {
		if b.namespace == namespace {
			return b, true
		}
	}
	return builtin{}, false
}

func settings(b builtin) openai.Settings {
	return openai.Settings{Name: b.namespace, BaseURL: b.baseURL, KeyFrom: b.keyFrom, NewStyle: b.namespace == "openai"}
}

func refused(format string, args ...any) error {
	return &model.Error{Class: model.Config, Message: fmt.Sprintf(format, args...)}
}

// priced adds the cost of each turn.
type priced struct {
	next   model.Provider
	name   string
	prices price.Table
}

// Generate makes the attempt and prices its tokens.
func (p priced) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	out, err := p.next.Generate(ctx, r)
	if err != nil {
		return out, err
	}
	cost, warnings := p.prices.Cost(p.name, out.Usage)
	out.CostUSD = cost
	out.Warnings = append(out.Warnings, warnings...)
	return out, nil
}
