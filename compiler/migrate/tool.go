package migrate

import "terfyn/compiler/resource"

func tool(name string, o *object) resource.Tool {
	out := resource.Tool{
		Name:               name,
		Type:               o.text("type"),
		Description:        o.text("description"),
		OperationsDeclared: o.has("operations"),
		Limits:             limits(o),
	}
	if m := o.child("mcp"); m != nil {
		out.MCP = &resource.MCP{
			Transport: m.text("transport"), Command: m.text("command"), Args: m.texts("args"), URL: m.text("url"), Headers: headers(m),
		}
		m.done()
	}
	if h := o.child("http"); h != nil {
		out.HTTP = &resource.HTTP{BaseURL: h.text("baseUrl"), Headers: headers(h)}
		h.done()
	}
	if w := o.child("workspace"); w != nil {
		out.Workspace = &resource.Workspace{Root: w.text("root"), TestCommand: w.text("testCommand")}
		w.done()
	}
	if r := o.child("retry"); r != nil {
		out.Retry = resource.Retry{MaxAttempts: r.whole("maxAttempts"), Backoff: r.text("backoff")}
		r.done()
	}
	if s := o.child("safety"); s != nil {
		out.Safety = resource.Safety{Trusted: s.flag("trusted"), SideEffects: s.flag("sideEffects"), RequiresApproval: s.flag("requiresApproval")}
		s.done()
	}
	out.Operations = operations(o)
	o.dropped("permissions", "operations is the manifest of what may be called, and policies say what is permitted")
	return out
}

func headers(o *object) []resource.Header {
	h := o.child("headers")
	if h == nil {
		return nil
	}
	var out []resource.Header
	for _, key := range h.keys {
		out = append(out, resource.Header{Name: key.Value, Value: h.text(key.Value)})
	}
	return out
}

func operations(o *object) []resource.Operation {
	all := o.child("operations")
	if all == nil {
		return nil
	}
	var out []resource.Operation
	for _, key := range all.keys {
		op := resource.Operation{Name: key.Value}
		if body := all.child(key.Value); body != nil {
			op.Effects, op.Schema = body.texts("effects"), o.c.schema(body, "schema")
			body.done()
		}
		out = append(out, op)
	}
	return out
}
