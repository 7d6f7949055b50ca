package check_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

// world holds the schemas and files the cases refer to.
func world() fstest.MapFS {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"schemas/In.json":     text(`{"type":"object","properties":{"repo":{"type":"string"},"number":{"type":"integer"},"meta":{"type":"object","properties":{"x":{}},"additionalProperties":false},"tags":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}`),
		"schemas/Int.json":    text(`{"type":"integer"}`),
		"schemas/Num.json":    text(`{"type":"number"}`),
		"schemas/Str.json":    text(`{"type":"string"}`),
		"schemas/Mix.json":    text(`{"type":["string","integer"]}`),
		"schemas/Never.json":  text(`false`),
		"schemas/Broken.json": text(`{"type":`),
		"schemas/List.json":   text(`{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":false}}`),
		"prompts/a.md":        text("be brief"),
		"prompts/bad.md":      text("\xff"),
		"prompts/out.md":      {Data: []byte("../../secret"), Mode: fs.ModeSymlink},
	}
}

// prelude declares what most cases need.
const prelude = `
agent A { model mock/m }
agent B { model mock/m }
agent Typed { model mock/m input In }
agent IntIn { model mock/m input Int }
agent StrIn { model mock/m input Str }
agent NumIn { model mock/m input Num }
agent NeverIn { model mock/m input Never }
agent IntOut { model mock/m output Int }
agent MixOut { model mock/m output Mix }
agent StrOut { model mock/m output Str }
agent NeverOut { model mock/m output Never }
agent Closed { model mock/m output In }
agent ListOut { model mock/m output List }
tool t { type native }
tool ws { type native operations { read_file {} a.b_c {} a.b.c {} } }
workflow W2(left: any, right: any) { return { l: left } }
workflow W1(only: Str) { return only }
`

// checkFiles parses and checks a project; the list holds parse errors too.
func checkFiles(fsys fstest.MapFS, files map[string]string) diag.List {
	var units []*syntax.Unit
	var all diag.List
	for _, name := range ordered.Keys(files) {
		u, ds := syntax.Parse(source.NewFile(name, []byte(files[name])), syntax.ParseLimits{})
		units = append(units, u)
		all.Add(ds...)
	}
	_, ds := check.Check(check.Input{Units: units, Files: fsys, Partial: all.HasErrors()})
	all.Add(ds...)
	all.Sort()
	return all
}

type verdict struct {
	name string
	src  string
	want []string // "W: text" for a warning; empty = nothing is said
}

// body puts statements into a workflow with the parameters most cases use.
func body(stmts string) string {
	return "workflow w(input: any, i: any, c: any, xs: any) {\n" + stmts + "\n}"
}

func runTable(t *testing.T, cases []verdict) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := checkFiles(world(), map[string]string{"a.agent": prelude, "b.agent": c.src})
			if len(got) != len(c.want) {
				t.Fatalf("%d diagnostics, want %d:\n%s", len(got), len(c.want), got)
			}
			for i, d := range got {
				text, warning := strings.CutPrefix(c.want[i], "W: ")
				if !strings.Contains(d.Message(), text) || warning != (d.Severity == diag.Warning) {
					t.Errorf("diagnostic %d is %q, want %q", i, diag.Plain(d), c.want[i])
				}
			}
		})
	}
}

// TestTriggerInput: what a trigger starts a run with is constant and fits.
func TestTriggerInput(t *testing.T) {
	t.Parallel()
	runTable(t, []verdict{
		{"none", `workflow w(x: Int) trigger schedule { cron "@daily" } { }`, nil},
		{"fits", `workflow w(x: In) trigger schedule { cron "@daily" input { repo: "${x}", number: 1 } } { }`, nil},
		{"reference", `workflow w(x: any) trigger event "e" { input { a: x b: { c: A(1) } } } { }`, []string{"constant", "constant"}},
		{"undeclared field", `workflow w(x: In) trigger event "e" { input { repo: "r" bogus: 1 } } { }`, []string{`"bogus" is not declared`}},
		{"wrong type", `workflow w(x: Int) trigger event "e" { input { a: 1 } } { }`, []string{"takes integer"}},
		{"several", `workflow w(x: any, y: Str) trigger event "e" { input { x: 1 y: { a: 1 } z: 2 } } { }`, []string{"takes string", `no parameter "z"`}},
		{"none taken", `workflow w() trigger event "e" { input { x: 1 } } { }`, []string{`no parameter "x"`}},
	})
}

// TestAcceptReject holds the rows of language.md section 20 that parser and
// checker decide; rows 51 to 54 belong to effects.
func TestAcceptReject(t *testing.T) {
	t.Parallel()
	runTable(t, []verdict{
		{"1", `agent a { model mock/m grants { tool.ws.read_file } }`, nil},
		{"2", `agent a { model mock/m grants { ws.read_file } }`, []string{"a grant starts with `tool.`"}},
		{"3", `workflow w() effects { tool.ws.read_file } { }`, []string{"an effect has no `tool.` prefix"}},
		{"4", `agent a { model mock/x model mock/y }`, []string{"duplicate field"}},
		{"5", `tool d { type native operations { a {} a {} } }`, []string{"duplicate operation"}},
		{"6", `defaults {} defaults {}`, []string{"`defaults`"}},
		{"7", `limits {} limits {}`, []string{"`limits`"}},
		{"8", `limits { checkpointExceedPolicy truncate }`, []string{"checkpointExceedPolicy"}},
		{"9", `provider p { apiKeyFrom "env:K" }`, []string{"`type` is missing"}},
		{"10", `provider p { type openai baseUrl "ftp://h" }`, []string{"baseUrl"}},
		{"11", `workflow A() { }`, []string{`workflow "A" has the name of an agent`}},
		{"12", `policy p {} policy p {}`, []string{"first at b.agent:1:8"}},
		{"13", body(`while !c.ok { }`), []string{"limit is required"}},
		{"14a", body(`while c limit 0 { }`), []string{"limit"}},
		{"14b", body(`while c limit 1.5 { }`), []string{"limit"}},
		{"14c", body(`while c limit input.n { }`), []string{"limit"}},
		{"15", body(`parallel while c limit 2 { }`), []string{"parallel while"}},
		{"16a", body(`if f(i) { }`), []string{"a call is not allowed in a condition"}},
		{"16b", body(`while t.op() limit 2 { }`), []string{"a call is not allowed in a condition"}},
		{"16c", body(`if c == f(i) { }`), []string{"a call is not allowed in a condition"}},
		{"17", body(`if i < c < xs { }`), []string{"second comparison"}},
		{"18", body(`if (i < c) && (c < xs) { }`), nil},
		{"19", body(`parallel { A(i) }`), []string{"only assignments"}},
		{"20", body(`parallel for x in xs { return x }`), []string{"return is not allowed inside parallel for"}},
		{"20 deeper", body(`parallel for x in xs { if x { for y in x { return y } } }`), []string{"parallel for"}},
		{"21", body(`for x in xs { return x }`), nil},
		{"22", body(`if c { x = A(i) } return x`), []string{`unresolved reference "x"`}},
		{"23", body(`if c { x = A(i) } else { x = B(i) } return x`), nil},
		{"24a", body(`for x in xs { y = A(x) } return y`), []string{`unresolved reference "y"`}},
		{"24b", body(`for x in xs { y = A(x) } return x`), []string{`unresolved reference "x"`}},
		{"25", body(`y = 1 for x in xs { y = x } return y`), nil},
		{"26", body(`while c limit 2 { z = A(i) } return z`), []string{`unresolved reference "z"`}},
		{"27", body(`retry until r.echo.ok limit 1 { r = t.echo(ok: true) }`), nil},
		{"28", body(`parallel { a = A(i) b = B(a) }`), []string{`unresolved reference "a"`}},
		{"29", body(`input = A(input)`), []string{"parameters are immutable"}},
		{"30", body(`Typed()`), []string{"gets no argument"}},
		{"31a", body(`Typed(repo: i)`), []string{"W: not verified"}},
		{"31b", body(`Typed(i, c)`), []string{"W: not verified", `"arg0" is not declared`, `"arg1" is not declared`}},
		{"31c", body(`if c { Typed(i, c) }`), []string{"W: not verified"}},
		{"31d", body(`StrIn(arg0: i)`), []string{"W: not verified", `is not declared`}},
		{"31e", body(`Typed(meta: {x: 1, y: 2})`), []string{"W: not verified", `"meta.y" is not declared`}},
		{"32", body(`Typed({repo: i, bogus: 1})`), []string{`"bogus" is not declared`}},
		{"33", body(`n = IntOut(i) Typed({repo: "${n}", number: 1})`), []string{`field "repo": integer is not compatible`}},
		{"34", body(`IntIn("n${i}")`), []string{"string is not compatible with integer"}},
		{"35", body(`IntIn("plain")`), nil},
		{"36a", body(`W2(i, c, xs)`), []string{"too many arguments"}},
		{"36b", body(`W2(i)`), []string{`no value for parameter "right"`}},
		{"36c", body(`W2(q: i, c)`), []string{`no value for parameter "right"`, `no parameter "q"`}},
		{"37", body(`W2(right: i, c)`), nil},
		{"38", body(`v = MixOut(i) StrIn(v)`), []string{"not compatible"}},
		{"39", body(`s = StrOut(i) n = IntOut(i) NumIn(n) r = A(s)`), nil},
		{"40a", body(`s = StrOut(i) NeverIn(s)`), []string{"not compatible"}},
		{"40b", body(`NeverIn("x")`), []string{"not compatible"}},
		{"40c", body(`NeverIn(i)`), nil},
		{"41", body(`v = NeverOut(i) StrIn(v)`), nil},
		{"42", `agent a { model mock/m input Broken }`, []string{"schemas/Broken.json"}},
		{"43", `agent a { model mock/m input Nowhere }`, nil},
		{"44", body(`r = Closed(i) t.echo(m: r.nope)`), []string{"is not declared"}},
		{"45", body(`for x in "${zz}" { }`), []string{`unresolved reference "zz" in interpolation`}},
		{"46a", body(`t.echo(m: "${}")`), []string{`unresolved reference ""`}},
		{"46b", body(`t.echo(m: "${ . }")`), []string{`unresolved reference ""`}},
		{"47", body(`t.echo(m: "${yy}${zz}")`), []string{`"yy"`, `"zz"`}},
		{"47 same", body(`t.echo(m: "${yy}${zz}${yy}")`), []string{`"yy"`, `"zz"`}},
		{"48", body(`x = "${y}"`), nil},
		{"49", `agent a { model mock/m instructions "${y}" }`, nil},
		{"50a", `agent a { model mock/m instructions file("../outside.md") }`, []string{"leaves the project root"}},
		{"50b", `agent a { model mock/m instructions file("/etc/x.md") }`, []string{"leaves the project root"}},
		{"50c", `agent a { model mock/m instructions file("prompts/out.md") }`, []string{"leaves the project root through the link"}},
		{"50d", `agent a { model mock/m instructions file("prompts/none.md") }`, []string{"does not exist"}},
		{"50e", `agent a { model mock/m instructions file("prompts/bad.md") }`, []string{"not valid UTF-8"}},
		{"50f", `agent a { model mock/m instructions file("prompts/a.md") }`, nil},
		{"55", `workflow w(a: any, a: any) { }`, []string{"duplicate parameter"}},
		{"56", body(`i`), []string{"is not a statement"}},
		{"59", body(`ws = 1`) + ` agent a { model mock/m grants { tool.ws.read_file } }`, nil},
		{"60", body(`return { a: 1, a: 2 }`), []string{"duplicate key"}},
		{"61", `agent a { model mock/m grants { tool.ws.a.b_c tool.ws.a.b.c } }`, []string{`as "ws_a_b_c"`}},
		{"62", `agent a { model mock/m constraints { temperature 2.5 } }`, []string{"from 0 to 2"}},
		{"63a", `agent a { model mock/m constraints { maxTokens 0 } }`, []string{"maxTokens"}},
		{"63b", `agent a { model mock/m constraints { maxIterations 1.5 } }`, []string{"maxIterations"}},
		{"64", `workflow w() policy nope { }`, []string{`unknown policy "nope"`}},
		{"65", `workflow w() { }`, nil},
		{"66a", `workflow w() { w() }`, []string{"w → w"}},
		{"66b", `workflow w() { v() } workflow v() { if true { w() } }`, []string{"v → w → v"}},
	})
}
