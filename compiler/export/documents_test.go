package export_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/export"
	"terfyn/compiler/internal/yamlvalue"
	"terfyn/internal/canon"
)

const shop = `
tool sealed { type mock operations {} }
tool open { type mock }
policy nothing { effects {} egress {} }
agent A { model mock/desk grants {} }
workflow quiet() effects {} { return true }
workflow w(x: any) {
    n = 123456789012345678901234567890
    r = A(x)
    open.op(n: n, r: A(arg0: x))
}
`

// TestBehaviour242DocumentsShowWholeDocuments also covers presence bits and exact
// numbers in the stream of documents.
func TestBehaviour242DocumentsShowWholeDocuments(t *testing.T) {
	t.Parallel()
	c := compile(t, files(map[string]string{"main.agent": shop}))
	documents := export.Documents(c.Graph, c.Programs)
	var kinds []string
	all := map[string]canon.Value{}
	for _, d := range documents {
		key := d.Str("kind") + "/" + d.At("metadata").Str("name")
		kinds = append(kinds, key)
		all[key] = d.At("spec")
		if d.Str("apiVersion") != "agentic.dev/v0" {
			t.Errorf("%s: %s", key, d.JSON())
		}
	}
	want := []string{"Project/demo", "Agent/A", "Policy/nothing", "Tool/open", "Tool/sealed", "Workflow/quiet", "Workflow/w"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	has := func(key, text string, want bool) {
		t.Helper()
		if strings.Contains(all[key].JSON(), text) != want {
			t.Errorf("%s: %q in it should be %v:\n%s", key, text, want, all[key].JSON())
		}
	}
	has("Tool/sealed", `"operations":[]`, true)
	has("Tool/open", `operations`, false)
	has("Agent/A", `"grants":[]`, true)
	has("Workflow/quiet", `"effects":[]`, true)
	has("Workflow/w", `123456789012345678901234567890`, true)
	if n := strings.Count(all["Workflow/w"].JSON(), `"wholeDocument":true`); n != 2 { // on the step and on the call
		t.Errorf("wholeDocument stands %d times:\n%s", n, all["Workflow/w"].JSON())
	}
}

func TestBehaviour120ClosedManifestSurvives(t *testing.T) {
	t.Parallel()
	text := checkRoundTrip(t, compile(t, files(map[string]string{"main.agent": shop})))
	for _, want := range []string{"operations {}", "grants {}", "effects {}", "egress {}", "r = A(x)", "A(arg0: x)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// TestBehaviour238TypesAreKept: declared result types and parallel are kept too.
func TestBehaviour238TypesAreKept(t *testing.T) {
	t.Parallel()
	c := compile(t, files(map[string]string{
		"main.agent": `
agent A { model mock/default input In output Out }
tool t { type mock operations { read { schema "contracts/read.json" outputSchema "./contracts/read.json" } } }
workflow w(a: In, b: any) -> Out {
    parallel { x = A(A(a)) y = A({ n: b }) }
    parallel for i in b { t.read(i: i) }
    return x
}`,
		"schemas/In.json": `{}`, "schemas/Out.json": ` {} `, "schemas/any.json": `{"type":"string"}`, "contracts/read.json": `{}`,
	}))
	out, err := export.Project(c)
	if err != nil {
		t.Fatal(err)
	}
	text := string(out[export.SourceFile])
	for _, want := range []string{"workflow w(a: In, b: any) -> Out", "parallel {\n        x = A(A(a))", "parallel for i in b", "input In", "output Out"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	if got := string(out["schemas/Out.json"]); got != ` {} ` {
		t.Errorf("the schema's bytes changed: %q", got)
	}
	listed, ok := export.Listed(out[export.SourceFile])
	want := []string{"project.agent", "contracts/read.json", "schemas/In.json", "schemas/Out.json", "schemas/any.json"}
	if diff := cmp.Diff(want, listed); diff != "" || !ok {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestListed(t *testing.T) {
	t.Parallel()
	out, err := export.Project(compile(t, files(map[string]string{"main.agent": shop})))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(out[export.SourceFile]), "\n")
	got, ok := export.Listed([]byte(first + "\r\n//     schemas/A.json\r\n//     ../outside\n//     /x\n\n//     late\n"))
	if diff := cmp.Diff([]string{"project.agent", "schemas/A.json"}, got); diff != "" || !ok {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, ok := export.Listed([]byte("// mine\n")); ok {
		t.Error("somebody else's file passes for an export")
	}
}

// TestMockScriptsComeBack: strings that YAML would take for something else, and
// characters it breaks lines at.
func TestMockScriptsComeBack(t *testing.T) {
	t.Parallel()
	script := `{"conversations":[{"match":{"contains":"yes"},"turns":[{"text":"no: #x\n\u2028 \u0085\u007f\ufeff\ufffe \u0001 🙂 \t"}]},{"turns":[{"output":{"n":123456789012345678901234567890,"f":1e21,"empty":{},"none":[],"deep":[[1,[2]],[{"a":null,"b":true}]],"~":"null","":"","yes":1,"NULL":2,"a-b":3,"7":4,"a b":5}}]}]}`
	v, err := canon.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	c := compile(t, files(map[string]string{"main.agent": "agent A { model mock/desk }\nagent B { model mock/desk }"}))
	for i := range c.Graph.Agents {
		c.Graph.Agents[i].MockScript = v.JSON()
	}
	checkRoundTrip(t, c)
	out, err := export.Project(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := yamlvalue.Parse(out["mocks/desk.yaml"])
	if err != nil || back.JSON() != c.Graph.Agents[0].MockScript {
		t.Errorf("%v\n%s\n%s", err, back.JSON(), out["mocks/desk.yaml"])
	}
}
