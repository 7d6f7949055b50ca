package policy

import (
	"slices"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// Verdict is the answer to a call; the zero value is invalid.
type Verdict uint8

// The verdicts, from lenient to strict.
const (
	Allow Verdict = iota + 1
	RequireApproval
	Deny
)

// String names the verdict in messages and traces.
func (v Verdict) String() string {
	switch v {
	case Allow:
		return "allow"
	case RequireApproval:
		return "require_approval"
	case Deny:
		return "deny"
	}
	return "invalid"
}

// Code says which kind of rule spoke.
type Code string

// The reason codes; names appear in traces and exit messages.
const (
	ApprovalRequired       Code = "approval_required"
	OperationNotInManifest Code = "operation_not_in_manifest"
	NotGranted             Code = "not_granted"
	UnknownTool            Code = "unknown_tool"
	EffectNotPermitted     Code = "effect_not_permitted"
	PolicyMissing          Code = "policy_missing"
	Permitted              Code = "permitted"
)

// Source says where a rule comes from.
type Source string

// The sources of rules.
const (
	ExplicitRule      Source = "explicit_policy_rule"
	SafetyMetadata    Source = "safety_metadata"
	FailClosedDefault Source = "fail_closed_default"
	ManifestBoundary  Source = "capability_manifest"
)

// Reason is one rule's contribution.
type Reason struct {
	Verdict Verdict
	Code    Code
	Source  Source
	Rule    string // for people: "policy house: approvals.requiredFor tool.mail.send"
}

// Answer is the combined result. Reasons hold every rule that spoke against
// plain permission, in a fixed order.
type Answer struct {
	Verdict Verdict
	Reasons []Reason
}

// Rule is the first reason of the answer's own strictness, for messages.
func (a Answer) Rule() string {
	for _, r := range a.Reasons {
		if r.Verdict == a.Verdict {
			return r.Rule
		}
	}
	return ""
}

// Code is the code of that reason.
func (a Answer) Code() Code {
	for _, r := range a.Reasons {
		if r.Verdict == a.Verdict {
			return r.Code
		}
	}
	return Permitted
}

// Call is a call to be judged.
type Call struct {
	Workflow  string
	Agent     string // "" = written in the workflow
	Tool      string
	Operation string
	Arguments canon.Value
}

// Capability is the call's full operation name.
func (c Call) Capability() string { return resource.Capability(c.Tool, c.Operation) }

// Evaluate judges c under the pinned graph: the workflow's policy made stricter
// by the agent's own.
func Evaluate(g *resource.Graph, c Call) Answer {
	var e evaluation
	e.manifest(g, c)
	tool, known := g.Tool(c.Tool)
	policies, missing := governing(g, c)
	for _, name := range missing {
		e.add(Deny, PolicyMissing, FailClosedDefault, "policy "+name+" does not exist")
	}
	for _, p := range policies {
		if known {
			e.policy(p, tool, c)
		}
	}
	if known {
		e.safety(g, tool, c)
	}
	return e.answer()
}

// EvaluateReconcile judges the call of an operation that is asked what became of
// another one. Nobody can approve such a call: where c would not simply run it is not
// made, and a person tells the outcome instead. The rules of the answer say so.
func EvaluateReconcile(g *resource.Graph, c Call) Answer {
	c.Agent = "" // the engine asks, whoever made the call
	answer := Evaluate(g, c)
	for i, r := range answer.Reasons {
		answer.Reasons[i].Rule = "not asked about an unknown outcome, a person tells it instead: " + r.Rule
	}
	return answer
}

// Stricter combines two answers: the stricter verdict, all reasons.
func Stricter(a, b Answer) Answer {
	return Answer{Verdict: max(a.Verdict, b.Verdict), Reasons: append(slices.Clone(a.Reasons), b.Reasons...)}
}

// governing lists the policies that govern a call, resolved: the workflow's, then
// the agent's own, which may only be stricter. missing names those that do not
// exist. No policy at all leaves the safety-derived rules.
func governing(g *resource.Graph, c Call) (found []resource.Policy, missing []string) {
	w, _ := g.Workflow(c.Workflow)
	p, safe, ok := g.GoverningPolicy(w)
	switch {
	case !ok:
		missing = append(missing, w.Policy)
	case !safe:
		found = append(found, p)
	}
	a, _ := g.Agent(c.Agent)
	if a.Policy == "" || (len(found) == 1 && found[0].Name == a.Policy) {
		return found, missing
	}
	if p, ok := g.ResolvePolicy(a.Policy); ok {
		return append(found, p), missing
	}
	return found, append(missing, a.Policy)
}

type evaluation struct{ reasons []Reason }

func (e *evaluation) add(v Verdict, code Code, source Source, rule string) {
	e.reasons = append(e.reasons, Reason{Verdict: v, Code: code, Source: source, Rule: rule})
}

func (e *evaluation) answer() Answer {
	a := Answer{Verdict: Allow, Reasons: e.reasons}
	for _, r := range e.reasons {
		a.Verdict = max(a.Verdict, r.Verdict)
	}
	return a
}

// manifest is the hard boundary: it binds whatever any policy says.
func (e *evaluation) manifest(g *resource.Graph, c Call) {
	tool, ok := g.Tool(c.Tool)
	if !ok {
		e.add(Deny, OperationNotInManifest, ManifestBoundary, "tool "+c.Tool+" is not in the capability manifest")
		return
	}
	if _, listed := tool.Operation(c.Operation); tool.OperationsDeclared && !listed {
		e.add(Deny, OperationNotInManifest, ManifestBoundary, c.Capability()+" is not in the closed manifest of tool "+c.Tool)
	}
	if c.Agent == "" {
		return
	}
	agent, ok := g.Agent(c.Agent)
	if !ok || !slices.Contains(agent.Grants, c.Capability()) {
		e.add(Deny, NotGranted, ManifestBoundary, c.Capability()+" is not granted to agent "+c.Agent)
	}
}

// policy applies the explicit rules of one policy.
func (e *evaluation) policy(p resource.Policy, tool resource.Tool, c Call) {
	rule := func(s string) string { return "policy " + p.Name + ": " + s }
	op, _ := tool.Operation(c.Operation)
	listed := slices.Contains(p.Approvals.RequiredFor, c.Capability())
	if listed {
		e.add(RequireApproval, ApprovalRequired, ExplicitRule, rule("approvals.requiredFor "+c.Capability()))
	}
	if isTrue(p.Approvals.RequireAllTools) {
		e.add(RequireApproval, ApprovalRequired, ExplicitRule, rule("approvals.requireAllTools"))
	}
	uncovered := false
	if p.Effects.Declared {
		for _, effect := range op.Effects {
			switch {
			case covers(p.Effects.PermitWithApproval, effect):
				e.add(RequireApproval, ApprovalRequired, ExplicitRule, rule("effects.permitWithApproval "+effect))
			case !covers(p.Effects.Permit, effect):
				uncovered = true
				e.add(Deny, EffectNotPermitted, ExplicitRule, rule("effects do not permit "+effect))
			}
		}
	}
	vouched := listed || isTrue(tool.Safety.Trusted) || (p.Effects.Declared && len(op.Effects) > 0 && !uncovered)
	if isTrue(p.ForbidUnknownTools) && !vouched {
		e.add(Deny, UnknownTool, ExplicitRule, rule("tools.forbidUnknownTools: nothing permits "+c.Capability()))
	}
	if p.Preset == string(resource.ShellSafe) && resource.ShellOperation(tool, c.Operation) {
		e.shell(p, c)
	}
}

// safety derives a gate from what the tool's author says about it.
func (e *evaluation) safety(g *resource.Graph, tool resource.Tool, c Call) {
	where := "tool " + tool.Name + ": "
	if isTrue(tool.Safety.RequiresApproval) {
		e.add(RequireApproval, ApprovalRequired, SafetyMetadata, where+"safety.requiresApproval")
	}
	if isTrue(tool.Safety.Trusted) || !tool.HasSideEffects(c.Operation) || waived(g, tool, c) {
		return
	}
	source := SafetyMetadata
	if tool.Safety == (resource.Safety{}) {
		source = FailClosedDefault
	}
	e.add(RequireApproval, ApprovalRequired, source, where+"an untrusted tool with side effects needs approval")
}

// waived reports whether every governing policy waives the derived gate of a call:
// all of them when it is permissive, that of a command which only reads when its
// preset is shell_safe.
func waived(g *resource.Graph, tool resource.Tool, c Call) bool {
	policies, missing := governing(g, c)
	return len(policies) > 0 && len(missing) == 0 && all(policies, func(p resource.Policy) bool {
		return isTrue(p.Approvals.Permissive) || readsOnly(p, tool, c)
	})
}

func all(policies []resource.Policy, holds func(resource.Policy) bool) bool {
	for _, p := range policies {
		if !holds(p) {
			return false
		}
	}
	return true
}

func covers(list []string, effect string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return resource.EffectCovers(name, effect) })
}

func isTrue(b *bool) bool { return b != nil && *b }
