package planner_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"terfyn/planner"
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

func TestFileIsRefused(t *testing.T) {
	t.Parallel()
	file := string(planner.EncodeFile(changed(t, widen)))
	for _, test := range []struct {
		name, old, new string
		is             error
		text           string
	}{
		{"other version", `"formatVersion":1`, `"formatVersion":9`, planner.ErrFileFormat, "9; this build reads version 1"},
		{"no version", `"formatVersion":1,`, ``, planner.ErrFileFormat, "null"},
		{"authority altered", `"autonomous":"widened"`, `"autonomous":"unchanged"`, planner.ErrFileDigest, ""},
		{"baseline altered", `"version":4`, `"version":5`, planner.ErrFileDigest, ""},
		{"unknown member", `"formatVersion":1`, `"formatVersion":1,"extra":1`, nil, "extra"},
		{"cut off", file[len(file)/2:], ``, nil, "saved plan"},
	} {
		altered := strings.Replace(file, test.old, test.new, 1)
		if altered == file {
			t.Fatalf("%s: nothing altered", test.name)
		}
		_, err := planner.DecodeFile([]byte(altered))
		if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
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
	if current.Digest() != base.Digest() {
		t.Error("evidence or advice changes the digest")
	}
	for name, edit := range map[string]func(*planner.Plan){
		"environment": func(p *planner.Plan) { p.Environment = "prod" },
		"operations":  func(p *planner.Plan) { p.Operations = p.Operations[1:] },
		"bound":       func(p *planner.Plan) { p.EffectBound = p.EffectBound[1:] },
		"risk":        func(p *planner.Plan) { p.RiskItems = p.RiskItems[1:] },
		"baseline":    func(p *planner.Plan) { p.DeploymentBaseline.Version++ },
		"config":      func(p *planner.Plan) { p.ResolvedConfigDigest = "" },
		"triggers":    func(p *planner.Plan) { p.Triggers = nil },
	} {
		p := base
		edit(&p)
		if p.Digest() == base.Digest() {
			t.Errorf("%s is no part of the digest", name)
		}
	}
}
