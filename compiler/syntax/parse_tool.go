package syntax

func (p *parser) toolDecl() (Decl, bool) {
	d := &ToolDecl{}
	if !p.declName("the tool", &d.Name) {
		return d, false
	}
	return d, p.body("tool "+clip(d.Name.Name), &d.Body,
		keep("type", &d.Type, p.named("a tool type")),
		keep("mcp", &d.MCP, p.mcp),
		keep("http", &d.HTTP, p.http),
		keep("workspace", &d.Workspace, p.workspace),
		keep("retry", &d.Retry, p.toolRetry),
		keep("limits", &d.Limits, p.limits),
		keep("safety", &d.Safety, p.safety),
		keep("operations", &d.Operations, p.operations),
		keep("description", &d.Description, p.text),
		keep("exclusive", &d.Exclusive, p.text),
		keep("temporal", &d.Temporal, p.temporal))
}

func (p *parser) safety() *Safety {
	s := &Safety{}
	if !p.body("safety", &s.Body,
		keep("trusted", &s.Trusted, p.flag),
		keep("sideEffects", &s.SideEffects, p.flag),
		keep("requiresApproval", &s.RequiresApproval, p.flag)) {
		return nil
	}
	return s
}

func (p *parser) mcp() *MCP {
	m := &MCP{}
	if !p.body("mcp", &m.Body,
		keep("transport", &m.Transport, p.text),
		keep("command", &m.Command, p.text),
		keep("args", &m.Args, p.stringList("args")),
		keep("url", &m.URL, p.text),
		keep("headers", &m.Headers, p.headers)) {
		return nil
	}
	return m
}

func (p *parser) http() *HTTP {
	h := &HTTP{}
	if !p.body("http", &h.Body,
		keep("baseUrl", &h.BaseURL, p.text),
		keep("headers", &h.Headers, p.headers)) {
		return nil
	}
	return h
}

func (p *parser) temporal() *Temporal {
	t := &Temporal{}
	if !p.body("temporal", &t.Body,
		keep("taskQueue", &t.TaskQueue, p.text),
		keep("namespace", &t.Namespace, p.text),
		keep("endpoint", &t.Endpoint, p.text),
		keep("kind", &t.Kind, p.choice("kind", "activity", "workflow", "nexus"))) {
		return nil
	}
	return t
}

func (p *parser) headers() *HeaderMap {
	names := distinct{what: "header"}
	items, braces, ok := list(p, "headers", func() (Header, outcome) {
		key := p.text()
		if key == nil {
			return Header{}, lost
		}
		p.separator("a header")
		value := p.text()
		if value == nil {
			return Header{}, lost
		}
		if !names.add(p, key.Value, key.At) {
			return Header{}, dropped
		}
		return Header{Key: *key, Value: *value}, kept
	})
	if !ok {
		return nil
	}
	return &HeaderMap{Items: items, Braces: braces}
}

func (p *parser) workspace() *Workspace {
	w := &Workspace{}
	if !p.body("workspace", &w.Body,
		keep("root", &w.Root, p.text),
		keep("testCommand", &w.TestCommand, p.text)) {
		return nil
	}
	return w
}

func (p *parser) toolRetry() *ToolRetry {
	r := &ToolRetry{}
	if !p.body("retry", &r.Body,
		keep("maxAttempts", &r.MaxAttempts, p.size("maxAttempts")),
		keep("backoff", &r.Backoff, p.text)) {
		return nil
	}
	return r
}

func (p *parser) operations() *Operations {
	names := distinct{what: "operation"}
	items, braces, ok := list(p, "operations", func() (*Operation, outcome) {
		path := p.path("an operation name")
		if path == nil {
			return nil, lost
		}
		isNew := names.add(p, path.String(), path.Span())
		p.separator(path.String())
		op := p.operation(*path)
		switch {
		case op == nil:
			return nil, lost
		case !isNew:
			return nil, dropped
		}
		return op, kept
	})
	if !ok {
		return nil
	}
	return &Operations{Items: items, Braces: braces}
}

func (p *parser) operation(name Path) *Operation {
	o := &Operation{Name: name}
	if !p.body("operation "+clip(name.String()), &o.Body,
		keep("schema", &o.Schema, p.text),
		keep("effects", &o.Effects, p.effectSet("effects")),
		keep("description", &o.Description, p.text),
		keep("outputSchema", &o.OutputSchema, p.text),
		keep("readOnly", &o.ReadOnly, p.flag),
		keep("idempotency", &o.Idempotency, p.choice("idempotency", "key", "safe", "none")),
		keep("reconcile", &o.Reconcile, func() *Path { return p.path("an operation of the same tool") }),
		keep("delivered", &o.Delivered, p.text),
		keep("timeoutSeconds", &o.TimeoutSeconds, p.count("timeoutSeconds")),
		keep("maxInputBytes", &o.MaxInputBytes, p.size("maxInputBytes")),
		keep("maxOutputBytes", &o.MaxOutputBytes, p.size("maxOutputBytes")),
		keep("name", &o.RemoteName, p.text)) {
		return nil
	}
	return o
}
