package refs_test

import (
	"fmt"
	"testing"
	"time"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/internal/canon"
)

// many is a set with n workflow documents, each with two steps whose tasks, gates
// and events are declared; with a mistake in each when broken.
func many(n int, broken bool) *manifest.Set {
	f := canon.F
	str := canon.String
	object := func(name string, v canon.Value) canon.Value { return canon.Object(f(name, v)) }
	owner := "agent-a"
	if broken {
		owner = "agent_a"
	}
	task := canon.Object(f("id", str("build")), f("owner", str(owner)))
	docs := []*manifest.Document{
		{File: "agents.yaml", Kind: manifest.AgentSet, Root: object("agents", canon.List(object("id", str("agent-a"))))},
		{File: "events.yaml", Kind: manifest.EventSet, Root: object("events", canon.List(object("type", str("task.completed"))))},
		{File: "project.yaml", Kind: manifest.Project, Root: object("project", canon.Object(f("id", str("many")), f("approvalGates", canon.List(object("id", str("review"))))))},
		{File: "tasks.yaml", Kind: manifest.TaskSet, Root: object("tasks", canon.List(task))},
	}
	for i := range n {
		before := "first"
		if broken {
			before = "frist"
		}
		step := func(id, dependsOn string) canon.Value {
			return canon.Object(f("id", str(id)), f("task", str("build")), f("dependsOn", canon.Strings([]string{dependsOn})),
				f("approvalGates", canon.Strings([]string{"review"})), f("emits", canon.Strings([]string{"task.completed"})))
		}
		stage := canon.Object(f("id", str("stage")), f("steps", canon.List(step("first", "second"), step("second", before))))
		docs = append(docs, &manifest.Document{
			File: fmt.Sprintf("w%06d.yaml", i), Kind: manifest.Workflow,
			Root: object("workflow", canon.Object(f("id", str(fmt.Sprintf("flow-%d", i))), f("stages", canon.List(stage)))),
		})
	}
	return manifest.NewSet(docs)
}

func BenchmarkResolve(b *testing.B) {
	for _, n := range []int{1000, 8000} {
		set := many(n, false)
		b.Run(fmt.Sprintf("index-%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				refs.NewIndex(set)
			}
		})
		b.Run(fmt.Sprintf("resolve-%d", n), func(b *testing.B) {
			x := refs.NewIndex(set)
			b.ReportAllocs()
			for b.Loop() {
				refs.Resolve(x)
			}
		})
		b.Run(fmt.Sprintf("broken-%d", n), func(b *testing.B) {
			x := refs.NewIndex(many(n, true))
			b.ReportAllocs()
			for b.Loop() {
				refs.Resolve(x)
			}
		})
	}
}

// Eight times the documents take about eight times as long; a quadratic index or
// search would take sixty-four times. The bound leaves room for a busy machine.
func TestResolvingIsLinear(t *testing.T) {
	for _, broken := range []bool{false, true} {
		small, large := took(many(1000, broken)), took(many(8000, broken))
		if large > 30*max(small, time.Millisecond) {
			t.Errorf("broken %v: 1000 workflows take %v and 8000 take %v", broken, small, large)
		}
	}
	if _, found := refs.Resolve(refs.NewIndex(many(8000, true))); len(found) != 8001 {
		t.Errorf("%d findings, want one for every workflow and one for the task", len(found))
	}
}

// took is the shortest of three runs.
func took(set *manifest.Set) time.Duration {
	best := time.Hour
	for range 3 {
		start := time.Now()
		refs.Resolve(refs.NewIndex(set))
		best = min(best, time.Since(start))
	}
	return best
}
