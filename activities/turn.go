package activities

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"terfyn/activities/model"
	"terfyn/activities/model/answer"
	"terfyn/activities/record"
	"terfyn/activities/transcript"
	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
)

// prepareTurn builds the request of a turn from the pinned agent and the stored
// conversation.
func (a *Activities) prepareTurn(ctx context.Context, l *snapshot.Loaded, in contract.GenerateIn) (transcript.Turn, model.Request, model.Provider, error) {
	turn := transcript.Turn{RunID: in.Ref.RunID, Site: in.Site, Agent: in.Agent, Number: in.Turn, Before: in.Transcript, Input: in.Input}
	agent, ok := l.Graph.Agent(in.Agent)
	if !ok {
		return turn, model.Request{}, nil, fmt.Errorf("agent %s is not in snapshot %s", in.Agent, l.Digest)
	}
	before, err := transcript.Load(ctx, a.store, in.Transcript)
	if err != nil {
		return turn, model.Request{}, nil, err
	}
	input := before.Input
	if in.Turn == 1 {
		input = in.Input
		turn.Asked = []model.Message{{Role: model.User, Text: input.JSON()}}
	} else if turn.Asked, err = a.answers(ctx, in); err != nil {
		return turn, model.Request{}, nil, err
	}
	if in.Final {
		turn.Asked = append(turn.Asked, model.Message{Role: model.User, Text: closing})
	}
	request, err := a.request(l, agent, input, append(before.Messages, turn.Asked...), in.Final)
	if err != nil {
		return turn, request, nil, err
	}
	request.Structured = request.Structured || policy.RequiresStructure(&l.Graph, in.Ref.Workflow)
	provider, id, err := a.config.Model(&l.Graph, agent.Model)
	request.Model = id
	if err != nil {
		return turn, request, failing{err}, nil
	}
	return turn, request, provider, nil
}

// failing is a provider that could not be opened: its error takes the same way as
// that of a model that refused.
type failing struct{ err error }

// Generate returns the error.
func (f failing) Generate(context.Context, model.Request) (model.Response, error) {
	return model.Response{}, f.err
}

// answers renders the results of the calls of the turn before, each inside an
// element marked untrusted.
func (a *Activities) answers(ctx context.Context, in contract.GenerateIn) ([]model.Message, error) {
	results := make([]model.Result, 0, len(in.Results))
	for i, r := range in.Results {
		text := r.Text
		if r.Ref != "" {
			v, err := record.Load(ctx, a.store, r.Ref)
			if err != nil {
				return nil, err
			}
			text = v.Text()
		}
		if !r.Error {
			text = model.Wrap(fmt.Sprintf("%s/turn%d/call%d", in.Site, in.Turn-1, i+1), text)
		}
		results = append(results, model.Result{CallID: r.CallID, Text: text, IsError: r.Error})
	}
	return []model.Message{{Role: model.Tool, Results: results}}, nil
}

func (a *Activities) request(l *snapshot.Loaded, agent resource.Agent, input canon.Value, messages []model.Message, final bool) (model.Request, error) {
	r := model.Request{
		System: agent.Instructions, Messages: model.Repair(messages), NoTools: final, MaxTokens: agent.Constraints.MaxTokens,
		Temperature: agent.Constraints.Temperature, Input: input, Script: agent.MockScript,
		Structured: agent.Constraints.RequireStructuredOutput != nil && *agent.Constraints.RequireStructuredOutput,
	}
	if r.MaxTokens == 0 {
		r.MaxTokens = resource.DefaultMaxTokens
	}
	if schema, ok := l.Schemas[agent.Output]; ok && agent.Output != "" {
		v, err := canon.Parse(schema)
		if err != nil {
			return r, fmt.Errorf("pinned schema %s: %w", agent.Output, err)
		}
		r.OutputSchema = v
	}
	shown, err := resource.ShownNames(agent)
	if err != nil {
		return r, err
	}
	for _, s := range shown {
		d, err := toolDef(l, s)
		if err != nil {
			return r, err
		}
		r.Tools = append(r.Tools, d)
	}
	return r, nil
}

// toolDef is how the pinned manifest presents a granted operation.
func toolDef(l *snapshot.Loaded, s resource.Shown) (model.ToolDef, error) {
	t, op, _ := l.Graph.Operation(s.Capability)
	builtin, isNative := native.Of(t, op)
	d := model.ToolDef{Name: s.Name, Description: cmp.Or(op.Description, t.Description, builtin.Description)}
	path := native.ArgumentsSchema(t, op)
	b, pinned := l.Schemas[path]
	switch {
	case pinned && path != "":
		v, err := canon.Parse(b)
		if err != nil {
			return d, fmt.Errorf("pinned schema %s: %w", path, err)
		}
		d.Parameters = v
	case isNative && op.Schema == "":
		// A snapshot from before schemas of native operations were pinned.
		d.Parameters = builtin.Schema
	}
	return d, nil
}

// outcome reads what a turn came to; it depends on the stored turn and the
// snapshot only, so a repeated attempt concludes the same.
func outcome(l *snapshot.Loaded, in contract.GenerateIn, turn transcript.Turn, d canon.Digest) contract.GenerateOut {
	r := turn.Answer
	out := contract.GenerateOut{Transcript: d, CostUSD: r.CostUSD, TokensIn: r.Usage.Input, TokensOut: r.Usage.Output}
	if out.CostUSD == "" {
		out.CostUSD = "0"
	}
	agent, _ := l.Graph.Agent(in.Agent)
	fail := func(t contract.FaultType, err error) contract.GenerateOut {
		out.Fault = &contract.Fault{Type: t, Message: record.Text(fmt.Sprintf("agent %s at %s, turn %d: %v", in.Agent, in.Site, in.Turn, err))}
		return out
	}
	switch r.Stop {
	case model.Length:
		limit := agent.Constraints.MaxTokens
		if limit == 0 {
			limit = resource.DefaultMaxTokens
		}
		return fail(contract.FaultAgent, model.AtTokenCap(limit))
	case model.Filter:
		return fail(contract.FaultAgent, errors.New("the provider withheld the answer"))
	}
	if len(r.Calls) > 0 && !in.Final {
		for _, c := range r.Calls {
			out.Calls = append(out.Calls, contract.ModelCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Invalid: c.Invalid})
		}
		return out
	}
	v, err := answer.Extract(r.Text)
	if err != nil {
		return fail(contract.FaultAgent, err)
	}
	if v, err = checkOutput(l, agent, v); err != nil {
		return fail(contract.FaultAgent, err)
	}
	out.Output = v
	return out
}

func checkOutput(l *snapshot.Loaded, agent resource.Agent, v canon.Value) (canon.Value, error) {
	if agent.Output == "" {
		return v, nil
	}
	schema, err := l.Schema(agent.Output)
	if err != nil || schema == nil {
		return v, err
	}
	if err := schema.Validate(v); err != nil {
		return v, fmt.Errorf("agent output: %w", err)
	}
	return v, nil
}
