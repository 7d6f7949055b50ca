package soundness

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"go.temporal.io/sdk/activity"

	"terfyn/activities/model"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// chooser is a model that asks for whatever it can name: what it is offered, what
// other agents are offered, what exists and was granted to nobody, and what does not
// exist at all. Every call it asks for carries a mark that nothing else writes.
type chooser struct {
	seed  uint64
	names []string // what a model of this project could name

	mu    sync.Mutex
	asked map[string]map[string]bool // agents that made a turn, by run
	count *tally
}

// mark is how the arguments of a call show that a model chose it.
var mark = regexp.MustCompile(`chosen-[a-z]`)

// markField is the argument with the mark. Written calls have none of this name.
const markField = "mark"

func newChooser(seed uint64, g resource.Graph, count *tally) *chooser {
	c := &chooser{seed: seed, asked: map[string]map[string]bool{}, count: count}
	for _, a := range g.Agents {
		shown, _ := resource.ShownNames(a) // a clash was refused at validation
		for _, s := range shown {
			c.names = append(c.names, s.Name)
		}
		c.names = append(c.names, "agent_"+a.Name, a.Name)
	}
	for _, t := range g.Tools {
		c.names = append(c.names, t.Name)
		for _, o := range t.Operations {
			c.names = append(c.names, t.Name+"_"+strings.ReplaceAll(o.Name, ".", "_"), resource.Capability(t.Name, o.Name), t.Name+"."+o.Name, o.Name)
		}
	}
	for _, w := range g.Workflows {
		c.names = append(c.names, "workflow_"+w.Name, w.Name)
	}
	c.names = append(c.names, "escalate", "rm_rf", "terfyn.decide", "")
	return c
}

// open gives the chooser as the provider of every model.
func (c *chooser) open(*resource.Graph, string) (model.Provider, string, error) {
	return c, "any", nil
}

// Generate makes a turn.
func (c *chooser) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	info := activity.GetInfo(ctx)
	run := info.WorkflowExecution.ID
	c.note(run, strings.TrimSuffix(strings.TrimPrefix(r.System, "You are "), "."))
	d := throw(c.seed, fmt.Sprintf("model %s %s %d %d", run, info.ActivityID, info.Attempt, len(r.Messages)))
	if d.chance(2) {
		return model.Response{}, &model.Error{Class: pick(d, []model.Class{model.Retryable, model.Retryable, model.Permanent}), Message: "the model failed"}
	}
	out := model.Response{Text: record(d, 2).JSON(), Stop: model.End, CostUSD: "0.001", Usage: model.Usage{Input: 1, Output: 1}}
	if d.chance(3) {
		out.Text = pick(d, []string{"no object", "{} and {}", "[1]", `{"ok":"not a boolean","n":[]}`})
	}
	if len(r.Offered()) == 0 && !d.chance(15) || d.chance(35) {
		return out, nil
	}
	for i := range 1 + d.IntN(4) {
		out.Calls = append(out.Calls, c.call(d, r, fmt.Sprintf("chosen-%c-%s", 'a'+i, info.ActivityID), i))
	}
	out.Stop = model.Tools
	return out, nil
}

func (c *chooser) call(d dice, r model.Request, nonce string, i int) model.Call {
	name := pick(d, c.names)
	if offered := r.Offered(); len(offered) > 0 && d.chance(70) {
		name = pick(d, offered).Name
	} else {
		c.count.add("the model asked", "for what it is not offered")
	}
	args := canon.Object(canon.F(markField, canon.String(nonce)), canon.F("k0", canon.Int(int64(d.IntN(9)))))
	if d.chance(20) {
		args = args.With("k1", record(d, 1))
	}
	out := model.Call{ID: fmt.Sprintf("c%d", i), Name: name, Arguments: args}
	if d.chance(3) {
		out.Arguments, out.Invalid = canon.Null(), "not JSON"
	}
	return out
}

func (c *chooser) note(run, agent string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked[run] == nil {
		c.asked[run] = map[string]bool{}
	}
	c.asked[run][agent] = true
}

// agents are those that made a turn in a run.
func (c *chooser) agents(run string) map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked[run]
}
