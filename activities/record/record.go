// Package record owns how work becomes records: trace events in the transaction
// of the work they tell about, step rows, artifacts for full content, and the
// redacted views that everything but artifacts holds. It leaves out what may be
// done (activities/guard) and the tables (store).
package record

import (
	"context"
	"fmt"

	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// Riding turns the events that rode along with an activity's input into rows.
func Riding(ref contract.Ref) []store.Event {
	out := make([]store.Event, 0, len(ref.Events))
	for _, e := range ref.Events {
		out = append(out, Event(ref, e))
	}
	return out
}

// maxActor bounds the name of an actor in a row, in characters.
const maxActor = 256

// Event turns one event into a row; its data is redacted here and nowhere later.
func Event(ref contract.Ref, e contract.Event) store.Event {
	return store.Event{
		RunID: ref.RunID, CallSite: e.CallSite, Attempt: e.Attempt, Type: string(e.Type), Ordinal: e.Ordinal,
		ActorType: e.ActorType, ActorID: Cut(Clean(e.ActorID), maxActor), At: e.At, Data: Trace(e.Data).Encode(),
	}
}

// Append writes the riding events of ref and then events, inside of tx.
func Append(ctx context.Context, tx store.Tx, ref contract.Ref, events ...contract.Event) error {
	return Work(ctx, tx, ref, nil, events...)
}

// Work writes what a piece of work leaves behind: its step rows, the riding events
// of ref, and its own.
func Work(ctx context.Context, tx store.Tx, ref contract.Ref, steps []store.Step, events ...contract.Event) error {
	rows := Riding(ref)
	for _, e := range events {
		rows = append(rows, Event(ref, e))
	}
	if err := tx.Record(ctx, steps, rows); err != nil {
		return fmt.Errorf("record work of run %s: %w", ref.RunID, err)
	}
	return nil
}

// Payload files v as an artifact and returns its digest.
func Payload(ctx context.Context, tx store.Deployments, v canon.Value) (canon.Digest, error) {
	return Artifact(ctx, tx, store.KindPayload, v)
}

// Artifact files v under kind.
func Artifact(ctx context.Context, tx store.Deployments, kind store.ArtifactKind, v canon.Value) (canon.Digest, error) {
	b := v.Encode()
	d := canon.Sum(b)
	if err := tx.PutArtifact(ctx, store.Artifact{Digest: d, Kind: kind, FormatVersion: 1, Bytes: b}); err != nil {
		return "", fmt.Errorf("file %s artifact %s: %w", kind, d, err)
	}
	return d, nil
}

// Load reads an artifact back as a value.
func Load(ctx context.Context, s store.Deployments, d canon.Digest) (canon.Value, error) {
	a, err := s.Artifact(ctx, d)
	if err != nil {
		return canon.Value{}, fmt.Errorf("load artifact %s: %w", d, err)
	}
	v, err := canon.Parse(a.Bytes)
	if err != nil {
		return canon.Value{}, fmt.Errorf("artifact %s: %w", d, err)
	}
	return v, nil
}
