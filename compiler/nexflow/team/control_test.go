package team_test

import (
	"strings"
	"testing"

	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/team"
)

func TestWhoStandsBehind(t *testing.T) {
	t.Parallel()
	c := team.NewControl(settest.Parse(t, `
-- actors.yaml
kind: ActorSet
actors:
  - {id: ann, kind: human}
  - {id: ben, kind: human}
  - {id: bot, kind: agent}
  - {id: timer, kind: service, operatedBy: [{kind: actor, id: ann}]}
  - {id: board, kind: authority, representedBy: [{kind: actor, id: ann}, {kind: actor, id: council}]}
  - {id: council, kind: authority, representedBy: [{kind: actor, id: ben}, {kind: actor, id: ann}]}
  - {id: facade, kind: authority, representedBy: [{kind: actor, id: inner}]}
  - {id: inner, kind: authority, representedBy: [{kind: actor, id: bot}, {kind: actor, id: ann}]}
  - {id: ring, kind: authority, representedBy: [{kind: actor, id: chain}]}
  - {id: chain, kind: authority, representedBy: [{kind: actor, id: ring}, {kind: actor, id: ann}]}
  - {id: unclear, kind: authority, representedBy: [{kind: actor, id: ghost}, {kind: actor, id: ann}]}
  - {id: empty, kind: authority}
`).Index())
	for _, row := range []struct {
		id      string
		verdict team.Verdict
		roots   string
	}{
		{"ann", team.ComesDownToHumans, ""},
		{"bot", team.ComesDownToOthers, ""},
		{"timer", team.ComesDownToOthers, ""},
		{"board", team.ComesDownToHumans, "ann ben"},
		{"facade", team.ComesDownToOthers, "bot ann"},
		{"ring", team.ComesDownToOthers, "ann"},
		{"chain", team.ComesDownToOthers, "ann"},
		{"unclear", team.CannotTell, "ghost ann"},
		{"empty", team.ComesDownToOthers, ""},
		{"ghost", team.CannotTell, ""},
	} {
		if got := c.Verdict(row.id); got != row.verdict {
			t.Errorf("verdict about %s is %d, want %d", row.id, got, row.verdict)
		}
		if got := strings.Join(c.Roots(row.id, 9), " "); got != row.roots {
			t.Errorf("%s comes down to %q, want %q", row.id, got, row.roots)
		}
	}
	if got := c.Roots("board", 1); len(got) != 1 || got[0] != "ann" {
		t.Errorf("of the roots of board the first is %v", got)
	}
}
