// Package guard owns the check before dispatch: the component that sends a call
// looks again at everything that admits it, whatever workflow code concluded
// before (execution.md sections 5 and 6). The snapshot must load and verify, the
// operation be in its manifest, the arguments fit the pinned schema, policy allow
// it under the pinned and the currently deployed rules, and a gated call have a
// stored decision for exactly these arguments.
//
// It leaves out the ledger's transitions (dispatch.go in activities) and how a
// call is made (activities/tool).
package guard

import (
	"context"
	"fmt"

	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// Guard checks calls against a store.
type Guard struct {
	Store     store.Store
	Snapshots *snapshot.Cache
}

// Admission is a call that may be made.
type Admission struct {
	Tool        resource.Tool
	Operation   resource.Operation
	Graph       *resource.Graph
	Limits      resource.Limits
	Arguments   canon.Value
	Revision    canon.Digest
	OperationID string
	SideEffects bool
	// ApprovalID is the permit to take at dispatch; "" = none is needed.
	ApprovalID string
	RedactKeys []string
}

// Refusal is a call that may not be made, or not yet.
type Refusal struct {
	Outcome contract.Outcome // denied, needs_approval or failed
	Fault   contract.Fault
	Rule    string
	// Deciders is set with needs_approval: who may decide under the stricter rules.
	Deciders *policy.Deciders
}

// Admit checks in. A non-nil error is a store that did not answer: try again.
func (g *Guard) Admit(ctx context.Context, in contract.CallToolIn) (Admission, *Refusal, error) {
	pinned, err := g.Snapshots.Load(ctx, in.Ref.Snapshot)
	if err != nil {
		return Admission{}, unusable(err), passing(err)
	}
	c := policy.Call{Workflow: in.Ref.Workflow, Agent: in.Agent, Tool: in.Tool, Operation: in.Operation, Arguments: in.Arguments}
	a := Admission{Graph: &pinned.Graph, Arguments: in.Arguments, OperationID: policy.OperationID(in.Ref.RunID, in.Ref.FirstExecID, in.Site)}
	answer, refusal, err := g.judge(ctx, pinned, in.Ref, c)
	if err != nil || refusal != nil {
		return a, refusal, err
	}
	a.fill(pinned, c)
	if a.SideEffects || in.Reconciles != "" {
		if refusal, err := g.checkRun(ctx, in, a); refusal != nil || err != nil {
			return a, refusal, err
		}
	}
	if refusal := a.checkInput(pinned, in); refusal != nil {
		return a, refusal, nil
	}
	a.Revision = policy.Revision(in.Tool, in.Operation, a.Arguments, in.Site, in.Ref.Snapshot)
	if answer.verdict != policy.RequireApproval {
		return a, nil, nil
	}
	refusal, err = g.checkApproval(ctx, in, a.Revision, answer)
	a.ApprovalID = in.ApprovalID
	return a, refusal, err
}

// fill completes the admission from the manifest.
func (a *Admission) fill(pinned *snapshot.Loaded, c policy.Call) {
	a.Tool, _ = pinned.Graph.Tool(c.Tool)
	op, listed := a.Tool.Operation(c.Operation)
	if !listed {
		op = resource.Operation{Name: c.Operation}
	}
	a.Operation = op
	a.SideEffects = a.Tool.HasSideEffects(c.Operation)
	a.Limits = a.Tool.Limits.Over(pinned.Graph.Limits).Over(resource.BuiltinLimits())
	a.RedactKeys = policy.ReviewFor(&pinned.Graph, c).RedactKeys
}

// checkInput applies the input limit and the pinned operation schema. What is too
// large is refused: a shortened call would not be the one that was decided on.
func (a *Admission) checkInput(pinned *snapshot.Loaded, in contract.CallToolIn) *Refusal {
	limit := a.Limits.MaxToolInputBytes
	if a.Operation.MaxInputBytes > 0 {
		limit = a.Operation.MaxInputBytes
	}
	if n := int64(len(in.Arguments.Encode())); n > limit {
		return failed(contract.FaultTool, "tool_input exceeds limit: %s.%s got %d bytes, at most %d are allowed", in.Tool, in.Operation, n, limit)
	}
	path := native.ArgumentsSchema(a.Tool, a.Operation)
	if path == "" || in.Reconciles != "" {
		return nil
	}
	schema, err := pinned.Schema(path)
	if err != nil {
		return denied("schema "+path, "the pinned schema %s of %s.%s cannot be used: %v", path, in.Tool, in.Operation, err)
	}
	if schema == nil {
		return nil
	}
	if err := schema.Validate(in.Arguments); err != nil {
		return failed(contract.FaultArguments, "arguments of %s.%s at %s: %v", in.Tool, in.Operation, in.Site, err)
	}
	return nil
}

// CheckArguments says why a call with these arguments could never be sent, "" when
// it could: before a person is asked about it, and before a decision that edits it
// is stored. A snapshot that cannot be used is left to dispatch, which refuses.
func (g *Guard) CheckArguments(ctx context.Context, ref contract.Ref, gate policy.Gate, args canon.Value) (string, error) {
	if gate.Kind != policy.KindGate {
		return "", nil
	}
	pinned, err := g.Snapshots.Load(ctx, ref.Snapshot)
	if err != nil {
		return "", passing(err)
	}
	c := policy.Call{Workflow: ref.Workflow, Tool: gate.Tool, Operation: gate.Operation, Arguments: args}
	a := Admission{Arguments: args}
	a.fill(pinned, c)
	in := contract.CallToolIn{Ref: ref, Site: gate.Site, Tool: gate.Tool, Operation: gate.Operation, Arguments: args}
	if r := a.checkInput(pinned, in); r != nil {
		return r.Fault.Message, nil
	}
	if answer := policy.Evaluate(&pinned.Graph, c); answer.Verdict == policy.Deny {
		return answer.Rule(), nil
	}
	return "", nil
}

// unusable refuses a call whose snapshot can never be used; nil for faults of the
// moment, which passing hands to a retry instead.
func unusable(err error) *Refusal {
	if !snapshot.Unusable(err) {
		return nil
	}
	return denied("snapshot verification", "the pinned snapshot cannot be used: %v", err)
}

// passing returns err when trying again may help.
func passing(err error) error {
	if snapshot.Unusable(err) {
		return nil
	}
	return err
}

func denied(rule, format string, args ...any) *Refusal {
	return &Refusal{Outcome: contract.OutcomeDenied, Rule: rule, Fault: contract.Fault{Type: contract.FaultPolicy, Message: fmt.Sprintf(format, args...)}}
}

func failed(t contract.FaultType, format string, args ...any) *Refusal {
	return &Refusal{Outcome: contract.OutcomeFailed, Fault: contract.Fault{Type: t, Message: fmt.Sprintf(format, args...)}}
}
