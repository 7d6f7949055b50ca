package syntax

import "terfyn/compiler/source"

// topLevel reads one declaration, or complains and skips to the next. It always
// consumes at least one token.
func (p *parser) topLevel() Decl {
	start, failures := p.peek(), p.failures
	decl, ok := p.declaration(start)
	if decl == nil {
		p.fail(notADeclaration(p.span(start), start))
		p.skipToHead()
		return nil
	}
	info := decl.info()
	info.At = p.since(start.start)
	info.HasErrors = p.failures > failures
	if !ok && !p.aborted {
		p.skipToHead()
	}
	return decl
}

// declaration dispatches on the opening word. ok is false when the declaration
// broke off before its closing brace; decl is nil when no word fits.
func (p *parser) declaration(t token) (decl Decl, ok bool) {
	if t.kind != kindIdent {
		return nil, false
	}
	switch t.text {
	case "agent":
		return p.agentDecl()
	case "workflow":
		return p.workflowDecl()
	case "tool":
		return p.toolDecl()
	case "policy":
		return p.policyDecl()
	case "environment":
		return p.environmentDecl()
	case "provider":
		return p.providerDecl()
	case "defaults":
		p.next()
		d := &DefaultsDecl{}
		return d, p.body("defaults", &d.Body,
			keep("policy", &d.Policy, p.named("a policy name")),
			keep("model", &d.Model, p.modelRef),
			keep("runtime", &d.Runtime, p.named("a runtime name")))
	case "limits":
		p.next()
		d := &LimitsDecl{Limits: p.limits()}
		return d, d.Limits != nil
	default:
		return nil, false
	}
}

// skipToHead moves to the next token at brace depth 0 that opens a declaration.
func (p *parser) skipToHead() {
	for p.peek().kind != kindEOF {
		if p.braces <= 0 {
			p.braces = 0
			if p.looksLikeHead() {
				return
			}
		}
		if p.atHead() {
			return
		}
		p.next()
	}
}

// looksLikeHead recognises the shapes WORD NAME {, workflow NAME ( and WORD {.
func (p *parser) looksLikeHead() bool {
	t := p.peek()
	if t.kind != kindIdent {
		return false
	}
	switch t.text {
	case "agent", "workflow":
		return true
	case "tool", "policy", "environment", "provider":
		return p.peekAt(1).kind == kindIdent && p.peekAt(2).is("{")
	case "defaults", "limits":
		return p.peekAt(1).is("{")
	default:
		return false
	}
}

// declName consumes the opening word and reads the name after it.
func (p *parser) declName(what string, into *Ident) bool {
	p.next()
	name := p.name("the name of " + what)
	if name == nil {
		return false
	}
	*into = *name
	return true
}

func (p *parser) agentDecl() (Decl, bool) {
	a := &AgentDecl{}
	if !p.declName("the agent", &a.Name) {
		return a, false
	}
	return a, p.body("agent "+clip(a.Name.Name), &a.Body,
		keep("model", &a.Model, p.modelRef),
		keep("policy", &a.Policy, p.named("a policy name")),
		keep("description", &a.Description, p.text),
		keep("instructions", &a.Instructions, p.instructions),
		keep("constraints", &a.Constraints, p.constraints),
		keep("grants", &a.Grants, p.capabilities("grants", true)),
		keep("input", &a.Input, p.named("a type name")),
		keep("output", &a.Output, p.named("a type name")),
		keep("version", &a.Version, p.text),
		keep("replaces", &a.Replaces, p.text),
		keep("changeSummary", &a.ChangeSummary, p.text),
		keep("mayEscalate", &a.MayEscalate, p.flag),
		keep("workingTree", &a.WorkingTree, p.choice("workingTree", "exclusive")),
		keep("fallbackModels", &a.FallbackModels, p.modelList))
}

// instructions reads a text, or file("…").
func (p *parser) instructions() *Instructions {
	t := p.peek()
	if !t.word("file") {
		if !t.isText() {
			p.fail(unexpected(p.span(t), `a string or file("…")`, t))
			return nil
		}
		text := p.text()
		return &Instructions{Text: *text, At: text.At}
	}
	p.next()
	if !p.expect("(", "after file") {
		return nil
	}
	path := p.text()
	if path == nil || !p.expect(")", "after the path") {
		return nil
	}
	return &Instructions{Text: *path, File: true, At: p.since(t.start)}
}

func (p *parser) constraints() *Constraints {
	c := &Constraints{}
	if !p.body("constraints", &c.Body,
		keep("maxIterations", &c.MaxIterations, p.count("maxIterations")),
		keep("maxTokens", &c.MaxTokens, p.count("maxTokens")),
		keep("timeoutSeconds", &c.TimeoutSeconds, p.count("timeoutSeconds")),
		keep("temperature", &c.Temperature, p.number),
		keep("requireStructuredOutput", &c.RequireStructuredOutput, p.flag)) {
		return nil
	}
	return c
}

func (p *parser) providerDecl() (Decl, bool) {
	d := &ProviderDecl{}
	if !p.declName("the provider", &d.Name) {
		return d, false
	}
	return d, p.body("provider "+clip(d.Name.Name), &d.Body,
		keep("type", &d.Type, p.named("a provider type")),
		keep("baseUrl", &d.BaseURL, p.text),
		keep("apiKeyFrom", &d.APIKeyFrom, p.text),
		keep("workspaceIdFrom", &d.WorkspaceIDFrom, p.text))
}

func (p *parser) limits() *Limits {
	l := &Limits{}
	size := func(word string, dst **Number) field { return keep(word, dst, p.size(word)) }
	exceed := func(word string, dst **Ident) field { return keep(word, dst, p.choice(word, "truncate", "fail")) }
	if !p.body("limits", &l.Body,
		size("maxToolInputBytes", &l.MaxToolInputBytes),
		size("maxToolOutputBytes", &l.MaxToolOutputBytes),
		size("maxCheckpointBytes", &l.MaxCheckpointBytes),
		size("maxStateBytes", &l.MaxStateBytes),
		size("maxWorkflowNesting", &l.MaxWorkflowNesting),
		size("maxLoopIterations", &l.MaxLoopIterations),
		exceed("toolInputExceedPolicy", &l.ToolInputExceedPolicy),
		exceed("toolOutputExceedPolicy", &l.ToolOutputExceedPolicy),
		exceed("checkpointExceedPolicy", &l.CheckpointExceedPolicy)) {
		return nil
	}
	return l
}

// nested reads a list of `NAME body` entries with distinct names. parse reads
// what follows the name and gives nil when that failed.
func nested[T any](p *parser, what, entry string, parse func(Ident) *T) ([]*T, source.Span, bool) {
	names := distinct{what: entry}
	return list(p, what, func() (*T, outcome) {
		name := p.name("a name in " + what)
		if name == nil {
			return nil, lost
		}
		isNew := names.add(p, name.Name, name.At)
		p.separator(name.Name)
		item := parse(*name)
		switch {
		case item == nil:
			return nil, lost
		case !isNew:
			return nil, dropped
		}
		return item, kept
	})
}
