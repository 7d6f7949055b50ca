package validate

import (
	"fmt"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
)

func (v *validator) duplicate(p place) {
	v.errorf(diag.DuplicateDeclaration, p, "%s is declared twice; the names of one kind are unique in a project", p)
}

func (v *validator) nameClash(name string) {
	p := place{kind: resource.KindWorkflow, name: name}
	d := diag.Errorf(diag.NameClash, v.span(p), "%q is an agent and a workflow; a call of %s could mean either, so rename one", name, name)
	v.diags.Add(d.With(v.span(place{kind: resource.KindAgent, name: name}), "the agent is here"))
}

func (v *validator) checkpointTruncate(p place) {
	v.errorf(diag.CheckpointTruncate, p, "checkpointExceedPolicy of %s is truncate, but a cut checkpoint could not be resumed; use fail", p)
}

func (v *validator) badProviderURL(p place, url string) {
	v.errorf(diag.BadBaseURL, p, "baseUrl of %s is %q; it must be an absolute http or https URL with a host", p, url)
}

// notAReference never shows the value: it may be the secret itself.
func (v *validator) notAReference(p place, field string) {
	v.errorf(diag.BadSecretReference, p, "%s of %s must name where the secret is, as env:NAME or file:PATH; the value found is not shown", field, p)
}

func (v *validator) literalSecret(p place, what string) {
	v.warnf(diag.LiteralSecret, p, "%s of %s looks like a secret written as a literal; it would be stored with the project, so write env:NAME or file:PATH and keep the value outside", what, p)
}

func (v *validator) secretInAddress(p place, what string) {
	v.warnf(diag.LiteralSecret, p, "%s of %s carries a name or password before the @; it would be stored with the project, so take it out and send it in a header with env:NAME or file:PATH", what, p)
}

func (v *validator) transportMissing(p place, tool resource.Tool) {
	v.errorf(diag.BadTransport, p, "tool %s has the type %s and no %s block; add one that says how to reach it", tool.Name, tool.Type, tool.Type)
}

func (v *validator) transportForeign(p place, tool resource.Tool, block string) {
	v.errorf(diag.BadTransport, p, "tool %s has the type %s but also a block %s; remove the block or change the type", tool.Name, tool.Type, block)
}

func (v *validator) transportField(p place, tool resource.Tool, detail string) {
	v.errorf(diag.BadTransport, p, "tool %s: %s", tool.Name, detail)
}

func (v *validator) missingField(p place, field, why string) {
	v.errorf(diag.MissingField, p, "%s has no %s; %s", p, field, why)
}

func (v *validator) reconcileUnknown(p place, tool resource.Tool, o resource.Operation) {
	v.errorf(diag.UnknownOperation, p, "operation %s of tool %s reconciles with %q, which the tool does not list: %s%s", o.Name, tool.Name, o.Reconcile, offered(tool), meant(o.Reconcile, operationNames(tool)))
}

func (v *validator) reconcileWrites(p place, tool resource.Tool, o resource.Operation) {
	v.errorf(diag.BadReconcile, p, "operation %s of tool %s reconciles with %s, which is not read-only; finding out what happened must not do anything, so set readOnly true there or name another operation", o.Name, tool.Name, o.Reconcile)
}

func (v *validator) readOnlyDestroys(p place, tool resource.Tool, o resource.Operation) {
	v.errorf(diag.BadOperation, p, "operation %s of tool %s is readOnly and declares the effect %s; one of the two is wrong", o.Name, tool.Name, resource.Destructive)
}

func (v *validator) noneAndSome(p place, tool resource.Tool, o resource.Operation) {
	v.errorf(diag.BadOperation, p, "operation %s of tool %s has effects and declares to have none; one of the two is wrong", o.Name, tool.Name)
}

func (v *validator) permitOverlap(p place, policy, effect string) {
	v.warnf(diag.PermitOverlap, p, "policy %s lists %s under permit and covers it under permitWithApproval; the stricter rule wins, so approval is required; remove it from permit", policy, effect)
}

func (v *validator) repeatedCapability(p place, capability string) {
	v.errorf(diag.RepeatedCapability, p, "%s lists %s under requiredFor twice; remove one", p, capability)
}

func (v *validator) unknownApprover(p place, approver string, known []string) {
	v.errorf(diag.UnknownApprover, p, "%s names the approver %s, whom no environment defines; add it to the approvers of an environment or correct the name%s", p, approver, meant(approver, known))
}

func (v *validator) tooFewApprovers(p place, want, have int64) {
	v.errorf(diag.TooFewApprovers, p, "%s asks for %d approvals, but at most %d approvers can give one in any environment; lower minApprovals or name more approvers", p, want, have)
}

func (v *validator) recursion(p place, cycle []string) {
	v.errorf(diag.WorkflowRecursion, p, "workflow %s calls itself: %s; recursion is not possible, use a loop", cycle[0], strings.Join(cycle, " -> "))
}

func (v *validator) nestedTooDeep(p place, chain string, calls int, limit int64) {
	v.errorf(diag.NestedTooDeep, p, "workflow %s nests %d calls deep (%s), and maxWorkflowNesting is %d; flatten the calls or raise the limit", p.name, calls, chain, limit)
}

func (v *validator) badStep(p place, format string, args ...any) {
	v.errorf(diag.BadStep, p, "workflow %s: "+format, append([]any{p.name}, args...)...)
}

func (v *validator) noTarget(p place, what, name string) {
	v.errorf(diag.UnknownTarget, p, "%s names the %s %q, which does not exist%s", p, what, name, meant(name, v.names(what)))
}

func (v *validator) missingModel(p place) {
	v.errorf(diag.MissingModel, p, "%s has no model and the project defaults name none; write model provider/model", p)
}

func (v *validator) shownNameClash(p place, clash error) {
	v.errorf(diag.ShownNameClash, p, "%v; rename one of them", clash)
}

func (v *validator) silenceForApprovers(p place) {
	v.errorf(diag.SilenceForApprovers, p, "%s says onTimeout approve and also who or how many must approve; silence cannot stand for them, use reject or escalate", p)
}

func (v *validator) notAHost(p place, host string) {
	v.errorf(diag.BadName, p, "%q under allowHosts of %s is not a host; write the host name alone, without scheme and path", host, p)
}

func (v *validator) interruptNoTool(p place, key string) {
	v.errorf(diag.UnknownTool, p, "interruptOn of %s names %q, which is not a tool; its keys are tool names, not capabilities%s", p, key, meant(key, v.names("tool")))
}

func (v *validator) switchKey(p place, key string) {
	v.errorf(diag.UnknownOperation, p, "toolSwitchMap of %s has the key %q, which is neither a tool nor an operation of one%s", p, key, meant(key, v.switchable()))
}

func (v *validator) switchTarget(p place, from, to string) {
	v.errorf(diag.UnknownOperation, p, "toolSwitchMap of %s switches %s to %q, which no tool that has %s offers%s", p, from, to, from, meant(to, v.switchable()))
}

func (v *validator) modelForm(p place, model string) {
	v.errorf(diag.UnknownProvider, p, "model %q of %s has not the form provider/model", model, p)
}

func (v *validator) unknownProvider(p place, model, provider string) {
	v.errorf(diag.UnknownProvider, p, "model %q of %s names the provider %q, which is neither built in (%s) nor declared%s", model, p, provider, strings.Join(providerTypes, ", "),
		meant(provider, append(v.names("provider"), providerTypes...)))
}

func (v *validator) noHTTPMethod(p place, tool resource.Tool, o resource.Operation) {
	found := "its name"
	if o.RemoteName != "" {
		found = fmt.Sprintf("its name %q", o.RemoteName)
	}
	v.errorf(diag.NoHTTPMethod, p, "operation %s of tool %s cannot be sent: %s does not start with an HTTP method (%s); write name %q in it, or call it %s",
		o.Name, tool.Name, found, strings.Join(httpMethods, ", "), "GET /items", "get.items")
}

func (v *validator) duplicateOperation(p place, operation string) {
	v.errorf(diag.DuplicateDeclaration, p, "duplicate operation %s in %s; an operation is listed once", operation, p)
}

func (v *validator) badOperationName(p place, operation string) {
	v.errorf(diag.BadOperationName, p, "operation %q of %s is malformed; a name is lower-case segments joined by dots, such as %q", operation, p, "issue.read")
}

func (v *validator) notAChoice(p place, field, got string, allowed []string) {
	v.errorf(diag.UnknownChoice, p, "%s of %s is %q; it is one of %s%s", field, p, got, strings.Join(allowed, ", "), meant(got, allowed))
}

func (v *validator) outOfRange(p place, field, got, want string) {
	v.errorf(diag.NumberOutOfRange, p, "%s of %s is %s; it must be %s", field, p, got, want)
}

func (v *validator) badName(p place) {
	v.errorf(diag.BadName, p, "the name %q of a resource of kind %s is malformed; a name is a letter or _ and then letters, digits, _ or -", p.name, p.kind)
}

func (v *validator) effectIsCapability(p place, name string) {
	v.errorf(diag.BadEffectName, p, "%q in %s is not an effect: names that begin with tool. are capabilities; name the consequence, such as %q", name, p, "github.write")
}

func (v *validator) badEffectName(p place, name string) {
	v.errorf(diag.BadEffectName, p, "%q in %s is not an effect name; it is lower-case segments joined by dots, such as %q", name, p, "github.write")
}

func (v *validator) malformedCapability(p place, what, capability string) {
	v.errorf(diag.MalformedCapability, p, "%q in %s of %s is not a capability; it has the form tool.<name>.<operation>", capability, what, p)
}

func (v *validator) unknownTool(p place, what, tool string) {
	v.errorf(diag.UnknownTool, p, "%s of %s names the tool %q, which does not exist%s", what, p, tool, meant(tool, v.names("tool")))
}

func (v *validator) unknownOperation(p place, what string, tool resource.Tool, operation string) {
	v.errorf(diag.UnknownOperation, p, "%s of %s names the operation %q, which tool %s does not list: %s%s", what, p, operation, tool.Name, offered(tool), meant(operation, operationNames(tool)))
}

func (v *validator) unknownPolicy(p place, name string) {
	v.errorf(diag.UnknownPolicy, p, "%s names the policy %q, which is neither declared nor a preset (%s)%s", p, name, strings.Join(presetNames(), ", "), meant(name, append(v.names("policy"), presetNames()...)))
}

func (v *validator) missingSchema(p place, path string) {
	v.errorf(diag.MissingSchema, p, "%s refers to the schema %s, which the project does not have", p, path)
}

func (v *validator) brokenSchema(p place, err error) {
	v.errorf(diag.BrokenSchema, p, "%s refers to a schema that cannot be used: %v", p, err)
}

func (v *validator) duplicateParameter(p place, name string) {
	v.errorf(diag.DuplicateDeclaration, p, "%s has the parameter %s twice", p, name)
}

func (v *validator) scheduleWithoutCron(p place) {
	v.errorf(diag.BadTrigger, p, "a schedule of %s has no cron expression, so it would never fire", p)
}

func (v *validator) badCron(p place, cron string, fields int) {
	v.errorf(diag.BadTrigger, p, "the cron expression %q of %s has %d fields; it has 5 to 7 or is a word such as @daily", cron, p, fields)
}

func (v *validator) eventWithoutName(p place) {
	v.errorf(diag.BadTrigger, p, "an event trigger of %s names no event, so it would never fire", p)
}

// offered tells what a tool lists instead.
func offered(t resource.Tool) string {
	if len(t.Operations) == 0 {
		return "its operations block is empty, so nothing of it can be called"
	}
	return "it offers " + strings.Join(operationNames(t), ", ")
}

func operationNames(t resource.Tool) []string {
	return nameAll(t.Operations, func(o resource.Operation) string { return o.Name })
}

// meant asks whether the known name nearest to name was meant, "" when none is near.
func meant(name string, known []string) string { return diag.DidYouMean(diag.Near(name, known)) }

// names lists the resources of a kind by the word messages use for it.
func (v *validator) names(kind string) []string {
	switch kind {
	case "agent":
		return nameAll(v.g.Agents, func(a resource.Agent) string { return a.Name })
	case "tool":
		return nameAll(v.g.Tools, func(t resource.Tool) string { return t.Name })
	case "policy":
		return nameAll(v.g.Policies, func(p resource.Policy) string { return p.Name })
	case "workflow":
		return nameAll(v.g.Workflows, func(w resource.Workflow) string { return w.Name })
	case "provider":
		return nameAll(v.g.Providers, func(p resource.Provider) string { return p.Name })
	}
	return nil
}

// switchable are the names a switch table may hold: tools and their operations.
func (v *validator) switchable() []string {
	out := v.names("tool")
	for _, t := range v.g.Tools {
		out = append(out, operationNames(t)...)
	}
	return out
}
