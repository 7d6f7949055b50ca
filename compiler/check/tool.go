package check

import (
	"slices"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// toolTypes are the types a tool may have.
var toolTypes = []string{"http", "mcp", "mock", "native", "temporal"}

func (c *checker) tool(t *syntax.ToolDecl) {
	if t.Type == nil {
		c.add(missingField(t.Name.At, "tool "+t.Name.Name, "type", toolTypes))
	} else if !slices.Contains(toolTypes, t.Type.Name) {
		c.add(unknownChoice(*t.Type, "the type of a tool", toolTypes))
	} else {
		c.transports(t)
	}
	if t.Retry != nil {
		c.whole("maxAttempts", t.Retry.MaxAttempts)
		if b := t.Retry.Backoff; b != nil && b.Value != "fixed" && b.Value != "exponential" {
			c.add(unknownChoiceText(*b, "backoff", []string{"exponential", "fixed"}))
		}
	}
	c.limits(t.Limits)
	if t.Operations != nil {
		for _, o := range t.Operations.Items {
			c.manifestEntry(t, o)
		}
	}
}

// transports checks that exactly the block of the tool's type is present.
func (c *checker) transports(t *syntax.ToolDecl) {
	blocks := []struct {
		word    string
		present bool
		at      source.Span
	}{
		{"mcp", t.MCP != nil, t.Body.FieldAt("mcp")},
		{"http", t.HTTP != nil, t.Body.FieldAt("http")},
		{"temporal", t.Temporal != nil, t.Body.FieldAt("temporal")},
	}
	for _, b := range blocks {
		switch needed := t.Type.Name == b.word; {
		case needed && !b.present:
			c.add(missingTransport(*t.Type, t.Name.Name))
		case b.present && !needed:
			c.add(strayTransport(b.at, b.word, *t.Type))
		}
	}
	if t.MCP != nil {
		c.mcp(t.MCP, t.Body.FieldAt("mcp"))
	}
	if t.HTTP != nil {
		c.http(t.HTTP, t.Body.FieldAt("http"))
	}
}

func (c *checker) mcp(m *syntax.MCP, at source.Span) {
	local := m.Command != nil || m.Args != nil
	transport := ""
	if m.Transport != nil {
		transport = m.Transport.Value
	}
	switch {
	case local && m.URL != nil:
		c.add(mixedTransport(m.URL.At))
	case transport == "stdio" && m.Command == nil, transport == "" && m.URL == nil && m.Command == nil:
		c.add(missingField(at, "mcp over stdio", "command", nil))
	case transport == "http" && m.URL == nil:
		c.add(missingField(at, "mcp over http", "url", nil))
	case transport != "" && transport != "stdio" && transport != "http":
		c.add(unknownChoiceText(*m.Transport, "transport", []string{"http", "stdio"}))
	}
	if m.URL != nil {
		c.url("url", *m.URL)
	}
}

func (c *checker) http(h *syntax.HTTP, at source.Span) {
	if h.BaseURL == nil {
		c.add(missingField(at, "http", "baseUrl", nil))
		return
	}
	c.url("baseUrl", *h.BaseURL)
}

func (c *checker) manifestEntry(t *syntax.ToolDecl, o *syntax.Operation) {
	if !dottedLower(o.Name.String()) {
		c.add(badOperationName(o.Name.Span(), o.Name.String()))
	}
	c.effectNames(o.Effects)
	c.schemaReference(o.Schema)
	c.schemaReference(o.OutputSchema)
	c.whole("timeoutSeconds", o.TimeoutSeconds)
	c.whole("maxInputBytes", o.MaxInputBytes)
	c.whole("maxOutputBytes", o.MaxOutputBytes)
	if o.Reconcile == nil {
		return
	}
	target := findOperation(t, o.Reconcile.String())
	switch {
	case target == nil:
		c.add(unknownOperation(o.Reconcile.Span(), t.Name.Name, o.Reconcile.String(), operationNames(t)))
	case target.ReadOnly == nil || !target.ReadOnly.Value:
		c.add(badReconcile(o.Reconcile.Span(), target.Name))
	}
}

func (c *checker) effectNames(set *syntax.EffectSet) {
	if set == nil {
		return
	}
	for _, e := range set.Items {
		if !dottedLower(e.String()) {
			c.add(badEffectName(e.Span(), e.String()))
		}
	}
}

// dottedLower reports whether s is lower-case segments [a-z][a-z0-9_]* joined by
// dots.
func dottedLower(s string) bool {
	start := true
	for i := range len(s) {
		switch b := s[i]; {
		case b >= 'a' && b <= 'z':
			start = false
		case b == '.' && !start:
			start = true
		case (b >= '0' && b <= '9' || b == '_') && !start:
		default:
			return false
		}
	}
	return s != "" && !start
}
