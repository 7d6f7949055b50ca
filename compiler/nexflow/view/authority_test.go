package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/golden"
)

func authorityText(f settest.Files) []byte {
	var b bytes.Buffer
	NewAuthority(f.Index()).WriteText(&b)
	return b.Bytes()
}

// suspicious makes the estate worth a second look.
const suspicious = `
	permissions /permissions/- := {"id": "free", "subjects": ["bot", "ghost"], "capabilities": ["look"], "effect": "allow", "conditions": ["secret condition"]}
	capabilities /capabilities/1/requiresApprovalByDefault := true
	permissions /permissions/0/subjects/- := "timer"
	permissions /permissions/0/approvalGate := "back"
	permissions /permissions/1/capabilities/- := "fly"
	memory /memoryScopes/1/updateMode := "automatic"
	memory /memoryScopes/- := {"scope": "team", "sensitivity": "internal", "allowedConsumers": ["ghost"]}
	context /contextSources/0/mcp/exposes := ["context", "actions"]
	context /contextSources/0/approvalGates := []
	context /contextSources/0/access/deniedActors := ["bot"]
	definitions /agentDefinitions/- := {"id": "bot_two", "agentRef": "bot-agent", "definitionVersion": "2\u0007", "status": "active", "autonomyLevel": "manual_only", "components": {"modelProfileRef": "ghost"}}
	definitions /agentDefinitions/- := {"id": "lost", "agentRef": "nobody", "definitionVersion": "a \"b\"", "status": "draft", "autonomyLevel": "manual_only", "components": {"contextSourceRefs": ["wiki", "ghost"], "memoryScopes": ["task"]}}
	project /project/policies/networkAccess/transport/followRedirects := true
	project /project/policies/networkAccess/rules/0/effect := "allow"
	project /project/policies/networkAccess/rules/0/approvalGate delete
	project /project/approvalGates/0/requiredApprovers := ["owner", "timer"]`

func TestAuthorityText(t *testing.T) {
	t.Parallel()
	quiet := estateFiles(t)
	for name, set := range map[string]settest.Files{
		"estate": quiet, "suspicious": quiet.Apply(t, suspicious),
		"advisory": quiet.Apply(t, "actors delete\n"+`project /project/policies := {"networkAccess": "secret text"}`),
	} {
		got := authorityText(set)
		golden.File(t, filepath.Join("testdata", name+".authority.txt"), got)
		for i, c := range got {
			if c != '\n' && (c < 0x20 || c > 0x7e) {
				t.Errorf("%s: byte %d is %#x", name, i, c)
				break
			}
		}
	}
}

func TestAuthorityMarks(t *testing.T) {
	t.Parallel()
	a := NewAuthority(estateFiles(t).Apply(t, suspicious).Index())
	marks := map[string][]Mark{}
	note := func(what string, m []Mark) {
		if len(m) > 0 {
			marks[what] = m
		}
	}
	for _, p := range a.Participants {
		for _, g := range p.Grants {
			note("grant "+p.ID+" "+g.Capability.ID, g.Marks)
		}
	}
	for _, g := range a.Gates {
		note("gate "+g.ID, g.Marks)
	}
	for _, x := range a.Agents {
		note("agent "+x.Agent.ID, x.Marks)
		for _, d := range x.Definitions {
			note("definition "+d.ID, d.Marks)
		}
	}
	for _, c := range a.ContextSources {
		note("context "+c.ID, c.Marks)
	}
	for _, m := range a.MemoryScopes {
		note("memory "+m.Scope, m.Marks)
	}
	note("network", a.Network.Marks)
	for _, r := range a.Network.Rules {
		note("rule "+r.ID, r.Marks)
	}
	note("override", a.Override.Marks)
	want := map[string][]Mark{
		"grant bot call": {MarkNoApprover}, "grant timer call": {MarkNoApprover}, "grant bot look": {MarkRiskyAllow},
		"grant ghost look": {MarkUndeclared}, "grant owner fly": {MarkUndeclared},
		"gate door": {MarkNonhumanApprover}, "gate back": {MarkNoApprover},
		"agent bot-agent": {MarkAmbiguous}, "agent nobody": {MarkUndeclared},
		"definition bot_one": {MarkUnreadable}, "definition bot_two": {MarkUndeclared}, "definition lost": {MarkUndeclared, MarkUnreadable},
		"context wiki":   {MarkBeyondReading, MarkNoGate},
		"memory project": {MarkAutomaticWrites, MarkNonhumanApprover}, "memory team": {MarkUngatedWrites, MarkUndeclared},
		"network": {MarkRelaxed}, "override": {MarkNonhumanApprover},
	}
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

// TestAuthorityKeepsTextsToItself looks for the free texts of the sets in both
// forms of the answer.
func TestAuthorityKeepsTextsToItself(t *testing.T) {
	t.Parallel()
	set := estateFiles(t).Apply(t, suspicious)
	structured, err := json.Marshal(NewAuthority(set.Index()))
	if err != nil {
		t.Fatal(err)
	}
	changes := Compare(estateFiles(t).Index(), set.Index())
	changed, err := json.Marshal(changes)
	if err != nil {
		t.Fatal(err)
	}
	var shownChanges bytes.Buffer
	changes.WriteText(&shownChanges)
	for _, out := range [][]byte{structured, changed, authorityText(set), shownChanges.Bytes()} {
		for _, text := range []string{"secret", ".example", "mail", "Only", "\a", "Sweep."} {
			if bytes.Contains(out, []byte(text)) {
				t.Errorf("%q is repeated in %.200s", text, out)
			}
		}
		lists := regexp.MustCompile(`"(\w+)":null`).FindAllSubmatch(out, -1)
		for _, m := range lists {
			if !slices.Contains([]string{"participant", "owner", "modelProfile", "promptSet", "retrievalProfile"}, string(m[1])) {
				t.Errorf("%s is null", m[1])
			}
		}
	}
}

// TestAuthorityOfBrokenSets takes away documents, so that references lead nowhere.
func TestAuthorityOfBrokenSets(t *testing.T) {
	t.Parallel()
	set := estateFiles(t)
	whole := NewAuthority(set.Index())
	for _, name := range set.Names() {
		less := set.Without(name)
		if name != "project.yaml" && len(NewAuthority(less.Index()).Gates) != 2 {
			t.Errorf("without %s the gates are gone", name)
		}
		for _, f := range []settest.Files{less, set} {
			first, second := Compare(f.Index(), less.Index()), Compare(f.Index(), less.Index())
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("without %s two comparisons differ:\n%s", name, diff)
			}
		}
	}
	if a := NewAuthority(set.Without("capabilities.yaml").Index()); !slices.Contains(a.Participants[1].Grants[0].Marks, MarkUndeclared) {
		t.Error("a capability that is not declared has no mark")
	}
	if again := NewAuthority(set.Index()); !cmp.Equal(whole, again) {
		t.Error("two answers about one set differ")
	}
}

func TestAuthorityIsBounded(t *testing.T) {
	t.Parallel()
	var ids []string
	for i := range 70 {
		ids = append(ids, fmt.Sprintf("%q", fmt.Sprintf("id-%d", i)))
	}
	list := "[" + strings.Join(ids, ",") + "]"
	set := estateFiles(t).Apply(t, "permissions /permissions/0/subjects := "+list+"\npermissions /permissions/0/capabilities := "+list)
	a, n := NewAuthority(set.Index()), 0
	for _, p := range a.Participants {
		n += len(p.Grants)
	}
	if n != MaxGrants || !a.Truncated {
		t.Errorf("%d pairs of 4900 are listed, truncated %t", n, a.Truncated)
	}
	c := Compare(estateFiles(t).Index(), set.Index())
	if len(c.Authority) != MaxChanges || !c.Truncated || c.Counts.Widened != 4900 {
		t.Errorf("%d changes, truncated %t, %d widened", len(c.Authority), c.Truncated, c.Counts.Widened)
	}
}

func TestVersionsAreShownWhereTheyAreHarmless(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2026.06.0": "2026.06.0", "a \"b\"": "a \"b\"", "x\n": RedactedText, "\u202e1": RedactedText, strings.Repeat("1", 65): RedactedText, strings.Repeat("1", 64): strings.Repeat("1", 64),
	} {
		if got := version(in); got != want {
			t.Errorf("version(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestChangesText(t *testing.T) {
	t.Parallel()
	before := estateFiles(t)
	for name, after := range map[string]settest.Files{
		"changed": before.Apply(t, suspicious+`
			definitions /agentDefinitions/0/status := "deprecated"
			workflow /workflow/stages/0/steps/0/task := "rest"
			agents /agents/0/description := "Other."`),
		"reworded": before.Apply(t, `agents /agents/0/description := "Other."`),
		"same":     before,
	} {
		var b bytes.Buffer
		Compare(before.Index(), after.Index()).WriteText(&b)
		golden.File(t, filepath.Join("testdata", name+".changes.txt"), b.Bytes())
	}
}
