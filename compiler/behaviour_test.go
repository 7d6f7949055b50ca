package compiler_test

import (
	"strings"
	"testing"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// The tests of this file are named after the behaviours they hold.

// complaints gives the errors of a project, one a line.
func complaints(t *testing.T, m map[string]string) string {
	t.Helper()
	_, ds := compile(t, m)
	var b strings.Builder
	for _, d := range ds {
		if d.Severity == diag.Error {
			b.WriteString(diag.Plain(d) + "\n")
		}
	}
	return b.String()
}

const typed = `
agent AsText { model mock/m output Text }
agent AsInt { model mock/m output Int }
agent AsEither { model mock/m output Either }
agent AsList { model mock/m output List }
agent TakesText { model mock/m input Text }
agent TakesEither { model mock/m input Either }
agent TakesNumber { model mock/m input Number }
agent TakesList { model mock/m input List }
agent TakesClosed { model mock/m input Closed }
`

// schemas are the documents that the types above name.
func schemas(main string) map[string]string {
	return map[string]string{
		"types.agent": typed, "main.agent": main,
		"schemas/Text.json": `{"type":"string"}`, "schemas/Int.json": `{"type":"integer"}`, "schemas/Number.json": `{"type":"number"}`,
		"schemas/Either.json": `{"type":["string","integer"]}`, "schemas/List.json": `{"type":"array"}`,
		"schemas/Closed.json": `{"type":"object","properties":{"a":{}},"additionalProperties":false}`,
	}
}

func TestBehaviour206UnionsDoNotFitTheirMembers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"v = AsEither(x) TakesText(v)": "string or integer is not compatible with string",
		"v = AsText(x) TakesEither(v)": "",
		"v = AsInt(x) TakesNumber(v)":  "",
	} {
		got := complaints(t, schemas("workflow w(x: any) { "+body+" }"))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestBehaviour208MissingAndBrokenSchemas(t *testing.T) {
	t.Parallel()
	const main = "agent A { model mock/m input T } workflow w(x: any) { A(1) }"
	if got := complaints(t, map[string]string{"a.agent": main}); got != "" {
		t.Errorf("a missing schema: %s", got)
	}
	if got := complaints(t, map[string]string{"a.agent": main, "schemas/T.json": "{"}); !strings.Contains(got, "a.agent:1:30") || !strings.Contains(got, "schemas/T.json") {
		t.Errorf("a broken schema: %s", got)
	}
}

func TestBehaviour209ListsAndClosedObjects(t *testing.T) {
	t.Parallel()
	if got := complaints(t, schemas("workflow w(x: any) { l = AsList(x) TakesList(l) }")); got != "" {
		t.Errorf("a list into a list without items: %s", got)
	}
	if got := complaints(t, schemas("workflow w(x: any) { l = AsList(x) TakesClosed({ a: 1, tags: l }) }")); !strings.Contains(got, "is not declared") {
		t.Errorf("a list in a closed object: %q", got)
	}
}

func TestBehaviour210NestingAndRecursion(t *testing.T) {
	t.Parallel()
	var deep strings.Builder
	for _, pair := range strings.Fields("a:b b:c c:d d:e e:f f:g g:h h:i i:j") {
		from, to, _ := strings.Cut(pair, ":")
		deep.WriteString("workflow " + from + "(x: any) { " + to + "(x) }\n")
	}
	deep.WriteString("workflow j(x: any) { }\n")
	if got := complaints(t, map[string]string{"a.agent": deep.String()}); !strings.Contains(got, "maxWorkflowNesting") || !strings.Contains(got, "a -> b -> c") {
		t.Errorf("nine calls deep: %q", got)
	}
	if got := complaints(t, map[string]string{"a.agent": "limits { maxWorkflowNesting 9 } " + deep.String()}); got != "" {
		t.Errorf("within a raised limit: %q", got)
	}
	if got := complaints(t, map[string]string{"a.agent": "workflow a() { for x in b() { } } workflow b() { parallel { c = a() } }"}); !strings.Contains(got, "a → b → a") {
		t.Errorf("a cycle: %q", got)
	}
}

func TestBehaviour212PositionalWorkflowCallsEverywhere(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{"a.agent": `
workflow pair(left: any, right: any) { return { l: left, r: right } }
workflow w(x: any) {
    top = pair(x, 1)
    if x { arm = pair(x, 1) } else { other = pair(x, 1) }
    for i in x { inFor = pair(i, 1) }
    parallel { branch = pair(x, 1) }
    parallel for i in x { inParallel = pair(i, 1) }
    while x limit 2 { inWhile = pair(x, 1) }
    retry until inRetry.l limit 2 { inRetry = pair(x, 1) }
    return pair(x, pair(x, 1))
}`})
	calls := 0
	for _, p := range r.Programs {
		eachNode(p.Body, func(n ir.Node) {
			if call, ok := n.(ir.Workflow); ok {
				calls++
				if len(call.Args) != 2 || call.Args[0].Name != "left" || call.Args[1].Name != "right" {
					t.Errorf("%s: %+v", call.ID, call.Args)
				}
			}
		})
	}
	if calls != 10 {
		t.Errorf("%d calls", calls)
	}
}

func eachNode(nodes []ir.Node, visit func(ir.Node)) {
	for _, n := range nodes {
		visit(n)
		for _, b := range ir.Blocks(n) {
			eachNode(b.Nodes, visit)
		}
	}
}

func TestBehaviour213TemplatesAreCheckedEverywhere(t *testing.T) {
	t.Parallel()
	const bad = `n = AsText(x) TakesNumber("${n}")`
	for _, body := range []string{
		bad, "if x { " + bad + " }", "for i in x { " + bad + " }", "parallel for i in x { " + bad + " }",
		"while x limit 2 { " + bad + " }", "retry until x limit 2 { " + bad + " }", "for i in x { if i { } else { " + bad + " } }",
	} {
		if got := complaints(t, schemas("workflow w(x: any) { "+body+" }")); strings.Count(got, "\n") != 1 || !strings.Contains(got, "string is not compatible with number") {
			t.Errorf("%s: %q", body, got)
		}
	}
}

func TestBehaviour214UnresolvedTokensInCollections(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{`"${zz}"`: 1, `"${}"`: 1, `"${ . }"`: 1, `"${zz}${zz}"`: 1, `"${yy}${zz}"`: 2, `"${x.list}"`: 0} {
		for _, loop := range []string{"for", "parallel for"} {
			got := complaints(t, map[string]string{"a.agent": "workflow w(x: any) { " + loop + " i in " + text + " { } }"})
			if strings.Count(got, "unresolved reference") != want || strings.Count(got, "\n") != want {
				t.Errorf("%s %s: %q", loop, text, got)
			}
		}
	}
}

// What a workflow gives back is decided by its text alone: TestBehaviour216 to
// TestBehaviour220 look at the flags the interpreter goes by.
func TestBehaviour216And217And218And220OutputShapes(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{"a.agent": `
workflow arms(x: any) { if x { return { r: 1 } } else { return { s: 2 } } }
workflow valued(x: any) { return { value: x } }
workflow scalar(x: any) { return x }
workflow mixed(x: any) { if x { return x } return { s: 1 } }
workflow silent(x: any) { if x { y = 1 } }
workflow forwards(x: any) { return scalar(x) }
workflow caller(x: any) { a = arms(x) b = valued(x) c = scalar(x) d = mixed(x) e = silent(x) f = forwards(x) }
`})
	enveloped := map[string]bool{"scalar": true, "mixed": true, "forwards": true}
	for _, p := range r.Programs {
		if p.Envelope != enveloped[p.Workflow] {
			t.Errorf("%s: envelope %v", p.Workflow, p.Envelope)
		}
		eachNode(p.Body, func(n ir.Node) {
			if call, ok := n.(ir.Workflow); ok && call.ProjectValue != enveloped[call.Workflow] {
				t.Errorf("the call of %s: takes the value out: %v", call.Workflow, call.ProjectValue)
			}
		})
	}
}

func TestBehaviour261OneTokenKeepsItsValue(t *testing.T) {
	t.Parallel()
	r := mustCompile(t, map[string]string{"a.agent": `
tool t { type mock }
workflow w(x: any) { t.op(one: "${x.list}", text: "n ${x.list}", plain: "n") }`})
	call := r.Programs[0].Body[0].(ir.Tool)
	one, text := call.Args[0].Expr.(ir.Template), call.Args[1].Expr.(ir.Template)
	if len(one.Parts) != 1 || len(text.Parts) != 2 {
		t.Errorf("%+v", call.Args)
	}
	if _, literal := call.Args[2].Expr.(ir.Literal); !literal {
		t.Errorf("%+v", call.Args[2])
	}
}

// TestBehaviour267CompilingNeedsNoCredentials: keys are looked up for a live call alone.
func TestBehaviour267CompilingNeedsNoCredentials(t *testing.T) {
	for _, name := range strings.Fields("ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY XAI_API_KEY MOONSHOT_API_KEY LAB_KEY GITHUB_TOKEN") {
		t.Setenv(name, "")
	}
	_, ds := compiler.Compile(files(map[string]string{"a.agent": `
provider lab { type openai apiKeyFrom "env:LAB_KEY" }
agent A { model lab/m } agent B { model anthropic/m } agent C { model gemini/m } agent D { model kimi/m } agent E { model grok/m }
tool t { type http http { baseUrl "https://api.example" headers { "Authorization" "env:GITHUB_TOKEN" } } operations { get.x {} } }
workflow w(x: any) { A(x) B(x) C(x) D(x) E(x) t.get.x() }`}), compiler.Options{Project: "demo"})
	if ds.HasErrors() {
		t.Error(ds)
	}
}

// TestBehaviour105EditToolsAreOperations: a name outside of the closed manifest of the
// gated tool fails.
func TestBehaviour105EditToolsAreOperations(t *testing.T) {
	t.Parallel()
	for listed, want := range map[string]string{"send": "", "draft.mail": `no operation "draft.mail"`, "other": `no operation "other"`} {
		got := complaints(t, map[string]string{"a.agent": `
tool mail { type mock operations { send {} } }
tool other { type mock }
policy p { hitl { interruptOn { mail { allowedEditTools { "` + listed + `" } } } } }`})
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q", listed, got)
		}
	}
}

func TestBehaviour158Temperature(t *testing.T) {
	t.Parallel()
	for spelling, ok := range map[string]bool{"0": true, "2": true, "1.5": true, "2.1": false, "-0.1": false, "1e3": false} {
		m := map[string]string{"a.agent": "agent A { model mock/m constraints { temperature " + spelling + " } }"}
		if got := complaints(t, m); (got == "") != ok {
			t.Errorf("%s: %q", spelling, got)
		}
	}
	zero := mustCompile(t, map[string]string{"a.agent": "agent A { model mock/m constraints { temperature 0 } } agent B { model mock/m }"})
	if zero.Graph.Agents[0].Constraints.Temperature != "0" || zero.Graph.Agents[1].Constraints.Temperature != "" {
		t.Error("a zero and an absent temperature are the same")
	}
}

// TestBehaviour204ToolLimitsWin: the tool's own limit, then the project's, then the
// local one, then the built-in.
func TestBehaviour204ToolLimitsWin(t *testing.T) {
	t.Parallel()
	r, ds := compiler.Compile(files(map[string]string{"a.agent": `
limits { maxToolOutputBytes 200 maxLoopIterations 20 }
tool own { type mock limits { maxToolOutputBytes 100 } }
tool plain { type mock }`}), compiler.Options{Project: "demo", Limits: resource.Limits{MaxLoopIterations: 5, MaxStateBytes: 7}})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	base := r.Graph.Limits.Over(resource.BuiltinLimits())
	own, _ := r.Graph.Tool("own")
	plain, _ := r.Graph.Tool("plain")
	if own.Limits.Over(base).MaxToolOutputBytes != 100 || plain.Limits.Over(base).MaxToolOutputBytes != 200 {
		t.Error("the tool's limit does not win")
	}
	if base.MaxLoopIterations != 20 || base.MaxStateBytes != 7 || base.MaxWorkflowNesting != 8 {
		t.Errorf("project, local and built-in limits: %+v", base)
	}
}
