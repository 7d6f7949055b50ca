package interp

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/agentloop"
	"terfyn/workflows/contract"
	"terfyn/workflows/decision"
	"terfyn/workflows/toolcall"
)

// Run walks the program of workflow on its input document and returns its output
// document (language.md 14).
func Run(ctx workflow.Context, t toolcall.Caller, name string, input canon.Value) (canon.Value, error) {
	bundle := t.Session.Bundle
	program, ok := bundle.Program(name)
	if !ok {
		return canon.Value{}, &contract.Fault{Type: contract.FaultNoWorkflow, Message: fmt.Sprintf("snapshot %s holds no program of workflow %s", bundle.Snapshot, name)}
	}
	limits := bundle.Graph.Limits.Over(resource.BuiltinLimits())
	w := walker{caller: t, program: program, scope: bind(program.Params, input), maxRounds: limits.MaxLoopIterations}
	if c := t.Session.Request.Carried; c != nil {
		w.restore(c)
	}
	returned, err := w.block(ctx, "", program.Body)
	if err != nil {
		return canon.Value{}, err
	}
	return output(program, returned), nil
}

// bind makes the parameters of the input document: a single one is the whole
// document, several are its fields (language.md 14.1).
func bind(params []ir.Param, input canon.Value) scope {
	s := scope{}
	if len(params) == 1 {
		s[params[0].Name] = input
		return s
	}
	for _, p := range params {
		s[p.Name] = input.At(p.Name)
	}
	return s
}

func output(p ir.Program, returned *canon.Value) canon.Value {
	switch {
	case returned == nil:
		return canon.Object()
	case p.Envelope:
		return canon.Object(canon.F("value", *returned))
	}
	return *returned
}

// walker is the state of one program. Bindings live in one flat scope: the
// checker refuses every reference that an inner scope would have hidden.
type walker struct {
	caller    toolcall.Caller
	program   ir.Program
	scope     scope
	maxRounds int64
	acted     bool              // this execution has reached outside
	path      []contract.Cursor // still to be followed to where the execution before stopped
}

// block runs nodes in order. A non-nil value is a return.
func (w *walker) block(ctx workflow.Context, prefix string, nodes []ir.Node) (*canon.Value, error) {
	nodes, err := w.skip(nodes)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		returned, err := w.node(ctx, prefix+n.Site(), n)
		if err != nil || returned != nil {
			return returned, at(err, n.Site())
		}
	}
	return nil, nil
}

func (w *walker) node(ctx workflow.Context, site string, n ir.Node) (*canon.Value, error) {
	if err := w.safePoint(ctx, n); err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case ir.Let:
		v, err := w.scope.eval(site, n.Expr)
		return nil, w.bind(n.Name, v, err)
	case ir.Tool:
		return nil, w.tool(ctx, site, n)
	case ir.Agent:
		return nil, w.agent(ctx, site, n)
	case ir.Approval:
		return nil, w.approval(ctx, site, n)
	case ir.If:
		return w.branch(ctx, site, n)
	case ir.While:
		return w.while(ctx, site, n)
	case ir.Return:
		v, err := w.scope.eval(site, n.Expr)
		if err != nil {
			return nil, err
		}
		return &v, nil
	}
	return nil, &contract.Fault{Type: contract.FaultUnsupported, Message: fmt.Sprintf("%s: this worker cannot run node %T; the snapshot needs a newer terfyn", site, n)}
}

func (w *walker) bind(name string, v canon.Value, err error) error {
	if err == nil && name != "" {
		w.scope[name] = v
	}
	return err
}

func (w *walker) tool(ctx workflow.Context, site string, n ir.Tool) error {
	args, err := w.scope.object(site, n.Args)
	if err != nil {
		return err
	}
	r, err := w.caller.Do(ctx, toolcall.Call{Site: site, Tool: n.Tool, Operation: n.Operation, Args: args})
	return w.bind(n.Bind, r.Value, err)
}

func (w *walker) agent(ctx workflow.Context, site string, n ir.Agent) error {
	payload, err := w.payload(site, n.Args, n.WholeDocument)
	if err != nil {
		return err
	}
	v, err := agentloop.Run(ctx, w.caller, site, n.Agent, payload)
	return w.bind(n.Bind, v, err)
}

// payload is the document of a call: its one argument itself, or all of them as
// an object (language.md 9.1).
func (w *walker) payload(site string, args []ir.Arg, whole bool) (canon.Value, error) {
	if !whole {
		return w.scope.object(site, args)
	}
	if len(args) != 1 {
		return canon.Value{}, fault(site, "a whole-document call has %d arguments", len(args))
	}
	return w.scope.eval(site, args[0].Expr)
}

// approval stops for a decision on the payload and binds it as reviewed.
func (w *walker) approval(ctx workflow.Context, site string, n ir.Approval) error {
	payload, err := w.scope.object(site, n.With)
	if err != nil {
		return err
	}
	s := w.caller.Session
	s.At(site)
	if err := s.CheckTime(ctx, site); err != nil {
		return err
	}
	asked := policy.Call{Workflow: s.Request.Workflow}
	q := decision.Question{Args: payload, Gate: policy.Gate{
		Site: site, Kind: policy.KindStatement, Tool: "workflow", Operation: "approval", Description: n.Description,
		Rule: "the workflow asks at " + site, Allowed: []string{policy.Approve, policy.Reject, policy.Edit},
		RedactKeys: n.RedactKeys, Deciders: policy.DecidersFor(&s.Bundle.Graph, s.Environment(), asked),
	}}
	for _, f := range payload.Fields() {
		q.Gate.Edits.Present = append(q.Gate.Edits.Present, f.Name)
	}
	if q.Gate.Deciders.MinApprovals > 1 { // an edit would be one person's alone
		q.Gate.Allowed = q.Gate.Allowed[:2]
	}
	q.Gate.Timeout, q.Gate.OnTimeout = policy.Expiry(&s.Bundle.Graph, asked)
	if s.Request.AutoApprove {
		q.PreApprovedBy = s.Request.Actor
	}
	o, err := w.caller.Desk.Ask(ctx, q)
	if err != nil {
		return err
	}
	if f := toolcall.Refused(o); f != nil {
		return f
	}
	return w.bind(n.Bind, o.Args, nil)
}

func (w *walker) branch(ctx workflow.Context, site string, n ir.If) (*canon.Value, error) {
	arm := w.carriedArm()
	if arm == "" {
		taken, err := w.scope.test(site, n.Cond)
		if err != nil {
			return nil, err
		}
		arm = map[bool]string{true: thenArm, false: elseArm}[taken]
	}
	body := n.Then
	if arm == elseArm {
		body = n.Else
	}
	returned, err := w.block(ctx, site+"/"+arm+"/", body)
	return returned, in(err, arm, 0)
}

// while tests before each round. Using up the limit is no error: the program
// goes on after the loop.
func (w *walker) while(ctx workflow.Context, site string, n ir.While) (*canon.Value, error) {
	rounds := min(int64(n.Limit), w.maxRounds)
	first, resumed := w.carriedRound()
	for i := first; i < rounds; i++ {
		if !resumed || i > first { // a round that was under way had passed its test
			again, err := w.scope.test(site, n.Cond)
			if err != nil || !again {
				return nil, err
			}
		}
		returned, err := w.block(ctx, fmt.Sprintf("%s#%d/", site, i), n.Body)
		if err != nil || returned != nil {
			return returned, in(err, "", i)
		}
	}
	return nil, nil
}
