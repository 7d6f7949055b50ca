package render_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/compiler/effects"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/internal/golden"
	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/diff"
	"terfyn/planner/loops"
	"terfyn/planner/risk"
	"terfyn/store"
	"terfyn/store/sqlite"
)

func content(t *testing.T, text string) snapshot.Content {
	t.Helper()
	r, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: []byte(text)}}, compiler.Options{Project: "desk"})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return snapshot.Content{Environment: "local", Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas}
}

const before = `
agent writer { model mock/default version "1" grants { tool.desk.read } }
agent helper { model mock/default version "1" instructions """Help.
Be kind.
Be quick.""" }
tool desk { type mock operations { read { effects { desk.read } } write { effects { desk.write } } } }
policy open { preset permissive execution { maxTotalCostUsd 3.00 } approvals { requiredFor { tool.desk.write } } effects { permit { desk.read } permitWithApproval { desk.write } } }
workflow draft() policy open { x = writer() while x.more limit 3 { y = helper() } return x }
workflow old() policy open { return { n: 1 } }
`

const after = `
agent writer { model mock/default version "2" replaces "1" changeSummary "May write." grants { tool.desk.read tool.desk.write } }
agent helper { model mock/default version "1" instructions """Help.
Be very kind.
Be quick.""" }
tool desk { type mock operations { read { effects { desk.read } } write { effects { desk.write } } } }
policy open { preset permissive execution { maxTotalCostUsd 10 } approvals { requiredFor { tool.desk.write } } effects { permit { desk.read } permitWithApproval { desk.write } } }
workflow draft() policy open trigger schedule { cron "0 6 * * *" timezone "UTC" } { x = writer() for i in x.items { while i.more limit 3 { y = helper() } } return x }
`

func TestPlanForPeople(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	plan := func(text string) planner.Plan {
		p, err := deploy.Prepare(t.Context(), s, content(t, text), deploy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	show := func(name string, p planner.Plan) {
		var text, md, whole bytes.Buffer
		render.Plan(&text, p, render.NewPalette(false))
		golden.File(t, filepath.Join("testdata", name+".txt"), text.Bytes())
		render.PlanMarkdown(&md, p)
		golden.File(t, filepath.Join("testdata", name+".md"), md.Bytes())
		render.Differences(&whole, p.Operations, p.Programs, render.NewPalette(false))
		golden.File(t, filepath.Join("testdata", name+".diff.txt"), whole.Bytes())
	}
	first := plan(before)
	show("first", first)
	applied, err := deploy.Apply(t.Context(), s, deploy.ApplyIn{Plan: first, Content: content(t, before), CompilerVersion: "test", Actor: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	show("unchanged", plan(before))
	_, err = s.StartRun(t.Context(), store.Run{
		RunID: "run-1", FirstExecID: "exec-1", Workflow: "draft", Environment: "local", Snapshot: applied.Current.Snapshot, Status: store.RunRunning,
		Input: []byte("{}"), CostUSD: "0", StartedAt: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	show("widened", plan(after))
}

// Every output has everything: each name, path and number of the document is in the
// table and in the Markdown as well.
func TestOutputsAgree(t *testing.T) {
	t.Parallel()
	p := everything()
	var text, md bytes.Buffer
	render.Plan(&text, p, render.NewPalette(false))
	render.PlanMarkdown(&md, p)
	for _, member := range p.JSON().Fields() {
		if member.Name == "digest" || member.Name == "risk" { // the table leaves the one out; the other repeats riskItems
			continue
		}
		for _, word := range words(member.Value) {
			for name, out := range map[string]string{"table": text.String(), "markdown": md.String()} {
				if !strings.Contains(out, word) {
					t.Errorf("the %s does not have %q of %s", name, word, member.Name)
				}
			}
		}
	}
}

// words are the marked texts of a document: those that begin with "w-", and numbers
// from 1000 on.
func words(v canon.Value) []string {
	var out []string
	if s, ok := v.AsString(); ok && strings.HasPrefix(s, "w-") {
		out = append(out, s)
	}
	if n, ok := v.AsInt(); ok && n >= 1000 {
		out = append(out, v.JSON())
	}
	for _, item := range v.Items() {
		out = append(out, words(item)...)
	}
	for _, f := range v.Fields() {
		out = append(out, words(f.Value)...)
	}
	return out
}

// everything is a plan in which every list has an entry.
func everything() planner.Plan {
	path := []effects.Hop{{Kind: effects.HopAgent, Name: "w-hop-a", ID: "w-hop-a"}, {Kind: effects.HopOperation, Name: "w-hop-b", ID: "w-hop-b"}}
	entry := authority.Entry{Effect: "w-effect", Reachability: "autonomous", Severity: "high", Reason: "w-why", Witness: path}
	return planner.Plan{
		Project: "w-project", Environment: "w-env",
		Operations:  []planner.Operation{{Action: planner.Update, Kind: "Agent", Name: "w-agent", Diff: []diff.Change{{Path: "w-path", Kind: diff.Changed, Before: canon.Int(1001), After: canon.Int(1002)}}}},
		EffectBound: []authority.Bound{{Root: "w-root", Entries: []authority.Entry{entry}}}, Summary: planner.Summary{Create: 1003, Update: 1004, Delete: 1005},
		CapabilityDelta: []authority.CapabilityChange{{Agent: "w-cap", Added: []string{"w-added"}, Removed: []string{"w-removed"}}},
		EffectDelta:     []authority.EffectChange{{Root: "w-changed-root", Change: "promoted", Entry: authority.Entry{Effect: "w-changed", Reachability: "autonomous"}}},
		Authority:       authority.States{Static: "unchanged", Autonomous: "widened"},
		RiskItems:       []risk.Item{{Category: "w-category", Severity: risk.High, Reason: "w-reason", Target: "w-target", Witness: path}},
		Loops:           []loops.Loop{{Workflow: "w-loop", Site: "w-site", Kind: "while", Limit: 1006, Bound: 1007, Total: "1008"}},
		LoopCalls:       []loops.Call{{Workflow: "w-loop", Site: "w-call", Callee: "w-callee", AtMost: "1009"}},
		Turns:           []planner.Turns{{Agent: "w-turner", Most: 1010, Workflows: []string{"w-in"}}},
		Approvals:       []planner.Approval{{Capability: "w-gated", Workflow: "w-flow", Agent: "w-chooser", Source: "w-source", Rule: "w-rule"}},
		Triggers:        []planner.TriggerChange{{Action: planner.Create, Workflow: "w-started", Kind: "event", Key: "w-event", After: canon.Object(canon.F("dedupe", canon.String("w-dedupe")))}},
		Definitions:     []planner.DefinitionChange{{Agent: "w-defined", Before: "w-1", After: "w-2", Replaces: "w-0", Summary: "w-summary"}},
		Ceilings:        []planner.CeilingChange{{Policy: "w-policy", Field: "w-field", Before: "w-was", After: "w-is", Change: "raised"}},
		Programs:        []planner.ProgramChange{{Workflow: "w-program", Lines: []diff.Line{{Kind: diff.LineAdded, Text: "w-line"}}}, {Workflow: "w-unread", NotCompared: "w-because"}},
		OpenRuns:        planner.OpenRuns{Runs: []planner.OpenRun{{RunID: "w-run", Workflow: "w-running", Status: "w-status", Snapshot: "w-snap"}}},
		Evidence:        "w-evidence", PolicyLint: []planner.Lint{{Policy: "w-linted", Severity: "low", Message: "w-advice"}},
		Refusals:           []planner.Refusal{{Target: "w-refuser", Reason: "w-refusal"}},
		DeploymentBaseline: planner.Baseline{Environment: "w-base", Snapshot: "w-before", Version: 1011}, ResolvedConfigDigest: "w-config",
	}
}

// What a project says cannot leave its place in a pull request, become markup or
// HTML, or call anybody.
func TestMarkdownIsEscaped(t *testing.T) {
	t.Parallel()
	hostile := "a|b`c` ``` <img src=x> </details> @team #1 [x](http://x) **b** \\ & \n## head\r\n| x |"
	p := everything()
	p.Project, p.Environment = hostile, hostile
	p.Operations[0].Name = hostile
	p.Operations[0].Diff[0].Path = hostile
	p.RiskItems[0].Reason, p.RiskItems[0].Target = hostile, hostile
	p.Programs[0].Lines[0].Text, p.Programs[1].NotCompared = hostile, hostile
	p.Approvals[0].Rule, p.Definitions[0].Summary, p.Refusals[0].Reason, p.PolicyLint[0].Message = hostile, hostile, hostile, hostile
	p.OpenRuns.Runs[0].RunID = hostile
	var b bytes.Buffer
	render.PlanMarkdown(&b, p)
	golden.File(t, "testdata/hostile.md", b.Bytes())
	fence := ""
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		if mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]; len(mark) >= 3 && (fence == "" || mark == line && len(mark) >= len(fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		outside := codeSpan.ReplaceAllString(line, "")
		for _, bad := range []string{"<img", "@team", " #1", "](", "**b**"} {
			if strings.Contains(outside, bad) {
				t.Errorf("%q is not escaped in %s", bad, line)
			}
		}
		if strings.HasPrefix(line, "## head") || strings.Contains(line, "\r") {
			t.Errorf("a line break of the project breaks the document: %s", line)
		}
		if strings.Contains(outside, "</details>") && line != "</details>" {
			t.Errorf("the project closes a part: %s", line)
		}
	}
	if fence != "" {
		t.Error("a code block stays open")
	}
}

// codeSpan is a span of code: an element, or text between runs of backticks as long
// as this test needs them.
var codeSpan = regexp.MustCompile("<code>.*?</code>|````.*?````|`[^`]*`")
