// Package agentloop owns the loop of an agent step: one model turn after another,
// the calls of each turn answered exactly once, until the model ends its turn or
// the turn limit forces a closing answer (execution.md section 4). It leaves out
// the model (activities/model) and the calls themselves (toolcall).
package agentloop

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/internal/call"
	"terfyn/workflows/toolcall"
)

// defaultTurnTimeout bounds one model turn of an agent that declares no timeout.
const defaultTurnTimeout = 5 * time.Minute

// maxCalls bounds the calls of one turn that are made.
const maxCalls = 128

// Run runs agent at site on its input document and returns its output object.
func Run(ctx workflow.Context, t toolcall.Caller, site, agent string, input canon.Value) (canon.Value, error) {
	a, ok := t.Session.Bundle.Graph.Agent(agent)
	if !ok {
		return canon.Value{}, &contract.Fault{Type: contract.FaultSnapshot, Message: fmt.Sprintf("agent %s is not in snapshot %s", agent, t.Session.Snapshot())}
	}
	shown, err := resource.ShownNames(a)
	if err != nil {
		return canon.Value{}, &contract.Fault{Type: contract.FaultSnapshot, Message: err.Error()}
	}
	l := loop{caller: t, agent: a, site: site, shown: shown, limit: policy.TurnLimit(&t.Session.Bundle.Graph, t.Session.Request.Workflow, agent)}
	l.spent = contract.Spent{Started: workflow.Now(ctx), CostUSD: "0"}
	if a.Constraints.TimeoutSeconds > 0 {
		l.deadline = workflow.Now(ctx).Add(time.Duration(a.Constraints.TimeoutSeconds) * time.Second)
	}
	return l.run(ctx, input)
}

type loop struct {
	caller     toolcall.Caller
	agent      resource.Agent
	site       string
	shown      []resource.Shown
	limit      int
	deadline   time.Time // zero = none
	transcript canon.Digest
	results    []contract.CallResult
	spent      contract.Spent
}

func (l *loop) run(ctx workflow.Context, input canon.Value) (canon.Value, error) {
	for turn := 1; ; turn++ {
		final := turn > l.limit
		out, err := l.generate(ctx, turn, input, final)
		if err != nil {
			return canon.Value{}, err
		}
		if out.Fault != nil {
			return canon.Value{}, out.Fault
		}
		if len(out.Calls) == 0 {
			return out.Output, nil
		}
		if final {
			return canon.Value{}, &contract.Fault{Type: contract.FaultAgent, Message: fmt.Sprintf("agent %s at %s used its %d turns and still asked for tools when told to answer", l.agent.Name, l.site, l.limit)}
		}
		if turn == l.limit && len(l.agent.Grants) > 0 {
			l.capped(ctx, out.Calls)
			continue
		}
		if err := l.act(ctx, turn, out.Calls); err != nil {
			return canon.Value{}, err
		}
	}
}

// generate makes one model turn.
func (l *loop) generate(ctx workflow.Context, turn int, input canon.Value, final bool) (contract.GenerateOut, error) {
	s := l.caller.Session
	site := fmt.Sprintf("%s/turn%d", l.site, turn)
	s.At(site)
	if err := s.CheckTime(ctx, l.site); err != nil {
		return contract.GenerateOut{}, err
	}
	timeout, err := l.timeout(ctx)
	if err != nil {
		return contract.GenerateOut{}, err
	}
	in := contract.GenerateIn{
		Ref: s.Ref(), Site: l.site, Agent: l.agent.Name, Turn: turn, Transcript: l.transcript,
		Results: l.results, Final: final, At: workflow.Now(ctx), Spent: l.spent, Timeout: timeout, Deadline: l.deadline,
	}
	if turn == 1 {
		in.Input = input
	}
	out, err := call.Result(ctx, contract.Generate, call.Start(ctx, contract.Generate, site, timeout, in))
	if err != nil {
		return out, err
	}
	l.transcript, l.results = out.Transcript, nil
	if l.spent.CostUSD, err = policy.AddCost(l.spent.CostUSD, out.CostUSD); err != nil {
		return out, &contract.Fault{Type: contract.FaultModel, Message: "cost of " + site + ": " + err.Error()}
	}
	l.spent.TokensIn += out.TokensIn
	l.spent.TokensOut += out.TokensOut
	return out, s.Spend(ctx, l.site, out.CostUSD, out.TokensIn, out.TokensOut)
}

// timeout is what is left of the step's deadline for one turn.
func (l *loop) timeout(ctx workflow.Context) (time.Duration, error) {
	if l.deadline.IsZero() {
		return defaultTurnTimeout, nil
	}
	left := l.deadline.Sub(workflow.Now(ctx))
	if left <= 0 {
		return 0, &contract.Fault{Type: contract.FaultAgent, Message: fmt.Sprintf("agent %s at %s passed its timeoutSeconds of %d", l.agent.Name, l.site, l.agent.Constraints.TimeoutSeconds)}
	}
	return min(left, defaultTurnTimeout), nil
}

// capped notes the turn limit; the pending calls are answered, not executed.
func (l *loop) capped(ctx workflow.Context, calls []contract.ModelCall) {
	l.caller.Session.Trace(ctx, l.site, contract.LimitHit, canon.Object(canon.F("kind", canon.String("max_iterations")),
		canon.F("maxIterations", canon.Int(int64(l.limit)))))
	for _, c := range calls {
		l.results = append(l.results, contract.CallResult{CallID: c.ID, Error: true, Text: "not executed: the turn limit is reached"})
	}
}

// act answers every call of a turn: at once when all are independent, else in
// order.
func (l *loop) act(ctx workflow.Context, turn int, calls []contract.ModelCall) error {
	wanted := make([]toolcall.Call, 0, len(calls))
	l.results = make([]contract.CallResult, len(calls))
	index := make([]int, 0, len(calls))
	independent := true
	for i, c := range calls {
		l.results[i] = contract.CallResult{CallID: c.ID}
		if i >= maxCalls {
			l.results[i].Error = true
			l.results[i].Text = fmt.Sprintf("not executed: at most %d calls are made in one turn", maxCalls)
			continue
		}
		w, ok := l.resolve(turn, i, c)
		if !ok {
			l.results[i].Error = true
			l.results[i].Text = fmt.Sprintf("tool %q is not declared for this agent", c.Name)
			continue
		}
		if c.Invalid != "" {
			l.results[i].Error = true
			l.results[i].Text = "the arguments cannot be used: " + c.Invalid
			continue
		}
		independent = independent && l.caller.Independent(w)
		wanted, index = append(wanted, w), append(index, i)
	}
	if independent {
		return l.together(ctx, wanted, index)
	}
	return l.inOrder(ctx, wanted, index)
}

func (l *loop) resolve(turn, i int, c contract.ModelCall) (toolcall.Call, bool) {
	for _, s := range l.shown {
		if s.Name == c.Name {
			tool, op, _ := resource.SplitCapability(s.Capability)
			return toolcall.Call{
				Site: fmt.Sprintf("%s/turn%d/call%d", l.site, turn, i+1), Tool: tool, Operation: op, Args: c.Arguments,
				Agent: l.agent.Name, AgentSite: l.site,
			}, true
		}
	}
	return toolcall.Call{}, false
}

func (l *loop) together(ctx workflow.Context, wanted []toolcall.Call, index []int) error {
	results, faults, err := l.caller.All(ctx, wanted)
	if err != nil {
		return err
	}
	for i := range wanted {
		if err := l.answer(index[i], results[i], faults[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *loop) inOrder(ctx workflow.Context, wanted []toolcall.Call, index []int) error {
	for i, w := range wanted {
		r, err := l.caller.Do(ctx, w)
		fault, isFault := err.(*contract.Fault)
		if err != nil && !isFault {
			return err
		}
		if err := l.answer(index[i], r, fault); err != nil {
			return err
		}
	}
	return nil
}

// answer records the result of one call. A failed call, and one that a person
// declined or nobody decided, is answered with an error the model can read; a
// denial by policy ends the step.
func (l *loop) answer(i int, r toolcall.Result, fault *contract.Fault) error {
	if fault == nil {
		l.results[i].Ref = r.Ref
		if r.Ref == "" {
			l.results[i].Text = r.Value.Text()
		}
		return nil
	}
	switch fault.Type {
	case contract.FaultTool, contract.FaultRejected, contract.FaultExpired, contract.FaultArguments:
		l.results[i].Error = true
		l.results[i].Text = fault.Message
		return nil
	}
	return fault
}
