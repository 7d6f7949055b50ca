package audit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/audit"
)

func sample() store.Event {
	return store.Event{
		RunID: "run-1", Seq: 7, CallSite: "review#2/post", Attempt: 1, Type: "tool_called", Ordinal: 3, ActorType: "agent", ActorID: "writer",
		At: time.Date(2026, 3, 1, 9, 30, 0, 123456789, time.FixedZone("", 3600)), Data: []byte(`{"n":1.10}`),
	}
}

// The encoding is a stored format: a chain written by an older build has to
// verify, so these digests never change.
func TestHashIsStable(t *testing.T) {
	t.Parallel()
	genesis := audit.Genesis("run-1")
	for _, c := range []struct{ what, got, want string }{
		{"genesis", string(genesis), "sha256:2b6d59839bd308a4f6719d596d082c8274d529eb5f85b28e1a2c505b1bfbc47a"},
		{"body", string(audit.Body(sample())), "sha256:c66e43f3fa3c67900051e3fab12acc0190d60203f339d6fe97ad636b44b3c000"},
		{"hash", string(audit.Hash(genesis, sample())), "sha256:5e7d74fbc628ab90fcd0abef920c6ab13833d5ef1fc2f1b69c5a2ff6b8f3b9b7"},
	} {
		if c.got != c.want {
			t.Errorf("%s is %s, want %s", c.what, c.got, c.want)
		}
	}
}

func TestHashReadsEveryField(t *testing.T) {
	t.Parallel()
	prev := audit.Genesis("run-1")
	seen := map[canon.Digest]string{audit.Hash(prev, sample()): "nothing"}
	for _, c := range []struct {
		name   string
		change func(*store.Event)
	}{
		{"run", func(e *store.Event) { e.RunID = "run-2" }},
		{"seq", func(e *store.Event) { e.Seq = 8 }},
		{"call site", func(e *store.Event) { e.CallSite = "x" }},
		{"attempt", func(e *store.Event) { e.Attempt = 2 }},
		{"type", func(e *store.Event) { e.Type = "x" }},
		{"ordinal", func(e *store.Event) { e.Ordinal = 4 }},
		{"actor type", func(e *store.Event) { e.ActorType = "user" }},
		{"actor", func(e *store.Event) { e.ActorID = "x" }},
		{"time", func(e *store.Event) { e.At = e.At.Add(time.Microsecond) }},
		{"data", func(e *store.Event) { e.Data = []byte(`{"n":1.1}`) }},
		{"no data", func(e *store.Event) { e.Data = nil }},
		// Text that moves over a border between fields is another event.
		{"border 1", func(e *store.Event) { e.RunID, e.CallSite = "run-1r", "eview#2/post" }},
		{"border 2", func(e *store.Event) { e.ActorType, e.ActorID = "agentw", "riter" }},
		{"border 3", func(e *store.Event) { e.Attempt, e.Ordinal = 3, 1 }},
	} {
		e := sample()
		c.change(&e)
		h := audit.Hash(prev, e)
		if other, clash := seen[h]; clash {
			t.Errorf("changing %s gives the hash of changing %s", c.name, other)
		}
		seen[h] = c.name
	}
	if audit.Hash(audit.Genesis("run-2"), sample()) == audit.Hash(prev, sample()) {
		t.Error("the previous hash is not part of the hash")
	}
}

func TestHashIgnoresWhatIsNotStored(t *testing.T) {
	t.Parallel()
	e := sample()
	e.At = e.At.UTC().Truncate(time.Microsecond)
	e.PrevHash, e.Hash = "x", "y"
	if audit.Hash("p", e) != audit.Hash("p", sample()) {
		t.Error("zone, nanoseconds or hash columns enter the hash")
	}
	e.Data = nil
	none := audit.Hash("p", e)
	e.Data = []byte{}
	if audit.Hash("p", e) != none {
		t.Error("nil and empty data differ")
	}
}

// chain is a trace held in memory; only what Verify needs.
type chain struct {
	store.Trace
	events []store.Event
	head   store.ChainHead
	err    error
}

func (c chain) ChainHead(context.Context, string) (store.ChainHead, error) {
	if c.head.Seq == 0 {
		return c.head, store.ErrNotFound
	}
	return c.head, nil
}

func (c chain) EachEvent(_ context.Context, _ string, f func(store.Event) error) error {
	for _, e := range c.events {
		if err := f(e); err != nil {
			return err
		}
	}
	return c.err
}

func linked(n int) chain {
	var c chain
	prev := audit.Genesis("run-1")
	for i := range n {
		e := sample()
		e.Seq, e.CallSite, e.PrevHash = int64(i+1), fmt.Sprint("step", i), prev
		e.Hash = audit.Hash(prev, e)
		prev = e.Hash
		c.events = append(c.events, e)
	}
	c.head = store.ChainHead{Seq: int64(n), Hash: prev}
	return c
}

// alive is a chain whose head moves on between two reads of it.
type alive struct {
	chain
	heads []store.ChainHead
	read  *int
}

func (a alive) ChainHead(context.Context, string) (store.ChainHead, error) {
	*a.read++
	return a.heads[min(*a.read, len(a.heads))-1], nil
}

func TestVerifyToleratesALiveChain(t *testing.T) {
	t.Parallel()
	c := linked(6)
	before := store.ChainHead{Seq: 4, Hash: c.events[3].Hash} // read before two appends
	report, err := audit.Verify(context.Background(), alive{c, []store.ChainHead{before, c.head}, new(int)}, "run-1")
	if err != nil || !report.Intact() || report.Count != 6 || report.Head != c.events[5].Hash {
		t.Fatalf("%+v, %v", report, err)
	}
}

// Rows that were added behind the head fit the chain, but no append made them.
func TestVerifyFindsAddedRows(t *testing.T) {
	t.Parallel()
	c := linked(6)
	c.head = store.ChainHead{Seq: 4, Hash: c.events[3].Hash}
	report, err := audit.Verify(context.Background(), c, "run-1")
	if err != nil || report.Intact() || report.Problem.Kind != audit.Head || report.Problem.Seq != 5 {
		t.Fatalf("%+v, %v", report, err)
	}
}

// An intruder who rewrites the rest of the chain is caught by the head.
func TestVerifyFindsARewrittenChain(t *testing.T) {
	t.Parallel()
	c := linked(6)
	prev := c.events[1].Hash
	for i := 2; i < 6; i++ {
		e := c.events[i]
		e.ActorID, e.PrevHash = "mallory", prev
		e.Hash = audit.Hash(prev, e)
		prev, c.events[i] = e.Hash, e
	}
	report, err := audit.Verify(context.Background(), c, "run-1")
	if err != nil || report.Intact() || report.Problem.Kind != audit.Head || report.Problem.Seq != 6 {
		t.Fatalf("%+v, %v", report.Problem, err)
	}
}

func TestVerifyReportsTheFirstProblemAndCountsOn(t *testing.T) {
	t.Parallel()
	c := linked(6)
	c.events[1].ActorID = "mallory"
	c.events[4].Data = []byte("{}")
	report, err := audit.Verify(context.Background(), c, "run-1")
	if err != nil || report.Problem == nil || report.Problem.Seq != 2 || report.Count != 6 {
		t.Fatalf("%+v, %v", report, err)
	}
}

func TestVerifyTellsDamageFromFailure(t *testing.T) {
	t.Parallel()
	c := linked(3)
	c.err = fmt.Errorf("event 4: %w", store.ErrCorrupt)
	report, err := audit.Verify(context.Background(), c, "run-1")
	if err != nil || report.Problem == nil || report.Problem.Kind != audit.Unreadable || report.Problem.Seq != 4 {
		t.Fatalf("unreadable columns: %+v, %v", report.Problem, err)
	}
	c.err = errors.New("connection lost")
	if _, err = audit.Verify(context.Background(), c, "run-1"); !errors.Is(err, c.err) {
		t.Fatalf("a lost connection: %v", err)
	}
	if _, err = audit.Verify(context.Background(), chain{}, "run-1"); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("no chain: %v", err)
	}
	c = linked(2)
	c.head.Seq = 0
	report, err = audit.Verify(context.Background(), c, "run-1")
	if err != nil || report.Problem == nil || report.Problem.Kind != audit.Head {
		t.Fatalf("no head: %+v, %v", report.Problem, err)
	}
}
