package syntax

func (p *parser) environmentDecl() (Decl, bool) {
	d := &EnvironmentDecl{}
	if !p.declName("the environment", &d.Name) {
		return d, false
	}
	return d, p.body("environment "+clip(d.Name.Name), &d.Body,
		keep("overrides", &d.Overrides, p.overrides),
		keep("approvers", &d.Approvers, p.principals),
		keep("runtime", &d.Runtime, p.runtime))
}

func (p *parser) overrides() *Overrides {
	o := &Overrides{}
	if !p.body("overrides", &o.Body,
		keep("agents", &o.Agents, p.agentOverrides),
		keep("policies", &o.Policies, p.policyOverrides),
		keep("tools", &o.Tools, p.toolOverrides)) {
		return nil
	}
	return o
}

func (p *parser) agentOverrides() *AgentOverrides {
	items, braces, ok := nested(p, "agents", "agent override", func(name Ident) *AgentOverride {
		o := &AgentOverride{Name: name}
		if !p.body("override of agent "+clip(name.Name), &o.Body,
			keep("model", &o.Model, p.modelRef),
			keep("constraints", &o.Constraints, p.constraints)) {
			return nil
		}
		return o
	})
	if !ok {
		return nil
	}
	return &AgentOverrides{Items: items, Braces: braces}
}

func (p *parser) policyOverrides() *PolicyOverrides {
	items, braces, ok := nested(p, "policies", "policy override", func(name Ident) *PolicyOverride {
		o := &PolicyOverride{Name: name}
		if !p.body("override of policy "+clip(name.Name), &o.Body,
			keep("execution", &o.Execution, p.execution),
			keep("approvals", &o.Approvals, p.approvals)) {
			return nil
		}
		return o
	})
	if !ok {
		return nil
	}
	return &PolicyOverrides{Items: items, Braces: braces}
}

func (p *parser) toolOverrides() *ToolOverrides {
	items, braces, ok := nested(p, "tools", "tool override", func(name Ident) *ToolOverride {
		o := &ToolOverride{Name: name}
		if !p.body("override of tool "+clip(name.Name), &o.Body,
			keep("mcp", &o.MCP, p.mcp),
			keep("http", &o.HTTP, p.http),
			keep("temporal", &o.Temporal, p.temporal)) {
			return nil
		}
		return o
	})
	if !ok {
		return nil
	}
	return &ToolOverrides{Items: items, Braces: braces}
}

// principals reads persons (NAME "key") and groups (group NAME { … }). A person
// may be called group.
func (p *parser) principals() *Principals {
	people, groups := distinct{what: "approver"}, distinct{what: "group"}
	items, braces, ok := list(p, "approvers", func() (*Principal, outcome) {
		start := p.peek()
		names := &people
		group := start.word("group") && p.peekAt(1).kind == kindIdent
		if group {
			p.next()
			names = &groups
		}
		name := p.name("the name of an approver")
		if name == nil {
			return nil, lost
		}
		isNew := names.add(p, name.Name, name.At)
		item := &Principal{Name: *name}
		p.separator(name.Name)
		if group {
			item.Members = p.identList("group "+clip(name.Name), p.named("the name of a member"))
		} else {
			item.Key = p.text()
		}
		switch {
		case item.Key == nil && item.Members == nil:
			return nil, lost
		case !isNew:
			return nil, dropped
		}
		item.At = p.since(start.start)
		return item, kept
	})
	if !ok {
		return nil
	}
	return &Principals{Items: items, Braces: braces}
}

func (p *parser) runtime() *Runtime {
	r := &Runtime{}
	if !p.body("runtime", &r.Body,
		keep("address", &r.Address, p.text),
		keep("namespace", &r.Namespace, p.text),
		keep("taskQueue", &r.TaskQueue, p.text),
		keep("state", &r.State, p.text)) {
		return nil
	}
	return r
}
