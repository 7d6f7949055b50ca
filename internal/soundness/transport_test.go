package soundness

import (
	"context"
	"fmt"
	"sync"

	"go.temporal.io/sdk/activity"

	"terfyn/activities/tool"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// sent is one request that reached the transport.
type sent struct {
	capability  string
	site        string // the activity's id: the call site, with ~N for later dispatches
	operationID string
	marked      bool // the arguments carry the mark of a model's call, however far down
	direct      bool // they are the arguments of such a call themselves
	answered    bool // with success
}

// outside is the transport of every tool: it notes what it is asked to do and
// answers at random, also with failures and with outcomes nobody knows.
type outside struct {
	seed  uint64
	mu    sync.Mutex
	calls map[string][]sent // by run
}

// Call makes one attempt.
func (o *outside) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	info := activity.GetInfo(ctx)
	run := info.WorkflowExecution.ID
	s := sent{
		capability: resource.Capability(c.Tool.Name, c.Operation.Name), site: info.ActivityID, operationID: c.OperationID,
		marked: mark.MatchString(c.Arguments.JSON()),
	}
	_, s.direct = c.Arguments.Get(markField)
	d := throw(o.seed, fmt.Sprintf("tool %s %s %d %s %s", run, s.site, info.Attempt, s.capability, c.Arguments.JSON()))
	result, err := answer(d, c)
	s.answered = err == nil
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls[run] = append(o.calls[run], s)
	return result, err
}

func answer(d dice, c tool.Call) (tool.Result, error) {
	if _, asked := c.Arguments.Get("operationId"); asked && d.chance(80) { // a reconcile call
		return tool.Result{Output: canon.Object(canon.F("sent", canon.Bool(d.chance(50))), canon.F("result", record(d, 1)))}, nil
	}
	if c.Operation.Reconcile != "" && d.chance(50) {
		return tool.Result{}, tool.Failf(tool.Unknown, "timeout", "no answer came")
	}
	switch at := d.IntN(100); {
	case at < 2:
		return tool.Result{}, tool.Failf(tool.Failed, "http_400", "the other side refused").Answerable()
	case at < 5:
		return tool.Result{}, tool.Failf(tool.NotSent, "dial", "connection refused")
	case at < 6:
		return tool.Result{}, tool.Failf(tool.BadInput, "arguments", "the arguments cannot be used")
	case at < 20 && c.HasEffects():
		return tool.Result{}, tool.Failf(tool.Unknown, "timeout", "no answer came")
	}
	return tool.Result{Output: record(d, 2), ProviderID: "id"}, nil
}

// of is what reached the transport in a run.
func (o *outside) of(run string) []sent {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.calls[run]
}
