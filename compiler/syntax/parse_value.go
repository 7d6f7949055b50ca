package syntax

import (
	"slices"
	"strings"
)

// name reads an identifier that may not be one of the four reserved words.
func (p *parser) name(what string) *Ident { return p.ident(what, isReserved) }

// binding reads a name that a workflow body may bind.
func (p *parser) binding(what string) *Ident { return p.ident(what, isHeadWord) }

func (p *parser) ident(what string, refused func(string) bool) *Ident {
	if id, ok := p.word(what, refused); ok {
		return &id
	}
	return nil
}

// word is ident for a name that is copied into something else.
func (p *parser) word(what string, refused func(string) bool) (Ident, bool) {
	t := p.peek()
	if t.kind != kindIdent {
		p.fail(unexpected(p.span(t), what, t))
		return Ident{}, false
	}
	if refused(t.text) {
		p.fail(reservedWord(p.span(t), what, t.text))
	}
	p.next()
	return Ident{Name: t.text, At: p.span(t)}, true
}

// named gives name as a function for field tables.
func (p *parser) named(what string) func() *Ident {
	return func() *Ident { return p.name(what) }
}

// path reads names joined by dots.
func (p *parser) path(what string) *Path { return p.pathWith(what, isReserved) }

// pathWith reads a path whose first name is refused by headRefused.
func (p *parser) pathWith(what string, headRefused func(string) bool) *Path {
	head, ok := p.word(what, headRefused)
	if !ok {
		return nil
	}
	p.parts = append(p.parts[:0], head)
	for p.peek().is(".") {
		p.next()
		t := p.peek()
		if t.kind != kindIdent {
			p.fail(unexpected(p.span(t), "a name after the dot", t))
			if t.kind == kindNumber || t.kind == kindForeign {
				p.next()
			}
			return nil
		}
		if isReserved(t.text) {
			p.fail(reservedWord(p.span(t), "part of a path", t.text))
		}
		p.next()
		p.parts = append(p.parts, Ident{Name: t.text, At: p.span(t)})
	}
	return &Path{Parts: slices.Clone(p.parts)}
}

// text reads a string of either form: both denote the same kind of value.
func (p *parser) text() *Text {
	t := p.peek()
	if !t.isText() {
		p.fail(unexpected(p.span(t), "a string", t))
		return nil
	}
	p.next()
	return &Text{Value: t.text, Block: t.kind == kindBlock, At: p.span(t)}
}

func (p *parser) flag() *Flag {
	t := p.peek()
	if !t.word("true") && !t.word("false") {
		p.fail(unexpected(p.span(t), "true or false", t))
		return nil
	}
	p.next()
	return &Flag{Value: t.text == "true", At: p.span(t)}
}

func (p *parser) number() *Number {
	t := p.peek()
	if t.kind != kindNumber {
		p.fail(unexpected(p.span(t), "a number", t))
		return nil
	}
	p.next()
	return &Number{Spelling: t.text, At: p.span(t)}
}

// count reads a positive whole number; what names it in messages.
func (p *parser) count(what string) func() *Number {
	return func() *Number { return p.whole(what, "1") }
}

// size reads a whole number, 0 allowed.
func (p *parser) size(what string) func() *Number {
	return func() *Number { return p.whole(what, "0") }
}

// whole reads digits. Something else that looks like one value is consumed so
// that one slip gives one message.
func (p *parser) whole(what, lowest string) *Number {
	t := p.peek()
	good := t.kind == kindNumber && !strings.ContainsAny(t.text, ".eE-")
	if good && (lowest == "0" || t.text != "0") {
		p.next()
		return &Number{Spelling: t.text, At: p.span(t)}
	}
	p.fail(notACount(p.span(t), what, lowest, t))
	if t.kind == kindNumber || t.isText() {
		p.next()
	}
	return nil
}

func (p *parser) modelRef() *ModelRef {
	const what = "a model as PROVIDER/ID"
	if t := p.peek(); t.start.Line > p.last.end.Line && !p.peekAt(1).is("/") {
		p.fail(unexpected(p.span(t), what, t)) // the value is missing, this is the next field
		return nil
	}
	if t := p.peek(); t.isText() {
		p.fail(quotedModel(t, p.span(t)))
		p.next()
		return nil
	}
	provider := p.name(what)
	if provider == nil {
		return nil
	}
	if !p.accept("/") {
		p.fail(modelWithoutProvider(provider.At, provider.Name))
		return nil
	}
	t := p.peek()
	if t.kind != kindModelID {
		p.fail(unexpected(p.span(t), "a model id directly after the /", t))
		return nil
	}
	p.next()
	return &ModelRef{Provider: *provider, ID: Ident{Name: t.text, At: p.span(t)}}
}

func (p *parser) modelList() *ModelList {
	items, braces, ok := list(p, "fallbackModels", func() (ModelRef, outcome) {
		if m := p.modelRef(); m != nil {
			return *m, kept
		}
		return ModelRef{}, lost
	})
	if !ok {
		return nil
	}
	return &ModelList{Items: items, Braces: braces}
}

func (p *parser) stringList(what string) func() *StringList {
	return func() *StringList {
		items, braces, ok := list(p, what, func() (Text, outcome) {
			if t := p.text(); t != nil {
				return *t, kept
			}
			return Text{}, lost
		})
		if !ok {
			return nil
		}
		return &StringList{Items: items, Braces: braces}
	}
}

// identList reads words; with choices only those.
func (p *parser) identList(what string, element func() *Ident) *IdentList {
	items, braces, ok := list(p, what, func() (Ident, outcome) {
		if id := element(); id != nil {
			return *id, kept
		}
		return Ident{}, lost
	})
	if !ok {
		return nil
	}
	return &IdentList{Items: items, Braces: braces}
}

func (p *parser) effectSet(what string) func() *EffectSet {
	return func() *EffectSet {
		items, braces, ok := list(p, what, func() (Path, outcome) {
			path := p.path("an effect")
			switch {
			case path == nil:
				return Path{}, lost
			case path.Head().Name == "tool":
				p.fail(prefixedEffect(path.Span(), path.String()))
				return Path{}, dropped
			}
			return *path, kept
		})
		if !ok {
			return nil
		}
		return &EffectSet{Items: items, Braces: braces}
	}
}

// capabilities reads a set of capabilities. Only grants may delegate to agents
// and workflows.
func (p *parser) capabilities(what string, delegation bool) func() *CapabilitySet {
	return func() *CapabilitySet {
		items, braces, ok := list(p, what, func() (Capability, outcome) {
			return p.capability(delegation)
		})
		if !ok {
			return nil
		}
		return &CapabilitySet{Items: items, Braces: braces}
	}
}

func (p *parser) capability(delegation bool) (Capability, outcome) {
	path := p.pathWith("a capability such as tool.TOOL.OPERATION", func(word string) bool {
		return isReserved(word) && !(delegation && (word == "agent" || word == "workflow"))
	})
	if path == nil {
		return Capability{}, lost
	}
	c, shape, good := Capability{Path: *path}, "", false
	switch head := path.Head().Name; {
	case head == "tool":
		c.Kind, shape, good = ToolCapability, "tool.TOOL.OPERATION", len(path.Parts) >= 3
	case head == "agent" && delegation:
		c.Kind, shape, good = AgentCapability, "agent.NAME", len(path.Parts) == 2
	case head == "workflow" && delegation:
		c.Kind, shape, good = WorkflowCapability, "workflow.NAME", len(path.Parts) == 2
	default:
		p.fail(bareGrant(*path, delegation))
		return c, dropped
	}
	if !good {
		p.fail(badCapability(path.Span(), path.String(), shape))
		return c, dropped
	}
	return c, kept
}
