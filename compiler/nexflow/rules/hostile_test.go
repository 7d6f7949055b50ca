package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/canon"
)

// crowd makes sets of many of everything. Lists that are given several times are
// the same value, as aliases make them.
type crowd struct {
	set settest.Files
	tb  testing.TB
}

// newCrowd has so many agents p0, p1, …, all of them actors, and capabilities c0,
// c1, …, all of high risk.
func newCrowd(tb testing.TB, participants, capabilities int) *crowd {
	c := &crowd{tb: tb, set: settest.Parse(tb, `
-- project.yaml
{kind: Project, project: {id: p, approvalGates: [{id: g}]}}
-- actors.yaml
{kind: ActorSet}
-- capabilities.yaml
{kind: CapabilitySet}
-- permissions.yaml
{kind: PermissionSet}
`)}
	c.list("actors", "/actors", participants, func(i int) canon.Value {
		return canon.Object(canon.F("id", name("p", i)), canon.F("kind", canon.String("service")))
	})
	c.list("capabilities", "/capabilities", capabilities, func(i int) canon.Value {
		return canon.Object(canon.F("id", name("c", i)), canon.F("risk", canon.String("high")))
	})
	return c
}

func (c *crowd) list(file, pointer string, n int, item func(i int) canon.Value) {
	all := make([]canon.Value, n)
	for i := range all {
		all[i] = item(i)
	}
	c.set = c.set.PutValue(c.tb, file+".yaml", pointer, canon.List(all...))
}

func name(prefix string, i int) canon.Value { return canon.String(fmt.Sprint(prefix, i)) }

// names is the ids of those numbers below n that are wanted.
func names(prefix string, n int, wanted func(i int) bool) canon.Value {
	var out []string
	for i := range n {
		if wanted(i) {
			out = append(out, fmt.Sprint(prefix, i))
		}
	}
	return canon.Strings(out)
}

func every(int) bool { return true }

func permission(id, effect string, subjects, capabilities canon.Value) canon.Value {
	return canon.Object(canon.F("id", canon.String(id)), canon.F("effect", canon.String(effect)), canon.F("approvalGate", canon.String("g")),
		canon.F("subjects", subjects), canon.F("capabilities", capabilities))
}

// wide has n permissions that allow, n that ask for approval and one that denies,
// all of them about everyone and everything.
func wide(tb testing.TB, n, each int) settest.Files {
	c := newCrowd(tb, each, each)
	subjects, capabilities := names("p", each, every), names("c", each, every)
	c.list("permissions", "/permissions", 2*n+1, func(i int) canon.Value {
		effect := []string{"allow", "approval_required"}[i%2]
		if i == 2*n {
			effect = "deny"
		}
		return permission(fmt.Sprint("r", i), effect, subjects, capabilities)
	})
	return c.set
}

// distinct is wide, where small denials see to it that each subject and each
// capability is listed by others.
func distinct(tb testing.TB, n, each int) settest.Files {
	set := wide(tb, n, each)
	for bit := 1; bit < each; bit *= 2 {
		set = set.PutValue(tb, "permissions.yaml", "/permissions/-", permission(fmt.Sprint("s", bit), "deny", names("p", each, func(i int) bool { return i&bit != 0 }), canon.Strings([]string{"x"})))
		set = set.PutValue(tb, "permissions.yaml", "/permissions/-", permission(fmt.Sprint("d", bit), "deny", canon.Strings([]string{"x"}), names("c", each, func(i int) bool { return i&bit != 0 })))
	}
	return set
}

// opposed has n permissions that allow one thing to one and n that do not.
func opposed(tb testing.TB, n int, effect string) settest.Files {
	c := newCrowd(tb, 1, 1)
	subjects, capabilities := names("p", 1, every), names("c", 1, every)
	c.list("permissions", "/permissions", 2*n, func(i int) canon.Value {
		return permission(fmt.Sprint("r", i), []string{"allow", effect}[i%2], subjects, capabilities)
	})
	return c.set
}

// denied is opposed by approval, where a denial decides about all of it.
func denied(tb testing.TB, n int) settest.Files {
	return opposed(tb, n, "approval_required").PutValue(tb, "permissions.yaml", "/permissions/-",
		permission("no", "deny", names("p", 1, every), names("c", 1, every)))
}

// powerless has a task with so many participants and needs, and none of them has
// permission for any of these; distinct ones have many permissions about other things.
func powerless(tb testing.TB, participants, needs int, distinct bool) settest.Files {
	c := newCrowd(tb, participants, needs)
	c.set["tasks.yaml"] = canon.Object(canon.F("kind", canon.String("TaskSet")))
	c.list("tasks", "/tasks", 1, func(int) canon.Value {
		return canon.Object(canon.F("id", canon.String("t")), canon.F("owner", canon.String("p0")),
			canon.F("participants", names("p", participants, every)), canon.F("capabilitiesRequired", names("c", needs, every)))
	})
	var all []canon.Value
	for bit := 1; bit < max(participants, needs) && distinct; bit *= 2 {
		some := func(i int) bool { return i&bit != 0 }
		all = append(all, permission(fmt.Sprint("s", bit), "allow", names("p", participants, some), canon.Strings([]string{"x"})),
			permission(fmt.Sprint("d", bit), "allow", canon.Strings([]string{"x"}), names("c", needs, some)))
	}
	c.list("permissions", "/permissions", len(all), func(i int) canon.Value { return all[i] })
	return c.set
}

// selfMade has a gate at which so many of its own subjects decide, under so many
// permissions that list some of them.
func selfMade(tb testing.TB, approvers, permissions int) settest.Files {
	c := newCrowd(tb, approvers, 1)
	c.set = c.set.PutValue(tb, "project.yaml", "/project/approvalGates/0/requiredApprovers", names("p", approvers, every))
	c.list("permissions", "/permissions", permissions, func(i int) canon.Value {
		return permission(fmt.Sprint("r", i), "approval_required", canon.List(name("p", 0), name("p", i%approvers)), canon.Strings([]string{"c0"}))
	})
	return c.set
}

// shut has a permission that allows n participants n capabilities, all of which are
// denied to them.
func shut(tb testing.TB, n int) settest.Files {
	c := newCrowd(tb, n, n)
	subjects, capabilities := names("p", n, every), names("c", n, every)
	c.list("permissions", "/permissions", 2, func(i int) canon.Value {
		return permission(fmt.Sprint("r", i), []string{"allow", "deny"}[i], subjects, capabilities)
	})
	return c.set
}

// errands has so many steps that run one task which needs as many others.
func errands(tb testing.TB, n int) settest.Files {
	c := newCrowd(tb, 1, 1)
	c.set["tasks.yaml"] = canon.Object(canon.F("kind", canon.String("TaskSet")))
	c.set["flow.yaml"] = canon.Object(canon.F("kind", canon.String("Workflow")), canon.F("workflow", canon.Object(canon.F("id", canon.String("w")))))
	c.list("tasks", "/tasks", n+1, func(i int) canon.Value {
		task := canon.Object(canon.F("id", name("t", i)), canon.F("owner", canon.String("p0")))
		if i == n {
			task = task.With("dependsOn", names("t", n, every))
		}
		return task
	})
	steps := make([]canon.Value, 2*n)
	for i := range steps {
		steps[i] = canon.Object(canon.F("id", name("s", i)), canon.F("task", name("t", min(i, n))))
	}
	c.set = c.set.PutValue(tb, "flow.yaml", "/workflow/stages", canon.List(canon.Object(canon.F("id", canon.String("one")), canon.F("steps", canon.List(steps...)))))
	return c.set
}

// network has as many rules that name everyone as fit, and a permission for each.
func network(tb testing.TB, rulesCount, n int) settest.Files {
	c := newCrowd(tb, n, 1)
	everyone := names("p", n, every)
	c.list("project", "/project/policies/networkAccess/rules", rulesCount, func(i int) canon.Value {
		return canon.Object(canon.F("id", name("n", i)), canon.F("effect", canon.String("allow")), canon.F("actors", everyone))
	})
	c.list("permissions", "/permissions", n, func(i int) canon.Value {
		return permission(fmt.Sprint("r", i), "deny", canon.List(name("p", i)), canon.Strings([]string{"access_network"}))
	})
	return c.set
}

// hostile is the shapes above with the sizes that fit into documents, and the steps
// they may take at most.
var hostile = []struct {
	name  string
	set   func(testing.TB) settest.Files
	steps int
}{
	{"permissions about all", func(tb testing.TB) settest.Files { return wide(tb, 20, 1000) }, 10_000},
	{"two permissions about all", func(tb testing.TB) settest.Files { return wide(tb, 1, 4000) }, 10_000},
	{"all of them listed otherwise", func(tb testing.TB) settest.Files { return distinct(tb, 20, 1000) }, 4 * rules.MostSteps},
	{"narrow permissions", func(tb testing.TB) settest.Files { return opposed(tb, 3000, "approval_required") }, 5_000_000},
	{"narrow permissions, denied", func(tb testing.TB) settest.Files { return denied(tb, 3000) }, 5_000_000},
	{"powerless task", func(tb testing.TB) settest.Files { return powerless(tb, 5000, 5000, false) }, 50_000},
	{"powerless task, all listed otherwise", func(tb testing.TB) settest.Files { return powerless(tb, 5000, 5000, true) }, rules.MostSteps + 50_000},
	{"approvers of their own", func(tb testing.TB) settest.Files { return selfMade(tb, 8000, 10_000) }, 10_000_000},
	{"risks that are denied", func(tb testing.TB) settest.Files { return shut(tb, 5000) }, 50_000},
	{"steps and tasks", func(tb testing.TB) settest.Files { return errands(tb, 1500) }, 2 * rules.MostPairs},
	{"network", func(tb testing.TB) settest.Files { return network(tb, 100, 5000) }, 5_000_000},
}

// TestHostileSetsTakeFewSteps counts.
func TestHostileSetsTakeFewSteps(t *testing.T) {
	t.Parallel()
	for _, row := range hostile {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			found, steps := rules.CheckWithin(row.set(t).Index(), rules.MostSteps, rules.MostPairs)
			if steps > row.steps {
				t.Errorf("%d steps, want at most %d", steps, row.steps)
			}
			if len(found) == 0 || steps == 0 {
				t.Errorf("%d findings after %d steps", len(found), steps)
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, row := range hostile {
		b.Run(strings.ReplaceAll(row.name, " ", "-"), func(b *testing.B) {
			x := row.set(b).Index()
			b.ReportAllocs()
			for b.Loop() {
				_, steps := rules.CheckWithin(x, rules.MostSteps, rules.MostPairs)
				b.ReportMetric(float64(steps), "steps")
			}
		})
	}
}
