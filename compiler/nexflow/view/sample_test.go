package view_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/view"
)

func inspected(t *testing.T, x *refs.Index) view.Inspection {
	t.Helper()
	i, err := view.Inspect(x)
	if err != nil {
		t.Fatalf("inspect: %v", err)
	}
	return i
}

func graphed(t *testing.T, f settest.Files) view.Graph {
	t.Helper()
	x := f.Index()
	return view.NewGraph(inspected(t, x), x)
}

func TestCountsOfTheSampleSets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set                            string
		kinds, nodes, edges, stepEdges int
	}{
		{"examples/minimal-team", 17, 44, 60, 1},
		{"examples/software-team", 16, 78, 200, 3},
		{"examples/startup-team", 16, 76, 189, 3},
		{"examples/product-delivery-team", 16, 100, 292, 5},
		{"examples/open-source-maintainer", 16, 89, 276, 4},
		{"fixtures/discovery/multi-workflow", 4, 12, 8, 2}, // one of the same names in each of the two workflows
		{"fixtures/cli/valid/minimal-project", 3, 4, 2, 0},
	} {
		t.Run(c.set, func(t *testing.T) {
			t.Parallel()
			f := settest.Sample(t, c.set)
			i := inspected(t, f.Index())
			sum := 0
			for _, k := range i.Summary {
				sum += k.ResourceCount
			}
			if len(i.Summary) != c.kinds || len(i.Resources) != c.nodes || sum != c.nodes || len(i.References) != c.edges {
				t.Errorf("%d kinds, %d resources (summary %d), %d references; want %d, %d, %d", len(i.Summary), len(i.Resources), sum, len(i.References), c.kinds, c.nodes, c.edges)
			}
			g := graphed(t, f)
			for _, e := range g.Edges {
				if e.Status != view.EdgeResolved || e.To == nil || e.From == nil {
					t.Errorf("the edge %s %s is %s", e.File, e.Path, e.Status)
				}
			}
			if got := view.StepOrders(g); got != c.stepEdges {
				t.Errorf("%d step orders, want %d", got, c.stepEdges)
			}
		})
	}
}

func TestKindsOfTheSampleSets(t *testing.T) {
	t.Parallel()
	sets := []string{"minimal-team", "software-team", "startup-team", "product-delivery-team", "open-source-maintainer"}
	for kind, want := range map[refs.Space][5]int{
		"project": {1, 1, 1, 1, 1}, "approval-gate": {1, 4, 2, 3, 4}, "actor": {2, 0, 0, 0, 0}, "agent": {1, 4, 4, 5, 5},
		"agent-definition": {1, 3, 2, 3, 4}, "capability": {4, 11, 12, 13, 13}, "permission": {2, 6, 4, 5, 5}, "task": {2, 4, 4, 6, 5},
		"artifact": {1, 7, 9, 18, 11}, "workflow": {1, 1, 1, 1, 1}, "workflow-stage": {2, 3, 4, 6, 5}, "workflow-step": {2, 4, 4, 6, 5},
		"handoff": {1, 3, 3, 5, 4}, "context-source": {2, 4, 6, 7, 6}, "memory-scope": {3, 3, 3, 3, 3}, "provider": {1, 2, 2, 2, 2},
		"model-profile": {1, 1, 1, 1, 1}, "prompt-set": {1, 1, 1, 1, 1}, "retrieval-profile": {1, 1, 1, 1, 1},
		"event": {13, 12, 9, 10, 10}, "extension": {1, 3, 3, 3, 2},
	} {
		for n, set := range sets {
			got := 0
			for _, r := range inspected(t, settest.Sample(t, "examples/"+set).Index()).Resources {
				if r.Kind == kind {
					got++
				}
			}
			if got != want[n] {
				t.Errorf("%s has %d of %s, want %d", set, got, kind, want[n])
			}
		}
	}
}

func TestMinimalTeamInDetail(t *testing.T) {
	t.Parallel()
	f := settest.Sample(t, "examples/minimal-team")
	i, g := inspected(t, f.Index()), graphed(t, f)
	if i.Mode != "declared-only" || i.ReferencesResolved || i.ReferenceCoverage != "selected-fields" || g.Mode != "static-declared" {
		t.Errorf("modes: %+v", i)
	}
	if diff := cmp.Diff(view.Project{ID: "minimal-team", File: "project.yaml", Path: "/project"}, i.Project); diff != "" {
		t.Error(diff)
	}
	for _, k := range i.Summary {
		want, checked := map[manifest.Kind]int{"ActorSet": 2, "TaskSet": 3, "Workflow": 5, "Project": 2}[k.Kind]
		if k.DocumentCount != 1 || checked && k.ResourceCount != want {
			t.Errorf("summary: %+v", k)
		}
	}
	relations := map[string]int{}
	for _, e := range g.Edges {
		relations[e.Relation]++
	}
	if diff := cmp.Diff(map[string]int{
		"agent-ref": 2, "allowed-actors": 4, "allowed-consumers": 5, "approval-gate": 2, "approval-gates": 2, "artifacts": 1, "capabilities": 5,
		"capabilities-required": 3, "capability-refs": 3, "context-source-ref": 2, "context-source-refs": 2, "depends-on": 2, "emits": 3,
		"extension-refs": 1, "from": 2, "maintainers": 1, "memory-scopes": 2, "model-profile-ref": 1, "owner": 5, "participants": 1,
		"permission-refs": 1, "prompt-set-ref": 1, "provider-refs": 1, "required-capabilities": 1, "retrieval-profile-ref": 1, "subjects": 2, "task": 2, "to": 2,
	}, relations); diff != "" {
		t.Errorf("relations (-want +got):\n%s", diff)
	}
	first, last, edge := g.Nodes[0], g.Nodes[43], g.Edges[0]
	if first.Identity != "human-maintainer" || first.Path != "/actors/0" || first.Kind != "actor" || last.ID != "n43" || last.Identity != "step-review-doc-update" ||
		last.Scope == nil || last.Scope.ID != "docs-review-flow" {
		t.Errorf("first and last node: %+v %+v", first, last)
	}
	if edge.Path != "/actors/1/agentRef/id" || edge.Target.Kind != "agent" || edge.Target.Identity != "docs-agent" || *edge.From != "n1" {
		t.Errorf("first edge: %+v", edge)
	}
}

func TestGraphsOfBrokenSets(t *testing.T) {
	t.Parallel()
	m := func(edit func(t *testing.T, f settest.Files) settest.Files) func(t *testing.T) settest.Files {
		return func(t *testing.T) settest.Files { return edit(t, settest.Sample(t, "examples/minimal-team")) }
	}
	put := func(file, pointer, json string) func(t *testing.T) settest.Files {
		return m(func(t *testing.T, f settest.Files) settest.Files { return f.Put(t, file, pointer, json) })
	}
	for _, c := range []struct {
		id   string
		make func(t *testing.T) settest.Files
		want [5]int // nodes, edges, resolved, unresolved, ambiguous
	}{
		{"R02", put("tasks.yaml", "/tasks/0/owner", `"nobody"`), [5]int{44, 60, 59, 1, 0}},
		{"R04", put("workflow.yaml", "/workflow/stages/0/steps/0/emits/-", `"task.exploded"`), [5]int{44, 61, 60, 1, 0}},
		{"R06", put("project.yaml", "/project/approvalGates/0/requiredApprovers/-", `"ghost"`), [5]int{44, 60, 60, 0, 0}},
		{"R11", func(t *testing.T) settest.Files {
			f := settest.Sample(t, "fixtures/discovery/multi-workflow").Put(t, "flows/release.yml", "/workflow/stages/0/steps/-", `{"id": "ship", "task": "review-change"}`)
			return f.Put(t, "flows/documentation.yml", "/workflow/stages/0/steps/1/dependsOn/-", `"ship"`)
		}, [5]int{13, 10, 9, 1, 0}},
		{"R13", m(func(t *testing.T, f settest.Files) settest.Files { return f.Drop(t, "actors.yaml", "/actors/1") }), [5]int{43, 59, 52, 7, 0}},
		{"R14", m(func(_ *testing.T, f settest.Files) settest.Files { return f.Without("capabilities.yaml") }), [5]int{40, 60, 48, 12, 0}},
		{"R17", put("context.yaml", "/contextSources/0/access/deniedActors", `["ghost"]`), [5]int{44, 61, 60, 1, 0}},
		{"X01", put("capabilities.yaml", "/capabilities/-", `{"id": "read_repository", "description": "again", "risk": "low"}`), [5]int{45, 60, 55, 0, 5}},
		{"X02", put("workflow.yaml", "/workflow/stages/1/steps/0/id", `"step-draft-doc-update"`), [5]int{44, 60, 57, 1, 2}},
		{"A06", m(func(_ *testing.T, f settest.Files) settest.Files { return f.Without("actors.yaml") }), [5]int{42, 59, 46, 13, 0}},
		{"G01", put("workflow.yaml", "/workflow/stages/0/steps/0/dependsOn", `["step-review-doc-update"]`), [5]int{44, 61, 61, 0, 0}},
		{"I01", m(func(_ *testing.T, f settest.Files) settest.Files {
			return settest.Files{"agents.yaml": f["agents.yaml"], "project.yaml": f["project.yaml"], "actors.yaml": f["actors.yaml"]}
		}), [5]int{5, 2, 2, 0, 0}},
	} {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			g := graphed(t, c.make(t))
			n := map[view.EdgeStatus]int{}
			for _, e := range g.Edges {
				n[e.Status]++
				if (e.To != nil) != (e.Status == view.EdgeResolved) || (len(e.Candidates) > 1) != (e.Status == view.EdgeAmbiguous) {
					t.Errorf("the edge %s contradicts itself: %+v", e.ID, e)
				}
			}
			got := [5]int{g.NodeCount, g.EdgeCount, n[view.EdgeResolved], n[view.EdgeUnresolved], n[view.EdgeAmbiguous]}
			if got != c.want {
				t.Errorf("nodes, edges, resolved, unresolved, ambiguous: %v, want %v", got, c.want)
			}
		})
	}
}

// own is a set with what graphs show, for places without the sample sets.
const own = `
-- agents.yaml
kind: AgentSet
agents: [{id: writer}, {id: reader}]
-- capabilities.yaml
kind: CapabilitySet
capabilities: [{id: write_text}, {id: read_text}]
-- events.yaml
kind: EventSet
events: [{type: task.completed}]
-- flow.yaml
kind: Workflow
workflow:
  id: publish
  stages:
    - id: work
      steps:
        - {id: read, task: review, approvalGates: [board]}
        - {id: write, task: draft, emits: [task.completed]}
    - id: rest
      steps: []
  dependencies: [{from: write, to: read, type: blocks}]
-- handoffs.yaml
kind: HandoffSet
handoffs: [{id: pass, from: [writer], to: [reader, ghost], artifacts: [text]}]
-- permissions.yaml
kind: PermissionSet
permissions:
  - {id: writers, subjects: [writer], capabilities: [write_text, read_text], effect: approval_required, approvalGate: board}
  - {id: readers, subjects: [reader], capabilities: [read_text], effect: allow}
-- project.yaml
kind: Project
project: {id: press, maintainers: [{id: keeper}], approvalGates: [{id: board}]}
-- tasks.yaml
kind: TaskSet
tasks:
  - {id: review, owner: reader, dependsOn: [draft]}
  - {id: draft, owner: writer, participants: [reader], artifacts: [{id: text}]}
`

func TestJSONHasTheFieldsInOrder(t *testing.T) {
	t.Parallel()
	f := settest.Parse(t, own)
	b, err := json.Marshal(inspected(t, f.Index()))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(b), `{"mode":"declared-only","referencesResolved":false,"referenceCoverage":"selected-fields","project":{"id":"press","file":"project.yaml","path":"/project"},"summary":[{"kind":"AgentSet","documentCount":1,"resourceCount":2},`,
		`{"file":"flow.yaml","path":"/workflow/stages/0/steps/1","kind":"workflow-step","id":"write","scope":{"kind":"workflow","id":"publish"}}`,
		`{"file":"tasks.yaml","path":"/tasks/0/owner","kind":"participant","id":"reader","scope":null}`)
	b, err = json.Marshal(graphed(t, f))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(b), `{"mode":"static-declared","referenceCoverage":"selected-fields","nodeCount":18,"edgeCount":21,"nodes":[{"id":"n0","kind":"agent","identity":"writer","scope":null,"file":"agents.yaml","path":"/agents/0"},`,
		`"from":"n13","to":null,"candidates":[],"relation":"maintainers","target":{"kind":"participant","identity":"keeper","scope":null},"status":"unresolved","file":"project.yaml","path":"/project/maintainers/0/id"}`,
		`"edges":[{"id":"e0","from":"n5","to":"n8","candidates":[],"relation":"from","target":{"kind":"workflow-step","identity":"write","scope":{"kind":"workflow","id":"publish"}},"status":"resolved","file":"flow.yaml","path":"/workflow/dependencies/0/from"}`)
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in\n%s", p, text)
		}
	}
}

// V04: paths are ordered as texts.
func TestOrderIsThatOfTexts(t *testing.T) {
	t.Parallel()
	f := settest.Parse(t, "-- project.yaml\nkind: Project\nproject: {id: a}\n-- tasks.yaml\nkind: TaskSet\ntasks: []")
	for n := range 12 {
		f = f.Put(t, "tasks.yaml", "/tasks/-", fmt.Sprintf(`{"id": "task-%d"}`, n))
	}
	var got []string
	for _, n := range graphed(t, f).Nodes {
		got = append(got, n.ID+" "+n.Path)
	}
	want := []string{"n0 /project", "n1 /tasks/0", "n2 /tasks/1", "n3 /tasks/10", "n4 /tasks/11", "n5 /tasks/2"}
	if diff := cmp.Diff(want, got[:6]); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// V03: the limits are inclusive.
func TestLimits(t *testing.T) {
	t.Parallel()
	build := func(tasks, refsEach, rest int) *refs.Index {
		var b strings.Builder
		b.WriteString("-- project.yaml\nkind: Project\nproject: {id: a}\n-- tasks.yaml\nkind: TaskSet\ntasks:\n")
		for n := range tasks {
			each := refsEach
			if n == 0 {
				each += rest
			}
			fmt.Fprintf(&b, "  - {id: t%d, dependsOn: [%s]}\n", n, strings.TrimSuffix(strings.Repeat("t0, ", each), ", "))
		}
		return settest.Parse(t, b.String()).Index()
	}
	for _, c := range []struct {
		tasks, each, rest int
		want              error
	}{{999, 2, 2, nil}, {1000, 2, 0, view.ErrLimit}, {999, 2, 3, view.ErrLimit}} {
		i, err := view.Inspect(build(c.tasks, c.each, c.rest))
		if !errors.Is(err, c.want) {
			t.Errorf("%d tasks, %d references: %v, want %v", c.tasks, c.tasks*c.each+c.rest, err, c.want)
		}
		if err != nil && (len(i.Resources) > 0 || len(i.References) > 0) {
			t.Error("a partial list is given")
		}
	}
}

func TestRedactedTargetsAreNotLookedUp(t *testing.T) {
	t.Parallel()
	long := "a." + strings.Repeat("b", 130)
	f := settest.Parse(t, own).Put(t, "events.yaml", "/events/-", `{"type": "`+long+`"}`).Put(t, "flow.yaml", "/workflow/stages/0/steps/0/emits", `["`+long+`"]`)
	g := graphed(t, f)
	redacted := 0
	for _, e := range g.Edges {
		if e.Status == view.EdgeRedacted {
			redacted++
			if e.To != nil || len(e.Candidates) > 0 || e.Target.Identity != manifest.RedactedID {
				t.Errorf("a redacted edge has a target: %+v", e)
			}
		}
	}
	if redacted != 1 {
		t.Errorf("%d redacted edges, want one", redacted)
	}
	b, _ := json.Marshal(g)
	if strings.Contains(string(b), long) {
		t.Error("an over-long event type is repeated")
	}
}
