package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
)

func TestStepCycles(t *testing.T) {
	t.Parallel()
	cycle := func(path string) []string { return []string{"E TERFYN-GRAPH-STEP-CYCLE workflow " + path} }
	checkWorkshop(t, []change{
		{name: "itself", script: `workflow /workflow/stages/0/steps/0/dependsOn := ["think"]`, want: cycle("/workflow/stages/0/steps/0")},
		{name: "itself as a dependency", script: `workflow /workflow/dependencies/- := {"from": "make", "to": "make"}`, want: cycle("/workflow/stages/0/steps/1")},
		{name: "half depends, half dependency, at the smallest id", script: `workflow /workflow/stages/0/steps/0/dependsOn := ["colour"]`,
			want: cycle("/workflow/stages/1/steps/0")},
		{name: "two circles are two findings", script: `
			workflow /workflow/stages/0/steps/0/dependsOn := ["think"]
			workflow /workflow/dependencies/- := {"from": "colour", "to": "make"}`,
			want: append(cycle("/workflow/stages/0/steps/0"), cycle("/workflow/stages/1/steps/0")...)},
		{name: "in the other workflow alone", script: `workflow2 /workflow/stages/0/steps/0/dependsOn := ["colour"]`,
			want: []string{"E TERFYN-GRAPH-STEP-CYCLE workflow2 /workflow/stages/0/steps/1"}},
		{name: "steps that are not declared", script: `
			workflow /workflow/stages/0/steps/0/dependsOn := ["ghost"]
			workflow /workflow/dependencies/- := {"from": "colour", "to": "ghost"}
			workflow /workflow/dependencies/- := {"from": "ghost", "to": "think"}`},
		{name: "steps that share an id", script: `
			workflow /workflow/stages/1/steps/0/id := "make"
			workflow /workflow/stages/0/steps/0/dependsOn := ["think"]`},
		{name: "stages are no order", script: `workflow /workflow/stages := ` + oneLine(`[
			{"id": "first", "displayName": "F", "steps": [{"id": "colour", "task": "paint", "dependsOn": ["make"], "approvalGates": ["bench", "door"]}]},
			{"id": "second", "displayName": "S", "steps": [{"id": "make", "task": "build", "dependsOn": ["think"], "approvalGates": ["door"]}, {"id": "think", "task": "plan"}]}]`)},
	})
	x := settest.Parse(t, workshop).Apply(t, `workflow /workflow/stages/0/steps/0/dependsOn := ["colour"]`).Index()
	if diff := cmp.Diff([]string{"colour", "make", "think"}, detailed(x, "/workflow/stages/1/steps/0")); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

func TestTaskCycles(t *testing.T) {
	t.Parallel()
	checkWorkshop(t, []change{
		{name: "itself", script: `tasks /tasks/2/dependsOn/- := "paint"`, want: []string{"E TERFYN-GRAPH-TASK-CYCLE tasks /tasks/2/dependsOn"}},
		{name: "at the smallest id", script: `tasks /tasks/0/dependsOn := ["paint"]`, want: []string{"E TERFYN-GRAPH-TASK-CYCLE tasks /tasks/1/dependsOn"}},
		{name: "order is not compared then", script: `tasks /tasks/0/dependsOn := ["paint"]
			workflow /workflow/dependencies := []`, want: []string{"E TERFYN-GRAPH-TASK-CYCLE tasks /tasks/1/dependsOn"}},
		{name: "tasks that are not declared", script: `tasks /tasks/0/dependsOn := ["ghost"]`},
		{name: "a duplicate stands for nothing", script: `tasks /tasks/- := {"id": "plan", "title": "x", "owner": "ann", "dependsOn": ["plan", "paint"]}`},
	})
	x := settest.Parse(t, workshop).Apply(t, `tasks /tasks/0/dependsOn := ["paint"]`).Index()
	if diff := cmp.Diff([]string{"build", "paint", "plan"}, detailed(x, "/tasks/1/dependsOn")); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

func TestOrderOfStepsAndTasks(t *testing.T) {
	t.Parallel()
	early := []string{"W TERFYN-GRAPH-ORDER-MISMATCH workflow /workflow/stages/1/steps/0/dependsOn"}
	checkWorkshop(t, []change{
		{name: "waits for nothing", script: `workflow /workflow/dependencies := []`, want: early},
		{name: "waits for something else", script: `workflow /workflow/dependencies := [{"from": "think", "to": "colour"}]`, want: early},
		{name: "waits through another step", script: `workflow /workflow/dependencies := []
			workflow /workflow/stages/1/steps/- := {"id": "dry", "task": "plan", "dependsOn": ["make"]}
			workflow /workflow/stages/1/steps/0/dependsOn := ["dry"]`,
			want: []string{"I TERFYN-HANDOFF-MISSING workflow /workflow/stages/1/steps/1/dependsOn"}},
		{name: "waits for one of two steps of the task", script: `
			workflow /workflow/stages/1/steps/- := {"id": "remake", "task": "build", "dependsOn": ["think"]}`},
		{name: "each of two steps that run the task", script: `workflow /workflow/dependencies := []
			workflow /workflow/stages/1/steps/- := {"id": "varnish", "task": "paint", "dependsOn": ["think"]}`,
			want: append(early, "W TERFYN-GRAPH-ORDER-MISMATCH workflow /workflow/stages/1/steps/1/dependsOn")},
		{name: "each of two tasks that are needed", script: `workflow /workflow/dependencies := []
			tasks /tasks/2/dependsOn := ["build", "plan"]`, want: append(early, early...)},
		{name: "the needed task is not run here", script: `workflow2 /workflow/stages/0/steps/0 delete
			workflow2 /workflow/stages/0/steps/0/dependsOn delete`},
		{name: "the needed task is not declared", script: `workflow /workflow/dependencies := []
			tasks /tasks/2/dependsOn := ["ghost"]`},
		{name: "what the step waits for is not declared", script: `workflow /workflow/dependencies := []
			workflow /workflow/stages/1/steps/0/dependsOn := ["mak"]`},
		{name: "a task that only its task needs is not asked for", script: `tasks /tasks/2/dependsOn := ["plan"]
			workflow /workflow/dependencies := [{"from": "think", "to": "colour"}]`},
		{name: "steps in a circle wait for each other", script: `workflow /workflow/stages/0/steps/1/dependsOn := ["think", "colour"]`,
			want: []string{"E TERFYN-GRAPH-STEP-CYCLE workflow /workflow/stages/1/steps/0"}},
		{name: "a step beside a circle", script: `workflow /workflow/dependencies := []
			workflow /workflow/stages/0/steps/0/dependsOn := ["think"]`,
			want: []string{"E TERFYN-GRAPH-STEP-CYCLE workflow /workflow/stages/0/steps/0", early[0]}},
		{name: "steps that share an id", script: `workflow /workflow/dependencies := []
			workflow /workflow/stages/1/steps/- := {"id": "make", "task": "build"}`},
	})
}

func TestScheduledTasksAndStages(t *testing.T) {
	t.Parallel()
	checkWorkshop(t, []change{
		{name: "no step runs it", script: `tasks /tasks/- := {"id": "loose", "title": "x", "status": "ready", "owner": "ann", "acceptanceCriteria": []}`,
			want: []string{"I TERFYN-GRAPH-TASK-UNSCHEDULED tasks /tasks/3/id"}},
		{name: "without workflows nothing is scheduled", script: `workflow delete
			workflow2 delete
			project /project/approvalGates/1/targets delete
			tasks /tasks/2/approvalGates := ["bench"]`},
		{name: "a step of either workflow is enough", script: `workflow2 /workflow/stages/0/steps/1 delete
			workflow /workflow/stages/1/steps/0/approvalGates := ["bench", "door"]`},
		{name: "empty stage", script: `workflow2 /workflow/stages/- := {"id": "last", "displayName": "L", "steps": []}`,
			want: []string{"W TERFYN-GRAPH-EMPTY-STAGE workflow2 /workflow/stages/1/steps"}},
	})
}

func TestHandoffs(t *testing.T) {
	t.Parallel()
	missing := []string{"I TERFYN-HANDOFF-MISSING workflow /workflow/stages/0/steps/1/dependsOn"}
	checkWorkshop(t, []change{
		{name: "nobody gives", script: `handoffs /handoffs/0/from := []`, want: append([]string{"E TERFYN-HANDOFF-ENDPOINT-EMPTY handoffs /handoffs/0/from"}, missing...)},
		{name: "nobody on either side", script: `handoffs /handoffs/0/from := []
			handoffs /handoffs/0/to := []`, want: append([]string{
			"E TERFYN-HANDOFF-ENDPOINT-EMPTY handoffs /handoffs/0/from", "E TERFYN-HANDOFF-ENDPOINT-EMPTY handoffs /handoffs/0/to"}, missing...)},
		{name: "two on both sides are one finding", script: `handoffs /handoffs/0/to := ["bot", "ann", "ben"]`, want: []string{"W TERFYN-HANDOFF-SELF handoffs /handoffs/0/to"}},
		{name: "one who is not declared on both sides", script: `handoffs /handoffs/0/to/- := "ghost"
			handoffs /handoffs/0/from/- := "ghost"`},
		{name: "the other way round", script: `handoffs /handoffs/0/from := ["bot"]
			handoffs /handoffs/0/to := ["ann"]`, want: missing},
		{name: "a second handoff of one id still leads", script: `handoffs /handoffs/- := {"id": "ann_to_bot", "from": ["ann"], "to": ["bot"], "reason": "x", "nextAction": "x", "status": "pending"}
			handoffs /handoffs/0/from := ["bot"]
			handoffs /handoffs/0/to := ["ann"]`},
		{name: "no handoffs in an existing set", script: `handoffs /handoffs := []`, want: missing},
		{name: "no set of handoffs", script: `handoffs delete`},
		{name: "an owner is not declared", script: `handoffs /handoffs := []
			tasks /tasks/0/owner := "ghost"`},
		{name: "a task is not declared", script: `handoffs /handoffs := []
			tasks /tasks/1/approvalGates := ["bench", "door"]
			project /project/approvalGates/1/targets delete
			workflow /workflow/stages/0/steps/0/task := "ghost"`, want: []string{"I TERFYN-GRAPH-TASK-UNSCHEDULED tasks /tasks/0/id"}},
		{name: "steps in a circle", script: `handoffs /handoffs := []
			workflow /workflow/stages/0/steps/0/dependsOn := ["think"]`, want: []string{"E TERFYN-GRAPH-STEP-CYCLE workflow /workflow/stages/0/steps/0"}},
		{name: "steps that share an id", script: `handoffs /handoffs := []
			workflow /workflow/stages/1/steps/- := {"id": "make", "task": "build"}`},
		{name: "from each of two steps before", script: `handoffs /handoffs := []
			workflow /workflow/stages/0/steps/- := {"id": "muse", "task": "plan"}
			workflow /workflow/dependencies/- := {"from": "muse", "to": "make"}`, want: append(missing, missing...)},
		{name: "only a dependency leads there", script: `handoffs /handoffs := []
			workflow /workflow/stages/0/steps/1/dependsOn delete`, want: missing},
		{name: "indirectly is not directly", script: `handoffs /handoffs := []
			workflow /workflow/stages/0/steps/1/dependsOn := []
			workflow /workflow/dependencies := [{"from": "make", "to": "colour"}]
			tasks /tasks/1/dependsOn := []`},
	})
}

func TestExtensionsAreInert(t *testing.T) {
	t.Parallel()
	set := settest.Parse(t, workshop+`
-- extensions.yaml
{specVersion: "0.1", kind: ExtensionSet, metadata: {project: workshop}, extensions: [
  {id: one, namespace: example.one, displayName: O, lifecycle: stable}, {id: two, namespace: example.two, displayName: T, lifecycle: removed}]}
`)
	want := []string{"I TERFYN-EXT-INERT extensions /extensions/0/namespace", "I TERFYN-EXT-INERT extensions /extensions/1/namespace"}
	if diff := cmp.Diff(want, working(set.Index())); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// Many steps that run one task with many dependencies are more pairs than are
// compared; the finding that says so stands at the first step that was left out.
func TestOrderIsComparedWithinBounds(t *testing.T) {
	t.Parallel()
	const each = 40
	x := errands(t, each).Index()
	for _, row := range []struct {
		pairs, early int
		left         string
	}{{each * each, each * each, ""}, {each*each - 1, each * (each - 1), "/workflow/stages/0/steps/79/dependsOn"}, {each - 1, 0, "/workflow/stages/0/steps/40/dependsOn"}} {
		found, _ := rules.CheckWithin(x, rules.MostSteps, row.pairs)
		early, left := 0, ""
		for _, r := range found {
			switch {
			case r.Code != code.GraphOrderMismatch:
			case strings.Contains(r.Message, "more to compare") && left == "":
				left = r.Path
			default:
				early++
			}
		}
		if early != row.early || left != row.left {
			t.Errorf("of %d pairs: %d findings, the rest from %q, want %d and %q", row.pairs, early, left, row.early, row.left)
		}
	}
}
