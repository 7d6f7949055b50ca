package compiler_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/golden"
)

func files(m map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range m {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func compile(t *testing.T, m map[string]string) (*compiler.Result, diag.List) {
	t.Helper()
	return compiler.Compile(files(m), compiler.Options{Project: "demo"})
}

// mustCompile fails the test when there is any diagnostic but that something is
// only pinned.
func mustCompile(t *testing.T, m map[string]string) *compiler.Result {
	t.Helper()
	r, ds := compile(t, m)
	ds = slices.DeleteFunc(ds, func(d diag.Diagnostic) bool { return d.Code == diag.NotRunnable })
	if len(ds) > 0 {
		t.Fatalf("unexpected diagnostics:\n%s", ds)
	}
	return r
}

func TestGolden(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata", show)
}

// TestSamples compiles every sample program of language.md section 19.
func TestSamples(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata/samples", func(t *testing.T, in map[string][]byte) map[string]string {
		out := show(t, in)
		if out["graph"] == "" {
			t.Error("the sample does not compile")
		}
		return out
	})
}

// show compiles the files of an archive and gives everything that is seen of it.
func show(t *testing.T, in map[string][]byte) map[string]string {
	fsys := fstest.MapFS{}
	for name, b := range in {
		fsys[name] = &fstest.MapFile{Data: b}
	}
	r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo"})
	out := map[string]string{"layers": layers(r)}
	var said strings.Builder
	for _, d := range ds {
		said.WriteString(diag.Snippet(d, r.Source))
	}
	if said.Len() > 0 {
		out["diagnostics"] = said.String()
	}
	if ds.HasErrors() {
		return out
	}
	out["graph"] = indent(t, resource.Encode(r.Graph))
	out["bounds"] = r.Bounds.Dump()
	for _, p := range r.Programs {
		out["program/"+p.Workflow] = p.Dump()
	}
	return out
}

func layers(r *compiler.Result) string {
	var parts []string
	for _, l := range r.Layers {
		parts = append(parts, l.Name+" "+string(l.Status))
	}
	return strings.Join(parts, ", ")
}

// indent makes one member a line, for readable goldens.
func indent(t *testing.T, b []byte) string {
	t.Helper()
	v, err := canon.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	write(&out, v, "")
	return out.String()
}

func write(out *strings.Builder, v canon.Value, margin string) {
	switch {
	case len(v.Fields()) > 0:
		for _, f := range v.Fields() {
			if len(f.Value.Fields()) > 0 || len(f.Value.Items()) > 0 && f.Value.Items()[0].Kind() == canon.KindObject {
				fmt.Fprintf(out, "%s%s:\n", margin, f.Name)
				write(out, f.Value, margin+"  ")
				continue
			}
			fmt.Fprintf(out, "%s%s: %s\n", margin, f.Name, f.Value.JSON())
		}
	case v.Kind() == canon.KindList:
		for _, item := range v.Items() {
			fmt.Fprintf(out, "%s-\n", margin)
			write(out, item, margin+"  ")
		}
	default:
		fmt.Fprintf(out, "%s%s\n", margin, v.JSON())
	}
}

const twoFiles = `
agent A { model mock/m instructions "brief" }
tool t { type mock operations { op { effects { b.c, a } } x {} } }
`

const flows = `
workflow w(x: T, y: any) -> R effects { a, b } {
    r = A({k: x.v})
    if r.ok { t.op(z: 1, a: "${r}") } else { return r }
    parallel { left = A(r) right = t.op(k: nested(r, 1)) }
    for one in r.list { parallel for two in one { t.op(two: two) } }
    retry until left.done limit 2 { left = nested(b: 2, left) }
    return { r: r }
}
workflow nested(a: any, b: any) trigger schedule { cron "@daily" input { a: 1 b: { c: 2 } } } { return { a: a, b: b } }
`

func digests(r *compiler.Result) string {
	text := string(canon.Sum(resource.Encode(r.Graph))) + "\n"
	for _, p := range r.Programs {
		text += p.Workflow + " " + string(p.Digest()) + "\n"
	}
	return text + string(canon.Sum(ir.EncodeSet(r.Programs)))
}

// TestWhatIsNotIdentity holds language.md 12.3: none of these changes a digest.
func TestWhatIsNotIdentity(t *testing.T) {
	t.Parallel()
	want := digests(mustCompile(t, map[string]string{"a.agent": twoFiles, "b.agent": flows}))
	cases := map[string]map[string]string{
		"one file":     {"z.agent": twoFiles + flows},
		"other order":  {"z.agent": flows + twoFiles},
		"other names":  {"sub/x.agent": flows, "y.agent": twoFiles},
		"layout":       {"a.agent": strings.ReplaceAll(twoFiles, " ", "\n\n  "), "b.agent": strings.ReplaceAll(flows, "    ", "\t// note\n")},
		"block string": {"a.agent": strings.ReplaceAll(twoFiles, `"brief"`, `"""brief"""`), "b.agent": flows},
		"prompt file":  {"p/a.agent": strings.ReplaceAll(twoFiles, `"brief"`, `file("q.md")`), "p/q.md": "brief", "b.agent": flows},
		"fields":       {"a.agent": strings.ReplaceAll(twoFiles, `model mock/m instructions "brief"`, `instructions "brief" model mock/m`), "b.agent": flows},
		"effect order": {"a.agent": strings.ReplaceAll(twoFiles, `b.c, a`, `a b.c`), "b.agent": flows},
		"hidden files": {"a.agent": twoFiles, "b.agent": flows, ".git/c.agent": "broken", "d/.x/e.agent": "broken"},
	}
	for name, m := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				if diff := cmp.Diff(want, digests(mustCompile(t, m))); diff != "" {
					t.Fatalf("digests differ:\n%s", diff)
				}
			}
		})
	}
}

func TestWhatIsIdentity(t *testing.T) {
	t.Parallel()
	base := map[string]string{"a.agent": twoFiles, "b.agent": flows}
	want := digests(mustCompile(t, base))
	cases := map[string][2]string{
		"prompt":        {`"brief"`, `"be long"`},
		"swapped arms":  {`{ t.op(z: 1, a: "${r}") } else { return r }`, `{ return r } else { t.op(z: 1, a: "${r}") }`},
		"if to while":   {`if r.ok { t.op(z: 1, a: "${r}") } else { return r }`, `while r.ok limit 2 { t.op(z: 1, a: "${r}") return r }`},
		"named call":    {`A({k: x.v})`, `A(arg0: {k: x.v})`},
		"branches":      {`{ left = A(r) right = t.op(k: nested(r, 1)) }`, `{ left = A(x) right = t.op(k: nested(r, 1)) }`},
		"concurrency":   {`parallel for two`, `for two`},
		"retry limit":   {`done limit 2`, `done limit 3`},
		"argument":      {`nested(r, 1)`, `nested(1, r)`},
		"trigger":       {`c: 2`, `c: 3`},
		"manifest gone": {`operations { op { effects { b.c, a } } x {} }`, `operations { op { effects { b.c, a } } }`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := map[string]string{}
			for file, text := range base {
				changed[file] = strings.Replace(text, c[0], c[1], 1)
			}
			if digests(mustCompile(t, changed)) == want {
				t.Error("the change is invisible")
			}
		})
	}
}

func TestLoading(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		files  map[string]string
		want   string
		layers string
	}{
		"nothing":      {map[string]string{"readme.md": "x"}, "no project.yaml", "parse failed, check not_run, validate not_run, effects not_run"},
		"old manifest": {map[string]string{"project.yaml": "a: 1", "a.agent": flows}, "migrate --to-agent", "parse failed, check not_run, validate not_run, effects not_run"},
		"old spelling": {map[string]string{"project.yml": "a: 1"}, "project.yml", "parse failed, check not_run, validate not_run, effects not_run"},
		"nested yaml":  {map[string]string{"sub/project.yaml": "a: 1", "a.agent": twoFiles}, "", "parse passed, check passed, validate passed, effects passed"},
		"parse error":  {map[string]string{"a.agent": "agent 5 {}", "b.agent": "workflow w() { lost() return x }"}, `unresolved reference "x"`, "parse failed, check failed, validate not_run, effects not_run"},
		"check error":  {map[string]string{"a.agent": "workflow w() { return x }"}, `unresolved reference "x"`, "parse passed, check failed, validate not_run, effects not_run"},
		"not run yet":  {map[string]string{"a.agent": "workflow w(x: any) { for y in x { } }"}, "does not run it", "parse passed, check passed, validate passed, effects passed"},
		"row 51": {map[string]string{"a.agent": twoFiles + `workflow w(c: any) effects { q } { if c { } else { t.op() } }`}, "AUTONOMOUS|b.c",
			"parse passed, check passed, validate passed, effects failed"},
		"row 52":     {map[string]string{"a.agent": twoFiles + `workflow w() effects { a, b, never } { t.op() }`}, "never", "parse passed, check passed, validate passed, effects passed"},
		"row 53":     {map[string]string{"a.agent": `tool o { type native } workflow w() effects { a } { o.op() }`}, "o.op", "parse passed, check passed, validate passed, effects failed"},
		"row 54":     {map[string]string{"a.agent": `tool o { type native } workflow w() { o.op() }`}, "", "parse passed, check passed, validate passed, effects passed"},
		"mock":       {map[string]string{"a.agent": twoFiles, "mocks/m.yaml": "nonsense: 1"}, "mocks/m.yaml cannot be used", "parse passed, check failed, validate not_run, effects not_run"},
		"mock yaml":  {map[string]string{"a.agent": twoFiles, "mocks/m.yml": "a: 1\na: 2"}, "line 2", "parse passed, check failed, validate not_run, effects not_run"},
		"validation": {map[string]string{"a.agent": twoFiles + `policy p { approvals { requiredFor { tool.t.op } approvers { nobody } } } environment e { approvers { ann "k" } }`}, "nobody", "parse passed, check passed, validate failed, effects not_run"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ds := compile(t, c.files)
			if got := layers(r); got != c.layers {
				t.Errorf("layers %s, want %s", got, c.layers)
			}
			text := ds.String()
			found := c.want == "" && text == ""
			for _, fragment := range strings.Split(c.want, "|") {
				found = found || c.want != "" && strings.Contains(text, fragment)
			}
			if !found {
				t.Errorf("diagnostics do not mention %q:\n%s", c.want, text)
			}
		})
	}
}

func TestMockScriptsAreCaptured(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{
		"a.agent": `
defaults { model mock/named }
agent ByDefault { }
agent Plain { model mock/default }
tool fake { type mock }
environment prod { overrides { agents { Plain { model mock/named } ByDefault { model openai/x } } } }
`,
		"mocks/named.yaml":   "conversations:\n  - turns:\n      - output: {n: 123456789012345678901}\n",
		"mocks/default.yaml": "not read: [",
	})
	var got []string
	for _, a := range r.Graph.Agents {
		got = append(got, a.Name+"="+a.MockScript)
	}
	want := []string{`ByDefault={"conversations":[{"turns":[{"output":{"n":123456789012345678901}}]}]}`, "Plain="}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scripts (-want +got):\n%s", diff)
	}
	g, err := resource.Overlay(r.Graph, "prod")
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, a := range g.Agents {
		got = append(got, a.Name+"="+a.MockScript)
	}
	want = []string{"ByDefault=", `Plain={"conversations":[{"turns":[{"output":{"n":123456789012345678901}}]}]}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scripts under prod (-want +got):\n%s", diff)
	}
}

func TestMockModelWithoutScript(t *testing.T) {
	t.Parallel()
	const agent, script = "agent A { model mock/drafer }", "turns:\n  - output: {n: 1}\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no scripts at all": {map[string]string{"a.agent": agent}, ""},
		"overlay":           {map[string]string{"a.agent": "agent A { model mock/drafter }\nenvironment e { overrides { agents { A { model mock/drafer } } } }", "mocks/drafter.yml": script}, "did you mean \"drafter\"?"},
		"near":              {map[string]string{"a.agent": agent, "mocks/drafter.yml": script}, "did you mean \"drafter\"?"},
		"far":               {map[string]string{"a.agent": agent, "mocks/reviewer.yaml": script}, "mock/default if no script is meant"},
		"broken":            {map[string]string{"a.agent": agent, "mocks/drafer.yaml": "x: 1"}, "cannot be used"},
		"there":             {map[string]string{"a.agent": agent, "mocks/drafer.yaml": script}, ""},
	} {
		_, ds := compile(t, c.files)
		if c.want == "" && len(ds) == 0 {
			continue
		}
		if c.want == "" || len(ds) != 1 || !strings.Contains(ds[0].Message(), c.want) || ds[0].At.IsZero() {
			t.Errorf("%s: want %q, got:\n%s", name, c.want, ds)
		}
		if name == "near" && (len(ds) != 1 || ds[0].Severity != diag.Warning || ds[0].Code != diag.UnknownMockScript) {
			t.Errorf("%s: %+v", name, ds)
		}
	}
}

func TestSchemasAreCollected(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{
		"a.agent": `
agent A { model mock/m input T output Missing }
tool t { type mock operations { op { schema "schemas/Op.json" } more { schema "elsewhere/out.json" } } }
workflow w(x: P) -> R { return A(x) }`,
		"schemas/T.json": `true`, "schemas/Op.json": `{}`, "elsewhere/out.json": `{"type":"object"}`,
		"schemas/P.json": `{}`, "schemas/R.json": `{}`, "schemas/Unused.json": `{}`,
	})
	want := map[string][]byte{
		"schemas/T.json": []byte(`true`), "schemas/Op.json": []byte(`{}`), "elsewhere/out.json": []byte(`{"type":"object"}`),
		"schemas/P.json": []byte(`{}`), "schemas/R.json": []byte(`{}`),
	}
	if diff := cmp.Diff(want, r.Schemas); diff != "" {
		t.Errorf("schemas (-want +got):\n%s", diff)
	}
	if a := r.Graph.Agents[0]; a.Input != "schemas/T.json" || a.Output != "" {
		t.Errorf("agent types %q and %q", a.Input, a.Output)
	}
}

// brokenFS stands for a bug below Compile.
type brokenFS struct{}

func (brokenFS) Open(string) (fs.File, error) { panic("disk on fire") }

func TestBugsBecomeOneDiagnostic(t *testing.T) {
	t.Parallel()
	r, ds := compiler.Compile(brokenFS{}, compiler.Options{})
	if len(ds) != 1 || ds[0].Code != diag.Internal || !strings.Contains(ds[0].Message(), "disk on fire") {
		t.Errorf("diagnostics: %v", ds)
	}
	if got := layers(r); got != "parse failed, check not_run, validate not_run, effects not_run" {
		t.Errorf("layers: %s", got)
	}
}

func TestSymlinkedSourceOutsideIsRefused(t *testing.T) {
	t.Parallel()
	fsys := files(map[string]string{"a.agent": twoFiles})
	fsys["b.agent"] = &fstest.MapFile{Data: []byte("../b.agent"), Mode: fs.ModeSymlink}
	_, ds := compiler.Compile(fsys, compiler.Options{})
	if !strings.Contains(ds.String(), "leaves the project root") {
		t.Errorf("diagnostics: %s", ds)
	}
}
