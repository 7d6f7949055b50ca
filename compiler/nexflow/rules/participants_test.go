package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/settest"
)

const (
	otherBot = `{"id": "bot-again", "kind": "agent", "displayName": "x", "description": "x", "roles": ["r"], "responsibilities": ["x"], "agentRef": {"kind": "agent", "id": "bot-agent"}}`
	idle     = `{"id": "idle-agent", "displayName": "x", "role": "r", "description": "x", "responsibilities": ["x"], "skills": ["s"]}`
)

func TestBridges(t *testing.T) {
	t.Parallel()
	checkWorkshop(t, []change{
		{name: "agent without actor", script: `agents /agents/- := ` + idle, want: []string{"E TERFYN-ACTOR-BRIDGE-MISSING agents /agents/1/id"}},
		{name: "equal ids are no bridge", script: `actors /actors/2/agentRef/id := "bot"`, want: []string{"E TERFYN-ACTOR-BRIDGE-MISSING agents /agents/0/id"}},
		{name: "second and third actor of one agent", script: `
			actors /actors/- := ` + otherBot + `
			actors /actors/- := ` + otherBot + `
			actors /actors/7/id := "bot-third"`,
			want: []string{
				"E TERFYN-ACTOR-BRIDGE-DUPLICATE actors /actors/6/agentRef/id => actors /actors/2/agentRef/id",
				"E TERFYN-ACTOR-BRIDGE-DUPLICATE actors /actors/7/agentRef/id => actors /actors/2/agentRef/id",
			}},
		{name: "two actors of an agent that is not declared", script: `
			actors /actors/- := ` + otherBot + `
			actors /actors/6/agentRef/id := "ghost"
			actors /actors/- := ` + otherBot + `
			actors /actors/7/id := "bot-third"
			actors /actors/7/agentRef/id := "ghost"`},
		{name: "the same actor twice is one actor", script: `
			actors /actors/- := ` + otherBot + `
			actors /actors/6/id := "bot"`},
	})
}

func TestActorCycles(t *testing.T) {
	t.Parallel()
	checkWorkshop(t, []change{
		{name: "itself", script: `actors /actors/3/operatedBy/0/id := "ci"`, want: []string{"E TERFYN-ACTOR-CYCLE actors /actors/3"}},
		{name: "through both relations, at the smallest id", script: `
			actors /actors/3/operatedBy/0/id := "council"
			actors /actors/5/representedBy/0/id := "ci"`,
			want: []string{
				"E TERFYN-ACTOR-CYCLE actors /actors/3",
				"E TERFYN-OVERRIDE-AUTHORITY-NOT-HUMAN project /project/policies/humanOverride/authorities/1/id",
			}},
		{name: "two circles", script: `
			actors /actors/3/operatedBy/- := {"kind": "actor", "id": "ci"}
			actors /actors/5/representedBy/- := {"kind": "actor", "id": "board"}`,
			want: []string{
				"E TERFYN-ACTOR-CYCLE actors /actors/3",
				"E TERFYN-ACTOR-CYCLE actors /actors/4",
				"E TERFYN-OVERRIDE-AUTHORITY-NOT-HUMAN project /project/policies/humanOverride/authorities/1/id",
			}},
		{name: "operator who is not declared", script: `actors /actors/3/operatedBy/0/id := "ghost"`},
		{name: "a duplicate stands for nothing", script: `
			actors /actors/- := {"id": "ci", "kind": "automation", "displayName": "x", "description": "x", "roles": ["r"], "responsibilities": ["x"], "operatedBy": [{"kind": "actor", "id": "ci"}]}`},
	})
}

func TestActorCycleNamesItsMembers(t *testing.T) {
	t.Parallel()
	x := settest.Parse(t, workshop).Apply(t, `
		actors /actors/3/operatedBy/0/id := "council"
		actors /actors/5/representedBy/0/id := "ci"`).Index()
	if diff := cmp.Diff([]string{"ci", "council"}, detailed(x, "/actors/3")); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

func TestOverrideAuthorities(t *testing.T) {
	t.Parallel()
	not := []string{"E TERFYN-OVERRIDE-AUTHORITY-NOT-HUMAN project /project/policies/humanOverride/authorities/1/id"}
	authority := func(id string) string {
		return `project /project/policies/humanOverride/authorities/1/id := "` + id + `"`
	}
	checkWorkshop(t, []change{
		{name: "human", script: authority("ben")},
		{name: "authority of an authority of a human", script: authority("board")},
		{name: "agent", script: authority("bot"), want: not},
		{name: "automation that a human operates", script: authority("ci"), want: not},
		{name: "one representative of two is no human", script: `actors /actors/4/representedBy/0/id := "bot"`, want: not},
		{name: "somebody further on is no human", script: `actors /actors/5/representedBy/0/id := "ci"`, want: not},
		{name: "nobody represents it", script: `actors /actors/5/representedBy := []`, want: not},
		{name: "a circle is no human, even beside one", script: `actors /actors/5/representedBy/- := {"kind": "actor", "id": "council"}`,
			want: append([]string{"E TERFYN-ACTOR-CYCLE actors /actors/5"}, not...)},
		{name: "not declared", script: authority("ghost")},
		{name: "representative not declared", script: `actors /actors/5/representedBy/0/id := "ghost"`},
		{name: "one not declared, another no human", script: `
			actors /actors/4/representedBy/0/id := "ghost"
			actors /actors/4/representedBy/1/id := "bot"`, want: not},
	})
}

// legacy makes maintainers and agents the participants: bot becomes an agent, ann
// and ben are maintainers.
const legacy = `
	actors delete
	project /project/policies/humanOverride delete
	project /project/maintainers := [{"id": "ann", "name": "A"}, {"id": "ben", "name": "B"}]
	agents /agents/0/id := "bot"
	agents /agents/- := {"id": "ci", "displayName": "x", "role": "r", "description": "x", "responsibilities": ["x"], "skills": ["s"]}
	definitions /agentDefinitions/0/agentRef := "bot"
	definitions /agentDefinitions/1/agentRef := "bot"`

func TestLegacyParticipants(t *testing.T) {
	t.Parallel()
	noActors := "I TERFYN-COMPAT-NO-ACTORSET project "
	checkWorkshop(t, []change{
		{name: "without actors", script: legacy, want: []string{noActors}},
		{name: "agent without bridge is no matter then", script: legacy + `
			agents /agents/- := ` + idle, want: []string{noActors}},
		{name: "behaviour fields are one finding", script: `
			agents /agents/0/permissions := ["look"]
			agents /agents/0/extensions := []`, want: []string{"I TERFYN-COMPAT-AGENT-FIELD agents /agents/0"}},
		{name: "one who has a definition is no human", script: legacy + `
			project /project/maintainers/- := {"id": "bot", "name": "B"}
			project /project/approvalGates/0/requiredApprovers := ["bot"]`,
			want: []string{
				noActors,
				"W TERFYN-GATE-NONHUMAN-APPROVER project /project/approvalGates/0/requiredApprovers/0",
				"W TERFYN-GATE-SELF-APPROVAL project /project/approvalGates/0/requiredApprovers/0 => permissions /permissions/1/subjects, tasks /tasks/1/owner, tasks /tasks/2/owner",
			}},
		{name: "an agent who approves counts as human", script: legacy + `
			project /project/approvalGates/0/requiredApprovers := ["ci"]`, want: []string{noActors}},
		{name: "an agent who does not is none", script: legacy + `
			permissions /permissions/4/subjects := ["ann", "ci"]`,
			want: []string{
				"W TERFYN-SAFETY-UNGATED-RISK permissions /permissions/4/capabilities/0",
				"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/4/effect => permissions /permissions/3/effect",
				noActors,
			}},
		{name: "an agent who maintains is human", script: legacy + `
			project /project/maintainers/- := {"id": "ci", "name": "C"}
			permissions /permissions/4/subjects := ["ci"]
			permissions /permissions/3/subjects := ["bot"]`, want: []string{noActors}},
	})
	x := settest.Parse(t, workshop).Apply(t, `
		agents /agents/0/providerPreferences := []
		agents /agents/0/autonomyLevel := "manual_only"
		agents /agents/0/capabilities := []`).Index()
	if diff := cmp.Diff([]string{"capabilities", "autonomyLevel", "providerPreferences"}, detailed(x, "/agents/0")); diff != "" {
		t.Errorf("legacy fields (-want +got):\n%s", diff)
	}
}
