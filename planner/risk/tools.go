package risk

import (
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

// tools compares every tool that exists on both sides.
func (a *assessment) tools() {
	for _, t := range a.After.Tools {
		if old, ok := a.old.tools[t.Name]; ok {
			a.surface(old, t)
			a.transport(old, t)
			a.operations(old, t)
			a.attempts(old, t)
			a.toolLimits(old, t)
		}
	}
}

// surface reports operations that became callable and what is said about safety.
func (a *assessment) surface(before, after resource.Tool) {
	target := id(resource.KindTool, after.Name)
	if before.OperationsDeclared && !after.OperationsDeclared {
		a.add(ToolSurfaceChange, High, target, "%s is no longer a closed manifest: any operation can be called.", target)
	}
	for _, o := range after.Operations {
		if _, known := before.Operation(o.Name); known || !before.OperationsDeclared {
			continue
		}
		severity := Low
		if after.HasSideEffects(o.Name) {
			severity = Medium
		}
		a.add(ToolSurfaceChange, severity, target, "%s declares the new operation %s.", target, resource.Capability(after.Name, o.Name))
	}
	if !isTrue(before.Safety.Trusted) && isTrue(after.Safety.Trusted) {
		a.add(ToolSurfaceChange, High, target, "%s is now trusted.", target)
	}
	if isTrue(before.Safety.RequiresApproval) && !isTrue(after.Safety.RequiresApproval) {
		a.add(ApprovalRemoval, High, target, "%s no longer requires approval by its safety.", target)
	}
	if effectful(before) && !effectful(after) {
		a.add(ToolSurfaceChange, High, target, "%s now counts as free of side effects.", target)
	}
	if before.Exclusive != "" && after.Exclusive != before.Exclusive {
		a.add(ToolSurfaceChange, Medium, target, "%s no longer takes the lease %q.", target, before.Exclusive)
	}
}

// effectful is the tool's answer for an operation nobody declared.
func effectful(t resource.Tool) bool { return t.Safety.SideEffects == nil || *t.Safety.SideEffects }

// transport reports that calls go somewhere else.
func (a *assessment) transport(before, after resource.Tool) {
	target := id(resource.KindTool, after.Name)
	if was, is := endpoint(before), endpoint(after); !sameEndpoint(before, after) {
		a.add(ToolTransportChange, High, target, "%s is reached in another way: %s instead of %s.", target, is, was)
	}
	for _, o := range after.Operations {
		if old, ok := before.Operation(o.Name); ok && old.RemoteName != o.RemoteName {
			a.add(ToolTransportChange, High, target, "%s now calls the remote operation %q.", resource.Capability(after.Name, o.Name), remoteName(o))
		}
	}
	if !slices.Equal(headersOf(before), headersOf(after)) {
		a.add(ToolTransportChange, Medium, target, "%s sends other headers.", target)
	}
	if b, n := workspaceOf(before), workspaceOf(after); b != n {
		a.add(ToolTransportChange, Medium, target, "%s works in another workspace or with another test command.", target)
	}
}

func remoteName(o resource.Operation) string {
	if o.RemoteName != "" {
		return o.RemoteName
	}
	return o.Name
}

func headersOf(t resource.Tool) []resource.Header {
	var hs []resource.Header
	if t.HTTP != nil {
		hs = append(hs, t.HTTP.Headers...)
	}
	if t.MCP != nil {
		hs = append(hs, t.MCP.Headers...)
	}
	return hs
}

func workspaceOf(t resource.Tool) resource.Workspace {
	if t.Workspace == nil {
		return resource.Workspace{}
	}
	return *t.Workspace
}

// operations compares the operations that exist on both sides.
func (a *assessment) operations(before, after resource.Tool) {
	for _, o := range after.Operations {
		old, ok := before.Operation(o.Name)
		if !ok {
			continue
		}
		capability, target := resource.Capability(after.Name, o.Name), id(resource.KindTool, after.Name)
		a.repeats(target, capability, old, o)
		switch {
		case old.Schema != "" && o.Schema == "":
			a.add(ToolSurfaceChange, High, target, "Arguments of %s are no longer checked against a schema.", capability)
		case old.Schema == "" || a.Schemas.Same(old.Schema, o.Schema):
		case old.Schema != o.Schema:
			a.add(ToolSurfaceChange, Medium, target, "Arguments of %s are checked against %s instead of %s.", capability, o.Schema, old.Schema)
		default:
			a.add(ToolSurfaceChange, Medium, target, "The schema %s, which checks arguments of %s, changed.", o.Schema, capability)
		}
		a.outputs(target, capability, old, o)
		if isTrue(o.ReadOnly) && !isTrue(old.ReadOnly) && before.HasSideEffects(o.Name) {
			a.add(ToolSurfaceChange, High, target, "%s now counts as read-only.", capability)
		}
		if o.NoEffects && !old.EffectsKnown() {
			a.add(ToolSurfaceChange, Medium, target, "%s now declares that it has no effects; they were unknown.", capability)
		}
		if gone := lacking(old.Effects, o.Effects); len(gone) > 0 {
			a.add(ToolSurfaceChange, Medium, target, "%s no longer declares %s.", capability, strings.Join(gone, ", "))
		}
	}
}

// outputs reports answers of an operation that are checked less.
func (a *assessment) outputs(target, capability string, before, after resource.Operation) {
	switch {
	case before.OutputSchema == "":
	case after.OutputSchema == "":
		a.add(ToolSurfaceChange, Medium, target, "Answers of %s are no longer checked against a schema.", capability)
	case a.Schemas.Same(before.OutputSchema, after.OutputSchema):
	case before.OutputSchema != after.OutputSchema:
		a.add(ToolSurfaceChange, Low, target, "Answers of %s are checked against %s instead of %s.", capability, after.OutputSchema, before.OutputSchema)
	default:
		a.add(ToolSurfaceChange, Low, target, "The schema %s, which checks answers of %s, changed.", after.OutputSchema, capability)
	}
}

// lacking lists what before has and after does not cover.
func lacking(before, after []string) []string {
	var gone []string
	for _, e := range before {
		if !slices.Contains(after, e) {
			gone = append(gone, e)
		}
	}
	return gone
}

// repeats reports that less protects against doing something twice.
func (a *assessment) repeats(target, capability string, before, after resource.Operation) {
	if before.Idempotency != "safe" && after.Idempotency == "safe" {
		a.add(IdempotencyWeakened, High, target, "%s now counts as harmless to repeat: it is sent again when its outcome is unknown.", capability)
	} else if before.Idempotency != after.Idempotency && (before.Idempotency == "key" || before.Idempotency == "safe") {
		a.add(IdempotencyWeakened, Medium, target, "%s has idempotency %s instead of %s.", capability, orNone(after.Idempotency), before.Idempotency)
	}
	switch {
	case before.Reconcile == "" || before.Reconcile == after.Reconcile:
	case after.Reconcile == "":
		a.add(IdempotencyWeakened, Medium, target, "An unknown outcome of %s can no longer be reconciled.", capability)
	default:
		a.add(IdempotencyWeakened, Low, target, "An unknown outcome of %s is reconciled by %s instead of %s.", capability, after.Reconcile, before.Reconcile)
	}
	if before.Delivered != "" && after.Delivered != before.Delivered {
		a.add(IdempotencyWeakened, Medium, target, "The event %q no longer confirms what %s sent.", before.Delivered, capability)
	}
}

// attempts reports that the transport may send one call more often.
func (a *assessment) attempts(before, after resource.Tool) {
	target := id(resource.KindTool, after.Name)
	if was, is := max(1, before.Retry.MaxAttempts), max(1, after.Retry.MaxAttempts); is > was {
		a.add(IdempotencyWeakened, Low, target, "A call of %s is tried up to %d times instead of %d.", target, is, was)
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
