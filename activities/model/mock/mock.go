// Package mock owns the mock model: it plays scripts from test fixtures and
// speaks a fixed line without one. Playing is stateless: the turn is the number
// of assistant messages already in the conversation, so a retried or replayed
// step hears the same answer.
//
// The form of scripts is compiler/resource's.
package mock

import (
	"context"
	"fmt"
	"time"

	"terfyn/activities/model"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// Provider is the mock model. The zero value is ready.
type Provider struct{}

// Generate plays the turn of r.Script, or the unscripted answer when it is "".
func (Provider) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	if err := ctx.Err(); err != nil {
		return model.Response{}, fmt.Errorf("calling the mock model: %w", err)
	}
	if r.Structured && r.OutputSchema.IsNull() {
		return model.Response{}, model.NoSchema()
	}
	turn := assistants(r.Messages)
	if r.Script == "" {
		return unscripted(r, turn), nil
	}
	v, err := canon.Parse([]byte(r.Script))
	if err != nil {
		return model.Response{}, scriptError("the mock script of model %s is no JSON: %v", r.Model, err)
	}
	script, err := resource.ParseMockScript(v)
	if err != nil {
		return model.Response{}, scriptError("the mock script of model %s: %v", r.Model, err)
	}
	c, ok := script.Conversation(r.Input)
	if !ok {
		return model.Response{}, scriptError("no conversation of the mock script of model %s matches the agent's input", r.Model)
	}
	if turn >= len(c.Turns) {
		return model.Response{}, scriptError("the mock script of model %s ends after %d turns, but turn %d was asked for", r.Model, len(c.Turns), turn+1)
	}
	return play(r, c.Turns[turn], turn)
}

func play(r model.Request, t resource.MockTurn, turn int) (model.Response, error) {
	if t.Error != nil {
		return model.Response{}, fault(r, *t.Error)
	}
	cost := t.CostUSD
	if cost == "" {
		cost = "0"
	}
	out := model.Response{
		Text: t.Text, Stop: model.Stop(t.Stop), CostUSD: cost,
		Usage: model.Usage{Input: t.Input, Output: t.Tokens},
	}
	if t.Output != nil {
		out.Text = t.Output.JSON()
	}
	for i, c := range t.Calls {
		out.Calls = append(out.Calls, askFor(turn, i, c.Tool, c.Arguments))
	}
	return out.Settle()
}

func askFor(turn, index int, tool string, arguments canon.Value) model.Call {
	c := model.Call{ID: fmt.Sprintf("call_%d_%d", turn+1, index+1), Name: tool, Arguments: arguments}
	if arguments.Kind() != canon.KindObject {
		c.Arguments, c.Invalid = canon.Null(), model.NotAnObject(arguments)
	}
	return c
}

func fault(r model.Request, f resource.MockFault) error {
	e := &model.Error{Class: model.StatusClass(int(f.Status)), Status: int(f.Status), Message: f.Message}
	if e.Class == model.Permanent {
		e.Structure = model.Structure(r)
	}
	if f.Status == 429 {
		e.RetryAfter = time.Second
	}
	if e.Message == "" {
		e.Message = fmt.Sprintf("the mock model failed with status %d as scripted", f.Status)
	}
	return e
}

func scriptError(format string, args ...any) error {
	return &model.Error{Class: model.Config, Message: fmt.Sprintf(format, args...)}
}

func assistants(messages []model.Message) (n int) {
	for _, m := range messages {
		if m.Role == model.Assistant {
			n++
		}
	}
	return n
}
