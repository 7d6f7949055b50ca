package decision

import (
	"go.temporal.io/sdk/workflow"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/internal/call"
)

// receive takes decisions sent as plain signals, for operators with only
// Temporal's own tools. An invalid one is traced with its reason and changes
// nothing.
func (d *Desk) receive(ctx workflow.Context) {
	ch := workflow.GetSignalChannel(ctx, contract.SignalDecision)
	for {
		var raw canon.Value
		if !ch.Receive(ctx, &raw) {
			return
		}
		dec := fromJSON(raw)
		if err := workflow.Await(ctx, func() bool { return !d.unsure(dec) }); err != nil {
			return
		}
		d.signalled(ctx, dec)
	}
}

func (d *Desk) signalled(ctx workflow.Context, dec policy.Decision) {
	e, r := d.check(dec)
	if r == nil {
		if _, err := d.accept(ctx, e, dec); err != nil {
			workflow.GetLogger(ctx).Warn("signalled decision was not recorded", "approval", dec.ApprovalID, "error", err)
		}
		return
	}
	d.refuse(ctx, dec, r)
}

// refuse traces a decision that changes nothing.
func (d *Desk) refuse(ctx workflow.Context, dec policy.Decision, r *policy.Refusal) {
	s := d.session
	in := contract.RecordDecisionIn{Ref: s.Ref(), Decision: dec, Refused: r.Error(), Ordinal: d.refusals, At: workflow.Now(ctx), Waiting: len(s.Waiting()) > 0}
	d.refusals++
	if known := d.entries[dec.ApprovalID]; known != nil {
		in.Gate = known.gate
	}
	if _, err := call.Local(ctx, contract.TraceRefusal, in); err != nil {
		workflow.GetLogger(ctx).Warn("refused decision was not traced", "approval", dec.ApprovalID, "error", err)
	}
}

// fromJSON reads a decision without encoding/json, which workflow code does not
// use. Absent and ill-typed members are empty and refused by the check.
func fromJSON(v canon.Value) policy.Decision {
	return policy.Decision{
		ApprovalID: v.Str("approvalId"),
		Revision:   canon.Digest(v.Str("revision")),
		Decision:   v.Str("decision"),
		Actor:      v.Str("actor"),
		Reason:     v.Str("reason"),
		Edit:       v.At("edit"),
		Answer:     v.At("answer"),
		ProviderID: v.Str("providerId"),
		Signature:  v.Str("signature"),
	}
}
