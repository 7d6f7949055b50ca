package nexflow

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/report"
	"terfyn/compiler/nexflow/starter"
)

// memory is a folder in memory that counts how often it is asked for something.
type memory struct {
	texts map[string]string
	asked int
	err   error // of Create
}

func started(t *testing.T) *memory {
	t.Helper()
	m := &memory{texts: map[string]string{}}
	for _, f := range starter.Compose("my-project", "My Project") {
		m.texts[f.Name] = string(f.Text)
	}
	return m
}

func (m *memory) Open() (discovery.Files, func() error, error) {
	m.asked++
	return reading{m}, func() error { return nil }, nil
}

type reading struct{ *memory }

func (r reading) Look(name string) (discovery.Entry, error) {
	r.asked++
	if _, ok := r.texts[name]; ok {
		return discovery.Regular, nil
	}
	return discovery.Absent, nil
}

func (r reading) Read(name string, _ int64) ([]byte, error) {
	r.asked++
	text, ok := r.texts[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// taking is the same folder as a destination.
type taking struct{ *memory }

func (t taking) Open() (Folder, error) {
	t.asked++
	return t, nil
}

func (t taking) Close() error { return nil }

func (t taking) Look(f starter.File) starter.Found {
	text, there := t.texts[f.Name]
	switch {
	case !there:
		return starter.Absent
	case text == string(f.Text):
		return starter.Identical
	}
	return starter.Other
}

func (t taking) Create(p starter.Plan) error {
	if t.err != nil {
		return t.err
	}
	for _, f := range p.Create {
		t.texts[f.Name] = string(f.Text)
	}
	return nil
}

type closed struct{}

func (closed) Open() (discovery.Files, func() error, error) {
	return nil, nil, errors.New("/secret/root")
}

var all = []budget.Command{budget.Discover, budget.Validate, budget.Inspect, budget.Graph, budget.Init, budget.Help, budget.Version}

func request(c budget.Command, m *memory) Request {
	return Request{Version: "v", Command: c, Source: m, Destination: taking{m}, ID: "my-project", Name: "My Project", Text: "T"}
}

func codes(e report.Envelope) string {
	var out []string
	for _, d := range e.Diagnostics {
		out = append(out, string(d.Code))
	}
	return strings.Join(out, " ")
}

func TestEveryCommandIsDone(t *testing.T) {
	t.Parallel()
	for _, c := range all {
		r := request(c, started(t))
		r.Strict = true
		e := Run(r)
		if e.ExitCode != 0 || len(e.Diagnostics) > 0 || e.Result == nil || *e.Command != string(c) {
			t.Errorf("%s: %s", c, e.JSON())
		}
		reads := slices.Contains(all[:4], c)
		if (e.InputMode != nil) != reads || (e.Checks.Discovery == report.Passed) != reads {
			t.Errorf("%s: %s", c, e.JSON())
		}
	}
}

// TestBudgetIsAskedFirst: with a bad table nothing is opened, looked at or read.
func TestBudgetIsAskedFirst(t *testing.T) {
	t.Parallel()
	for _, c := range all {
		m := started(t)
		before := maps.Clone(m.texts)
		l := layersOfThisBuild()
		l.allow = func(budget.Command) error { return errors.New("widened") }
		e := run(request(c, m), l)
		if e.ExitCode != 4 || codes(e) != string(code.CLIInternal) || e.Result != nil || e.Checks != report.NothingRun() || e.InputMode != nil {
			t.Errorf("%s: %s", c, e.JSON())
		}
		if m.asked > 0 || !maps.Equal(before, m.texts) {
			t.Errorf("%s touched the folder %d times", c, m.asked)
		}
	}
	m := started(t)
	if e := Run(request("run", m)); e.ExitCode != 4 || m.asked > 0 {
		t.Errorf("%s", e.JSON())
	}
}

func TestLayersStopEarly(t *testing.T) {
	t.Parallel()
	n, p := report.NotRun, report.Passed
	for layer, want := range map[Layer]report.Checks{
		ThroughDiscovery: {Discovery: p, Schema: n, CoreProfile: n, Semantic: n, ExtensionProfiles: n},
		ThroughSchema:    {Discovery: p, Schema: p, CoreProfile: n, Semantic: n, ExtensionProfiles: n},
		ThroughSemantic:  {Discovery: p, Schema: p, CoreProfile: p, Semantic: p, ExtensionProfiles: n},
		"":               {Discovery: p, Schema: p, CoreProfile: p, Semantic: p, ExtensionProfiles: n},
	} {
		r := request(budget.Validate, started(t))
		r.Layer = layer
		if e := Run(r); e.Checks != want || !e.Success {
			t.Errorf("%s: %s", layer, e.JSON())
		}
	}
}

func TestFailingLayers(t *testing.T) {
	t.Parallel()
	n, p, f, u := report.NotRun, report.Passed, report.Failed, report.Unavailable
	checks := func(discovery, schema, profile, semantic report.Status) report.Checks {
		return report.Checks{Discovery: discovery, Schema: schema, CoreProfile: profile, Semantic: semantic, ExtensionProfiles: n}
	}
	for _, c := range []struct {
		name     string
		from, to string
		file     string
		want     report.Checks
		codes    string
		exit     int
	}{
		{"discovery", "kind: AgentSet", "kind: Crew", "agents.yaml", checks(f, n, n, n), "NF-DISCOVERY-UNSUPPORTED-KIND", 3},
		{"schema", "    role: developer\n", "", "agents.yaml", checks(p, f, n, n), "NF-SCHEMA-REQUIRED", 1},
		{"semantic", "      id: developer-agent", "      id: other-agent", "actors.yaml", checks(p, p, p, f), "NF-REF-UNRESOLVED TERFYN-ACTOR-BRIDGE-MISSING", 1},
		{"core profile", "  agents: agents.yaml\n", "", "project.yaml", checks(p, p, f, u), "NF-PROFILE-MISSING-DEPENDENCY", 1},
	} {
		m := started(t)
		changed := strings.Replace(m.texts[c.file], c.from, c.to, 1)
		if changed == m.texts[c.file] {
			t.Fatalf("%s: nothing changed", c.name)
		}
		m.texts[c.file] = changed
		e := Run(request(budget.Validate, m))
		if e.Checks != c.want || codes(e) != c.codes || e.ExitCode != c.exit || e.Result != nil {
			t.Errorf("%s: %s", c.name, e.JSON())
		}
	}
}

// TestInspectAndGraphLookNoFurther than the schema: references that lead nowhere are
// shown.
func TestInspectAndGraphLookNoFurther(t *testing.T) {
	t.Parallel()
	for _, c := range []budget.Command{budget.Inspect, budget.Graph} {
		m := started(t)
		m.texts["actors.yaml"] = strings.Replace(m.texts["actors.yaml"], "      id: developer-agent", "      id: other-agent", 1)
		e := Run(request(c, m))
		if !e.Success || e.Checks.Schema != report.Passed || e.Checks.CoreProfile != report.NotRun || e.Checks.Semantic != report.NotRun {
			t.Errorf("%s: %s", c, e.JSON())
		}
	}
}

func TestRootThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	for _, c := range all[:4] {
		r := request(c, nil)
		r.Source = closed{}
		e := Run(r)
		if e.ExitCode != 1 || codes(e) != string(code.DiscoveryUnsafeSource) || *e.Diagnostics[0].File != manifest.Input || e.Checks.Discovery != report.Failed {
			t.Errorf("%s: %s", c, e.JSON())
		}
		if strings.Contains(string(e.JSON()), "secret") {
			t.Errorf("the root is shown: %s", e.JSON())
		}
	}
}

// TestAgainstAnEarlierSet: both sets have to pass, and findings say which is meant.
func TestAgainstAnEarlierSet(t *testing.T) {
	t.Parallel()
	r := request(budget.Inspect, started(t))
	r.Against = started(t)
	if e := Run(r); !e.Success || e.Result.(Inspected).Changes == nil {
		t.Errorf("%s", e.JSON())
	}
	r.Against = closed{}
	e := Run(r)
	if e.ExitCode != 1 || e.Checks.Discovery != report.Failed || e.Checks.Schema != report.NotRun || !strings.HasPrefix(e.Diagnostics[0].Message, earlierSet+": ") {
		t.Errorf("%s", e.JSON())
	}
	r.Source = closed{}
	if e := Run(r); len(e.Diagnostics) != 2 || e.Checks.Schema != report.NotRun {
		t.Errorf("of two sets that do not open it says %s", e.JSON())
	}
	r.Source = started(t)
	broken := started(t)
	broken.texts["agents.yaml"] = strings.Replace(broken.texts["agents.yaml"], "    role: developer\n", "", 1)
	r.Against = broken
	if e := Run(r); e.ExitCode != 1 || e.Checks.Discovery != report.Passed || e.Checks.Schema != report.Failed {
		t.Errorf("%s", e.JSON())
	}
	r.Source, r.Against = broken, started(t)
	if e := Run(r); e.ExitCode != 1 || e.Checks.Schema != report.Failed || strings.HasPrefix(e.Diagnostics[0].Message, earlierSet) {
		t.Errorf("%s", e.JSON())
	}
}

// TestTextAgainstAnEarlierSet: people who compare want the difference; JSON has all.
func TestTextAgainstAnEarlierSet(t *testing.T) {
	t.Parallel()
	r := request(budget.Inspect, started(t))
	whole, _ := Run(r).Text()
	r.Against = started(t)
	e := Run(r)
	difference, _ := e.Text()
	if text := string(difference); strings.Contains(text, "Who may do what") || !strings.Contains(text, "\nNothing changed.\nNot run: ") || !strings.HasPrefix(text, "inspect: ") {
		t.Errorf("the difference is told as\n%s", text)
	}
	if !strings.Contains(string(whole), "Who may do what") {
		t.Errorf("without an earlier set it says\n%s", whole)
	}
	for _, key := range []string{`"inspection":`, `"authority":`, `"changes":`} {
		if !strings.Contains(string(e.JSON()), key) {
			t.Errorf("JSON has no %s", key)
		}
	}
	l := layersOfThisBuild()
	l.schema = func(*manifest.Set) ([]manifest.Record, error) { return nil, errors.New("damaged") }
	if e := run(r, l); codes(e) != string(code.SchemaUnavailable) {
		t.Errorf("a schema that does not load is told as %s", e.JSON())
	}
}

// TestSchemaThatDoesNotLoad is our fault, and claims nothing.
func TestSchemaThatDoesNotLoad(t *testing.T) {
	t.Parallel()
	for _, c := range all[1:4] {
		l := layersOfThisBuild()
		l.schema = func(*manifest.Set) ([]manifest.Record, error) { return nil, errors.New("damaged") }
		e := run(request(c, started(t)), l)
		if e.ExitCode != 4 || codes(e) != string(code.SchemaUnavailable) || e.Result != nil || e.Checks.Schema != report.Unavailable || e.Checks.Discovery != report.Passed {
			t.Errorf("%s: %s", c, e.JSON())
		}
	}
}

func TestPanicClaimsNothing(t *testing.T) {
	t.Parallel()
	l := layersOfThisBuild()
	l.schema = func(*manifest.Set) ([]manifest.Record, error) { panic("/secret/place") }
	e := run(request(budget.Validate, started(t)), l)
	if e.ExitCode != 4 || codes(e) != string(code.CLIInternal) || e.Result != nil || e.Checks.Schema != report.Unavailable || e.Checks.Discovery != report.Passed {
		t.Errorf("%s", e.JSON())
	}
	if strings.Contains(string(e.JSON()), "secret") {
		t.Errorf("%s", e.JSON())
	}
}

func TestInit(t *testing.T) {
	t.Parallel()
	m := &memory{texts: map[string]string{"keep.txt": "kept"}}
	e := Run(request(budget.Init, m))
	want := `"result":{"template":{"name":"minimal-team","version":"0.1-draft","specVersion":"0.1"},` +
		`"files":[{"file":"actors.yaml","status":"created"},{"file":"agents.yaml","status":"created"},{"file":"project.yaml","status":"created"}],"reviewRequired":true}}`
	if !strings.HasSuffix(string(e.JSON()), want+"\n") || e.Checks != report.NothingRun() || len(m.texts) != 4 {
		t.Errorf("%s", e.JSON())
	}
	if e := Run(request(budget.Init, m)); !e.Success || strings.Count(string(e.JSON()), `"status":"skipped"`) != 3 {
		t.Errorf("%s", e.JSON())
	}
	m.texts["agents.yaml"] += "x"
	delete(m.texts, "actors.yaml")
	e = Run(request(budget.Init, m))
	if e.ExitCode != 1 || codes(e) != string(code.CLIInitConflict) || *e.Diagnostics[0].File != "agents.yaml" || e.Diagnostics[0].Layer != nil || len(m.texts) != 3 {
		t.Errorf("%s", e.JSON())
	}
	m.texts["project.yaml"] = ""
	if e := Run(request(budget.Init, m)); codes(e) != strings.Repeat(string(code.CLIInitConflict)+" ", 1)+string(code.CLIInitConflict) {
		t.Errorf("%s", e.JSON())
	}
}

func TestInitThatCannotWrite(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]struct {
		exit int
		code code.Code
	}{
		starter.ErrAppeared:    {1, code.CLIInitConflict},
		starter.ErrNotWritable: {1, code.CLIInitDestination},
		errors.New("no space"): {4, code.CLIInternal},
	} {
		e := Run(request(budget.Init, &memory{texts: map[string]string{}, err: err}))
		if e.ExitCode != want.exit || codes(e) != string(want.code) || e.Diagnostics[0].File != nil || e.Result != nil {
			t.Errorf("%v: %s", err, e.JSON())
		}
	}
}

// TestSameAnswerSameBytes, whatever the order in which files are listed.
func TestSameAnswerSameBytes(t *testing.T) {
	t.Parallel()
	r := request(budget.Graph, started(t))
	r.Selection.Files = []string{"project.yaml", "actors.yaml", "agents.yaml"}
	first := Run(r).JSON()
	for range 20 {
		r.Selection.Files[0], r.Selection.Files[1], r.Selection.Files[2] = r.Selection.Files[2], r.Selection.Files[0], r.Selection.Files[1]
		if again := Run(r).JSON(); string(again) != string(first) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}
