package cases

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terfyn/internal/sharedtest"
)

// listing is what every result about a set begins with.
type listing struct {
	DocumentCount int `json:"documentCount"`
	Documents     []struct{ File, Kind string }
}

type scope struct{ Kind, ID string }

type item struct {
	File, Path, Kind, ID string
	Scope                *scope
}

type inspected struct {
	listing
	Inspection struct {
		Mode               string
		ReferencesResolved *bool `json:"referencesResolved"`
		ReferenceCoverage  string
		Project            struct{ ID, File, Path string }
		Summary            []struct {
			Kind                         string
			DocumentCount, ResourceCount int
		}
		Resources, References []item
	}
	Authority struct {
		Participants []struct {
			ID     string
			Grants []struct{ Effect string }
		}
		Agents []struct {
			Active      string
			Definitions []struct{ ID string }
		}
	}
}

type drawn struct {
	listing
	Graph struct {
		Mode, ReferenceCoverage string
		NodeCount, EdgeCount    int
		Nodes                   []struct {
			ID, Kind, Identity, File, Path string
			Scope                          *scope
		}
		Edges []edge
	}
}

type edge struct {
	ID         string
	From, To   *string
	Candidates []string
	Relation   string
	Target     struct {
		Kind, Identity string
		Scope          *scope
	}
	Status, File, Path string
}

// inspect and draw give the results of the commands for a set.
func inspect(t *testing.T, root string) inspected {
	t.Helper()
	var out inspected
	result(t, ask(t, []string{root}, "inspect", "--root", root), &out)
	return out
}

func draw(t *testing.T, root string) drawn {
	t.Helper()
	var out drawn
	result(t, ask(t, []string{root}, "graph", "--root", root), &out)
	return out
}

func result(t *testing.T, a answer, into any) {
	t.Helper()
	if a.exit != 0 {
		t.Fatalf("exit %d: %s", a.exit, a.out)
	}
	if err := json.Unmarshal(a.Result, into); err != nil {
		t.Fatal(err)
	}
}

// facts is everything that the count tables speak about, of one set.
func facts(t *testing.T, root string) map[string]string {
	t.Helper()
	valid := ask(t, nil, "validate", "--root", root)
	strict := ask(t, nil, "validate", "--root", root, "--strict")
	seen, graph := inspect(t, root), draw(t, root)
	severities := map[string]int{}
	for _, d := range valid.Diagnostics {
		severities[d.Severity]++
	}
	kinds := map[string]bool{}
	for _, d := range seen.Documents {
		kinds[d.Kind] = true
	}
	resolved := 0
	for _, e := range graph.Graph.Edges {
		if e.Status == "resolved" {
			resolved++
		}
	}
	defined, active := 0, 0
	for _, a := range seen.Authority.Agents {
		if len(a.Definitions) > 0 {
			defined++
		}
		if a.Active != "" {
			active++
		}
	}
	out := map[string]string{
		"documents discovered":                strconv.Itoa(seen.DocumentCount),
		"distinct kinds":                      strconv.Itoa(len(kinds)),
		"resources (nodes)":                   strconv.Itoa(graph.Graph.NodeCount),
		"references (edges)":                  strconv.Itoa(graph.Graph.EdgeCount),
		"edges without a target":              strconv.Itoa(graph.Graph.EdgeCount - resolved),
		"validate: errors / warnings / infos": fmt.Sprintf("%d/%d/%d", severities["error"], severities["warning"], severities["info"]),
		"exit / strict exit":                  fmt.Sprintf("%d/%d", valid.exit, strict.exit),
		"step edges (union)":                  strconv.Itoa(len(stepEdges(graph))),
		"agents with a definition / active":   fmt.Sprintf("%d/%d", defined, active),
		"permission cells allow / approval_required / none / deny (participants × capabilities)": cells(seen),
	}
	if defined == 0 {
		out["agents with a definition / active"] = "0"
	}
	if graph.Graph.NodeCount != len(seen.Inspection.Resources) || graph.Graph.EdgeCount != len(seen.Inspection.References) {
		t.Errorf("%d nodes of %d resources, %d edges of %d references", graph.Graph.NodeCount, len(seen.Inspection.Resources), graph.Graph.EdgeCount, len(seen.Inspection.References))
	}
	for _, r := range seen.Inspection.Resources {
		n, _ := strconv.Atoi(out["resources "+r.Kind])
		out["resources "+r.Kind] = strconv.Itoa(n + 1)
	}
	return out
}

// stepEdges is the order of steps that a graph declares, each pair of ids once: the
// table counts ids, so that the same two steps of two workflows are one pair.
func stepEdges(d drawn) map[[2]string]bool {
	identity := map[string]string{}
	for _, n := range d.Graph.Nodes {
		identity[n.ID] = n.Identity
	}
	out := map[[2]string]bool{}
	ends := map[string][2]string{}
	for _, e := range d.Graph.Edges {
		if e.Target.Kind != "workflow-step" || e.To == nil || e.From == nil {
			continue
		}
		if e.Relation == "depends-on" {
			out[[2]string{identity[*e.To], identity[*e.From]}] = true
			continue
		}
		at := e.File + e.Path[:strings.LastIndexByte(e.Path, '/')]
		pair := ends[at]
		if e.Relation == "from" {
			pair[0] = identity[*e.To]
		} else {
			pair[1] = identity[*e.To]
		}
		ends[at] = pair
	}
	for _, pair := range ends {
		out[pair] = true
	}
	return out
}

// cells counts the pairs of participants and capabilities by effect.
func cells(seen inspected) string {
	count := map[string]int{}
	capabilities := 0
	for _, r := range seen.Inspection.Resources {
		if r.Kind == "capability" {
			capabilities++
		}
	}
	all := len(seen.Authority.Participants) * capabilities
	for _, p := range seen.Authority.Participants {
		for _, g := range p.Grants {
			count[g.Effect]++
			all--
		}
	}
	return fmt.Sprintf("%d/%d/%d/%d", count["allow"], count["approval_required"], all, count["deny"])
}

// sharedText gives the specification's case file.
func sharedText(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(sharedtest.Path(t, "data", "nexflow-cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// allResolved is how the specification's table calls a count of edges that leave
// nothing unresolved.
const allResolved = ", all resolved"

// wanted reads the count tables of a section as fact by set.
func wanted(text, section string, sets map[string]string) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, tb := range readTables(text) {
		if tb.section != section || !slices.Contains([]string{"", "kind"}, tb.header[0]) {
			continue
		}
		for _, cells := range tb.rows {
			name := ""
			for i, head := range tb.header {
				switch _, isSet := sets[head]; {
				case head == "kind":
					name = "resources " + cells[i]
				case head == "":
					name = cells[i]
				case isSet && name != "" && cells[i] != "" && cells[i] != "–":
					if out[head] == nil {
						out[head] = map[string]string{}
					}
					if counted, all := strings.CutSuffix(name, allResolved); all {
						out[head]["edges without a target"] = "0"
						out[head][counted] = cells[i]
					} else {
						out[head][name] = cells[i]
					}
				}
			}
		}
	}
	return out
}

// holdCounts compares the sets with a section's count tables.
func holdCounts(t *testing.T, text, section string, sets map[string]string, least int) {
	t.Helper()
	want := wanted(text, section, sets)
	if len(want) != len(sets) {
		t.Fatalf("the count tables are about %v", sorted(want))
	}
	for set, counts := range want {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			if len(counts) < least {
				t.Fatalf("the count tables were read as %v", counts)
			}
			got := facts(t, copySet(t, sets[set]).root)
			for fact, value := range counts {
				have := got[fact]
				if have == "" && strings.HasPrefix(fact, "resources ") {
					have = "0"
				}
				if have != value {
					t.Errorf("%s: %s instead of %s", fact, have, value)
				}
			}
		})
	}
}

func TestSharedCounts(t *testing.T) {
	t.Parallel()
	holdCounts(t, sharedText(t), "1", sharedSuite(t).sets, 8)
}

func TestCounts(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(ownTable)
	if err != nil {
		t.Fatal(err)
	}
	holdCounts(t, string(b), "9", ownSets, 17)
}

var relation = regexp.MustCompile(`([a-z]+(?:-[a-z]+)*) (\d+)`)

func TestSharedEdgesByRelation(t *testing.T) {
	t.Parallel()
	text := sharedText(t)
	_, text, found := strings.Cut(text, "Edges of M by relation: ")
	if !found {
		t.Fatal("the case file counts no edges by relation")
	}
	text, _, _ = strings.Cut(text, ". In M,")
	want := map[string]int{}
	for _, m := range relation.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		want[m[1]] = n
	}
	if len(want) < 20 {
		t.Fatalf("the relations were read as %v", want)
	}
	d := draw(t, copySet(t, sample(t, "M")).root)
	got := map[string]int{}
	for _, e := range d.Graph.Edges {
		got[e.Relation]++
	}
	for _, r := range append(sorted(want), sorted(got)...) {
		if got[r] != want[r] {
			t.Errorf("%s: %d instead of %d", r, got[r], want[r])
		}
	}
	first, last := d.Graph.Nodes[0], d.Graph.Nodes[len(d.Graph.Nodes)-1]
	if first.ID != "n0" || first.Kind != "actor" || first.Identity != "human-maintainer" || first.File != "actors.yaml" || first.Path != "/actors/0" {
		t.Errorf("the first node is %+v", first)
	}
	if last.ID != "n43" || last.Kind != "workflow-step" || last.Identity != "step-review-doc-update" {
		t.Errorf("the last node is %+v", last)
	}
	e := d.Graph.Edges[0]
	if e.ID != "e0" || e.File != "actors.yaml" || e.Path != "/actors/1/agentRef/id" || e.Target.Kind != "agent" || e.Target.Identity != "docs-agent" {
		t.Errorf("the first edge is %+v", e)
	}
}
