package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"terfyn/activities/model"
	"terfyn/activities/model/modeltest"
	"terfyn/examples/support-reply/mailsink/sink"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/store/open"
	"terfyn/store/storetest/pgserver"
	"terfyn/workflows/contract"
)

// inFlight is how many runs a crash test keeps going at once.
const inFlight = 16

// TestCrash kills the worker, the Temporal server or the store's process at seeded
// random instants while runs with gates and effects are in flight, and then shows
// that nothing was lost or doubled. A kill point is one run interrupted by one
// kill. TERFYN_CRASH_POINTS sets how many there are, TERFYN_CRASH_SEED repeats a
// sequence.
func TestCrash(t *testing.T) {
	points := number(t, "TERFYN_CRASH_POINTS", 200)
	seed := number(t, "TERFYN_CRASH_SEED", int(time.Now().UnixNano()%1e6))
	t.Logf("seed %d (TERFYN_CRASH_SEED repeats it), %d kill points", seed, points)
	for i, on := range []backend{onSQLite, onPostgres} {
		t.Run(string(on), func(t *testing.T) {
			c := newCrash(t, on, uint64(seed+i))
			c.rage((points + 1) / 2)
			c.settle()
			c.judge()
		})
	}
}

func number(t testing.TB, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// crash is one raging test.
type crash struct {
	*desk
	rng     *rand.Rand
	cluster *pgserver.Cluster // nil on SQLite: there the worker is the store's process
	models  *modeltest.Server
	worker  *process
	points  int
	kills   map[string]int

	mu      sync.Mutex
	started int
	open    map[string]bool
	told    map[string]string // approval id -> decision its decider was told is taken
	asked   map[string][]time.Time
}

func newCrash(t *testing.T, on backend, seed uint64) *crash {
	c := &crash{rng: rand.New(rand.NewPCG(seed, 1)), kills: map[string]int{}, open: map[string]bool{}, told: map[string]string{}, asked: map[string][]time.Time{}}
	w := &world{t: t, server: startServer(t), root: t.TempDir(), queue: "crash"}
	w.dsn = t.TempDir() + "/state.db"
	if on == onPostgres {
		cluster, err := pgserver.Start(t.Context(), pgserver.Durable)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cluster.Stop() })
		c.cluster, w.dsn = cluster, cluster.DSN("postgres")
	}
	var err error
	if w.store, err = open.Open(t.Context(), w.dsn, open.Migrate); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.store.Close() })
	if w.client, err = dial(w.server.address(), w.store); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
	c.desk = &desk{world: w, sink: &sink.Sink{}}
	mail := httptest.NewServer(slow(c.sink))
	t.Cleanup(mail.Close)
	c.models = modeltest.NewServer(c.script)
	t.Cleanup(c.models.Close)
	t.Setenv("TERFYN_E2E_KEY", "key")
	c.copy(exampleDir)
	c.edit("tools.agent", `"http://127.0.0.1:8025"`, `"`+mail.URL+`"`)
	c.edit("agents.agent", "model mock/drafter", "model lab/drafter")
	c.edit("agents.agent", "model mock/reviewer", "model lab/reviewer")
	c.edit("policy.agent", "maxWallClockSeconds 300", "maxWallClockSeconds 3600")
	c.write(map[string]string{"lab.agent": `provider lab { type openai baseUrl "` + c.models.URL + `" apiKeyFrom "env:TERFYN_E2E_KEY" }`})
	c.apply("local")
	c.worker = c.startProcess()
	return c
}

// slow gives a service the latency of a remote one, so that kills also come while
// it is at work: half of the time before it acted, half after.
func slow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pause(r.Context())
		next.ServeHTTP(w, r)
		pause(r.Context())
	})
}

func pause(ctx context.Context) {
	timer := time.NewTimer(time.Duration(rand.IntN(100)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// script answers like the example's mocks and notes when each turn was asked for.
func (c *crash) script(r modeltest.Request) modeltest.Turn {
	text := string(r.Body)
	id := text[strings.Index(text, "T-"):]
	id = id[:strings.IndexAny(id, `\"`)]
	drafter := strings.Contains(text, `"drafter"`)
	round := 0
	if strings.Contains(text, "promises a day") || (!drafter && !strings.Contains(text, "next Tuesday")) {
		round = 1
	}
	key := fmt.Sprintf("%s drafter=%v round=%d turn=%d", id, drafter, round, r.Assistants())
	c.mu.Lock()
	c.asked[key] = append(c.asked[key], time.Now())
	c.mu.Unlock()
	pause(c.t.Context())
	switch {
	case drafter && round == 0 && r.Assistants() == 0:
		return modeltest.Turn{Calls: []model.Call{{ID: "c1", Name: "articles", Arguments: value(c.t, `{"path":"shipping.md"}`)}}}
	case drafter && round == 0:
		return modeltest.Turn{Text: `{"subject":"Re","body":"next Tuesday"}`}
	case drafter:
		return modeltest.Turn{Text: `{"subject":"Re","body":"three to five days"}`}
	case round == 0:
		return modeltest.Turn{Text: `{"approved":false,"remarks":"promises a day"}`}
	}
	return modeltest.Turn{Text: `{"approved":true,"remarks":"fine"}`}
}

// rage keeps runs in flight and kills until enough points are made.
func (c *crash) rage(points int) {
	stop := make(chan struct{})
	var people sync.WaitGroup
	people.Add(1)
	go func() { defer people.Done(); c.people(stop) }()
	for c.points < points {
		c.fill()
		c.wait(time.Duration(200+c.rng.IntN(3800)) * time.Millisecond)
		c.kill()
	}
	close(stop)
	people.Wait()
}

// wait lets real time pass: the instants of the kills are what the test varies.
func (c *crash) wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.t.Context().Done():
	}
}

// fill starts runs until enough are in flight.
func (c *crash) fill() {
	c.refresh()
	for {
		c.mu.Lock()
		n, id := len(c.open), fmt.Sprintf("crash-%d", c.started)
		if n >= inFlight {
			c.mu.Unlock()
			return
		}
		c.started++
		c.open[id] = true
		c.mu.Unlock()
		if c.rng.IntN(8) == 0 {
			c.sink.LoseNext(1)
		}
		_, err := c.client.ExecuteWorkflow(c.t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: c.queue}, contract.RunWorkflow, c.reply("T-"+id))
		if err != nil {
			c.t.Fatalf("start %s: %v", id, err)
		}
	}
}

// refresh forgets the runs that ended.
func (c *crash) refresh() {
	c.mu.Lock()
	ids := make([]string, 0, len(c.open))
	for id := range c.open {
		ids = append(ids, id)
	}
	c.mu.Unlock()
	for _, id := range ids {
		if r, err := c.store.Run(c.t.Context(), id); err == nil && r.Status.Closed() {
			c.mu.Lock()
			delete(c.open, id)
			c.mu.Unlock()
		}
	}
}

// kill ends one process without warning and starts it again.
func (c *crash) kill() {
	c.refresh()
	c.mu.Lock()
	hit := len(c.open)
	c.mu.Unlock()
	victims := []string{"worker", "server"}
	if c.cluster != nil {
		victims = append(victims, "store")
	}
	victim := victims[c.rng.IntN(len(victims))]
	switch victim {
	case "worker":
		c.worker.kill()
		c.worker = c.startProcess()
	case "server":
		c.server.kill()
	case "store":
		ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
		defer cancel()
		if err := c.cluster.Crash(ctx); err != nil {
			c.t.Fatal(err)
		}
	}
	c.points += hit
	c.kills[victim]++
}

// people decide whatever is open, half of them by update, half by signal, and
// remember what they were told.
func (c *crash) people(stop <-chan struct{}) {
	rng := rand.New(rand.NewPCG(7, uint64(c.points)))
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			c.decideOpen(rng)
		}
	}
}

func (c *crash) decideOpen(rng *rand.Rand) {
	list, err := c.store.ListApprovals(c.t.Context(), store.ApprovalFilter{Status: store.ApprovalOpen, Limit: 100})
	if err != nil {
		return // the store was killed; the next tick asks again
	}
	var all sync.WaitGroup
	for _, a := range list {
		if a.Kind == string(policy.KindUnknownOutcome) {
			c.t.Errorf("%s asks a person although the sink can be asked: %s", a.RunID, a.Description)
		}
		d := approval(a, policy.Approve)
		bySignal := rng.IntN(2) == 0
		all.Add(1)
		go func() {
			defer all.Done()
			ctx, cancel := context.WithTimeout(c.t.Context(), 3*time.Second)
			defer cancel()
			if bySignal {
				_ = c.client.SignalWorkflow(ctx, a.RunID, "", contract.SignalDecision, d)
				return
			}
			h, err := c.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
				WorkflowID: a.RunID, UpdateName: contract.UpdateDecide, UpdateID: a.ID, Args: []any{d}, WaitForStage: client.WorkflowUpdateStageCompleted,
			})
			var v contract.Verdict
			if err == nil && h.Get(ctx, &v) == nil {
				c.mu.Lock()
				c.told[a.ID] = v.Status
				c.mu.Unlock()
			}
		}()
	}
	all.Wait()
}

// settle lets every run come to its end, undisturbed.
func (c *crash) settle() {
	stop := make(chan struct{})
	var people sync.WaitGroup
	people.Add(1)
	go func() { defer people.Done(); c.people(stop) }()
	eventually(c.t, 3*time.Minute, "every run ends after the last kill", func() bool {
		c.refresh()
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.open) == 0
	})
	close(stop)
	people.Wait()
	c.t.Logf("%d runs, %d kill points, kills %v, %d mails, %d model turns", c.started, c.points, c.kills, len(c.sink.Messages()), c.models.Calls())
}

// judge compares what happened with what may happen.
func (c *crash) judge() {
	mails := map[string]int{}
	for _, m := range c.sink.Messages() {
		mails[m.OperationID]++
	}
	completed := map[string][]time.Time{}
	for i := range c.started {
		id := fmt.Sprintf("crash-%d", i)
		row := c.row(id)
		if row.Status != store.RunSucceeded {
			c.t.Errorf("%s ended as %s: %s %s", id, row.Status, row.ErrorType, row.ErrorText)
		}
		effects, err := c.store.EffectsOf(c.t.Context(), id)
		if err != nil || len(effects) != 1 || effects[0].State != store.EffectSucceeded {
			c.t.Errorf("%s: ledger %+v, %v", id, effects, err)
			continue
		}
		if n := mails[effects[0].OperationID]; n != 1 {
			c.t.Errorf("%s sent %d mails", id, n)
		}
		c.verify(id)
		for _, e := range c.events(id, contract.LLMCompletion) {
			completed[id] = append(completed[id], e.At)
		}
	}
	if len(mails) != c.started {
		c.t.Errorf("%d operations sent mail for %d runs", len(mails), c.started)
	}
	c.judgeTold()
	c.judgeModels(completed)
	if len(c.models.Faults()) > 0 {
		c.t.Errorf("the model server refused conversations: %v", c.models.Faults())
	}
}

// judgeTold: a decision somebody was told is taken is the stored one.
func (c *crash) judgeTold() {
	for id, status := range c.told {
		a, err := c.store.Approval(c.t.Context(), id)
		if err != nil || string(a.Status) != status {
			c.t.Errorf("%s: the decider was told %s, the store says %s, %v", id, status, a.Status, err)
		}
		if ds, err := c.store.Decisions(c.t.Context(), id); err != nil || len(ds) != 1 {
			c.t.Errorf("%s has %d decisions, %v", id, len(ds), err)
		}
	}
}

// judgeModels: a turn was asked for again only if no completion of it was recorded
// by then. Each run has five turns; a sixth completion would be one billed twice.
func (c *crash) judgeModels(completed map[string][]time.Time) {
	const turns = 5
	for i := range c.started {
		id := fmt.Sprintf("crash-%d", i)
		if n := len(completed[id]); n != turns {
			c.t.Errorf("%s has %d completions, its program makes %d turns", id, n, turns)
		}
		slices.SortFunc(completed[id], time.Time.Compare)
	}
	for key, times := range c.asked {
		id := strings.TrimPrefix(strings.Fields(key)[0], "T-")
		first := slices.MinFunc(times, time.Time.Compare)
		for _, at := range times {
			// The completion of this very turn is the first one after its first request.
			i := slices.IndexFunc(completed[id], func(done time.Time) bool { return done.After(first) })
			if i >= 0 && at.After(completed[id][i]) {
				c.t.Errorf("%s was asked for again at %s, its completion was recorded at %s", key, at, completed[id][i])
			}
		}
	}
}
