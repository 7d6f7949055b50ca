package planner_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/loops"
	"terfyn/planner/risk"
)

func TestFileRoundTrip(t *testing.T) {
	t.Parallel()
	for name, p := range goldenPlans(t) {
		b := planner.EncodeFile(p)
		got, err := planner.DecodeFile(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(planner.EncodeFile(got), b) || got.Digest() != p.Digest() {
			t.Errorf("%s: reading and writing changes the plan", name)
		}
	}
}

// signed gives a document the file digest it should have, so that what lies behind
// that check is reached.
func signed(t *testing.T, file string) string {
	t.Helper()
	doc, err := canon.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	doc = doc.Without("fileDigest")
	return doc.With("fileDigest", canon.String(string(doc.Digest()))).JSON()
}

func TestFileIsRefused(t *testing.T) {
	t.Parallel()
	file := string(planner.EncodeFile(changed(t, widen)))
	for _, test := range []struct {
		name, old, new string
		is             error
		text           string
	}{
		{"other version", `"formatVersion":3`, `"formatVersion":9`, planner.ErrFileFormat, "9; this build reads version 3"},
		{"no version", `"formatVersion":3,`, ``, planner.ErrNotPlan, "no formatVersion"},
		{"authority altered", `"autonomous":"widened"`, `"autonomous":"unchanged"`, planner.ErrFileDigest, ""},
		{"baseline altered", `"version":4`, `"version":5`, planner.ErrFileDigest, ""},
		{"environment altered", `"environment":"local"`, `"environment":"prod"`, planner.ErrFileDigest, ""},
		{"project altered", `"project":"desk"`, `"project":"other"`, planner.ErrFileDigest, ""},
		{"unknown member", `"formatVersion":3`, `"formatVersion":3,"extra":1`, planner.ErrFileDigest, ""},
		{"member twice", `"formatVersion":3`, `"formatVersion":3,"formatVersion":3`, planner.ErrFileDigest, ""},
		{"other spelling", `"riskItems":`, `"riskitems":`, planner.ErrFileDigest, ""},
		{"missing list", `"policyLint":[],`, ``, planner.ErrFileDigest, ""},
		{"evidence altered", `"evidence":"not-checked"`, `"evidence":"evidence-current"`, planner.ErrFileDigest, ""},
		{"cut off", file[len(file)/2:], ``, planner.ErrNotPlan, "not a saved plan"},
		{"something else", file, `{"a": 1}`, planner.ErrNotPlan, "not a saved plan"},
		{"no object", file, `[]`, planner.ErrNotPlan, "not a saved plan"},
		{"an entry that is not in the table", `"unreachable":[`, `"unreachable":[99,`, planner.ErrFileDigest, ""},
	} {
		altered := strings.Replace(file, test.old, test.new, 1)
		if altered == file {
			t.Fatalf("%s: nothing altered", test.name)
		}
		_, err := planner.DecodeFile([]byte(altered))
		if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.is != planner.ErrFileDigest || test.name == "evidence altered" || test.name == "member twice" {
			continue // evidence is no part of a plan's own digest; signing writes a member once
		}
		if _, err := planner.DecodeFile([]byte(signed(t, altered))); !errors.Is(err, planner.ErrFileDigest) {
			t.Errorf("%s, with another file digest: %v", test.name, err)
		}
	}
}

// canary is a secret that stands in a project as a literal.
const canary = "canary-5b1f"

// Behaviour 266: a literal secret is in no output of a plan, nor in its file.
func TestBehaviour266PlanFileHoldsNoSecret(t *testing.T) {
	t.Parallel()
	secrets := func(d *project) {
		d.graph.Tools[0].HTTP.Headers = []resource.Header{{Name: "Authorization", Value: "Bearer " + canary}}
		d.graph.Tools[0].HTTP.BaseURL = "https://me:" + canary + "@hub.example"
		d.graph.Tools = append(d.graph.Tools, resource.Tool{Name: "far", Type: "mcp", MCP: &resource.MCP{
			Transport: "stdio", Command: "serve", Args: []string{"--token", canary, "--api-key=" + canary},
			Headers: []resource.Header{{Name: "X", Value: canary}},
		}})
		d.graph.Environments = []resource.Environment{{Name: "local", Tools: map[string]resource.ToolOverride{
			"hub": {HTTP: &resource.HTTP{Headers: []resource.Header{{Name: "Y", Value: canary}}}},
		}}}
	}
	with, other := desk(), desk()
	secrets(&with)
	secrets(&other)
	other.graph.Tools[0].HTTP.Headers[0].Value = "Bearer other"
	for name, p := range map[string]planner.Plan{
		"added": changed(t, secrets), "removed": changedFrom(t, secrets), "rotated": plan(t, other, with),
	} {
		if p.Empty() {
			t.Errorf("%s: no change", name)
		}
		if bytes.Contains(planner.EncodeFile(p), []byte(canary)) {
			t.Errorf("%s: the file holds the secret", name)
		}
		if _, err := planner.DecodeFile(planner.EncodeFile(p)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is decoded has one encoding, and nothing makes the decoder panic: neither
// the text itself nor the plan it would be with digests that fit.
func FuzzPlanFile(f *testing.F) {
	for _, p := range []planner.Plan{{}, {Project: "p", Operations: []planner.Operation{{Action: planner.Create, Kind: "Agent", Name: "a"}}}} {
		f.Add(planner.EncodeFile(p))
	}
	golden, err := os.ReadFile("testdata/widen.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Fuzz(func(t *testing.T, b []byte) {
		fixed(t, b)
		var p planner.Plan
		if json.Unmarshal(b, &p) != nil {
			return
		}
		file := planner.EncodeFile(p)
		if got := fixed(t, file); got == nil {
			t.Errorf("what was encoded is not decoded: %s", file)
		}
	})
}

// fixed decodes and encodes until nothing changes, which is at once; nil when b is
// no plan.
func fixed(t *testing.T, b []byte) *planner.Plan {
	t.Helper()
	p, err := planner.DecodeFile(b)
	if err != nil {
		return nil
	}
	once := planner.EncodeFile(p)
	again, err := planner.DecodeFile(once)
	if err != nil {
		t.Fatalf("%v\n%s", err, once)
	}
	if twice := planner.EncodeFile(again); !bytes.Equal(once, twice) {
		t.Fatalf("%s\n%s", once, twice)
	}
	return &p
}

// Evidence is recorded between a plan and its apply, so it is no part of the
// plan's identity; everything else that was reviewed is.
func TestDigestCoversWhatWasReviewed(t *testing.T) {
	t.Parallel()
	base := changed(t, func(d *project) { widen(d); d.graph.Policies[0].RequireEvidence = true })
	if len(find(base, risk.EvidenceMissing)) != 1 || len(base.Refusals) != 1 {
		t.Fatalf("%v %v", base.Risk, base.Refusals)
	}
	current := base
	current.Evidence, current.Refusals, current.PolicyLint = planner.EvidenceCurrent, nil, []planner.Lint{{Policy: "house"}}
	current.OpenRuns.Runs = []planner.OpenRun{{RunID: "run-1"}}
	if current.Digest() != base.Digest() {
		t.Error("evidence, advice or open runs change the digest")
	}
	for name, edit := range map[string]func(*planner.Plan){
		"environment": func(p *planner.Plan) { p.Environment = "prod" },
		"operations":  func(p *planner.Plan) { p.Operations = p.Operations[1:] },
		"bound":       func(p *planner.Plan) { p.EffectBound = p.EffectBound[1:] },
		"risk":        func(p *planner.Plan) { p.RiskItems = p.RiskItems[1:] },
		"baseline":    func(p *planner.Plan) { p.DeploymentBaseline.Version++ },
		"config":      func(p *planner.Plan) { p.ResolvedConfigDigest = "" },
		"loops":       func(p *planner.Plan) { p.Loops = append(p.Loops, loops.Loop{Workflow: "answer"}) },
		"turns":       func(p *planner.Plan) { p.Turns = nil },
		"ceilings":    func(p *planner.Plan) { p.Ceilings = nil },
		"programs":    func(p *planner.Plan) { p.Programs = append(p.Programs, planner.ProgramChange{}) },
		"triggers":    func(p *planner.Plan) { p.Triggers = nil },
	} {
		p := base
		edit(&p)
		if p.Digest() == base.Digest() {
			t.Errorf("%s is no part of the digest", name)
		}
	}
}
