package format

import (
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

func tool(d *syntax.ToolDecl) *scope {
	f := fieldsOf(&d.Body)
	f.ident("type", d.Type)
	f.scope("mcp", mcp(d.MCP))
	f.scope("http", httpBlock(d.HTTP))
	if w := d.Workspace; w != nil {
		g := fieldsOf(&w.Body)
		g.text("root", w.Root)
		g.text("testCommand", w.TestCommand)
		f.scope("workspace", g.into)
	}
	if r := d.Retry; r != nil {
		g := fieldsOf(&r.Body)
		g.number("maxAttempts", r.MaxAttempts)
		g.text("backoff", r.Backoff)
		f.scope("retry", g.into)
	}
	f.scope("limits", limits(d.Limits))
	if s := d.Safety; s != nil {
		g := fieldsOf(&s.Body)
		g.flag("trusted", s.Trusted)
		g.flag("sideEffects", s.SideEffects)
		g.flag("requiresApproval", s.RequiresApproval)
		f.scope("safety", scalarsIn(g.into))
	}
	if o := d.Operations; o != nil {
		f.scope("operations", each(tallBraces(o.Braces), o.Items, operation))
	}
	f.text("description", d.Description)
	f.text("exclusive", d.Exclusive)
	f.scope("temporal", temporal(d.Temporal))
	return f.into
}

func mcp(m *syntax.MCP) *scope {
	if m == nil {
		return nil
	}
	f := fieldsOf(&m.Body)
	f.text("transport", m.Transport)
	f.text("command", m.Command)
	f.strings("args", m.Args)
	f.text("url", m.URL)
	f.scope("headers", headers(m.Headers))
	return f.into
}

func httpBlock(h *syntax.HTTP) *scope {
	if h == nil {
		return nil
	}
	f := fieldsOf(&h.Body)
	f.text("baseUrl", h.BaseURL)
	f.scope("headers", headers(h.Headers))
	return f.into
}

func temporal(t *syntax.Temporal) *scope {
	if t == nil {
		return nil
	}
	f := fieldsOf(&t.Body)
	f.text("taskQueue", t.TaskQueue)
	f.text("namespace", t.Namespace)
	f.text("endpoint", t.Endpoint)
	f.ident("kind", t.Kind)
	return f.into
}

func headers(h *syntax.HeaderMap) *scope {
	if h == nil {
		return nil
	}
	return each(tallBraces(h.Braces), h.Items, func(v syntax.Header) (source.Span, []piece) {
		return v.Span(), line(text(quote(v.Key.Value) + " " + quote(v.Value.Value)))
	})
}

func operation(o *syntax.Operation) (source.Span, []piece) {
	f := fieldsOf(&o.Body)
	f.text("schema", o.Schema)
	f.effects("effects", o.Effects)
	f.text("description", o.Description)
	f.text("outputSchema", o.OutputSchema)
	f.flag("readOnly", o.ReadOnly)
	f.ident("idempotency", o.Idempotency)
	f.path("reconcile", o.Reconcile)
	f.text("delivered", o.Delivered)
	f.number("timeoutSeconds", o.TimeoutSeconds)
	f.number("maxInputBytes", o.MaxInputBytes)
	f.number("maxOutputBytes", o.MaxOutputBytes)
	f.text("name", o.RemoteName)
	return o.Span(), line(text(o.Name.String()+" "), inside(f.into))
}
