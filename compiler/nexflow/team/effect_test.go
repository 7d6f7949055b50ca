package team_test

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/team"
)

func TestTheStrictestPermissionDecides(t *testing.T) {
	t.Parallel()
	set := settest.Parse(t, `
-- permissions.yaml
specVersion: "0.1"
kind: PermissionSet
metadata: {project: p}
permissions:
  - {id: a, subjects: [ann, bot], capabilities: [read, write, ship], effect: allow}
  - {id: b, subjects: [bot], capabilities: [write, ship], effect: approval_required}
  - {id: c, subjects: [bot, cat], capabilities: [ship], effect: deny}
  - {id: d, subjects: [bot], capabilities: [read, ship], effect: allow}
`)
	x := team.New(set.Index())
	for _, row := range []struct {
		subject, capability string
		effect              team.Effect
		permissions         string
	}{
		{"ann", "read", team.Allow, "a"},
		{"ann", "ship", team.Allow, "a"},
		{"bot", "read", team.Allow, "a d"},
		{"bot", "write", team.ApprovalRequired, "a b"},
		{"bot", "ship", team.Deny, "a b c d"},
		{"cat", "ship", team.Deny, "c"},
		{"cat", "read", team.None, ""},
		{"nobody", "read", team.None, ""},
		{"ann", "nothing", team.None, ""},
	} {
		if got := x.Effect(row.subject, row.capability); got != row.effect {
			t.Errorf("effect of %s on %s is %s, want %s", row.subject, row.capability, got, row.effect)
		}
		var ids []string
		for _, p := range x.Permissions(row.subject, row.capability) {
			ids = append(ids, p.Get("id").Text())
		}
		if got := strings.Join(ids, " "); got != row.permissions {
			t.Errorf("permissions of %s on %s are %q, want %q", row.subject, row.capability, got, row.permissions)
		}
	}
}

// One permission may be about very many pairs; reading it must not write them out.
func TestPairsAreNotWrittenOut(t *testing.T) {
	t.Parallel()
	ids := func(prefix string) string {
		var b strings.Builder
		for i := range 50_000 {
			fmt.Fprintf(&b, "%s%d,", prefix, i)
		}
		return b.String()
	}
	set := settest.Parse(t, `
-- permissions.yaml
kind: PermissionSet
permissions: []
`).Put(t, "permissions.yaml", "/permissions/-", fmt.Sprintf(`{"id": "wide", "subjects": ["%s"], "capabilities": ["%s"], "effect": "allow"}`,
		strings.ReplaceAll(strings.TrimSuffix(ids("s"), ","), ",", `","`), strings.ReplaceAll(strings.TrimSuffix(ids("c"), ","), ",", `","`)))
	if got := team.New(set.Index()).Effect("s49999", "c49999"); got != team.Allow {
		t.Errorf("effect is %s, want allow", got)
	}
}
