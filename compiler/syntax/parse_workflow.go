package syntax

import "terfyn/compiler/source"

func (p *parser) workflowDecl() (Decl, bool) {
	w := &WorkflowDecl{}
	if !p.declName("the workflow", &w.Name) {
		return w, false
	}
	if !p.params(w) {
		return w, false
	}
	if p.accept("->") {
		if arrow := p.last; p.clauseFollows() {
			p.fail(missingType(p.span(arrow)))
		} else if w.Result = p.name("a result type"); w.Result == nil {
			return w, false
		}
	}
	p.clauses(w)
	w.Body = p.block("workflow " + clip(w.Name.Name))
	return w, w.Body != nil
}

// clauseFollows reports whether a clause or the body stands where a type is expected.
// A type may have the name of a clause; what follows it tells them apart.
func (p *parser) clauseFollows() bool {
	t, after := p.peek(), p.peekAt(1)
	if t.is("{") {
		return true
	}
	if t.kind != kindIdent {
		return false
	}
	switch t.text {
	case "description":
		return after.isText()
	case "timeoutSeconds":
		return after.kind == kindNumber
	case "policy":
		return after.kind == kindIdent && !isClause(after.text)
	case "workingTree":
		return after.word("exclusive")
	case "trigger":
		return after.word("schedule") || after.word("event")
	default:
		return false
	}
}

func isClause(word string) bool {
	switch word {
	case "description", "policy", "effects", "timeoutSeconds", "workingTree", "trigger":
		return true
	default:
		return false
	}
}

func (p *parser) params(w *WorkflowDecl) bool {
	names := distinct{what: "parameter"}
	parens, ok := p.commas("the parameters", func() bool {
		name := p.binding("a parameter name")
		if name == nil || !p.expect(":", "and a type after the parameter name") {
			return false
		}
		typ := p.name("a type name")
		if typ == nil {
			return false
		}
		if names.add(p, name.Name, name.At) {
			w.Params = append(w.Params, Param{Name: *name, Type: *typ})
		}
		return true
	})
	w.Parens = parens
	return ok
}

// clauses reads what stands between the head and the body. The first { that no
// clause takes opens the body.
func (p *parser) clauses(w *WorkflowDecl) {
	fields := []field{
		keep("description", &w.Description, p.text),
		keep("policy", &w.Policy, p.named("a policy name")),
		keep("effects", &w.Effects, p.effectSet("effects")),
		keep("timeoutSeconds", &w.TimeoutSeconds, p.count("timeoutSeconds")),
		keep("workingTree", &w.WorkingTree, p.choice("workingTree", "exclusive")),
		{"trigger", func() bool { return p.trigger(w) }},
	}
	base := len(p.kept)
	for !p.peek().is("{") && !p.peek().is("}") && !p.done() {
		before := len(p.kept)
		p.field("the clauses of a workflow", base, fields)
		if len(p.kept) == before {
			continue
		}
		added := p.kept[before]
		w.Clauses = append(w.Clauses, added)
		if added.Word == "trigger" { // several may stand, each is checked by trigger
			p.kept = p.kept[:before]
		}
	}
	p.kept = p.kept[:base]
}

// trigger reads what follows the word. A workflow has at most one schedule and
// one trigger per event name.
func (p *parser) trigger(w *WorkflowDecl) bool {
	t := &Trigger{}
	start := p.last.start
	kind := p.choice("a trigger", "schedule", "event")()
	if kind == nil {
		return false
	}
	ok := false
	if kind.Name == "schedule" {
		t.Kind = ScheduleTrigger
		ok = p.body("trigger schedule", &t.Body,
			keep("cron", &t.Cron, p.text),
			keep("timezone", &t.Timezone, p.text),
			keep("overlap", &t.Overlap, p.choice("overlap", "skip", "bufferOne", "allowAll")),
			keep("input", &t.Input, p.object))
	} else {
		t.Kind = EventTrigger
		if t.Event = p.text(); t.Event == nil {
			return false
		}
		ok = p.body("trigger event", &t.Body,
			keep("dedupe", &t.Dedupe, func() *Path { return p.path("a path to the value that identifies the event") }),
			keep("input", &t.Input, p.object))
	}
	if !ok {
		return false
	}
	t.At = p.since(start)
	if first := sameTrigger(w.Triggers, t); !first.IsZero() {
		p.fail(duplicateField(t.At, "trigger "+kind.Name, "the clauses of a workflow", first, t.At, true))
		return true
	}
	w.Triggers = append(w.Triggers, t)
	return true
}

func sameTrigger(all []*Trigger, t *Trigger) source.Span {
	for _, other := range all {
		if other.Kind == t.Kind && (t.Event == nil || other.Event.Value == t.Event.Value) {
			return other.At
		}
	}
	return source.Span{}
}
