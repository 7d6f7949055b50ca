package activities

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"terfyn/activities/record"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// openApproval stores the request with its redacted view and its trace event. A
// pre-approval by the submitter is stored with it as a decision of its own.
func (a *Activities) openApproval(ctx context.Context, in contract.OpenApprovalIn) (contract.OpenApprovalOut, error) {
	refused, err := a.guard.CheckArguments(ctx, in.Ref, in.Gate, in.Arguments)
	if err != nil {
		return contract.OpenApprovalOut{}, err
	}
	if refused != "" {
		return a.neverSent(ctx, in, refused)
	}
	row, err := a.approvalRow(ctx, in)
	if err != nil {
		return contract.OpenApprovalOut{}, err
	}
	err = a.inTx(ctx, func(tx store.Tx) error {
		if _, err := tx.OpenApproval(ctx, row); err != nil {
			return err
		}
		if err := record.Append(ctx, tx, in.Ref, requestCreated(in, row)); err != nil {
			return err
		}
		if in.PreApprovedBy != "" {
			return preApprove(ctx, tx, in)
		}
		if err := tx.PutStep(ctx, requestStep(row, store.StepWaiting, time.Time{})); err != nil {
			return err
		}
		return tx.SetRunStatus(ctx, in.Ref.RunID, store.RunInterrupted)
	})
	if err != nil {
		return contract.OpenApprovalOut{}, fmt.Errorf("open approval request %s: %w", in.Gate.ID, err)
	}
	return contract.OpenApprovalOut{}, nil
}

// neverSent records a call that no decision could admit.
func (a *Activities) neverSent(ctx context.Context, in contract.OpenApprovalIn, why string) (contract.OpenApprovalOut, error) {
	fault := contract.Fault{Type: contract.FaultArguments, Message: why}
	call := contract.CallToolIn{Ref: in.Ref, Site: in.Gate.Site, Tool: in.Gate.Tool, Operation: in.Gate.Operation, Arguments: in.Arguments, At: in.At}
	err := a.inTx(ctx, func(tx store.Tx) error {
		return record.Work(ctx, tx, in.Ref, []store.Step{stepRow(call, 1, store.StepFailed, nil, &fault)}, execution(call, 1, false, &fault, ""))
	})
	return contract.OpenApprovalOut{Fault: &fault}, err
}

func (a *Activities) approvalRow(ctx context.Context, in contract.OpenApprovalIn) (store.Approval, error) {
	g := in.Gate
	rules, err := a.rulesOf(ctx, in.Ref)
	if err != nil {
		return store.Approval{}, err
	}
	row := store.Approval{
		ID: g.ID, RunID: in.Ref.RunID, CallSite: g.Site, Kind: string(g.Kind), Tool: g.Tool, Operation: g.Operation,
		Description: g.Description, Payload: record.View(in.Arguments, g.RedactKeys...).Encode(), Revision: g.Revision,
		Snapshot: in.Ref.Snapshot, PolicyDigest: rules,
		Rule: g.Rule, Allowed: g.Allowed, Approvers: g.Deciders.Names, MinApprovals: g.Deciders.MinApprovals,
		Submitter: g.Submitter, Status: store.ApprovalOpen, OpenedAt: in.At,
	}
	for _, name := range g.Edits.Present {
		if slices.Contains(g.Allowed, policy.Edit) && g.Edits.Open(name) {
			row.EditPaths = append(row.EditPaths, name)
		}
	}
	if g.Timeout > 0 {
		row.ExpiresAt = in.At.Add(g.Timeout)
	}
	return row, nil
}

// rulesOf is the digest of the rules a run is under. A snapshot that cannot be used
// any more has none; what is asked under it will be refused at dispatch.
func (a *Activities) rulesOf(ctx context.Context, ref contract.Ref) (canon.Digest, error) {
	l, err := a.snapshots.Load(ctx, ref.Snapshot)
	if snapshot.Unusable(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return policy.PolicyDigest(&l.Graph, policy.Call{Workflow: ref.Workflow}), nil
}

func requestCreated(in contract.OpenApprovalIn, row store.Approval) contract.Event {
	return contract.Event{
		CallSite: in.Gate.Site, Type: contract.HitlRequestCreated, Ordinal: ordinal(in.Gate.ID), ActorType: contract.ActorSystem, At: in.At,
		Data: canon.Object(
			canon.F("approvalId", canon.String(row.ID)), canon.F("kind", canon.String(row.Kind)),
			canon.F("tool", canon.String(row.Tool)), canon.F("operation", canon.String(row.Operation)),
			canon.F("revision", canon.String(string(row.Revision))), canon.F("rule", canon.String(row.Rule)),
			canon.F("allowedDecisions", canon.Strings(row.Allowed)), canon.F("approvers", canon.Strings(row.Approvers)),
			canon.F("argumentsDigest", canon.String(string(in.Arguments.Digest()))),
		),
	}
}

// requestStep shows a request beside the steps: attempt 0 of its call site, which
// waits until the request ends.
func requestStep(row store.Approval, status store.StepStatus, end time.Time) store.Step {
	return store.Step{
		RunID: row.RunID, CallSite: row.CallSite, Attempt: 0, Kind: "approval", Name: row.Tool + "." + row.Operation,
		Status: status, StartedAt: row.OpenedAt, FinishedAt: end, CostUSD: "0", Input: row.Payload,
	}
}

// endRequestStep closes it.
func endRequestStep(ctx context.Context, tx store.Tx, approvalID string, status store.StepStatus, end time.Time) error {
	row, err := tx.Approval(ctx, approvalID)
	if err != nil {
		return err
	}
	return tx.PutStep(ctx, requestStep(row, status, end))
}

func preApprove(ctx context.Context, tx store.Tx, in contract.OpenApprovalIn) error {
	d := policy.Decision{ApprovalID: in.Gate.ID, Revision: in.Gate.Revision, Decision: policy.Approve, Actor: in.PreApprovedBy, Reason: "approved in advance by the submitter"}
	return decide(ctx, tx, contract.RecordDecisionIn{Ref: contract.Ref{RunID: in.Ref.RunID}, Gate: in.Gate, Decision: d, Status: string(store.ApprovalApproved), At: in.At})
}

// recordDecision stores a decision that workflow code accepted, after a last look
// at edited arguments.
func (a *Activities) recordDecision(ctx context.Context, in contract.RecordDecisionIn) (contract.RecordDecisionOut, error) {
	if in.Edited != nil {
		refused, err := a.guard.CheckArguments(ctx, in.Ref, in.Gate, in.Edited.Arguments)
		if err != nil {
			return contract.RecordDecisionOut{}, err
		}
		if refused != "" {
			err := a.traceRefused(ctx, in.Ref, in.Gate.Site, in.Decision, refused, int(in.At.UnixMicro()%1e9), in.At)
			return contract.RecordDecisionOut{Refused: refused}, err
		}
	}
	err := a.inTx(ctx, func(tx store.Tx) error {
		if err := decide(ctx, tx, in); err != nil || in.Status == "" {
			return err
		}
		end := store.StepSucceeded
		if in.Status == string(store.ApprovalRejected) {
			end = store.StepFailed
		}
		if err := endRequestStep(ctx, tx, in.Gate.ID, end, in.At); err != nil || in.Waiting {
			return err
		}
		return tx.SetRunStatus(ctx, in.Ref.RunID, store.RunRunning)
	})
	if errors.Is(err, store.ErrConflict) {
		return contract.RecordDecisionOut{Refused: fmt.Sprintf("approval %s was closed meanwhile: %v", in.Gate.ID, err)}, nil
	}
	return contract.RecordDecisionOut{}, err
}

// decide writes the decision and its events.
func decide(ctx context.Context, tx store.Tx, in contract.RecordDecisionIn) error {
	row := store.Decision{
		ApprovalID: in.Gate.ID, Decision: in.Decision.Decision, Revision: in.Gate.Revision, Granted: in.Gate.Revision,
		Actor: in.Decision.Actor, Signature: in.Decision.Signature, Reason: record.Text(in.Decision.Reason), At: in.At,
	}
	if in.Edited != nil {
		row.Granted = in.Edited.Revision
		row.Edit = record.View(in.Edited.Arguments, in.Gate.RedactKeys...).Encode()
	}
	stored, err := tx.Decide(ctx, row, store.ApprovalStatus(in.Status))
	if err != nil {
		return err
	}
	return record.Append(ctx, tx, in.Ref, decisionEvents(in, row, stored.N)...)
}

func decisionEvents(in contract.RecordDecisionIn, row store.Decision, n int) []contract.Event {
	data := []canon.Field{
		canon.F("approvalId", canon.String(row.ApprovalID)), canon.F("decision", canon.String(row.Decision)), canon.F("accepted", canon.Bool(true)),
		canon.F("revision", canon.String(string(row.Revision))), canon.F("granted", canon.String(string(row.Granted))),
		canon.F("reason", canon.String(row.Reason)), canon.F("verified", canon.Bool(row.Verified)),
		canon.F("authority", canon.String(authority(in.Gate.Deciders))),
	}
	if in.Edited != nil {
		data = append(data, canon.F("edit", record.View(in.Decision.Edit, in.Gate.RedactKeys...)))
	}
	at := ordinal(in.Gate.ID) + n
	events := []contract.Event{{
		CallSite: in.Gate.Site, Type: contract.HitlDecisionSubmitted, Ordinal: at, ActorType: contract.ActorUser, ActorID: row.Actor, At: in.At, Data: canon.Object(data...),
	}}
	if in.Status == "" {
		return events
	}
	return append(events, contract.Event{
		CallSite: in.Gate.Site, Type: contract.HitlResolutionApplied, Ordinal: at, ActorType: contract.ActorSystem, At: in.At,
		Data: canon.Object(canon.F("approvalId", canon.String(row.ApprovalID)), canon.F("status", canon.String(in.Status)), canon.F("granted", canon.String(string(row.Granted)))),
	})
}

// authority tells how the decider's identity was established.
func authority(d policy.Deciders) string {
	if d.Names == nil {
		return "single-operator mode: no approvers are declared, the actor is as claimed"
	}
	return "declared approvers, the actor is as claimed"
}

// traceRefusal records a signalled decision that workflow code refused.
func (a *Activities) traceRefusal(ctx context.Context, in contract.RecordDecisionIn) (contract.RecordDecisionOut, error) {
	return contract.RecordDecisionOut{}, a.traceRefused(ctx, in.Ref, in.Gate.Site, in.Decision, in.Refused, in.Ordinal, in.At)
}

// traceRefused records an attempt that changed nothing.
func (a *Activities) traceRefused(ctx context.Context, ref contract.Ref, site string, d policy.Decision, why string, n int, at time.Time) error {
	return a.inTx(ctx, func(tx store.Tx) error {
		return record.Append(ctx, tx, ref, contract.Event{
			CallSite: site, Attempt: refusedAttempt, Type: contract.HitlDecisionSubmitted, Ordinal: n, ActorType: contract.ActorUser, ActorID: d.Actor, At: at,
			Data: canon.Object(
				canon.F("approvalId", canon.String(record.Cut(d.ApprovalID, 128))), canon.F("decision", canon.String(record.Cut(d.Decision, 64))),
				canon.F("accepted", canon.Bool(false)), canon.F("refused", canon.String(why)),
			),
		})
	})
}

// refusedAttempt keeps refused attempts apart from accepted ones in event keys.
const refusedAttempt = -1

// closeApproval ends a request without a decision.
func (a *Activities) closeApproval(ctx context.Context, in contract.CloseApprovalIn) (contract.CloseApprovalOut, error) {
	err := a.inTx(ctx, func(tx store.Tx) error {
		if err := tx.CloseApproval(ctx, in.ApprovalID, store.ApprovalStatus(in.Status), in.At); err != nil {
			return err
		}
		if err := endRequestStep(ctx, tx, in.ApprovalID, store.StepFailed, in.At); err != nil {
			return err
		}
		if !in.Waiting {
			if err := tx.SetRunStatus(ctx, in.Ref.RunID, store.RunRunning); err != nil {
				return err
			}
		}
		return record.Append(ctx, tx, in.Ref, contract.Event{
			CallSite: in.Site, Type: contract.HitlResolutionApplied, Ordinal: ordinal(in.ApprovalID), ActorType: contract.ActorSystem, At: in.At,
			Data: canon.Object(canon.F("approvalId", canon.String(in.ApprovalID)), canon.F("status", canon.String(in.Status)), canon.F("reason", canon.String(in.Reason))),
		})
	})
	if errors.Is(err, store.ErrConflict) { // recorded before, by an attempt whose answer was lost
		err = nil
	}
	return contract.CloseApprovalOut{}, err
}

// ordinal spreads the requests of one call site over the event key; it is derived
// from the approval id, so a repeated activity gives the same key.
func ordinal(approvalID string) int {
	n, err := strconv.ParseInt(canon.Sum([]byte(approvalID)).Short()[:6], 16, 32)
	if err != nil {
		panic("activities: a digest that is not hexadecimal: " + err.Error())
	}
	return int(n) * 100
}
