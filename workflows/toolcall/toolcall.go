// Package toolcall owns the life of one tool call in workflow code: judged by the
// pinned policy, held at a gate when a person must decide, dispatched by an
// activity that checks everything again, and, when nobody knows whether it
// happened, reconciled or put before a person. It never sends a side effect
// twice. It leaves out who wanted the call (interp, agentloop).
package toolcall

import (
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/workflow"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/decision"
	"terfyn/workflows/internal/call"
	"terfyn/workflows/internal/session"
)

// Call is a wanted tool call.
type Call struct {
	Site      string
	Tool      string
	Operation string
	Args      canon.Value
	Agent     string // "" = written in the workflow
	AgentSite string
}

// Result is the result of a call that succeeded.
type Result struct {
	Value canon.Value
	Ref   canon.Digest // set instead of Value for calls of agents
}

// Caller makes the calls of one run.
type Caller struct {
	Session *session.Session
	Desk    *decision.Desk
}

// Do makes c. A *contract.Fault tells how it ended badly; any other error is
// Temporal's own, such as cancellation.
func (t Caller) Do(ctx workflow.Context, c Call) (Result, error) {
	p, err := t.begin(ctx, c)
	if err != nil {
		return Result{}, err
	}
	return t.finish(ctx, p)
}

// Independent reports whether c may run beside other calls: it has no side
// effects and no rule asks for a person.
func (t Caller) Independent(c Call) bool {
	tool, ok := t.tool(c.Tool)
	return ok && !tool.HasSideEffects(c.Operation) && t.evaluate(c).Verdict == policy.Allow
}

// maxAtOnce bounds the calls of one turn that are under way: more pending
// activities than the server allows would wedge the run.
const maxAtOnce = 8

// All makes independent calls, a few at a time, and returns results and faults in order;
// err is set only for errors of Temporal's own.
func (t Caller) All(ctx workflow.Context, calls []Call) ([]Result, []*contract.Fault, error) {
	begun := make([]pending, len(calls))
	faults := make([]*contract.Fault, len(calls))
	results := make([]Result, len(calls))
	next := 0
	for i := range calls {
		for ; next < len(calls) && next < i+maxAtOnce; next++ {
			p, err := t.begin(ctx, calls[next])
			if faults[next], err = asFault(err); err != nil {
				return nil, nil, err
			}
			begun[next] = p
		}
		if faults[i] != nil {
			continue
		}
		r, err := t.finish(ctx, begun[i])
		if faults[i], err = asFault(err); err != nil {
			return nil, nil, err
		}
		results[i] = r
	}
	return results, faults, nil
}

// asFault splits an error into a fault and an error of Temporal's own.
func asFault(err error) (*contract.Fault, error) {
	if f, ok := err.(*contract.Fault); ok {
		return f, nil
	}
	return nil, err
}

// pending is a dispatched call.
type pending struct {
	call       Call
	tool       resource.Tool
	op         resource.Operation
	approvalID string
	round      int // dispatches so far
	future     workflow.Future
	local      bool
}

func (t Caller) tool(name string) (resource.Tool, bool) { return t.Session.Bundle.Graph.Tool(name) }

func (t Caller) judged(c Call) policy.Call {
	return policy.Call{Workflow: t.Session.Request.Workflow, Agent: c.Agent, Tool: c.Tool, Operation: c.Operation, Arguments: c.Args}
}

func (t Caller) evaluate(c Call) policy.Answer {
	return policy.Evaluate(&t.Session.Bundle.Graph, t.judged(c))
}

// begin judges the call, passes its gate, and dispatches it.
func (t Caller) begin(ctx workflow.Context, c Call) (pending, error) {
	s := t.Session
	s.At(c.Site)
	if err := s.CheckTime(ctx, c.Site); err != nil {
		return pending{}, err
	}
	answer := t.evaluate(c)
	if answer.Verdict == policy.Deny {
		return pending{}, s.Denied(ctx, c.Site, contract.FaultPolicy, string(answer.Code()),
			fmt.Sprintf("%s: %s", answer.Code(), answer.Rule()))
	}
	tool, _ := t.tool(c.Tool)
	op, listed := tool.Operation(c.Operation)
	if !listed {
		op.Name = c.Operation
	}
	p := pending{call: c, tool: tool, op: op}
	if answer.Verdict == policy.RequireApproval {
		if err := t.gate(ctx, &p, answer.Rule(), nil); err != nil {
			return pending{}, err
		}
	}
	t.dispatch(ctx, &p)
	return p, nil
}

// gate asks for a decision on the pending call and takes over edited arguments.
// stricter, when set, replaces the pinned deciders: rules deployed since ask for
// this decision, and a pre-approval does not meet them.
func (t Caller) gate(ctx workflow.Context, p *pending, rule string, stricter *policy.Deciders) error {
	s, c := t.Session, p.call
	judged := t.judged(c)
	pre := t.preApproved(c) && stricter == nil
	if c.Agent != "" && !pre && !policy.PausesInLoop(&s.Bundle.Graph, judged) {
		return s.Denied(ctx, c.Site, contract.FaultPolicy, string(policy.ApprovalRequired),
			fmt.Sprintf("approval_required: %s; calls of agents are denied here, approvals { inLoop pause } would ask", rule))
	}
	review := policy.ReviewFor(&s.Bundle.Graph, judged)
	q := decision.Question{Args: c.Args, Gate: policy.Gate{
		Site: c.Site, Kind: policy.KindGate, Tool: c.Tool, Operation: c.Operation, Description: review.Description, Rule: rule,
		Allowed: review.Allowed, Edits: review.Edits, RedactKeys: review.RedactKeys,
		Deciders: policy.DecidersFor(&s.Bundle.Graph, s.Environment(), judged),
	}}
	if stricter != nil {
		q.Gate.Deciders = *stricter
	}
	q.Gate.Timeout, q.Gate.OnTimeout = policy.Expiry(&s.Bundle.Graph, judged)
	if stricter != nil && q.Gate.OnTimeout == policy.OnTimeoutApprove {
		q.Gate.OnTimeout = "" // the rules deployed since do not take silence
	}
	if q.Gate.Deciders.MinApprovals > 1 { // an edit would be one person's alone
		q.Gate.Allowed = slices.DeleteFunc(slices.Clone(q.Gate.Allowed), func(d string) bool { return d == policy.Edit })
	}
	if pre && q.Gate.Deciders.Anybody() { // the agent's own policy may name approvers
		q.PreApprovedBy = s.Request.Actor
	}
	o, err := t.Desk.Ask(ctx, q)
	if err != nil {
		return err
	}
	if fault := Refused(o); fault != nil {
		return fault
	}
	p.approvalID, p.call.Args = o.ApprovalID, o.Args
	return nil
}

func (t Caller) preApproved(c Call) bool {
	r := t.Session.Request
	return r.AutoApprove || slices.Contains(r.Approve, resource.Capability(c.Tool, c.Operation))
}

// Refused is the fault of a request that did not end in approval; the ways of
// not being approved stay distinct (execution.md section 6).
func Refused(o decision.Outcome) *contract.Fault {
	switch o.Status {
	case decision.Rejected:
		return &contract.Fault{Type: contract.FaultRejected, Message: fmt.Sprintf("%s was rejected by %s: %s", o.ApprovalID, o.By, reason(o.Decision.Reason))}
	case decision.Approved:
		return nil
	}
	return &contract.Fault{Type: contract.FaultExpired, Message: o.ApprovalID + " expired: nobody decided before its deadline"}
}

func reason(s string) string {
	if s == "" {
		return "no reason was given"
	}
	return s
}

// dispatch hands the call to the activity that checks again and sends.
func (t Caller) dispatch(ctx workflow.Context, p *pending) {
	c := p.call
	in := contract.CallToolIn{
		Ref: t.Session.Ref(), Site: c.Site, Agent: c.Agent, AgentSite: c.AgentSite, Tool: c.Tool, Operation: c.Operation,
		Arguments: c.Args, ApprovalID: p.approvalID, ByReference: c.Agent != "", At: workflow.Now(ctx),
	}
	timeout := t.timeout(p.op)
	p.local = p.op.ReadOnly != nil && *p.op.ReadOnly && p.op.TimeoutSeconds == 1
	if p.local {
		p.future = call.StartLocal(ctx, contract.ReadTool, in)
		return
	}
	id := c.Site
	if p.round > 0 {
		id = fmt.Sprintf("%s~%d", c.Site, p.round+1)
	}
	p.round++
	p.future = call.Start(ctx, contract.CallTool, id, timeout, in)
}

func (t Caller) timeout(op resource.Operation) time.Duration {
	if op.TimeoutSeconds > 0 {
		return time.Duration(op.TimeoutSeconds) * time.Second
	}
	return contract.DefaultToolTimeout
}

// finish waits for the dispatched call and deals with what came of it.
func (t Caller) finish(ctx workflow.Context, p pending) (Result, error) {
	for {
		out, err := call.Result(ctx, contract.CallTool, p.future)
		if err != nil {
			return Result{}, err
		}
		switch out.Outcome {
		case contract.OutcomeSucceeded:
			return Result{Value: out.Value, Ref: out.Ref}, nil
		case contract.OutcomeDenied:
			return Result{}, t.Session.Denied(ctx, p.call.Site, contract.FaultPolicy, "denied_at_dispatch", out.Fault.Message)
		case contract.OutcomeNeedsApproval:
			p.approvalID = ""
			if err := t.gate(ctx, &p, out.Rule, out.Deciders); err != nil {
				return Result{}, err
			}
		case contract.OutcomeUnknown:
			settled, err := t.settle(ctx, p, out)
			if err != nil {
				return Result{}, err
			}
			if settled.Succeeded {
				return Result{Value: settled.Value, Ref: out.Ref}, nil
			}
		default:
			return Result{}, out.Fault
		}
		t.dispatch(ctx, &p)
	}
}
