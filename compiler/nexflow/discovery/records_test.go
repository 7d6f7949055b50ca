package discovery_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/yamlprofile"
	"terfyn/internal/sharedtest"
)

// TestRecords looks at whole records: what is said, and what to do.
func TestRecords(t *testing.T) {
	t.Parallel()
	record := func(c code.Code, file, message, suggestion string) manifest.Record {
		return manifest.Record{Severity: manifest.Error, Code: c, Layer: manifest.DiscoveryLayer, File: file, Message: message, Suggestion: suggestion}
	}
	unsafe := func(file string, reason manifest.Reason, message, suggestion string) manifest.Record {
		r := record(code.DiscoveryUnsafeSource, file, message, suggestion)
		r.Details.Reason = reason
		return r
	}
	broken := unsafe("tasks.yaml", manifest.ReasonDuplicateKey, "The file that the hint tasks names has a mapping with one key twice.", "Keep one of the two.")
	broken.Line = 6
	tabbed := unsafe("tasks.yaml", manifest.ReasonParse, "The file that the hint tasks names is indented with a tab, which YAML does not allow.", "Indent with blanks.")
	tabbed.Line = 7
	again := record(code.DiscoveryDuplicateSource, "agents.yaml", "The hint tasks names a path that is chosen already.", "Name each document once.")
	again.Related = []manifest.Place{{File: "agents.yaml"}}
	large := record(code.DiscoveryLimitExceeded, "tasks.yaml", "The file that the hint tasks names has more than 1048576 bytes.", "Shorten the document.")
	large.Details.Reason = manifest.ReasonSize
	many := record(code.DiscoveryLimitExceeded, "<input>", "More than 128 documents are chosen.", "")
	many.Details.Reason = manifest.ReasonDocuments
	mismatch := record(code.DiscoveryKindMismatch, "agents.yaml", "The hint actors expects a document of the kind ActorSet, and this one is of the kind AgentSet.", "Point the hint to the document that is meant.")
	mismatch.Kind, mismatch.Details.Allowed = manifest.AgentSet, []string{"ActorSet"}
	version := record(code.DiscoveryUnsupportedVersion, "tasks.yaml", "The file that the hint tasks names has a number as specVersion, where a string is expected.", `Write specVersion: "0.1" with the quotes.`)
	version.Details.Allowed = []string{"0.1"}
	other := record(code.DiscoveryProjectMismatch, "tasks.yaml", "The document belongs to the project <redacted-id>, and the Project of the set is small-team.", "Check that the document belongs here, and name the project in its metadata.project.")
	other.Kind = manifest.TaskSet
	twice := record(code.DiscoveryDuplicateWorkflow, "tasks.yaml", "More than one workflow has the id daily.", "Give each workflow an id of its own.")
	twice.Kind, twice.Related = manifest.Workflow, []manifest.Place{{File: "workflow.yaml"}}

	for name, c := range map[string]struct {
		files  tree
		choose discovery.Selection
		want   manifest.Record
	}{
		"line":     {team().appended("tasks.yaml", "tasks: []\n"), discovery.Selection{}, broken},
		"missing":  {team().without("tasks.yaml"), discovery.Selection{}, unsafe("tasks.yaml", manifest.ReasonUnreadable, "The file that the hint tasks names does not exist or cannot be read.", "Check the path from the root, and that the file may be read.")},
		"link":     {team().with("tasks.yaml", refusal+"symlink"), discovery.Selection{}, unsafe("tasks.yaml", manifest.ReasonSymlink, "The path of the hint tasks goes through a symbolic link.", "Put the file itself in the place of the link.")},
		"odd":      {team().with("tasks.yaml", refusal+"an odd reason"), discovery.Selection{}, unsafe("tasks.yaml", manifest.ReasonUnreadable, "The file that the hint tasks names does not exist or cannot be read.", "Check the path from the root, and that the file may be read.")},
		"blank":    {team().put(t, "project.yaml", "/manifests/tasks", `" "`), discovery.Selection{}, unsafe("<redacted-source>", manifest.ReasonLocator, "The locator of the hint tasks is blank, too long or has characters that do not belong in a name.", "Name the document by its path from the root.")},
		"outside":  {team().put(t, "project.yaml", "/manifests/tasks", `"../tasks.yaml"`), discovery.Selection{}, record(code.DiscoveryOutsideRoot, "<redacted-source>", "The locator of the hint tasks is absolute, names another place, or leads out of the root.", "Keep the document below the root and name it by its path from there, with forward slashes.")},
		"unhinted": {team(), list("project.yaml", "none.yaml"), unsafe("none.yaml", manifest.ReasonUnreadable, "The file does not exist or cannot be read.", "Check the path from the root, and that the file may be read.")},
		"tab":      {team().appended("tasks.yaml", "x:\n\ty: 1\n"), discovery.Selection{}, tabbed},
		"again":    {team().put(t, "project.yaml", "/manifests/tasks", `"agents.yaml"`), discovery.Selection{}, again},
		"hint":     {team().put(t, "project.yaml", "/manifests/tasks", `1`), discovery.Selection{}, unsafe("<input>", manifest.ReasonHintShape, "The hint tasks is not a path.", "Write the path of one document, from the root.")},
		"large":    {team().with("tasks.yaml", strings.Repeat("#", 1<<20+1)), discovery.Selection{}, large},
		"many":     {team(), list(make([]string, 129)...), many},
		"mismatch": {team().put(t, "project.yaml", "/manifests/actors", `"agents.yaml"`).drop(t, "project.yaml", "/manifests/agents"), discovery.Selection{}, mismatch},
		"version":  {team().put(t, "tasks.yaml", "/specVersion", `0.10`), discovery.Selection{}, version},
		"other":    {team().put(t, "tasks.yaml", "/metadata/project", `"A Secret Name"`), discovery.Selection{}, other},
		"twice":    {team().with("tasks.yaml", team()["workflow.yaml"]), list("project.yaml", "workflow.yaml", "tasks.yaml"), twice},
	} {
		_, got := discovery.Discover(c.files, c.choose, discovery.Limits{})
		if diff := cmp.Diff([]manifest.Record{c.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestSuggestedWords are near words of our own lists, and never the user's.
func TestSuggestedWords(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"actor": "actors", "Workflows": "workflows", "agentDefinition": "agentDefinitions", "agent_definitions": "agentDefinitions",
		"secret-plan": "", "": "", strings.Repeat("actors", 100): "",
	} {
		_, records := discovery.Discover(team().put(t, "project.yaml", "/manifests/"+key, `"x.yaml"`), discovery.Selection{}, discovery.Limits{})
		if len(records) != 1 || records[0].Code != code.DiscoveryUnsupportedHint || len(records[0].Details.Allowed) != 17 {
			t.Fatalf("%q: got %+v", clip(key), records)
		}
		if got := records[0].Suggestion; want == "" && got != "" || !strings.HasSuffix(got, " "+want+".") && want != "" {
			t.Errorf("%q: suggestion %q, want %q", clip(key), got, want)
		}
		if text := fmt.Sprintf("%+v", records); strings.Contains(text, "secret") {
			t.Errorf("the key is repeated: %s", text)
		}
	}
	_, records := discovery.Discover(team().put(t, "tasks.yaml", "/kind", `"taskset"`), discovery.Selection{}, discovery.Limits{})
	if len(records) != 1 || records[0].Suggestion != "Check the spelling: a kind with a name like this is TaskSet." || records[0].Kind != "" {
		t.Errorf("got %+v", records)
	}
}

func clip(s string) string { return s[:min(len(s), 40)] }

// TestNothingIsRepeated puts a canary into everything that must not come out.
func TestNothingIsRepeated(t *testing.T) {
	t.Parallel()
	const canary = "c4n4ry"
	for _, files := range []tree{
		team().put(t, "project.yaml", "/manifests/tasks", `"/home/c4n4ry/x.yaml"`),
		team().put(t, "project.yaml", "/manifests/tasks", `"https://c4n4ry.example/x.yaml"`),
		team().put(t, "project.yaml", "/manifests/tasks", `"c4n4ry\u0007.yaml"`),
		team().put(t, "project.yaml", "/manifests/c4n4ry", `"x.yaml"`),
		team().put(t, "project.yaml", "/manifests/tasks", `["c4n4ry.yaml"]`),
		team().put(t, "tasks.yaml", "/kind", `"c4n4ry"`),
		team().put(t, "tasks.yaml", "/specVersion", `"c4n4ry"`),
		team().put(t, "tasks.yaml", "/metadata/project", `"Text c4n4ry"`),
		team().appended("tasks.yaml", "\nc4n4ry: [*c4n4ry"),
		team().appended("tasks.yaml", "\nc4n4ry: !c4n4ry x"),
		team().appended("tasks.yaml", "\nc4n4ry: 1\nc4n4ry: 2"),
	} {
		_, records := discovery.Discover(files, discovery.Selection{}, discovery.Limits{})
		if len(records) == 0 {
			t.Fatal("no record")
		}
		if text := fmt.Sprintf("%+v", records); strings.Contains(text, canary) {
			t.Errorf("repeated: %s", text)
		}
	}
}

// TestSetIsOrderedByFile and named by cleaned locators.
func TestSetIsOrderedByFile(t *testing.T) {
	t.Parallel()
	set, records := discovery.Discover(flows(), list("work//items.yml", "./project.yaml", "x/../flows/release.yml"), discovery.Limits{})
	if len(records) > 0 {
		t.Fatal(records)
	}
	if diff := cmp.Diff([]string{"flows/release.yml", "project.yaml", "work/items.yml"}, names(set)); diff != "" {
		t.Error(diff)
	}
	if set.Project().Get("id").Text() != "many-flows" {
		t.Error("the set has no Project")
	}
}

// TestHintOrderDecidesNothing writes the hints of a set with several faults in many
// orders.
func TestHintOrderDecidesNothing(t *testing.T) {
	t.Parallel()
	hints := []string{"actors: a.yaml", "agents: ./a.yaml", "tasks: tasks.yaml", "workflow: x/../a.yaml", "events: ../e.yaml", "memory: none.yaml"}
	head := "specVersion: '0.1'\nkind: Project\nmetadata: {project: small-team}\nproject: {id: small-team}\nmanifests:\n"
	var first []manifest.Record
	for i := range 50 {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		random.Shuffle(len(hints), func(a, b int) { hints[a], hints[b] = hints[b], hints[a] })
		files := team().renamed("agents.yaml", "a.yaml").with("project.yaml", head+"  "+strings.Join(hints, "\n  ")+"\n")
		_, records := discovery.Discover(files, discovery.Selection{}, discovery.Limits{})
		if i == 0 {
			first = records
			if len(records) != 5 {
				t.Fatalf("got %v", records)
			}
		}
		if diff := cmp.Diff(first, records); diff != "" {
			t.Fatalf("%v: %s", hints, diff)
		}
	}
}

// watched notes what is asked of a tree.
type watched struct {
	tree
	looked, read []string
}

func (w *watched) Look(name string) (discovery.Entry, error) {
	w.looked = append(w.looked, name)
	return w.tree.Look(name)
}

func (w *watched) Read(name string, limit int64) ([]byte, error) {
	w.read = append(w.read, fmt.Sprintf("%s within %d", name, limit))
	return w.tree.Read(name, limit)
}

// TestOnlyWhatIsChosenIsTouched, each file once, and nothing whose locator is
// refused.
func TestOnlyWhatIsChosenIsTouched(t *testing.T) {
	t.Parallel()
	w := &watched{tree: flows().put(t, "project.yaml", "/manifests/tasks", `"../x.yaml"`).put(t, "project.yaml", "/manifests/memory", `"m.json"`)}
	discovery.Discover(w, discovery.Selection{}, discovery.Limits{Bytes: 5000})
	if diff := cmp.Diff([]string{"project.yaml", "project.yml"}, w.looked); diff != "" {
		t.Error(diff)
	}
	want := []string{"project.yaml within 5000", "flows/documentation.yml within 5000", "flows/release.yml within 5000", "people/team.yml within 5000"}
	if diff := cmp.Diff(want, w.read); diff != "" {
		t.Error(diff)
	}
	w = &watched{tree: flows()}
	discovery.Discover(w, list("project.yaml", "./project.yaml", "/etc/x.yaml"), discovery.Limits{})
	if diff := cmp.Diff([]string{"project.yaml within 1048576"}, w.read); diff != "" || w.looked != nil {
		t.Error(w.looked, diff)
	}
	w = &watched{tree: flows()}
	discovery.Discover(w, list(many(129)...), discovery.Limits{})
	if w.looked != nil || w.read != nil {
		t.Errorf("too many documents, and still touched %v %v", w.looked, w.read)
	}
}

// lavish ignores the limit, and its root is not to be looked at.
type lavish struct{ tree }

func (l lavish) Look(string) (discovery.Entry, error)      { return 0, errors.New("no access") }
func (l lavish) Read(name string, _ int64) ([]byte, error) { return []byte(l.tree[name]), nil }

func TestFilesAreNotTrusted(t *testing.T) {
	t.Parallel()
	_, records := discovery.Discover(lavish{team()}, discovery.Selection{Project: "project.yaml"}, discovery.Limits{Bytes: 100})
	if len(records) != 2 || records[1].Code != code.DiscoveryLimitExceeded || records[1].File != "project.yaml" {
		t.Errorf("got %v", records)
	}
	_, records = discovery.Discover(lavish{team()}, discovery.Selection{}, discovery.Limits{})
	if diff := cmp.Diff([]manifest.Record{discovery.RootRefused()}, records); diff != "" {
		t.Error(diff)
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	for want, s := range map[manifest.Mode]discovery.Selection{
		manifest.DirectoryProject: {}, manifest.ProjectSourceHints: {Project: "p.yaml"}, manifest.ExplicitFileList: list("p.yaml"),
	} {
		if got := s.Mode(); got != want {
			t.Errorf("%+v is %s, want %s", s, got, want)
		}
	}
}

// TestEveryReasonHasWords tries all reasons of nexflow.md section 2 that a file can
// be refused for.
func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	for _, reason := range []manifest.Reason{
		manifest.ReasonSymlink, manifest.ReasonNotRegular, manifest.ReasonUnreadable, manifest.ReasonEncoding, manifest.ReasonParse,
		manifest.ReasonMultiDocument, manifest.ReasonDuplicateKey, manifest.ReasonKeyType, manifest.ReasonTag, manifest.ReasonAliasLimit,
		manifest.ReasonCycle, manifest.ReasonNonFinite, manifest.ReasonRootType, manifest.ReasonLocator, manifest.ReasonExtension,
	} {
		_, records := discovery.Discover(team().with("tasks.yaml", refusal+string(reason)), discovery.Selection{}, discovery.Limits{})
		if len(records) != 1 || records[0].Details.Reason != reason || !strings.HasSuffix(records[0].Message, ".") {
			t.Errorf("%s: got %+v", reason, records)
		}
	}
}

// TestNumbersOfDocuments: spellings of numbers stay what YAML 1.2 says.
func TestNumbersOfDocuments(t *testing.T) {
	t.Parallel()
	set, records := discovery.Discover(team().appended("tasks.yaml", "a: 010\nb: 0o10\nc: yes\nd: &a {x: 1}\ne: {<<: *a}\n"), discovery.Selection{}, discovery.Limits{})
	if len(records) > 0 {
		t.Fatal(records)
	}
	root := set.Of(manifest.TaskSet)[0].Root.Without("specVersion").Without("kind").Without("metadata").Without("tasks")
	if got := root.JSON(); got != `{"a":10,"b":8,"c":"yes","d":{"x":1},"e":{"<<":{"x":1}}}` {
		t.Error(got)
	}
}

// TestSamplesAreFound counts the documents of the shared sample sets.
func TestSamplesAreFound(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"examples/minimal-team": 17, "examples/software-team": 16, "examples/startup-team": 16, "examples/product-delivery-team": 16,
		"examples/open-source-maintainer": 16, "fixtures/discovery/multi-workflow": 5, "fixtures/cli/valid/minimal-project": 3,
	} {
		sample := folder(t, name)
		if sample == nil {
			t.Fatalf("%s has no such set", sharedtest.Path(t, "data", "nexflow"))
		}
		set, records := discovery.Discover(sample, discovery.Selection{}, discovery.Limits{})
		if len(records) > 0 || len(set.Documents) != want {
			t.Errorf("%s: %v", name, records)
		}
		for _, text := range sample {
			if _, r := yamlprofile.Parse([]byte(text)); r != nil {
				t.Errorf("%s: %v", name, r)
			}
		}
	}
	invalid := settest.Sample(t, "fixtures/schema/invalid")
	if got := invalid.Names(); len(got) != 4 {
		t.Errorf("got %v", got)
	}
	set := folder(t, "fixtures/schema/invalid")
	if diff := cmp.Diff([]string{"NO-PROJECT <input>", "UNSUPPORTED-KIND unknown-kind.yaml"}, discovered(t, set, list("unknown-kind.yaml"))); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"invalid-enum.yaml", "invalid-id.yaml"} {
		if diff := cmp.Diff([]string{"NO-PROJECT <input>"}, discovered(t, set, list(name))); diff != "" {
			t.Error(diff)
		}
	}
}
