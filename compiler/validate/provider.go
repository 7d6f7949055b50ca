package validate

import (
	"net/url"
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

// providerTypes are the model APIs this system speaks; each is also a namespace
// that needs no declaration.
var providerTypes = []string{"anthropic", "gemini", "grok", "kimi", "mock", "openai"}

func (v *validator) provider(m resource.Provider) {
	p := place{kind: resource.KindModelProvider, name: m.Name}
	v.name(p)
	if m.Type == "" {
		v.missingField(p, "type", "it is one of "+strings.Join(providerTypes, ", "))
	}
	v.choice(p.in("type"), "type", m.Type, providerTypes...)
	if m.BaseURL != "" && !webURL(m.BaseURL) {
		v.badProviderURL(p.in("baseUrl"), m.BaseURL)
	}
	v.userInfo(p.in("baseUrl"), "the baseUrl", m.BaseURL)
	if m.APIKeyFrom != "" && !secretReference(m.APIKeyFrom) {
		v.notAReference(p.in("apiKeyFrom"), "apiKeyFrom")
	}
	if m.WorkspaceIDFrom != "" && !secretReference(m.WorkspaceIDFrom) {
		v.notAReference(p.in("workspaceIdFrom"), "workspaceIdFrom")
	}
}

// model checks <provider>/<model id>.
func (v *validator) model(p place, model string) {
	if model == "" {
		return
	}
	name, id, ok := strings.Cut(model, "/")
	if !ok || name == "" || id == "" {
		v.modelForm(p, model)
		return
	}
	if _, declared := v.g.Provider(name); !declared && !slices.Contains(providerTypes, name) {
		v.unknownProvider(p, model, name)
	}
}

func webURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}
