package deploy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"terfyn/internal/canon"
	"terfyn/store"
)

// EventDeployed is the type of the event every apply and rollback leaves.
const EventDeployed = "deployment_applied"

func auditEvent(d store.Deployment, current store.Current, rollback bool) store.Event {
	action := "apply"
	if rollback {
		action = "rollback"
	}
	data := canon.Object(
		canon.F("action", canon.String(action)),
		canon.F("project", canon.String(d.Apply.Project)),
		canon.F("planDigest", canon.String(string(d.Apply.PlanDigest))),
		canon.F("snapshotBefore", canon.String(string(d.Apply.SnapshotBefore))),
		canon.F("snapshotAfter", canon.String(string(d.Apply.SnapshotAfter))),
		canon.F("version", canon.Int(current.Version)),
	)
	return store.Event{
		RunID: store.ApplyChain(d.Apply.Environment), CallSite: d.Apply.ID, Type: EventDeployed,
		ActorType: "user", ActorID: d.Apply.Actor, At: d.Apply.At, Data: data.Encode(),
	}
}

// History is what the applies of an environment are read from.
type History interface {
	Applies(ctx context.Context, environment string, before time.Time, limit int) ([]store.Apply, error)
}

// historyPage is how many applies are read at a time.
const historyPage = 500

// digestPrefix starts every digest; people leave it out.
const digestPrefix = "sha256:"

// ErrAmbiguous marks the start of a digest that more than one snapshot has.
var ErrAmbiguous = errors.New("ambiguous digest")

// FindSnapshot finds the snapshot of an environment's history whose digest begins
// with prefix, with or without "sha256:". Errors: ErrAmbiguous naming two candidates, and
// store.ErrNotFound.
func FindSnapshot(ctx context.Context, s History, environment, prefix string) (canon.Digest, error) {
	wanted := digestPrefix + strings.TrimPrefix(prefix, digestPrefix)
	var found canon.Digest
	var before time.Time
	for {
		page, err := s.Applies(ctx, environment, before, historyPage)
		if err != nil {
			return "", fmt.Errorf("look for snapshot %s: %w", prefix, err)
		}
		for _, a := range page {
			before = a.At
			switch {
			case !strings.HasPrefix(string(a.SnapshotAfter), wanted) || a.SnapshotAfter == found:
			case found != "":
				return "", fmt.Errorf("%s is the start of more than one snapshot of environment %q, such as %s and %s; write more of it%w", prefix, environment, found, a.SnapshotAfter, silent{ErrAmbiguous})
			default:
				found = a.SnapshotAfter
			}
		}
		if len(page) < historyPage {
			break
		}
	}
	if found == "" || wanted == digestPrefix {
		return "", fmt.Errorf("no snapshot of environment %q begins with %q; terfyn rollback --list shows what was applied%w", environment, prefix, silent{store.ErrNotFound})
	}
	return found, nil
}

// AppliesSince counts the applies of an environment at a time and after it; the zero
// time is the end of history.
func AppliesSince(ctx context.Context, s History, environment string, at time.Time) (int, error) {
	count := 0
	if at.IsZero() {
		return count, nil
	}
	var before time.Time
	for {
		page, err := s.Applies(ctx, environment, before, historyPage)
		if err != nil {
			return 0, fmt.Errorf("count the applies of environment %q: %w", environment, err)
		}
		for _, a := range page {
			if a.At.Before(at) {
				return count, nil
			}
			count++
			before = a.At
		}
		if len(page) < historyPage {
			return count, nil
		}
	}
}

// silent is an error for programs at the end of a sentence that says it in words.
type silent struct{ error }

// Error is empty.
func (silent) Error() string { return "" }

// Unwrap gives the error for programs.
func (s silent) Unwrap() error { return s.error }

// Recorded is what the records of applies are compared from.
type Recorded interface {
	History
	EachEvent(ctx context.Context, runID string, f func(store.Event) error) error
}

// HistoryMismatches compares the rows of an environment's applies with its audit
// chain and words every apply that only one of them has, or that they tell
// differently. Rows older than the chain are taken as they are: releases before the
// chain left none.
func HistoryMismatches(ctx context.Context, s Recorded, environment string) ([]string, error) {
	told := map[string]string{}
	var order []string
	var first time.Time
	err := s.EachEvent(ctx, store.ApplyChain(environment), func(e store.Event) error {
		if e.Type != EventDeployed {
			return nil
		}
		data, err := canon.Parse(e.Data)
		if err != nil {
			return nil // verifying the chain reports what cannot be read
		}
		if first.IsZero() {
			first = e.At
		}
		told[e.CallSite] = data.Str("snapshotBefore") + " " + data.Str("snapshotAfter") + " " + data.Str("planDigest") + " " + e.ActorID
		order = append(order, e.CallSite)
		return nil
	})
	if err != nil || len(order) == 0 {
		return nil, err
	}
	out := []string{}
	var before time.Time
	for {
		page, err := s.Applies(ctx, environment, before, historyPage)
		if err != nil {
			return nil, err
		}
		for _, a := range page {
			before = a.At
			event, known := told[a.ID]
			delete(told, a.ID)
			switch row := string(a.SnapshotBefore) + " " + string(a.SnapshotAfter) + " " + string(a.PlanDigest) + " " + a.Actor; {
			case !known && !a.At.Before(first):
				out = append(out, a.ID+" has a row and no event")
			case known && row != event:
				out = append(out, a.ID+" has a row that says something else than its event")
			}
		}
		if len(page) < historyPage {
			break
		}
	}
	for _, id := range order {
		if _, left := told[id]; left {
			out = append(out, id+" has an event and no row")
		}
	}
	return out, nil
}
