// Package transcript owns the stored conversations of agent steps. Each turn is
// one immutable artifact that names the turn before it, so workflow code holds a
// digest only and history grows by the turn, never with the conversation.
//
// A transcript is raw: it holds what the model read and said. It leaves out
// redaction, which is for everything else.
package transcript

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"terfyn/activities/model"
	"terfyn/activities/record"
	"terfyn/internal/canon"
	"terfyn/store"
)

// formatVersion is the version of a stored turn.
const formatVersion = 1

// Turn is one stored turn.
type Turn struct {
	Format int    `json:"formatVersion"`
	RunID  string `json:"runId"`
	Site   string `json:"callSite"`
	Agent  string `json:"agent"`
	Number int    `json:"turn"`
	// Before is the turn before, "" on the first.
	Before canon.Digest `json:"before,omitempty"`
	// Input is the agent's input document, on the first turn.
	Input canon.Value `json:"input"`
	// Asked are the messages this turn added before the model spoke.
	Asked []model.Message `json:"asked"`
	// Answer is the model's turn.
	Answer model.Response `json:"answer"`
}

// Conversation is everything up to a turn.
type Conversation struct {
	Input    canon.Value
	Messages []model.Message
}

// maxTurns bounds a chain that is read back; agents have far lower limits.
const maxTurns = 10000

// Load reads the conversation that ends with d; "" is an empty one.
func Load(ctx context.Context, s store.Deployments, d canon.Digest) (Conversation, error) {
	var turns []Turn
	for d != "" {
		if len(turns) == maxTurns {
			return Conversation{}, fmt.Errorf("transcript %s has more than %d turns", d, maxTurns)
		}
		t, err := Read(ctx, s, d)
		if err != nil {
			return Conversation{}, err
		}
		turns = append(turns, t)
		d = t.Before
	}
	slices.Reverse(turns)
	var c Conversation
	for i, t := range turns {
		if i == 0 {
			c.Input = t.Input
		}
		c.Messages = append(c.Messages, t.Asked...)
		c.Messages = append(c.Messages, t.Answer.Message())
	}
	return c, nil
}

// Read reads one turn.
func Read(ctx context.Context, s store.Deployments, d canon.Digest) (Turn, error) {
	a, err := s.Artifact(ctx, d)
	if err != nil {
		return Turn{}, fmt.Errorf("read transcript %s: %w", d, err)
	}
	var t Turn
	if err := json.Unmarshal(a.Bytes, &t); err != nil {
		return Turn{}, fmt.Errorf("read transcript %s: %w", d, err)
	}
	if t.Format != formatVersion {
		return Turn{}, fmt.Errorf("transcript %s has format %d, this terfyn reads %d", d, t.Format, formatVersion)
	}
	return t, nil
}

// Write files t and returns its digest.
func Write(ctx context.Context, tx store.Deployments, t Turn) (canon.Digest, error) {
	t.Format = formatVersion
	b, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("encode turn %d of %s: %w", t.Number, t.Site, err)
	}
	v, err := canon.Parse(b)
	if err != nil {
		return "", fmt.Errorf("encode turn %d of %s: %w", t.Number, t.Site, err)
	}
	return record.Artifact(ctx, tx, store.KindTranscript, v)
}
