package format

import (
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// declaration lays out one declaration.
func declaration(d syntax.Decl) *item {
	var pieces []piece
	switch d := d.(type) {
	case *syntax.AgentDecl:
		pieces = line(text("agent "+d.Name.Name+" "), inside(agent(d)))
	case *syntax.WorkflowDecl:
		pieces = workflow(d)
	case *syntax.ToolDecl:
		pieces = line(text("tool "+d.Name.Name+" "), inside(tool(d)))
	case *syntax.PolicyDecl:
		pieces = line(text("policy "+d.Name.Name+" "), inside(policy(d)))
	case *syntax.EnvironmentDecl:
		pieces = line(text("environment "+d.Name.Name+" "), inside(environment(d)))
	case *syntax.ProviderDecl:
		pieces = line(text("provider "+d.Name.Name+" "), inside(provider(d)))
	case *syntax.DefaultsDecl:
		pieces = line(text("defaults "), inside(defaults(d)))
	case *syntax.LimitsDecl:
		pieces = line(text("limits "), inside(limits(d.Limits)))
	}
	return &item{span: d.Span(), pieces: pieces}
}

func agent(a *syntax.AgentDecl) *scope {
	f := fieldsOf(&a.Body)
	f.model("model", a.Model)
	f.ident("policy", a.Policy)
	f.text("description", a.Description)
	if in := a.Instructions; in != nil && in.File {
		f.add("instructions", text("file("+quote(in.Text.Value)+")"))
	} else if in != nil {
		f.text("instructions", &in.Text)
	}
	f.scope("constraints", constraints(a.Constraints))
	f.capabilities("grants", a.Grants, tallBraces)
	f.ident("input", a.Input)
	f.ident("output", a.Output)
	f.text("version", a.Version)
	f.text("replaces", a.Replaces)
	f.text("changeSummary", a.ChangeSummary)
	f.flag("mayEscalate", a.MayEscalate)
	f.ident("workingTree", a.WorkingTree)
	if m := a.FallbackModels; m != nil {
		f.scope("fallbackModels", each(commaBraces(m.Braces), m.Items, func(r syntax.ModelRef) (source.Span, []piece) {
			return r.Span(), line(text(r.String()))
		}))
	}
	return f.into
}

func constraints(c *syntax.Constraints) *scope {
	if c == nil {
		return nil
	}
	f := fieldsOf(&c.Body)
	f.number("maxIterations", c.MaxIterations)
	f.number("maxTokens", c.MaxTokens)
	f.number("timeoutSeconds", c.TimeoutSeconds)
	f.number("temperature", c.Temperature)
	f.flag("requireStructuredOutput", c.RequireStructuredOutput)
	return scalarsIn(f.into)
}

// workflow lays out head, clauses and body. The region of the clauses runs from
// the end of the head to the body so that comments between them find it.
func workflow(w *syntax.WorkflowDecl) []piece {
	params := each(parens(w.Parens), w.Params, func(p syntax.Param) (source.Span, []piece) {
		return p.Span(), line(text(p.Name.Name + ": " + p.Type.Name))
	})
	pieces := line(text("workflow "+w.Name.Name), inside(params))
	headEnd := w.Parens
	if w.Result != nil {
		pieces = append(pieces, text(" -> "+w.Result.Name))
		headEnd = w.Result.At
	}
	if clauses := clauses(w); len(clauses.items) > 0 {
		clauses.span = headEnd
		clauses.span.Start = headEnd.End
		if w.Body != nil {
			clauses.span.End = w.Body.Braces.Start
		}
		pieces = append(pieces, inside(clauses))
	} else {
		pieces = append(pieces, text(" "))
	}
	return append(pieces, inside(block(w.Body)))
}

func clauses(w *syntax.WorkflowDecl) *scope {
	f := &fields{body: &syntax.Body{Fields: w.Clauses}, into: &scope{tall: true, clauses: true}}
	f.text("description", w.Description)
	f.ident("policy", w.Policy)
	f.effects("effects", w.Effects)
	f.number("timeoutSeconds", w.TimeoutSeconds)
	f.ident("workingTree", w.WorkingTree)
	for _, t := range w.Triggers {
		head := "trigger " + t.Kind.String() + " "
		if t.Event != nil {
			head += quote(t.Event.Value) + " "
		}
		f.into.add(t.At, text(head), inside(trigger(t)))
	}
	return f.into
}

func trigger(t *syntax.Trigger) *scope {
	f := fieldsOf(&t.Body)
	f.text("cron", t.Cron)
	f.text("timezone", t.Timezone)
	f.ident("overlap", t.Overlap)
	f.path("dedupe", t.Dedupe)
	f.scope("input", object(t.Input))
	return f.into
}

func provider(d *syntax.ProviderDecl) *scope {
	f := fieldsOf(&d.Body)
	f.ident("type", d.Type)
	f.text("baseUrl", d.BaseURL)
	f.text("apiKeyFrom", d.APIKeyFrom)
	f.text("workspaceIdFrom", d.WorkspaceIDFrom)
	return f.into
}

func defaults(d *syntax.DefaultsDecl) *scope {
	f := fieldsOf(&d.Body)
	f.ident("policy", d.Policy)
	f.model("model", d.Model)
	f.ident("runtime", d.Runtime)
	return f.into
}

func limits(l *syntax.Limits) *scope {
	if l == nil {
		return nil
	}
	f := fieldsOf(&l.Body)
	f.number("maxToolInputBytes", l.MaxToolInputBytes)
	f.number("maxToolOutputBytes", l.MaxToolOutputBytes)
	f.number("maxCheckpointBytes", l.MaxCheckpointBytes)
	f.number("maxStateBytes", l.MaxStateBytes)
	f.number("maxWorkflowNesting", l.MaxWorkflowNesting)
	f.number("maxLoopIterations", l.MaxLoopIterations)
	f.ident("toolInputExceedPolicy", l.ToolInputExceedPolicy)
	f.ident("toolOutputExceedPolicy", l.ToolOutputExceedPolicy)
	f.ident("checkpointExceedPolicy", l.CheckpointExceedPolicy)
	return f.into
}

func environment(d *syntax.EnvironmentDecl) *scope {
	f := fieldsOf(&d.Body)
	f.scope("overrides", overrides(d.Overrides))
	if p := d.Approvers; p != nil {
		f.scope("approvers", each(tallBraces(p.Braces), p.Items, func(v *syntax.Principal) (source.Span, []piece) {
			if v.Members != nil {
				return v.At, line(text("group "+v.Name.Name+" "), inside(idents(v.Members.Braces, ", ", v.Members.Items)))
			}
			return v.At, line(text(v.Name.Name+" "), literal(*v.Key))
		}))
	}
	if r := d.Runtime; r != nil {
		g := fieldsOf(&r.Body)
		g.text("address", r.Address)
		g.text("namespace", r.Namespace)
		g.text("taskQueue", r.TaskQueue)
		g.text("state", r.State)
		f.scope("runtime", g.into)
	}
	return f.into
}

func overrides(o *syntax.Overrides) *scope {
	if o == nil {
		return nil
	}
	f := fieldsOf(&o.Body)
	named := func(name syntax.Ident, s *scope) []piece {
		return line(text(name.Name+" "), inside(scalarsIn(s)))
	}
	if g := o.Agents; g != nil {
		f.scope("agents", each(tallBraces(g.Braces), g.Items, func(v *syntax.AgentOverride) (source.Span, []piece) {
			b := fieldsOf(&v.Body)
			b.model("model", v.Model)
			b.scope("constraints", constraints(v.Constraints))
			return v.Span(), named(v.Name, b.into)
		}))
	}
	if g := o.Policies; g != nil {
		f.scope("policies", each(tallBraces(g.Braces), g.Items, func(v *syntax.PolicyOverride) (source.Span, []piece) {
			b := fieldsOf(&v.Body)
			b.scope("execution", execution(v.Execution))
			b.scope("approvals", approvals(v.Approvals))
			return v.Span(), named(v.Name, b.into)
		}))
	}
	if g := o.Tools; g != nil {
		f.scope("tools", each(tallBraces(g.Braces), g.Items, func(v *syntax.ToolOverride) (source.Span, []piece) {
			b := fieldsOf(&v.Body)
			b.scope("mcp", mcp(v.MCP))
			b.scope("http", httpBlock(v.HTTP))
			b.scope("temporal", temporal(v.Temporal))
			return v.Span(), named(v.Name, b.into)
		}))
	}
	return f.into
}
