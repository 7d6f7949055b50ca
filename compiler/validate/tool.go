package validate

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

func (v *validator) tool(t resource.Tool) {
	p := place{kind: resource.KindTool, name: t.Name}
	v.name(p)
	before := len(v.diags)
	v.transport(p, t)
	v.unreachable[t.Name] = len(v.diags) > before
	v.headers(p, t)
	v.atLeast(p.in("retry.maxAttempts"), "maxAttempts", t.Retry.MaxAttempts, 0)
	v.choice(p.in("retry.backoff"), "backoff", t.Retry.Backoff, "fixed", "exponential")
	v.limits(p.in("limits"), t.Limits)
	for i, o := range t.Operations {
		if i > 0 && t.Operations[i-1].Name == o.Name {
			v.duplicateOperation(p.in("operations", o.Name), o.Name)
		}
		v.manifestEntry(p.in("operations", o.Name), t, o)
	}
}

func (v *validator) manifestEntry(p place, t resource.Tool, o resource.Operation) {
	if !isIdent(o.Name) {
		v.badOperationName(p, o.Name)
	}
	if t.Type == "http" && !startsWithMethod(cmp.Or(o.RemoteName, o.Name)) {
		v.noHTTPMethod(p, t, o)
	}
	for _, e := range o.Effects {
		v.effect(p.in("effects", e), e)
	}
	v.schema(p.in("schema"), o.Schema)
	v.schema(p.in("outputSchema"), o.OutputSchema)
	v.choice(p.in("idempotency"), "idempotency", o.Idempotency, "key", "safe", "none")
	v.atLeast(p.in("timeoutSeconds"), "timeoutSeconds", o.TimeoutSeconds, 0)
	v.atLeast(p.in("maxInputBytes"), "maxInputBytes", o.MaxInputBytes, 0)
	v.atLeast(p.in("maxOutputBytes"), "maxOutputBytes", o.MaxOutputBytes, 0)
	readOnly := o.ReadOnly != nil && *o.ReadOnly
	if readOnly && slices.ContainsFunc(o.Effects, func(e string) bool { return resource.EffectCovers(resource.Destructive, e) }) {
		v.readOnlyDestroys(p.in("readOnly"), t, o)
	}
	if o.NoEffects && len(o.Effects) > 0 {
		v.noneAndSome(p.in("effects"), t, o)
	}
	if o.Reconcile == "" {
		return
	}
	target, ok := t.Operation(o.Reconcile)
	switch {
	case !ok:
		v.reconcileUnknown(p.in("reconcile"), t, o)
	case target.ReadOnly == nil || !*target.ReadOnly:
		v.reconcileWrites(p.in("reconcile"), t, o)
	}
}

// transport checks that a tool has the one block its type needs and no other.
func (v *validator) transport(p place, t resource.Tool) {
	types := []string{"native", "mock", "mcp", "http", "temporal"}
	if t.Type == "" {
		v.missingField(p, "type", "it is one of "+strings.Join(types, ", "))
		return
	}
	v.choice(p.in("type"), "type", t.Type, types...)
	for _, block := range []struct {
		name    string
		present bool
	}{{"mcp", t.MCP != nil}, {"http", t.HTTP != nil}, {"temporal", t.Temporal != nil}} {
		switch {
		case block.name == t.Type && !block.present:
			v.transportMissing(p, t)
		case block.name != t.Type && block.present:
			v.transportForeign(p.in(block.name), t, block.name)
		}
	}
	v.mcp(p.in("mcp"), t)
	v.http(p.in("http"), t)
	v.temporal(p.in("temporal"), t)
}

func (v *validator) mcp(p place, t resource.Tool) {
	m := t.MCP
	if m == nil || t.Type != "mcp" {
		return
	}
	v.choice(p.in("transport"), "transport", m.Transport, "stdio", "http")
	local, remote := m.Command != "" || len(m.Args) > 0, m.URL != ""
	switch {
	case local && remote:
		v.transportField(p, t, "command and args start a local server, url names a remote one; keep one of the two")
	case m.Transport == "":
		v.transportField(p, t, `the mcp block names no transport; it is "stdio" or "http"`)
	case m.Transport == "stdio" && (m.Command == "" || remote):
		v.transportField(p, t, `the transport "stdio" needs a command and no url`)
	case m.Transport == "http" && (!remote || local):
		v.transportField(p, t, `the transport "http" needs a url and no command`)
	case m.Transport == "http" && !webURL(m.URL):
		v.transportField(p.in("url"), t, "the url must be an absolute http or https URL with a host")
	}
}

func (v *validator) http(p place, t resource.Tool) {
	if t.HTTP == nil || t.Type != "http" {
		return
	}
	if !webURL(t.HTTP.BaseURL) {
		v.badProviderURL(p.in("baseUrl"), t.HTTP.BaseURL)
	}
}

// httpMethods are the methods that operations of http tools are sent with.
var httpMethods = []string{"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"}

// startsWithMethod reports whether a name of either form, "POST /send" or
// post.send, tells how the operation is sent.
func startsWithMethod(name string) bool {
	method, _, spaced := strings.Cut(name, " ")
	if !spaced {
		method, _, _ = strings.Cut(name, ".")
	}
	return slices.Contains(httpMethods, strings.ToUpper(method))
}

func (v *validator) temporal(p place, t resource.Tool) {
	m := t.Temporal
	if m == nil || t.Type != "temporal" {
		return
	}
	v.choice(p.in("kind"), "kind", m.Kind, "activity", "workflow", "nexus")
	switch {
	case m.Kind == "":
		v.transportField(p, t, "the temporal block names no kind; it is activity, workflow or nexus")
	case m.Kind == "nexus" && m.Endpoint == "":
		v.transportField(p, t, "a nexus operation needs an endpoint")
	case m.Kind != "nexus" && m.TaskQueue == "":
		v.transportField(p, t, "the temporal block needs the taskQueue of the workers that run it")
	}
}

// headers warns about secrets in clear, also in addresses; names are enough to
// suspect one.
func (v *validator) headers(p place, t resource.Tool) {
	if t.MCP != nil {
		v.literals(p.in("mcp"), t.MCP.Headers)
		v.userInfo(p.in("mcp.url"), "the url", t.MCP.URL)
	}
	if t.HTTP != nil {
		v.literals(p.in("http"), t.HTTP.Headers)
		v.userInfo(p.in("http.baseUrl"), "the baseUrl", t.HTTP.BaseURL)
	}
}

// userInfo warns of an address that carries a name and password.
func (v *validator) userInfo(p place, what, address string) {
	if _, _, ok := resource.UserInfo(address); ok {
		v.secretInAddress(p, what)
	}
}

func (v *validator) literals(p place, hs []resource.Header) {
	for _, h := range hs {
		if h.Value != "" && !secretReference(h.Value) && (secretName(h.Name) || secretValue(h.Value)) {
			v.literalSecret(p.in("headers", h.Name), "the header "+h.Name)
		}
	}
}

func secretName(name string) bool {
	return resource.SecretName(name) || strings.Contains(strings.ToLower(name), "x-key")
}

func secretValue(value string) bool {
	for _, prefix := range []string{"Bearer ", "Basic ", "sk-", "ghp_", "xoxb-"} {
		if strings.HasPrefix(value, prefix) {
			return true
		}
	}
	return false
}
