package validate

import (
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

func (v *validator) policy(pol resource.Policy) {
	p := place{kind: resource.KindPolicy, name: pol.Name}
	v.name(p)
	v.choice(p.in("preset"), "preset", pol.Preset, presetNames()...)
	v.execution(p.in("execution"), pol.Execution)
	v.approvals(p.in("approvals"), pol.Approvals)
	v.permits(p.in("effects"), pol)
	v.hitl(p.in("hitl"), pol.Hitl)
	for _, host := range pol.AllowHosts {
		if host == "" || strings.ContainsAny(host, "/ @?#") {
			v.notAHost(p.in("egress.allowHosts", host), host)
		}
	}
}

func (v *validator) execution(p place, x resource.Execution) {
	v.decimal(p.in("maxTotalCostUsd"), "maxTotalCostUsd", x.MaxTotalCostUSD, "0", "")
	v.atLeast(p.in("maxWallClockSeconds"), "maxWallClockSeconds", x.MaxWallClockSeconds, 0)
	v.atLeast(p.in("maxIterations"), "maxIterations", x.MaxIterations, 0)
}

func (v *validator) approvals(p place, a resource.Approvals) {
	v.requiredFor(p.in("requiredFor"), a.RequiredFor)
	v.atLeast(p.in("minApprovals"), "minApprovals", a.MinApprovals, 0)
	v.atLeast(p.in("timeoutSeconds"), "timeoutSeconds", a.TimeoutSeconds, 0)
	v.choice(p.in("onTimeout"), "onTimeout", a.OnTimeout, "reject", "escalate", "approve")
	if silent(a) {
		v.silenceForApprovers(p.in("onTimeout"))
	}
	v.choice(p.in("inLoop"), "inLoop", a.InLoop, "deny", "pause")
	v.approvers(p, a)
}

// silent reports whether silence would stand for people who are named or counted.
func silent(a resource.Approvals) bool {
	return a.OnTimeout == "approve" && (len(a.Approvers) > 0 || a.MinApprovals > 1 || a.ForbidSubmitter)
}

func (v *validator) requiredFor(p place, capabilities []string) {
	seen := map[string]bool{}
	for _, c := range capabilities {
		v.capability(p.in(c), "requiredFor", c)
		if seen[c] {
			v.repeatedCapability(p.in(c), c)
		}
		seen[c] = true
	}
}

// approvers are checked only where environments say who people are; without
// that any principal of the identity provider may be meant.
func (v *validator) approvers(p place, a resource.Approvals) {
	var known []resource.Environment
	for _, e := range v.g.Environments {
		if len(e.Approvers)+len(e.Groups) > 0 {
			known = append(known, e)
		}
	}
	if len(known) == 0 {
		return
	}
	for _, who := range a.Approvers {
		if !slices.ContainsFunc(known, func(e resource.Environment) bool { return len(people(e, who)) > 0 }) {
			v.unknownApprover(p.in("approvers", who), who, approverNames(known...))
		}
	}
	var most int64
	for _, e := range known {
		distinct := map[string]bool{}
		for _, who := range a.Approvers {
			for _, name := range people(e, who) {
				distinct[name] = true
			}
		}
		most = max(most, int64(len(distinct)))
	}
	if len(a.Approvers) > 0 && a.MinApprovals > most {
		v.tooFewApprovers(p.in("minApprovals"), a.MinApprovals, most)
	}
}

// approverNames are the entries that name somebody in the environments.
func approverNames(all ...resource.Environment) []string {
	var out []string
	for _, e := range all {
		out = append(out, ordered.Keys(e.Approvers)...)
		for _, group := range ordered.Keys(e.Groups) {
			out = append(out, "group:"+group)
		}
	}
	return out
}

// people are the names an approver entry stands for in an environment.
func people(e resource.Environment, who string) []string {
	if group, ok := strings.CutPrefix(who, "group:"); ok {
		return e.Groups[group]
	}
	if _, ok := e.Approvers[who]; ok {
		return []string{who}
	}
	return nil
}

func (v *validator) permits(p place, pol resource.Policy) {
	for _, e := range pol.Effects.Permit {
		v.effect(p.in("permit", e), e)
		if slices.ContainsFunc(pol.Effects.PermitWithApproval, func(l string) bool { return resource.EffectCovers(l, e) }) {
			v.permitOverlap(p.in("permit", e), pol.Name, e)
		}
	}
	for _, e := range pol.Effects.PermitWithApproval {
		v.effect(p.in("permitWithApproval", e), e)
	}
}

func (v *validator) hitl(p place, h resource.Hitl) {
	for _, tool := range ordered.Keys(h.InterruptOn) {
		at := p.in("interruptOn", tool)
		if _, ok := v.g.Tool(tool); !ok {
			v.interruptNoTool(at, tool)
			continue
		}
		v.review(at, tool, h.InterruptOn[tool])
	}
	for _, key := range ordered.Keys(h.ToolSwitchMap) {
		v.switchEntry(p.in("toolSwitchMap", key), key, h.ToolSwitchMap[key])
	}
}

func (v *validator) review(p place, tool string, r resource.Review) {
	for _, d := range r.AllowedDecisions {
		v.choice(p.in("allowedDecisions", d), "allowedDecisions", d, "approve", "reject", "edit", "switch")
	}
	for _, op := range r.AllowedEditTools {
		v.operation(p.in("allowedEditTools", op), "allowedEditTools", tool, op)
	}
	for _, key := range ordered.Keys(r.SwitchMap) {
		v.operation(p.in("switchMap", key), "switchMap", tool, key)
		for _, op := range r.SwitchMap[key] {
			v.operation(p.in("switchMap", key, op), "switchMap", tool, op)
		}
	}
}

// switchEntry checks an entry of the policy-wide table. Its key is a tool, or an
// operation of a tool; its targets are operations of that same tool.
func (v *validator) switchEntry(p place, key string, targets []string) {
	tool, operation, _ := strings.Cut(strings.TrimPrefix(key, "tool."), ".")
	if _, ok := v.g.Tool(tool); ok {
		if operation != "" {
			v.operation(p, "toolSwitchMap", tool, operation)
		}
		for _, op := range targets {
			v.operation(p.in(op), "toolSwitchMap", tool, op)
		}
		return
	}
	var owners []resource.Tool
	for _, t := range v.g.Tools {
		if _, listed := t.Operation(key); listed || !t.OperationsDeclared {
			owners = append(owners, t)
		}
	}
	if len(owners) == 0 {
		v.switchKey(p, key)
		return
	}
	for _, op := range targets {
		offers := func(t resource.Tool) bool { _, listed := t.Operation(op); return listed || !t.OperationsDeclared }
		if !slices.ContainsFunc(owners, offers) {
			v.switchTarget(p.in(op), key, op)
		}
	}
}
