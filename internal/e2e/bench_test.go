package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/protobuf/proto"

	"terfyn/internal/canon"
	"terfyn/workflows/contract"
)

const (
	benchSteps    = 10
	benchParallel = 20
	benchRounds   = 5 // of each kind, alternating, so that load hits both alike
)

// sample is what one kind of workflow did.
type sample struct {
	elapsed time.Duration
	runs    []time.Duration
	events  int
	bytes   int
}

func (s *sample) throughput() float64 { return float64(len(s.runs)*benchSteps) / s.elapsed.Seconds() }

func (s *sample) percentile(p float64) time.Duration {
	slices.Sort(s.runs)
	return s.runs[min(len(s.runs)-1, int(p*float64(len(s.runs))))]
}

// BenchmarkInterpreter compares the interpreter with a workflow written by hand:
// the same ten sequential calls, twenty runs at a time, one server, one worker.
// The hand-written activity does nothing but echo, so everything terfyn adds to a
// call, its checks and its records in the store included, is in the ratio.
func BenchmarkInterpreter(b *testing.B) {
	s := startServer(b)
	for _, on := range []backend{onSQLite, onPostgres} {
		b.Run(string(on), func(b *testing.B) { benchmarkOn(b, s, on) })
	}
}

func benchmarkOn(b *testing.B, s *server, on backend) {
	w := newWorld(b, s, on)
	w.write(map[string]string{"main.agent": benchProject()})
	w.apply("local")
	w.benchWorker()
	var hand, ours sample
	w.benchRound(&sample{}, "warm-hand", "handwritten")
	w.benchRound(&sample{}, "warm-ours", contract.RunWorkflow)
	b.ResetTimer()
	for i := range b.N {
		for round := range benchRounds {
			w.benchRound(&hand, fmt.Sprintf("hand-%s-%d-%d", on, i, round), "handwritten")
			w.benchRound(&ours, fmt.Sprintf("ours-%s-%d-%d", on, i, round), contract.RunWorkflow)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(hand.throughput(), "hand-steps/s")
	b.ReportMetric(ours.throughput(), "terfyn-steps/s")
	b.ReportMetric(ours.throughput()/hand.throughput(), "throughput-ratio")
	b.ReportMetric(float64(ours.percentile(0.5))/float64(hand.percentile(0.5)), "p50-ratio")
	b.ReportMetric(float64(ours.percentile(0.99))/float64(hand.percentile(0.99)), "p99-ratio")
	b.ReportMetric(float64(ours.events-hand.events)/float64(len(ours.runs)), "extra-events/run")
	b.ReportMetric(float64(ours.bytes)/float64(hand.bytes), "history-bytes-ratio")
	b.Logf("by hand: p50 %s, p99 %s, %d events a run; terfyn: p50 %s, p99 %s, %d events a run",
		hand.percentile(0.5), hand.percentile(0.99), hand.events/len(hand.runs), ours.percentile(0.5), ours.percentile(0.99), ours.events/len(ours.runs))
}

func benchProject() string {
	var steps strings.Builder
	for i := range benchSteps {
		fmt.Fprintf(&steps, "    s%d = press.echo(n: story.n)\n", i)
	}
	return `
tool press {
    type native
    safety { trusted true sideEffects false }
    operations { echo { effects { press.read } readOnly true } }
}

workflow steps(story: any) {
` + steps.String() + `    return { n: story.n }
}
`
}

// echoIn and echoOut are the payloads of the hand-written activity.
type echoIn struct {
	N int `json:"n"`
}

type echoOut struct {
	Echo echoIn `json:"echo"`
}

func handwritten(ctx workflow.Context, in contract.RunIn) (echoIn, error) {
	n, _ := in.Input.At("n").AsInt()
	var out echoOut
	for i := range benchSteps {
		ctx := workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
			ActivityID: fmt.Sprintf("s%d", i), StartToCloseTimeout: time.Minute, HeartbeatTimeout: 10 * time.Second,
		})
		if err := workflow.ExecuteActivity(ctx, "handwritten-echo", echoIn{N: int(n)}).Get(ctx, &out); err != nil {
			return echoIn{}, err
		}
	}
	return out.Echo, nil
}

func (w *world) benchWorker() {
	w.t.Helper()
	wk, refusals := newWorker(w.client, w.store, w.root, w.queue, nil, 0)
	wk.RegisterWorkflowWithOptions(handwritten, workflow.RegisterOptions{Name: "handwritten"})
	wk.RegisterActivityWithOptions(func(_ context.Context, in echoIn) (echoOut, error) { return echoOut{Echo: in}, nil }, activity.RegisterOptions{Name: "handwritten-echo"})
	ctx, stop := context.WithCancel(context.Background())
	go refusals.Run(ctx)
	if err := wk.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { wk.Stop(); stop() })
}

// benchRound runs benchParallel runs at once and adds what they took to s.
func (w *world) benchRound(s *sample, prefix, workflowType string) {
	w.t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	start := time.Now()
	for i := range benchParallel {
		all.Add(1)
		go func() {
			defer all.Done()
			began := time.Now()
			id := fmt.Sprintf("%s-%d", prefix, i)
			run, err := w.client.ExecuteWorkflow(w.t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: w.queue}, workflowType,
				contract.RunIn{Workflow: "steps", Input: canon.Object(canon.F("n", canon.Int(7)))})
			if err == nil {
				err = run.Get(w.t.Context(), nil)
			}
			if err != nil {
				w.t.Errorf("%s: %v", id, err)
				return
			}
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			s.runs = append(s.runs, took)
		}()
	}
	all.Wait()
	s.elapsed += time.Since(start)
	for i := range benchParallel {
		h := w.history(fmt.Sprintf("%s-%d", prefix, i))
		s.events += len(h.Events)
		s.bytes += proto.Size(h)
	}
}

// stock are the server's own values of what the embedded server tunes.
var stock = []string{
	"history.transferProcessorMaxPollRPS=20", "history.timerProcessorMaxPollRPS=20",
	"matching.numTaskqueueReadPartitions=4", "matching.numTaskqueueWritePartitions=4",
}

// BenchmarkStepLatency compares a step on the embedded server as it is tuned with
// one on the server's stock settings: one run at a time, ten sequential calls
// of a hand-written workflow. Both keep the write-ahead log.
func BenchmarkStepLatency(b *testing.B) {
	step := map[string]time.Duration{}
	for _, kind := range []string{"tuned", "stock"} {
		settings := map[string][]string{"tuned": nil, "stock": stock}[kind]
		w := newWorld(b, startServer(b, settings...), onSQLite)
		w.benchWorker()
		var total time.Duration
		const runs = 5
		for i := range runs + 1 {
			began := time.Now()
			run, err := w.client.ExecuteWorkflow(b.Context(), client.StartWorkflowOptions{ID: fmt.Sprintf("%s-%d", kind, i), TaskQueue: w.queue}, "handwritten",
				contract.RunIn{Input: canon.Object(canon.F("n", canon.Int(7)))})
			if err == nil {
				err = run.Get(b.Context(), nil)
			}
			if err != nil {
				b.Fatal(err)
			}
			if i > 0 { // the first run warms caches
				total += time.Since(began)
			}
		}
		step[kind] = total / (runs * benchSteps)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(step["tuned"].Microseconds())/1000, "tuned-ms/step")
	b.ReportMetric(float64(step["stock"].Microseconds())/1000, "stock-ms/step")
	b.ReportMetric(float64(step["stock"])/float64(step["tuned"]), "stock/tuned")
}
