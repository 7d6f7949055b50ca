package interp

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"terfyn/compiler/ir"
	"terfyn/internal/ordered"
	"terfyn/workflows/contract"
)

// The arms of an if, as call sites and cursors name them.
const (
	thenArm = "then"
	elseArm = "else"
)

// Rollover unwinds the walker at a safe point: the run continues as new there. It
// is an error value only to take the way of one.
type Rollover struct{ Carried contract.Carried }

// Error says what it is, should it ever surface.
func (r *Rollover) Error() string { return "the run continues as new" }

// safePoint stops the walk in front of a node that reaches outside when history is
// long enough. Sequential code has no open branch here; requests are decided, and
// what the desk has in hand is finished first. At least one node is run in every
// execution, so a chain always gets on.
func (w *walker) safePoint(ctx workflow.Context, n ir.Node) error {
	switch n.(type) {
	case ir.Tool, ir.Agent, ir.Approval:
	default:
		return nil
	}
	s := w.caller.Session
	if !w.acted || !s.Full(ctx) {
		w.acted = true
		return nil
	}
	if err := workflow.Await(ctx, func() bool { return w.caller.Desk.Idle(ctx) }); err != nil {
		return err
	}
	c := contract.Carried{Format: contract.CarriedFormat}
	for _, name := range ordered.Keys(w.scope) {
		c.Bindings = append(c.Bindings, contract.Binding{Name: name, Value: w.scope[name]})
	}
	s.Carry(&c)
	w.caller.Desk.Carry(&c)
	return &Rollover{Carried: c}
}

// at notes the node of a block that a rollover passes on its way out.
func at(err error, node string) error {
	if r, ok := err.(*Rollover); ok {
		if n := len(r.Carried.Path); n > 0 && r.Carried.Path[0].Node == "" {
			r.Carried.Path[0].Node = node
			return r
		}
		r.Carried.Path = append([]contract.Cursor{{Node: node}}, r.Carried.Path...)
	}
	return err
}

// in notes the arm or round of the construct that a rollover leaves; the block
// around it names the node.
func in(err error, arm string, round int64) error {
	if r, ok := err.(*Rollover); ok {
		r.Carried.Path = append([]contract.Cursor{{Arm: arm, Round: round}}, r.Carried.Path...)
	}
	return err
}

// restore takes over the bindings and the way to where to go on.
func (w *walker) restore(c *contract.Carried) {
	w.scope = make(scope, len(c.Bindings))
	for _, b := range c.Bindings {
		w.scope[b.Name] = b.Value
	}
	w.path = c.Path
}

// skip leaves out the nodes of a block that were run before.
func (w *walker) skip(nodes []ir.Node) ([]ir.Node, error) {
	if len(w.path) == 0 {
		return nodes, nil
	}
	for i, n := range nodes {
		if n.Site() != w.path[0].Node {
			continue
		}
		if len(w.path) == 1 { // this is the node to go on with
			w.path = nil
		}
		return nodes[i:], nil
	}
	return nil, &contract.Fault{Type: contract.FaultSnapshot, Message: fmt.Sprintf("the carried position %q is not in program %s", w.path[0].Node, w.program.Workflow)}
}

// carriedArm is the arm an if was in, "" when it is entered afresh.
func (w *walker) carriedArm() string {
	if len(w.path) == 0 {
		return ""
	}
	arm := w.path[0].Arm
	w.path = w.path[1:]
	return arm
}

// carriedRound is the round a loop was in.
func (w *walker) carriedRound() (round int64, resumed bool) {
	if len(w.path) == 0 {
		return 0, false
	}
	round = w.path[0].Round
	w.path = w.path[1:]
	return round, true
}
