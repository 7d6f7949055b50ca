package team_test

import (
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/team"
)

const crew = `
-- project.yaml
{kind: Project, project: {id: p, maintainers: [{id: ann}, {id: cat}], approvalGates: [{id: g, requiredApprovers: [dan]}]}}
-- agents.yaml
{kind: AgentSet, agents: [{id: bot}, {id: cat}, {id: dan}, {id: eve}]}
-- definitions.yaml
{kind: AgentDefinitionSet, agentDefinitions: [{id: one, agentRef: bot}, {id: two, agentRef: ghost}, {id: three, agentRef: ann}]}
-- actors.yaml
{kind: ActorSet, actors: [
  {id: maker, kind: agent, agentRef: {kind: agent, id: bot}}, {id: again, kind: agent, agentRef: {kind: agent, id: bot}},
  {id: ann, kind: human}, {id: job, kind: automation}, {id: mail, kind: service}, {id: board, kind: authority}, {id: ann, kind: agent}]}
-- context.yaml
{kind: ContextSet, contextSources: [
  {id: open, access: {default: read}}, {id: closed, access: {default: none}}, {id: listed, access: {default: read, allowedActors: [ann]}},
  {id: nobody, access: {default: read, allowedActors: []}}, {id: denied, access: {default: none, allowedActors: [ann], deniedActors: [ann]}}]}
`

func TestWhoTakesPart(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, script, participants, nonhuman, acting string }{
		{"with actors", "", "maker again ann job mail board", "maker again job mail", "maker - -"},
		{"legacy", "actors delete", "ann cat bot dan eve", "ann bot eve", "bot - -"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			x := settest.Parse(t, crew).Apply(t, row.script).Index()
			people := team.New(x)
			var all, nonhuman, acting []string
			for _, p := range people.Participants() {
				all = append(all, p.ID)
				if people.NonHuman(p.ID) {
					nonhuman = append(nonhuman, p.ID)
				}
			}
			for _, d := range x.All(refs.AgentDefinition) {
				id, ok := people.ParticipantOf(d.Node)
				if !ok {
					id = "-"
				}
				acting = append(acting, id)
			}
			for what, pair := range map[string][2]string{
				"participants": {row.participants, strings.Join(all, " ")}, "who is no human": {row.nonhuman, strings.Join(nonhuman, " ")},
				"who acts with the definitions": {row.acting, strings.Join(acting, " ")},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s: %q, want %q", what, pair[1], pair[0])
				}
			}
			if people.NonHuman("stranger") {
				t.Error("somebody who is not declared is taken for no human")
			}
		})
	}
}

func TestWhoMayNotRead(t *testing.T) {
	t.Parallel()
	sources := map[string]manifest.Node{}
	for _, d := range settest.Parse(t, crew).Index().All(refs.ContextSource) {
		sources[d.ID] = d.Node
	}
	for _, row := range []struct {
		who, source string
		want        team.Refusal
	}{
		{"ann", "open", team.NotRefused}, {"ann", "closed", team.DefaultIsNone}, {"ann", "listed", team.NotRefused},
		{"maker", "listed", team.ActorNotAllowed}, {"ann", "nobody", team.ActorNotAllowed}, {"ann", "denied", team.ActorIsDenied},
		{"maker", "denied", team.DefaultIsNone},
	} {
		if got := team.ReadersOf(sources[row.source]).Refuses(row.who); got != row.want {
			t.Errorf("%s on %s: %q, want %q", row.who, row.source, got, row.want)
		}
	}
}
