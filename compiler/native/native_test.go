package native_test

import (
	"slices"
	"testing"

	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/compiler/types"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// Behaviour 141: the schemas shown to the model name the required arguments.
func TestBehaviour141SchemasNameRequiredArguments(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"read_file": `["path"]`, "write_file": `["path","content"]`, "edit": `["path","old_string","new_string"]`,
		"pull_request.get": `["owner","repo","number"]`, "pull_request.diff": `["owner","repo","number"]`,
		"post_comment": `["owner","repo","number","body"]`, "check_runs.list": `["owner","repo","ref"]`,
		"create_branch": `["name"]`, "push_branch": `["branch"]`, "diff": `[]`, "status": `[]`, "command.run": `["command"]`,
		"run_tests": `[]`, "glob": `["pattern"]`, "grep": `["pattern"]`, "list_dir": `[]`, "echo": `null`,
	}
	for _, o := range native.Operations() {
		required, ok := want[o.Name]
		if got := o.Schema.At("required").JSON(); !ok || got != required || o.Schema.Str("type") != "object" {
			t.Errorf("%s requires %s, want %s", o.Name, got, required)
		}
		if o.Description == "" {
			t.Errorf("%s has no description", o.Name)
		}
		delete(want, o.Name)
	}
	if len(want) != 0 {
		t.Errorf("operations without an entry: %v", want)
	}
	if !slices.IsSorted(native.Names()) {
		t.Errorf("the table is not in order: %v", native.Names())
	}
}

func TestSchemasCompileAndCheck(t *testing.T) {
	t.Parallel()
	for _, o := range native.Operations() {
		if _, err := types.Load(native.SchemaPath(o.Name), o.Schema.Encode()); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
	}
	o, _ := native.Find("read_file")
	s, err := types.Load("read_file", o.Schema.Encode())
	if err != nil {
		t.Fatal(err)
	}
	for text, fits := range map[string]bool{
		`{"path":"a"}`: true, `{"path":"a","offset":1}`: true, `{}`: false, `{"path":1}`: false,
		`{"path":"a","offset":0}`: false, `{"path":"a","mode":"w"}`: false,
	} {
		v, err := canon.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != fits {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestCaptured(t *testing.T) {
	t.Parallel()
	g := resource.Graph{
		Tools: []resource.Tool{
			{Name: "closed", Type: "native", OperationsDeclared: true, Operations: []resource.Operation{
				{Name: "read_file"}, {Name: "put", RemoteName: "write_file"}, {Name: "edit", Schema: "schemas/Edit.json"}, {Name: "ghost"},
			}},
			{Name: "open", Type: "native"},
			{Name: "other", Type: "mock", OperationsDeclared: true, Operations: []resource.Operation{{Name: "glob"}}},
		},
		Agents:    []resource.Agent{{Name: "A", Grants: []string{"tool.open.grep", "tool.open.nothing", "agent.B"}}},
		Workflows: []resource.Workflow{{Name: "w", Calls: []resource.Reference{{Kind: "tool", Name: "open.echo"}, {Kind: "agent", Name: "A"}}}},
	}
	got := native.Captured(g)
	want := []string{"native:echo", "native:grep", "native:read_file", "native:write_file"}
	if names := ordered.Keys(got); !slices.Equal(names, want) {
		t.Errorf("captured %v, want %v", names, want)
	}
	if !native.IsSchemaPath("native:echo") || native.IsSchemaPath("schemas/native.json") {
		t.Error("paths are told apart wrongly")
	}
}

func TestTheAuthorsSchemaWins(t *testing.T) {
	t.Parallel()
	tool := resource.Tool{Name: "ws", Type: "native"}
	for _, c := range []struct {
		tool resource.Tool
		op   resource.Operation
		want string
	}{
		{tool, resource.Operation{Name: "edit"}, "native:edit"},
		{tool, resource.Operation{Name: "change", RemoteName: "edit"}, "native:edit"},
		{tool, resource.Operation{Name: "edit", Schema: "schemas/Edit.json"}, "schemas/Edit.json"},
		{tool, resource.Operation{Name: "ghost"}, ""},
		{resource.Tool{Name: "m", Type: "mock"}, resource.Operation{Name: "edit"}, ""},
	} {
		if got := native.ArgumentsSchema(c.tool, c.op); got != c.want {
			t.Errorf("%s of a %s tool: %q, want %q", c.op.Name, c.tool.Type, got, c.want)
		}
	}
}
