package soundness

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/runnable"
	"terfyn/store/audit"
	"terfyn/workflows/contract"
)

// The variables that choose what is tried.
const (
	projectsEnv = "TERFYN_SOUNDNESS_PROJECTS"
	seedEnv     = "TERFYN_SOUNDNESS_SEED"
)

// defaultProjects is what fits into a minute under the race detector on two cores.
const defaultProjects = 60

// atOnce is how many projects are tried at the same time. Most of the time is spent
// waiting for the disk, so it is more than there are processors.
const atOnce = 8

// refusals are the errors that a generated project may have: a clause or a policy
// that says less than what is reached.
var refusals = map[diag.Code]bool{
	diag.EffectNotCovered: true, diag.EffectNotPermitted: true, diag.EffectUnknown: true, diag.EffectUndecidable: true,
}

// seeds are those to try, and whether they are the usual many.
func seeds(t *testing.T) (list []uint64, many bool) {
	t.Helper()
	if text := os.Getenv(seedEnv); text != "" {
		one, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", seedEnv, err)
		}
		return []uint64{one}, false
	}
	n := defaultProjects
	if text := os.Getenv(projectsEnv); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			t.Fatalf("%s: %q is not a number of projects", projectsEnv, text)
		}
	}
	for seed := range uint64(n) {
		list = append(list, seed)
	}
	return list, n >= defaultProjects
}

// TestExecutedIsInsideTheBound runs the workflows of many generated projects and
// holds what they did against the bounds that were printed for them.
func TestExecutedIsInsideTheBound(t *testing.T) {
	t.Parallel()
	list, many := seeds(t)
	count := newTally()
	next := make(chan uint64)
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for seed := range next {
				t.Run(fmt.Sprint(seed), func(t *testing.T) { try(t, seed, count) })
			}
		})
	}
	for _, seed := range list {
		next <- seed
	}
	close(next)
	all.Wait()
	t.Logf("\n%s", count)
	if many && !t.Failed() {
		enough(t, len(list), count)
	}
}

// try generates, compiles and runs one project.
func try(t *testing.T, seed uint64, count *tally) {
	p := generate(seed)
	defer func() {
		if t.Failed() {
			t.Logf("repeat with %s=%d; the project:\n%s", seedEnv, seed, p["main.agent"])
		}
	}()
	r, ds := compile(p)
	if ds.HasErrors() {
		count.add("projects", "refused")
		for _, d := range ds {
			if d.Severity == diag.Error && !refusals[d.Code] {
				t.Errorf("seed %d: %s", seed, diag.Plain(d))
			}
		}
		return
	}
	count.add("projects", "compiled")
	countWritten(count, r.Programs)
	w := newWorld(t, seed, r, count)
	for _, flow := range w.graph.Workflows {
		w.tryFlow(flow.Name)
	}
}

// runsEach is how often a workflow is run.
const runsEach = 2

// tryFlow runs one workflow and checks everything about its runs.
func (w *world) tryFlow(flow string) {
	w.t.Helper()
	if gaps := runnable.Run(w.graph, w.result.Programs, flow); len(gaps) > 0 {
		w.count.add("runs", "refused")
		end, e := w.runOnce(flow, 0)
		if end != string(contract.FaultUnsupported) || len(e.executed()) > 0 {
			w.t.Errorf("seed %d: a run of %s comes to what this build does not carry out (%s); it ended as %s and executed %v", w.seed, flow, gaps[0], end, e.executed())
		}
		return
	}
	for n := range runsEach {
		end, e := w.runOnce(flow, n)
		w.count.add("runs", "run")
		w.count.add("ends", end)
		w.check(flow, e)
		w.verify(runID(w.seed, flow, n))
		w.measure(runID(w.seed, flow, n), flow, end, e)
	}
}

func runID(seed uint64, flow string, n int) string { return fmt.Sprintf("%d-%s-%d", seed, flow, n) }

func (w *world) runOnce(flow string, n int) (end string, e evidence) {
	w.t.Helper()
	id := runID(w.seed, flow, n)
	end = w.run(id, flow)
	return end, w.evidence(id)
}

func (w *world) check(flow string, e evidence) {
	w.t.Helper()
	b, ok := w.result.Bounds.Workflow(flow)
	if !ok {
		w.t.Fatalf("seed %d: workflow %s has no bound", w.seed, flow)
	}
	all := e.executed()
	for _, what := range outsideBound(w.graph, b, all) {
		w.t.Errorf("seed %d, workflow %s: %s\n%s", w.seed, flow, what, effects.Bounds{Workflows: []effects.Bound{b}}.Dump())
	}
	for _, x := range all {
		if x.agent == "" {
			continue
		}
		own, _ := w.result.Bounds.Agent(x.agent)
		for _, what := range outsideBound(w.graph, own, []executed{x}) {
			w.t.Errorf("seed %d, agent %s: %s", w.seed, x.agent, what)
		}
	}
	for _, what := range append(outsideWorld(w.graph, all), e.disagreements(w.graph)...) {
		w.t.Errorf("seed %d, workflow %s: %s", w.seed, flow, what)
	}
}

// verify checks the chain of a run, on which the trace as a witness rests.
func (w *world) verify(id string) {
	w.t.Helper()
	report, err := audit.Verify(w.t.Context(), w.store, id)
	if err != nil || report.Problem != nil {
		w.t.Errorf("seed %d: the chain of %s does not verify: %+v, %v", w.seed, id, report.Problem, err)
	}
}
