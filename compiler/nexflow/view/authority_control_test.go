package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestApproversComeDownToSomebody(t *testing.T) {
	t.Parallel()
	set := estateFiles(t).Apply(t, `
		actors /actors/- := {"id": "board", "kind": "authority", "representedBy": [{"kind": "actor", "id": "council"}, {"kind": "actor", "id": "owner"}]}
		actors /actors/- := {"id": "council", "kind": "authority", "representedBy": [{"kind": "actor", "id": "bot"}, {"kind": "actor", "id": "owner"}]}
		actors /actors/- := {"id": "people", "kind": "authority", "representedBy": [{"kind": "actor", "id": "owner"}]}
		actors /actors/- := {"id": "lost", "kind": "authority", "representedBy": [{"kind": "actor", "id": "ghost"}]}
		project /project/policies/humanOverride/authorities := [{"kind": "actor", "id": "board"}]
		project /project/approvalGates := [{"id": "door", "requiredApprovers": ["board"]}, {"id": "back", "requiredApprovers": ["people"]}, {"id": "side", "requiredApprovers": ["lost"]}, {"id": "roof", "requiredApprovers": ["timer"]}]`)
	a := NewAuthority(set.Index())
	var got []string
	for _, g := range a.Gates {
		got = append(got, g.ID+": "+agreement(g)+" "+markWords(g.Marks))
	}
	want := []string{
		"door: board (through bot, owner) no-human-behind", "back: people (through owner) ",
		"side: lost (through ghost?) undeclared", "roof: timer (operated by owner) nonhuman-approver",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gates (-want +got):\n%s", diff)
	}
	if !slices.Contains(a.Override.Marks, MarkNobodyHuman) {
		t.Errorf("the override has the marks %v", a.Override.Marks)
	}
	i := slices.IndexFunc(a.Participants, func(p Participant) bool { return p.ID == "board" })
	if p := a.Participants[i]; !p.NobodyHuman || joined(p.RepresentedBy) != "council, owner" || joined(p.ComesDownTo) != "bot, owner" {
		t.Errorf("board is %+v", p)
	}
	if text := string(authorityText(set)); !strings.Contains(text, "board (authority, through bot, owner)") || !strings.Contains(text, "approved by one who comes down to no human") {
		t.Errorf("the text does not say who stands behind:\n%s", text)
	}
}

func TestDefinitionsThatReviewThemselves(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]bool{
		``: false,
		`definitions /agentDefinitions/0/owner := "bot"`:                                                             true,
		`definitions /agentDefinitions/0/review/approvers := ["owner", "bot"]`:                                       true,
		`definitions /agentDefinitions/0/review/approvers := ["board"]`:                                              true,
		`definitions /agentDefinitions/0/review/approvers := ["timer"]`:                                              false,
		"definitions /agentDefinitions/0/owner := \"bot\"\nactors /actors/1 delete":                                  false,
		`definitions /agentDefinitions/0 := {"id": "d", "agentRef": "bot-agent", "status": "draft", "owner": "bot"}`: false,
	} {
		set := estateFiles(t).Apply(t, `actors /actors/- := {"id": "board", "kind": "authority", "representedBy": [{"kind": "actor", "id": "bot"}]}`).Apply(t, script)
		if got := slices.Contains(NewAuthority(set.Index()).Agents[0].Definitions[0].Marks, MarkOwnReview); got != want {
			t.Errorf("%s: reviews itself %t, want %t", script, got, want)
		}
	}
	legacy := estateFiles(t).Apply(t, "actors delete\n"+`definitions /agentDefinitions/0/owner := "bot-agent"`)
	if !slices.Contains(NewAuthority(legacy.Index()).Agents[0].Definitions[0].Marks, MarkOwnReview) {
		t.Error("an agent that owns its own definition has no mark without actors")
	}
}

func TestListsOfPeopleAreNotCutEarly(t *testing.T) {
	t.Parallel()
	set := estateFiles(t).Apply(t, `
		project /project/approvalGates/0/requiredApprovers := ["a", "b", "c", "d", "e", "f"]
		context /contextSources/0/access/allowedActors := ["a", "b", "c", "d", "e", "f", "g"]`)
	text := string(authorityText(set))
	for _, want := range []string{"a?, b?, c?, d?, e?, f?  undeclared", "a?, b?, c?, d?, e?, f?, +1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	bare := string(authorityText(set.Without("context.yaml").Without("memory.yaml")))
	for _, want := range []string{"\nContext sources: none declared\n", "\nMemory scopes: none declared\n"} {
		if !strings.Contains(bare, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
}

func TestNetworkRulesAndPermissions(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		permissions string
		marked      bool
		lines       []string
	}{
		{`[]`, false, []string{"bot, owner: none, which is no permission"}},
		{`[{"id": "net", "subjects": ["bot"], "capabilities": ["access_network"], "effect": "allow"}]`, true,
			[]string{"bot: allow, held by no gate", "owner: none, which is no permission"}},
		{`[{"id": "net", "subjects": ["bot", "owner"], "capabilities": ["access_network"], "effect": "approval_required", "approvalGate": "door"}]`, false,
			[]string{"bot, owner: approval_required, held by gate door"}},
		{`[{"id": "net", "subjects": ["bot"], "capabilities": ["access_network"], "effect": "approval_required"}]`, true,
			[]string{"bot: approval_required, held by no gate", "owner: none, which is no permission"}},
		{`[{"id": "net", "subjects": ["owner"], "capabilities": ["access_network"], "effect": "allow"}]`, false,
			[]string{"bot: none, which is no permission", "owner: allow, held by no gate"}},
		{`[{"id": "net", "subjects": ["bot", "owner"], "capabilities": ["access_network"], "effect": "deny"}]`, false, []string{"bot, owner: deny"}},
	} {
		set := estateFiles(t).Apply(t, ruleAt+`effect := "allow"
			`+ruleAt+`approvalGate delete
			`+ruleAt+`actors := ["bot", "owner"]
			permissions /permissions := `+row.permissions)
		n := NewAuthority(set.Index()).Network
		if diff := cmp.Diff(row.lines, n.Rules[0].useLines()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.permissions, diff)
		}
		if got := slices.Contains(n.Rules[0].Marks, MarkNoGate); got != row.marked {
			t.Errorf("%s: marked %t, want %t", row.permissions, got, row.marked)
		}
		if len(n.Rules[1].Uses) > 0 {
			t.Errorf("a rule that denies says who uses it: %+v", n.Rules[1].Uses)
		}
	}
	want := Transport{RequireTLS: true, MaxRedirects: 3}
	if got := NewAuthority(estateFiles(t).Apply(t, networkAt+`transport/maxRedirects := 3`).Index()).Network.Transport; got != want {
		t.Errorf("transport is %+v", got)
	}
}
