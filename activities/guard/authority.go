package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// checkRun refuses effects of runs that are not as stored: anything that can start
// workflows in the namespace can also schedule this activity.
func (g *Guard) checkRun(ctx context.Context, in contract.CallToolIn, a Admission) (*Refusal, error) {
	r, err := g.Store.Run(ctx, in.Ref.RunID)
	if errors.Is(err, store.ErrNotFound) {
		return denied("the run is recorded", "no run %s is recorded", in.Ref.RunID), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read run %s: %w", in.Ref.RunID, err)
	}
	same := r.FirstExecID == in.Ref.FirstExecID && r.Snapshot == in.Ref.Snapshot && r.Environment == in.Ref.Environment && r.Workflow == in.Ref.Workflow
	switch {
	case !same:
		return denied("the run is recorded", "run %s is recorded with another execution, snapshot, environment or workflow", r.RunID), nil
	case r.Status.Closed():
		return denied("the run is open", "run %s has ended as %s", r.RunID, r.Status), nil
	case in.Reconciles != "":
		return g.checkReconcile(ctx, in, a)
	}
	return nil, nil
}

// checkReconcile lets only the declared read-only operation ask about an effect of
// this run.
func (g *Guard) checkReconcile(ctx context.Context, in contract.CallToolIn, a Admission) (*Refusal, error) {
	declared := slices.ContainsFunc(a.Tool.Operations, func(o resource.Operation) bool { return o.Reconcile == in.Operation })
	if a.SideEffects || !declared {
		return denied("reconcile operations are declared and read-only", "%s.%s does not reconcile anything", in.Tool, in.Operation), nil
	}
	e, err := g.Store.Effect(ctx, in.Reconciles)
	if errors.Is(err, store.ErrNotFound) || (err == nil && e.RunID != in.Ref.RunID) {
		return denied("an effect of this run is reconciled", "run %s has no effect %s", in.Ref.RunID, in.Reconciles), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read effect %s: %w", in.Reconciles, err)
	}
	return nil, nil
}

// judgement is the stricter of the pinned and the currently deployed answer.
type judgement struct {
	verdict  policy.Verdict
	rule     string
	deciders policy.Deciders
}

// judge evaluates c under both snapshots. Widening after the start never helps a
// run; narrowing stops it here, with the rule and both policy digests named.
func (g *Guard) judge(ctx context.Context, pinned *snapshot.Loaded, ref contract.Ref, c policy.Call) (judgement, *Refusal, error) {
	own := policy.Evaluate(&pinned.Graph, c)
	j := judgement{verdict: own.Verdict, rule: own.Rule(), deciders: policy.DecidersFor(&pinned.Graph, ref.Environment, c)}
	if own.Verdict == policy.Deny {
		return j, denied(own.Rule(), "%s: %s (snapshot %s)", own.Code(), own.Rule(), ref.Snapshot.Short()), nil
	}
	deployed, err := g.deployed(ctx, ref)
	if err != nil {
		return j, unusable(err), passing(err)
	}
	if deployed == nil {
		return j, nil, nil
	}
	now := evaluateDeployed(&deployed.Graph, ref, c)
	if now.Verdict == policy.Deny {
		return j, denied(now.Rule(), "%s: %s; the run started under policy %s, policy %s is deployed in %s now and the stricter one holds",
			now.Code(), now.Rule(), policy.PolicyDigest(&pinned.Graph, c).Short(), policy.PolicyDigest(&deployed.Graph, c).Short(), ref.Environment), nil
	}
	if now.Verdict > j.verdict {
		j.verdict, j.rule = now.Verdict, now.Rule()
	}
	j.deciders = stricterDeciders(j.deciders, policy.DecidersFor(&deployed.Graph, ref.Environment, c))
	return j, nil, nil
}

// deployed is the environment's current snapshot, nil when it is the pinned one.
func (g *Guard) deployed(ctx context.Context, ref contract.Ref) (*snapshot.Loaded, error) {
	current, err := g.Store.Current(ctx, ref.Environment)
	if err != nil {
		return nil, fmt.Errorf("read what is deployed in %s: %w", ref.Environment, err)
	}
	if current.Snapshot == ref.Snapshot {
		return nil, nil
	}
	return g.Snapshots.Load(ctx, current.Snapshot)
}

// evaluateDeployed also denies a call of a workflow that is not deployed any more.
func evaluateDeployed(graph *resource.Graph, ref contract.Ref, c policy.Call) policy.Answer {
	if _, ok := graph.Workflow(ref.Workflow); !ok {
		rule := "workflow " + ref.Workflow + " is not deployed any more"
		return policy.Answer{Verdict: policy.Deny, Reasons: []policy.Reason{{Verdict: policy.Deny, Code: policy.NotGranted, Source: policy.FailClosedDefault, Rule: rule}}}
	}
	return policy.Evaluate(graph, c)
}

func stricterDeciders(a, b policy.Deciders) policy.Deciders {
	out := policy.Deciders{
		Names: a.Names, MinApprovals: max(a.MinApprovals, b.MinApprovals), ForbidSubmitter: a.ForbidSubmitter || b.ForbidSubmitter,
	}
	switch {
	case a.Names == nil:
		out.Names = b.Names
	case b.Names != nil:
		out.Names = slices.DeleteFunc(slices.Clone(a.Names), func(n string) bool { return !slices.Contains(b.Names, n) })
	}
	return out
}

// checkApproval re-reads the stored decision: it must be for exactly this
// revision, still stand, and come from people who may decide under the stricter
// of both rules. A decision that does not satisfy a rule deployed since is marked
// superseded, and the call asks afresh.
func (g *Guard) checkApproval(ctx context.Context, in contract.CallToolIn, revision canon.Digest, j judgement) (*Refusal, error) {
	again := &Refusal{Outcome: contract.OutcomeNeedsApproval, Rule: j.rule, Deciders: &j.deciders}
	if in.ApprovalID == "" {
		return again, nil
	}
	a, err := g.Store.Approval(ctx, in.ApprovalID)
	if errors.Is(err, store.ErrNotFound) {
		return denied(j.rule, "no approval request %s is stored; nothing is sent without one", in.ApprovalID), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read approval %s: %w", in.ApprovalID, err)
	}
	switch {
	case a.RunID != in.Ref.RunID || a.CallSite != in.Site:
		return denied(j.rule, "approval %s belongs to %s of run %s, not to this call", a.ID, a.CallSite, a.RunID), nil
	case a.Status == store.ApprovalRevoked:
		return &Refusal{Outcome: contract.OutcomeDenied, Rule: j.rule, Fault: contract.Fault{Type: contract.FaultRevoked, Message: "approval " + a.ID + " was revoked before dispatch"}}, nil
	case a.Status != store.ApprovalApproved:
		return denied(j.rule, "approval %s is %s", a.ID, a.Status), nil
	case a.Granted != revision:
		return denied(j.rule, "approval %s is for revision %s, the call is revision %s", a.ID, a.Granted, revision), nil
	}
	ok, err := g.decidersStand(ctx, a, j.deciders)
	if err != nil || ok {
		return nil, err
	}
	if err := g.Store.CloseApproval(ctx, a.ID, store.ApprovalSuperseded, in.At); err != nil && !errors.Is(err, store.ErrConflict) {
		return nil, fmt.Errorf("supersede approval %s: %w", a.ID, err)
	}
	return again, nil
}

// decidersStand reports whether those who decided satisfy d.
func (g *Guard) decidersStand(ctx context.Context, a store.Approval, d policy.Deciders) (bool, error) {
	decisions, err := g.Store.Decisions(ctx, a.ID)
	if err != nil {
		return false, fmt.Errorf("read the decisions on %s: %w", a.ID, err)
	}
	var actors []string
	for _, dec := range decisions {
		known := d.Names == nil || slices.Contains(d.Names, dec.Actor)
		own := d.ForbidSubmitter && dec.Actor == a.Submitter
		if known && !own && !slices.Contains(actors, dec.Actor) {
			actors = append(actors, dec.Actor)
		}
	}
	return len(actors) >= max(1, d.MinApprovals), nil
}
