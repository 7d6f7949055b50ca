package rules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/canon"
)

// canary is what prose of the mutilated sets says; no finding may repeat it.
const canary = "CANARY of <script> & secrets"

// TestMutilatedSets takes sets apart at random: references break, lists become
// empty, members vanish or change their type. Rules must stay on their feet, say
// the same every time, at places that exist, in the words of the catalogue.
func TestMutilatedSets(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*testing.T) settest.Files{
		"workshop": func(t *testing.T) settest.Files { return settest.Parse(t, workshop) },
		"library":  func(t *testing.T) settest.Files { return settest.Parse(t, library) },
		"minimal":  func(t *testing.T) settest.Files { return settest.Sample(t, minimal) },
		"software": func(t *testing.T) settest.Files { return settest.Sample(t, software) },
		"product":  func(t *testing.T) settest.Files { return settest.Sample(t, "examples/product-delivery-team") },
		"source":   func(t *testing.T) settest.Files { return settest.Sample(t, "examples/open-source-maintainer") },
		"flows":    func(t *testing.T) settest.Files { return settest.Sample(t, "fixtures/discovery/multi-workflow") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := set(t)
			found := 0
			for seed := range uint64(30) {
				damaged := mutilated(whole, seed)
				records := rules.Check(damaged.Index())
				manifest.Sort(records)
				again := rules.Check(damaged.Index())
				manifest.Sort(again)
				if diff := cmp.Diff(records, again); diff != "" {
					t.Fatalf("seed %d: the second run differs:\n%s", seed, diff)
				}
				for _, r := range records {
					checkRecord(t, damaged, r)
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
				found += len(records)
			}
			if found == 0 {
				t.Error("no finding at all")
			}
		})
	}
}

func checkRecord(t *testing.T, set settest.Files, r manifest.Record) {
	t.Helper()
	entry, known := code.Lookup(r.Code)
	if !known || !strings.Contains(entry.Severity, string(r.Severity)) {
		t.Errorf("%s is given as %s, the catalogue has %q", r.Code, r.Severity, entry.Severity)
	}
	if r.Layer != manifest.SemanticLayer || r.Kind == "" || !strings.HasSuffix(r.Message, ".") || strings.Count(r.Message, ". ") > 0 {
		t.Errorf("%s has layer %q, kind %q, message %q", r.Code, r.Layer, r.Kind, r.Message)
	}
	for _, text := range slices.Concat([]string{r.Message, r.Suggestion, r.Details.Reference}, r.Details.Members) {
		if strings.Contains(text, "CANARY") {
			t.Errorf("%s repeats prose: %q", r.Code, text)
		}
	}
	for _, p := range append([]manifest.Place{{File: r.File, Path: r.Path}}, r.Related...) {
		parent := p.Path[:max(0, strings.LastIndexByte(p.Path, '/'))]
		if _, ok := set.At(p.File, parent); !ok && !strings.HasSuffix(parent, "/audit") && !strings.HasSuffix(parent, "/freshness") {
			t.Errorf("%s is given at %s%s, which has no parent", r.Code, p.File, p.Path)
		}
	}
}

func mutilated(whole settest.Files, seed uint64) settest.Files {
	r := rand.New(rand.NewPCG(seed, 7))
	out := settest.Files{}
	for _, name := range whole.Names() {
		v := spoken(whole[name])
		for range r.IntN(6) {
			v = gnawed(r, v)
		}
		if v.Str("kind") != whole[name].Str("kind") {
			v = v.With("kind", canon.String(whole[name].Str("kind")))
		}
		if r.IntN(20) > 0 {
			out[name] = v
		}
	}
	return out
}

// spoken is v with every prose field saying the canary.
func spoken(v canon.Value) canon.Value {
	switch v.Kind() {
	case canon.KindList:
		var items []canon.Value
		for _, i := range v.Items() {
			items = append(items, spoken(i))
		}
		return canon.List(items...)
	case canon.KindObject:
		for _, f := range v.Fields() {
			switch f.Name {
			case "description", "displayName", "title", "reason", "nextAction", "notes", "name", "retention", "ownership", "namespace", "conditions":
				v = v.With(f.Name, canon.String(canary))
			default:
				v = v.With(f.Name, spoken(f.Value))
			}
		}
	}
	return v
}

// odd is what may stand where something else is expected.
var odd = []canon.Value{
	canon.Null(), canon.Bool(true), canon.Int(7), canon.List(), canon.Object(), canon.String(""), canon.String(canary), canon.String("ghost"),
	canon.List(canon.String("ghost"), canon.Null(), canon.Int(1)), canon.String("bot"), canon.String("active"), canon.String("deny"),
	canon.List(canon.String("make"), canon.String("ann"), canon.String("ann")), canon.String("approval_required"), canon.String("chair"),
}

// gnawed is v with one value below it changed or gone.
func gnawed(r *rand.Rand, v canon.Value) canon.Value {
	if r.IntN(12) == 0 {
		return odd[r.IntN(len(odd))]
	}
	switch v.Kind() {
	case canon.KindList:
		items := slices.Clone(v.Items())
		if len(items) == 0 {
			return v
		}
		i := r.IntN(len(items))
		switch r.IntN(8) {
		case 0:
			return canon.List(slices.Delete(items, i, i+1)...)
		case 1:
			return canon.List(append(items, items[i])...)
		}
		items[i] = gnawed(r, items[i])
		return canon.List(items...)
	case canon.KindObject:
		if len(v.Fields()) == 0 {
			return v
		}
		f := v.Fields()[r.IntN(len(v.Fields()))]
		if r.IntN(8) == 0 {
			return v.Without(f.Name)
		}
		return v.With(f.Name, gnawed(r, f.Value))
	}
	return odd[r.IntN(len(odd))]
}

// Rules only look: the set is the same afterwards.
func TestRulesChangeNothing(t *testing.T) {
	t.Parallel()
	set := settest.Parse(t, workshop)
	x := set.Index()
	rules.Check(x)
	for _, d := range x.Set().Documents {
		if !canon.Equal(d.Root, set[d.File]) {
			t.Errorf("%s has changed", d.File)
		}
	}
	if _, ok := x.Find(refs.Task, "build"); !ok {
		t.Error("the index has changed")
	}
}
