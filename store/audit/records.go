package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"terfyn/internal/canon"
	"terfyn/store"
)

// Records is what the rows beside a chain are read from; every store is one.
type Records interface {
	store.Trace
	Run(ctx context.Context, runID string) (store.Run, error)
	ListApprovals(ctx context.Context, f store.ApprovalFilter) ([]store.Approval, error)
	Decisions(ctx context.Context, approvalID string) ([]store.Decision, error)
	EffectsOf(ctx context.Context, runID string) ([]store.Effect, error)
}

// Mismatch is a row that says something else than the chain.
type Mismatch struct {
	Table string // runs, approvals, decisions or effects
	Key   string
	Text  string // one sentence
}

// told is what a chain says about its run.
type told struct {
	finished  string // status of the last closing event, "" while the run is open
	requested []string
	decided   map[string][]string // approval id to "decision by actor", in order
	outcomes  map[string]string   // call site to the last outcome of its effect
}

// CrossCheck compares the rows of a run with its chain: its end, its requests, the
// decisions on them and the outcomes of its effects. A chain alone shows changes
// of itself; this shows a row that was altered or removed beside it. A run whose
// row does not exist is a mismatch, not an error.
func CrossCheck(ctx context.Context, r Records, runID string) ([]Mismatch, error) {
	t := told{decided: map[string][]string{}, outcomes: map[string]string{}}
	if err := r.EachEvent(ctx, runID, t.listen); err != nil {
		return nil, fmt.Errorf("read the chain of %s: %w", runID, err)
	}
	var out []Mismatch
	for _, check := range []func(context.Context, Records, string) ([]Mismatch, error){t.checkRun, t.checkApprovals, t.checkEffects} {
		found, err := check(ctx, r, runID)
		if err != nil {
			return nil, fmt.Errorf("compare the records of %s with its chain: %w", runID, err)
		}
		out = append(out, found...)
	}
	return out, nil
}

func (t *told) listen(e store.Event) error {
	data, err := canon.Parse(e.Data)
	if err != nil {
		return nil // Verify reports what cannot be read
	}
	id := data.Str("approvalId")
	switch e.Type {
	case "run_finished", "run_error":
		t.finished = data.Str("status")
	case "hitl_request_created":
		t.requested = append(t.requested, id)
	case "hitl_decision_submitted":
		if accepted, _ := data.At("accepted").AsBool(); accepted {
			t.decided[id] = append(t.decided[id], data.Str("decision")+" by "+e.ActorID)
		}
	case "effect_outcome":
		t.outcomes[e.CallSite] = data.Str("outcome")
	}
	return nil
}

func (t *told) checkRun(ctx context.Context, r Records, runID string) ([]Mismatch, error) {
	row, err := r.Run(ctx, runID)
	if errors.Is(err, store.ErrNotFound) {
		return []Mismatch{{Table: "runs", Key: runID, Text: "the chain has a run whose row is gone"}}, nil
	}
	if err != nil {
		return nil, err
	}
	switch {
	case t.finished != "" && t.finished != string(row.Status):
		return []Mismatch{{Table: "runs", Key: runID, Text: fmt.Sprintf("the row says %s, the chain ends with %s", row.Status, t.finished)}}, nil
	case t.finished == "" && row.Status.Closed():
		return []Mismatch{{Table: "runs", Key: runID, Text: fmt.Sprintf("the row says %s, the chain has no end", row.Status)}}, nil
	}
	return nil, nil
}

func (t *told) checkApprovals(ctx context.Context, r Records, runID string) ([]Mismatch, error) {
	var out []Mismatch
	var found []string
	f := store.ApprovalFilter{RunID: runID, Limit: 500}
	for {
		page, err := r.ListApprovals(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, a := range page {
			found = append(found, a.ID)
			f.Before = store.ApprovalCursor{OpenedAt: a.OpenedAt, ID: a.ID}
			m, err := t.checkDecisions(ctx, r, a.ID)
			if err != nil {
				return nil, err
			}
			out = append(out, m...)
		}
		if len(page) < f.Limit {
			break
		}
	}
	for _, id := range t.requested {
		if !slices.Contains(found, id) {
			out = append(out, Mismatch{Table: "approvals", Key: id, Text: "the chain has a request whose row is gone"})
		}
	}
	for _, id := range found {
		if !slices.Contains(t.requested, id) {
			out = append(out, Mismatch{Table: "approvals", Key: id, Text: "the chain knows no such request"})
		}
	}
	return out, nil
}

func (t *told) checkDecisions(ctx context.Context, r Records, id string) ([]Mismatch, error) {
	rows, err := r.Decisions(ctx, id)
	if err != nil {
		return nil, err
	}
	said := make([]string, len(rows))
	for i, d := range rows {
		said[i] = d.Decision + " by " + d.Actor
	}
	if slices.Equal(said, t.decided[id]) {
		return nil, nil
	}
	return []Mismatch{{Table: "decisions", Key: id, Text: fmt.Sprintf("the rows say %q, the chain says %q", said, t.decided[id])}}, nil
}

// settledAs names the state a ledger row has after an outcome of the trace.
var settledAs = map[string]store.EffectState{
	"succeeded": store.EffectSucceeded, "failed": store.EffectFailed, "unknown": store.EffectUnknown,
	"reconciled(succeeded)": store.EffectSucceeded, "reconciled(not_sent)": store.EffectNotSent,
}

func (t *told) checkEffects(ctx context.Context, r Records, runID string) ([]Mismatch, error) {
	rows, err := r.EffectsOf(ctx, runID)
	if err != nil {
		return nil, err
	}
	var out []Mismatch
	seen := map[string]bool{}
	for _, e := range rows {
		seen[e.CallSite] = true
		want, settled := settledAs[t.outcomes[e.CallSite]]
		if settled && want != e.State && e.State != store.EffectDispatching {
			out = append(out, Mismatch{Table: "effects", Key: e.OperationID, Text: fmt.Sprintf("the row says %s, the chain says %s", e.State, t.outcomes[e.CallSite])})
		}
		if !settled && e.State != store.EffectDispatching && e.State != store.EffectNotSent {
			out = append(out, Mismatch{Table: "effects", Key: e.OperationID, Text: fmt.Sprintf("the row says %s, the chain has no outcome", e.State)})
		}
	}
	for site := range t.outcomes { // reported in the order of the sites below
		if !seen[site] {
			out = append(out, Mismatch{Table: "effects", Key: site, Text: "the chain has an effect whose row is gone"})
		}
	}
	slices.SortStableFunc(out, func(a, b Mismatch) int { return slices.Compare([]string{a.Key}, []string{b.Key}) })
	return out, nil
}
