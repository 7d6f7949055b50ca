package compiler_test

import (
	"slices"
	"strings"
	"testing"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// Behaviour 122: while no tool declares effects, policies are not compared with
// bounds, and the project validates.
func TestBehaviour122NoDeclaredEffects(t *testing.T) {
	t.Parallel()
	const project = `
tool t { type http http { baseUrl "http://127.0.0.1:9" } operations { get.x {} } }
policy p { tools { forbidUnknownTools true } }
workflow w() policy p { y = t.get.x() return y }
`
	mustCompile(t, map[string]string{"main.agent": project})
	_, ds := compile(t, map[string]string{"main.agent": strings.Replace(project, "get.x {}", "get.x {} get.y { effects { net.read } }", 1)})
	if !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == diag.EffectUndecidable }) {
		t.Errorf("one declared effect turns the comparison on:\n%s", ds)
	}
}

// Behaviour 126: a name reached by a written call and by a grant is autonomous, and
// its witness is the path of the grant.
func TestBehaviour126AutonomousWins(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{
		"main.agent": `
tool t { type mock operations { a { effects { x.write } } b { effects { x.write } } } }
agent A { model mock/m grants { tool.t.b } }
workflow w() { t.a() y = A({}) return y }
`,
		"mocks/m.yaml": "conversations:\n  - turns:\n      - output: {}\n",
		"mocks/t.yaml": "operations:\n  a:\n    - output: {}\n  b:\n    - output: {}\n",
	})
	w, _ := r.Bounds.Workflow("w")
	e, _ := w.Effect("x.write")
	if path := effects.Path(e.Witness); e.Authority != effects.Autonomous || path != "workflow w -> step y -> agent A -> AUTONOMOUS tool.t.b" {
		t.Errorf("%s: %s", e.Authority, path)
	}
}

// Behaviour 138: one granted operation of a tool is shown under the tool's name,
// several under tool and operation, in letters every provider takes.
func TestBehaviour138ShownNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		grants []string
		want   string
	}{
		{[]string{"tool.ws.read_file"}, "ws"},
		{[]string{"tool.ws.read_file", "tool.ws.write_file"}, "ws_read_file ws_write_file"},
		{[]string{"tool.gh.pull_request.get", "tool.gh.pull_request.diff", "tool.ws.read_file"}, "gh_pull_request_diff gh_pull_request_get ws"},
		{[]string{"tool.w.a", "tool.w.b" + strings.Repeat("b", 200)}, "w_a w_b" + strings.Repeat("b", 125)},
	} {
		shown, err := resource.ShownNames(resource.Agent{Name: "A", Grants: c.grants})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range shown {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v are shown as %s, want %s", c.grants, got, c.want)
		}
	}
}

// Behaviour 141: the schemas of native operations are captured with the project, so
// that a run keeps those it started with; tools stay as written.
func TestBehaviour141NativeSchemasAreCaptured(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{
		"main.agent": `
tool ws {
    type native
    operations { read_file { effects { ws.read } } edit { schema "schemas/Edit.json" effects { ws.write } } }
}
tool loose { type native }
workflow w() { loose.echo(a: 1) x = ws.read_file(path: "a") return x }
`,
		"schemas/Edit.json": `{"type":"object"}`,
	})
	want := []string{"native:echo", "native:read_file", "schemas/Edit.json"}
	if got := ordered.Keys(r.Schemas); !slices.Equal(got, want) {
		t.Errorf("captured %v, want %v", got, want)
	}
	o, _ := native.Find("read_file")
	if string(r.Schemas["native:read_file"]) != o.Schema.JSON() {
		t.Errorf("captured %s", r.Schemas["native:read_file"])
	}
	ws, _ := r.Graph.Tool("ws")
	if op, _ := ws.Operation("read_file"); op.Schema != "" {
		t.Errorf("the tool was changed: %+v", op)
	}
}

// A closed manifest of a native tool that lists what no native operation does is a
// warning with the near name.
func TestUnknownNativeOperation(t *testing.T) {
	t.Parallel()
	_, ds := compile(t, map[string]string{"main.agent": `
tool ws {
    type native
    operations {
        reed_file {}
        get { name "read_file" }
        put { name "writefile" }
    }
}
tool m { type mock operations { ghost {} } }
`, "mocks/m.yaml": "operations:\n  ghost:\n    - output: {}\n"})
	var got []string
	for _, d := range ds {
		if d.Code == diag.NoNativeOperation {
			got = append(got, diag.Plain(d))
		}
	}
	if len(got) != 2 || ds.HasErrors() || !strings.HasPrefix(got[0], "main.agent:5:9: warning: ") ||
		!strings.Contains(got[0], `did you mean "read_file"?`) || !strings.Contains(got[1], `did you mean "write_file"?`) {
		t.Errorf("%s", ds)
	}
}

// Compile gives the places of fields to whoever lints what it made.
func TestLocate(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{"main.agent": "policy p {\n    approvals { onTimeout reject timeoutSeconds 1 }\n}\n"})
	if at := r.Locate(resource.KindPolicy, "p", "approvals.onTimeout"); at.Start.Line != 2 || at.Start.Col != 17 {
		t.Errorf("at %v", at)
	}
	if _, ds := compile(t, map[string]string{"main.agent": "policy {"}); !ds.HasErrors() {
		t.Error("half a policy compiles")
	}
	broken, _ := compiler.Compile(files(map[string]string{"main.agent": "policy {"}), compiler.Options{})
	if broken.Locate != nil {
		t.Error("places of a project that did not check")
	}
}

// Behaviour 128: an agent or workflow that another file declares counts with all of
// its effects.
func TestBehaviour128CalleesOfOtherFiles(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{
		"a.agent":      "workflow outer() { x = inner() y = A({}) return y }\n",
		"sub/b.agent":  "workflow inner() { t.a() return { ok: true } }\nagent A { model mock/m grants { tool.t.b } }\n",
		"sub/t.agent":  "tool t { type mock operations { a { effects { x.one } } b { effects { x.two } } } }\n",
		"mocks/m.yaml": "conversations:\n  - turns:\n      - output: {}\n",
		"mocks/t.yaml": "operations:\n  a:\n    - output: {}\n  b:\n    - output: {}\n",
	})
	w, _ := r.Bounds.Workflow("outer")
	one, okOne := w.Effect("x.one")
	two, okTwo := w.Effect("x.two")
	if !okOne || !okTwo || one.Authority != effects.Static || two.Authority != effects.Autonomous {
		t.Errorf("the bound of outer is %+v", w.Effects)
	}
}
