package cases

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"terfyn/internal/sharedtest"
)

type fixture struct {
	ID, Command, Root string
	Args              []string
	Expected          struct {
		ExitCode        int
		ReportedCommand *string
		InputMode       *string
		Discovery       string
		Schema          string
		DiagnosticCodes []string
		DocumentCount   *int
		Inspection      *struct{ ResourceCount, ReferenceCount int }
		Graph           *struct {
			NodeCount, EdgeCount int
			Statuses             map[string]int
		}
		CreatedFiles, PreservedFiles []string
		Mutation                     string
	}
}

// TestSharedCommandFixtures runs the fixtures of the manifest repository's own
// command. It calls every schema fault NF-SCHEMA, and two of its codes are named for
// the prototype.
func TestSharedCommandFixtures(t *testing.T) {
	t.Parallel()
	dir := sharedtest.Path(t, "data", "nexflow", "fixtures", "cli")
	var index struct{ Cases []fixture }
	readInto(t, filepath.Join(dir, "index.json"), &index)
	if len(index.Cases) != 15 {
		t.Errorf("the index has %d cases", len(index.Cases))
	}
	for _, f := range index.Cases {
		t.Run(f.ID, func(t *testing.T) {
			t.Parallel()
			outer := t.TempDir()
			root := filepath.Join(outer, "root")
			copyTree(t, filepath.Join(dir, f.Root), root, f.Root == "init/empty")
			before := names(t, root)
			a := ask(t, []string{outer}, append([]string{f.Command, "--root", root}, f.Args...)...)
			holdFixture(t, f, a)
			after := names(t, root)
			switch f.Expected.Mutation {
			case "none":
				if !slices.Equal(before, after) {
					t.Errorf("the folder had %v and has %v", before, after)
				}
			case "starter":
				want := append(slices.Clone(f.Expected.CreatedFiles), f.Expected.PreservedFiles...)
				slices.Sort(want)
				if !slices.Equal(after, want) {
					t.Errorf("the folder has %v instead of %v", after, want)
				}
			}
		})
	}
}

func holdFixture(t *testing.T, f fixture, a answer) {
	t.Helper()
	want := f.Expected
	if a.exit != want.ExitCode || text(a.Command) != text(want.ReportedCommand) || text(a.InputMode) != text(want.InputMode) ||
		a.Checks["discovery"] != want.Discovery || a.Checks["schema"] != want.Schema {
		t.Errorf("got %s", a.out)
	}
	got := []string{}
	for _, d := range a.Diagnostics {
		c := d.Code
		if d.Details != nil && d.Details.Family == "NF-SCHEMA" {
			c = d.Details.Family
		}
		switch c {
		case "TERFYN-CLI-INIT-CONFLICT":
			c = "NEXFLOW-PROTOTYPE-INIT-CONFLICT"
		case "TERFYN-CLI-USAGE":
			c = "NEXFLOW-PROTOTYPE-USAGE"
		}
		if d.Severity == "error" && !slices.Contains(got, c) {
			got = append(got, c)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want.DiagnosticCodes) {
		t.Errorf("codes %v instead of %v", got, want.DiagnosticCodes)
	}
	if want.DocumentCount != nil {
		var l listing
		if result(t, a, &l); l.DocumentCount != *want.DocumentCount {
			t.Errorf("%d documents", l.DocumentCount)
		}
	}
	if want.Inspection != nil {
		var i inspected
		if result(t, a, &i); len(i.Inspection.Resources) != want.Inspection.ResourceCount || len(i.Inspection.References) != want.Inspection.ReferenceCount {
			t.Errorf("inspection %s", a.Result)
		}
	}
	if want.Graph != nil {
		var d drawn
		result(t, a, &d)
		status := map[string]int{}
		for _, e := range d.Graph.Edges {
			status[e.Status]++
		}
		if d.Graph.NodeCount != want.Graph.NodeCount || d.Graph.EdgeCount != want.Graph.EdgeCount || status["resolved"] != want.Graph.Statuses["resolved"] {
			t.Errorf("graph %s", a.Result)
		}
	}
}

func readInto(t *testing.T, file string, into any) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// copyTree copies a fixture; one that is an empty folder gets a file that the
// command has to leave alone.
func copyTree(t *testing.T, from, to string, empty bool) {
	t.Helper()
	var err error
	if empty {
		if err = os.Mkdir(to, 0o755); err == nil {
			err = os.WriteFile(filepath.Join(to, "keep.txt"), []byte("keep\n"), 0o644)
		}
	} else {
		err = os.CopyFS(to, os.DirFS(from))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// names lists the files below a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// TestSharedSchemaFixtures runs the documents that break a schema: with a Project of
// their own or beside one.
func TestSharedSchemaFixtures(t *testing.T) {
	t.Parallel()
	dir := sharedtest.Path(t, "data", "nexflow", "fixtures", "schema", "invalid")
	var index struct{ Cases []struct{ ID, File string } }
	readInto(t, filepath.Join(dir, "index.json"), &index)
	wants := map[string]struct {
		project string // id of a Project to put beside the document
		exit    int
		want    []string
	}{
		"missing-required-field": {"", 1, []string{"E NF-SCHEMA-REQUIRED missing-required-field.yaml /project/description"}},
		"unknown-kind":           {"", 3, []string{"E NF-DISCOVERY-NO-PROJECT <input> ", "E NF-DISCOVERY-UNSUPPORTED-KIND unknown-kind.yaml "}},
		"invalid-enum":           {"negative-enum", 1, []string{"E NF-SCHEMA-ENUM invalid-enum.yaml /permissions/0/effect"}},
		"invalid-id":             {"negative-id", 1, []string{"E NF-SCHEMA-PATTERN invalid-id.yaml /agents/0/id"}},
	}
	for _, c := range index.Cases {
		tc, ok := wants[c.ID]
		if !ok {
			t.Errorf("nothing is known about the fixture %s", c.ID)
			continue
		}
		root := t.TempDir()
		b, err := os.ReadFile(filepath.Join(dir, c.File))
		if err == nil {
			err = os.WriteFile(filepath.Join(root, c.File), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"validate", "--root", root, "--file", c.File}
		if tc.project != "" {
			if a := ask(t, nil, args...); a.exit != 1 || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != "NF-DISCOVERY-NO-PROJECT" {
				t.Errorf("%s alone: exit %d with %v", c.ID, a.exit, a.findings())
			}
			project := "specVersion: \"0.1\"\nkind: Project\nmetadata: {project: " + tc.project + "}\nproject: {id: " + tc.project + ", displayName: x, description: x}\n"
			if err := os.WriteFile(filepath.Join(root, "project.yaml"), []byte(project), 0o644); err != nil {
				t.Fatal(err)
			}
			args = append(args, "--file", "project.yaml")
		}
		a := ask(t, []string{root}, args...)
		var got []string
		for _, f := range a.findings() {
			got = append(got, f.String())
		}
		if a.exit != tc.exit || !slices.Equal(got, tc.want) {
			t.Errorf("%s: exit %d with %q instead of %q", c.ID, a.exit, got, tc.want)
		}
	}
}
