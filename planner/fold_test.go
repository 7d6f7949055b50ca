package planner_test

import (
	"encoding/json"
	"testing"

	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/authority"
)

func low(effect, reason string) authority.Entry {
	return authority.Entry{Effect: effect, Reachability: authority.Unreachable, Severity: authority.LowSeverity, Reason: reason}
}

// Behaviour 80: documents list what each root cannot reach, as an entry of its own,
// however it is kept.
func TestBehaviour80DocumentsListWhatIsNotReached(t *testing.T) {
	t.Parallel()
	p := changed(t, widen)
	odd := low("mail.read", "no path to tool.mail.read")
	odd.Capability = "tool.mail.read"
	p.EffectBound = append(p.EffectBound,
		authority.Bound{Root: "Workflow/x", Entries: []authority.Entry{low("a.b", "no path to tool.t.a"), odd, low("a.b", "no path to tool.t.a")}},
		authority.Bound{Root: "Workflow/y", Entries: []authority.Entry{low("a.b", "no path to tool.t.c"), low("a.b", "no path to tool.t.a")}},
		authority.Bound{Root: "Workflow/z", Entries: []authority.Entry{}},
	)
	raw, err := json.Marshal(p.EffectBound)
	if err != nil {
		t.Fatal(err)
	}
	want, err := canon.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.JSON().At("effectBound"); !canon.Equal(got, want) {
		t.Errorf("the document has\n%s\nwant\n%s", got.JSON(), want.JSON())
	}
	read, err := planner.DecodeFile(planner.EncodeFile(p))
	if err != nil {
		t.Fatal(err)
	}
	if got := read.JSON().At("effectBound"); !canon.Equal(got, want) {
		t.Errorf("after saving the document has\n%s\nwant\n%s", got.JSON(), want.JSON())
	}
}

// The digest holds every entry that a plan keeps once for many roots.
func TestDigestHoldsWhatIsNotReached(t *testing.T) {
	t.Parallel()
	of := func(entries ...authority.Entry) canon.Digest {
		p := changed(t, widen)
		p.EffectBound = append(p.EffectBound, authority.Bound{Root: "Workflow/x", Entries: entries})
		return p.Digest()
	}
	a, b := low("a.b", "no path to tool.t.a"), low("a.c", "no path to tool.t.a")
	other := low("a.b", "no path to tool.t.c")
	seen := map[canon.Digest]int{}
	for i, entries := range [][]authority.Entry{{}, {a}, {b}, {other}, {a, b}, {b, a}, {a, a}} {
		d := of(entries...)
		if before, twice := seen[d]; twice {
			t.Errorf("lists %d and %d have one digest", before, i)
		}
		seen[d] = i
	}
}

func TestTouches(t *testing.T) {
	t.Parallel()
	if got := plan(t, desk(), desk()).Touches(); len(got) != 0 {
		t.Errorf("no change touches %v", got)
	}
	p := planner.Plan{
		Operations:      []planner.Operation{{Action: planner.Create, Kind: "Agent", Name: "a"}, {Action: planner.Update, Kind: "Tool", Name: "t"}},
		CapabilityDelta: []authority.CapabilityChange{{Agent: "b"}},
		EffectDelta:     []authority.EffectChange{{Root: "Workflow/w"}},
	}
	got := p.Touches()
	for _, root := range []string{"Agent/a", "Agent/b", "Workflow/w"} {
		if !got[root] {
			t.Errorf("%s is not touched", root)
		}
	}
	if len(got) != 3 {
		t.Errorf("touched are %v", got)
	}
}
