package toolcall

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/decision"
	"terfyn/workflows/internal/call"
)

// reconcileSite is the call site of the reconcile call of a site.
func reconcileSite(site string, round int) string {
	if round > 1 {
		return fmt.Sprintf("%s/reconcile~%d", site, round)
	}
	return site + "/reconcile"
}

// settle finds out what became of a call whose outcome is unknown: by the
// declared reconcile operation, else by a person. The result says whether the
// effect happened; when it did not, a new dispatch is allowed.
func (t Caller) settle(ctx workflow.Context, p pending, out contract.CallToolOut) (contract.SettleEffectOut, error) {
	in := contract.SettleEffectIn{Site: p.call.Site, OperationID: out.OperationID}
	found, err := t.reconcile(ctx, p, out, &in)
	if err != nil {
		return contract.SettleEffectOut{}, err
	}
	if !found {
		if err := t.askOutcome(ctx, p, out, &in); err != nil {
			return contract.SettleEffectOut{}, err
		}
	}
	in.Ref, in.At = t.Session.Ref(), workflow.Now(ctx)
	return call.Local(ctx, contract.SettleEffect, in)
}

// reconcile asks the declared read-only operation what it knows of the operation
// id. Its answer is an object with the boolean member "sent", and optionally
// "providerId" and "result". Anything else decides nothing.
func (t Caller) reconcile(ctx workflow.Context, p pending, out contract.CallToolOut, in *contract.SettleEffectIn) (bool, error) {
	if p.op.Reconcile == "" {
		return false, nil
	}
	op, ok := p.tool.Operation(p.op.Reconcile)
	if !ok {
		return false, nil
	}
	site := reconcileSite(p.call.Site, p.round)
	f := call.Start(ctx, contract.CallTool, site, t.timeout(op), contract.CallToolIn{
		Ref: t.Session.Ref(), Site: site, Tool: p.call.Tool, Operation: op.Name, Reconciles: out.OperationID, At: workflow.Now(ctx),
		Arguments: canon.Object(canon.F("operationId", canon.String(out.OperationID))),
	})
	answer, err := call.Result(ctx, contract.CallTool, f)
	if err != nil {
		return false, err
	}
	sent, said := answer.Value.At("sent").AsBool()
	if answer.Outcome != contract.OutcomeSucceeded || !said {
		return false, nil
	}
	in.Sent, in.By = sent, "reconcile"
	in.ProviderID, in.Result = answer.Value.Str("providerId"), answer.Value.At("result")
	return true, nil
}

// askOutcome suspends the run until a person says whether the effect happened.
func (t Caller) askOutcome(ctx workflow.Context, p pending, out contract.CallToolOut, in *contract.SettleEffectIn) error {
	s, c := t.Session, p.call
	o, err := t.Desk.Ask(ctx, decision.Question{Args: c.Args, Gate: policy.Gate{
		Site: c.Site, Kind: policy.KindUnknownOutcome, Tool: c.Tool, Operation: c.Operation,
		Description: "Nobody knows whether this call had its effect: " + out.Fault.Message,
		Rule:        "the outcome of operation " + out.OperationID + " is unknown and it must not be sent twice",
		Allowed:     []string{policy.ConfirmSent, policy.ConfirmNotSent, policy.Reject},
		Deciders:    policy.DecidersFor(&s.Bundle.Graph, s.Environment(), t.judged(c)),
		RedactKeys:  policy.ReviewFor(&s.Bundle.Graph, t.judged(c)).RedactKeys,
	}})
	if err != nil {
		return err
	}
	if fault := Refused(o); fault != nil {
		return fault
	}
	in.Sent = o.Decision.Decision == policy.ConfirmSent
	in.ProviderID, in.By = o.Decision.ProviderID, o.By
	in.Result = canon.Object(canon.F("confirmedBy", canon.String(o.By)), canon.F("providerId", canon.String(o.Decision.ProviderID)))
	return nil
}
