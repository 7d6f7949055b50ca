package export

import (
	"reflect"

	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

func (w writer) environment(e resource.Environment) *syntax.EnvironmentDecl {
	out := &syntax.EnvironmentDecl{Name: w.ident("name", e.Name), Approvers: w.principals(e)}
	if len(e.Agents)+len(e.Policies)+len(e.Tools) > 0 {
		out.Overrides = &syntax.Overrides{Agents: w.agentOverrides(e), Policies: w.policyOverrides(e), Tools: w.toolOverrides(e)}
	}
	if r := e.Runtime; r != (resource.Runtime{}) {
		out.Runtime = &syntax.Runtime{Address: text(r.Address), Namespace: text(r.Namespace), TaskQueue: text(r.TaskQueue), State: text(r.State)}
	}
	return out
}

func (w writer) principals(e resource.Environment) *syntax.Principals {
	if len(e.Approvers)+len(e.Groups) == 0 {
		return nil
	}
	out := &syntax.Principals{}
	for _, name := range ordered.Keys(e.Approvers) {
		out.Items = append(out.Items, &syntax.Principal{Name: w.ident("approvers", name), Key: &syntax.Text{Value: e.Approvers[name]}})
	}
	for _, name := range ordered.Keys(e.Groups) {
		members := &syntax.IdentList{}
		for _, m := range e.Groups[name] {
			members.Items = append(members.Items, w.ident("approvers.group "+name, m))
		}
		out.Items = append(out.Items, &syntax.Principal{Name: w.ident("approvers", name), Members: members})
	}
	return out
}

func (w writer) agentOverrides(e resource.Environment) *syntax.AgentOverrides {
	if len(e.Agents) == 0 {
		return nil
	}
	out := &syntax.AgentOverrides{}
	for _, name := range ordered.Keys(e.Agents) {
		field, o := "overrides.agents."+name, e.Agents[name]
		out.Items = append(out.Items, &syntax.AgentOverride{
			Name: w.ident(field, name), Model: w.model(field+".model", o.Model), Constraints: constraints(o.Constraints),
		})
	}
	return out
}

// policyOverrides writes execution and approvals, which is all an override can
// change.
func (w writer) policyOverrides(e resource.Environment) *syntax.PolicyOverrides {
	if len(e.Policies) == 0 {
		return nil
	}
	out := &syntax.PolicyOverrides{}
	for _, name := range ordered.Keys(e.Policies) {
		field, o := "overrides.policies."+name, e.Policies[name]
		if !reflect.DeepEqual(o, resource.Policy{Name: o.Name, Execution: o.Execution, Approvals: o.Approvals}) {
			w.refuse(field, "an override of a policy can change execution and approvals only")
		}
		out.Items = append(out.Items, &syntax.PolicyOverride{
			Name: w.ident(field, name), Execution: execution(o.Execution), Approvals: w.approvals(field+".approvals", o.Approvals),
		})
	}
	return out
}

func (w writer) toolOverrides(e resource.Environment) *syntax.ToolOverrides {
	if len(e.Tools) == 0 {
		return nil
	}
	out := &syntax.ToolOverrides{}
	for _, name := range ordered.Keys(e.Tools) {
		field, o := "overrides.tools."+name, e.Tools[name]
		out.Items = append(out.Items, &syntax.ToolOverride{
			Name: w.ident(field, name), MCP: mcp(o.MCP), HTTP: http(o.HTTP), Temporal: w.temporal(field+".temporal", o.Temporal),
		})
	}
	return out
}
