package check_test

import (
	"strings"
	"testing"
)

func TestScopes(t *testing.T) {
	t.Parallel()
	runTable(t, []verdict{
		{"use before assignment", body(`A(x) x = 1`), []string{`unresolved reference "x"`}},
		{"else if binds on all ways", body(`if c { x = 1 } else if i { x = 2 } else { x = 3 } return x`), nil},
		{"else if leaves one way out", body(`if c { x = 1 } else if i { x = 2 } return x`), []string{`unresolved reference "x"`}},
		{"arms do not see each other", body(`if c { x = 1 } else { A(x) }`), []string{`unresolved reference "x"`}},
		{"a returning arm does not restrict", body(`if c { return 1 } else { x = 1 } return x`), nil},
		{"a returning arm of else if", body(`if c { x = 1 } else if i { return 1 } else { x = 2 } return x`), nil},
		{"dead code is checked", body(`return 1 A(x)`), []string{`unresolved reference "x"`}},
		{"both arms return", body(`if c { return 1 } else { return 2 } return i`), nil},
		{"types join to untyped", body(`if c { x = IntOut(i) } else { x = StrOut(i) } StrIn(x)`), nil},
		{"one type stays", body(`if c { x = IntOut(i) } else { x = IntOut(c) } StrIn(x)`), []string{"not compatible"}},
		{"rebinding changes the type", body(`x = IntOut(i) x = StrOut(i) StrIn(x)`), nil},
		{"a loop forgets rebound types", body(`x = IntOut(i) while c limit 2 { x = StrOut(x) } StrIn(x)`), nil},
		{"inside the loop too", body(`x = IntOut(i) for y in xs { StrIn(x) x = StrOut(i) }`), nil},
		{"other types survive a loop", body(`x = IntOut(i) while c limit 2 { y = 1 } StrIn(x)`), []string{"not compatible"}},
		{"parallel for has own copies", body(`x = IntOut(i) parallel for y in xs { x = StrOut(i) } StrIn(x)`), []string{"not compatible"}},
		{"parallel for lets nothing out", body(`parallel for y in xs { z = 1 } return z`), []string{`unresolved reference "z"`}},
		{"while condition sees the outer scope", body(`while z limit 2 { z = 1 }`), []string{`unresolved reference "z"`}},
		{"retry keeps names", body(`retry until r limit 2 { r = A(i) } return r`), nil},
		{"retry with a conditional name", body(`retry until c limit 2 { if c { r = A(i) } } return r`), []string{`unresolved reference "r"`}},
		{"a loop variable shadows", body(`x = IntOut(i) for x in xs { StrIn(x) } StrIn(x)`), []string{"not compatible"}},
		{"a loop variable over a parameter", body(`for i in xs { i = 1 } i = 2`), []string{"parameters are immutable"}},
		{"elements have the type of items", body(`l = ListOut(i) for x in l { A(x.id) A(x.nope) }`), []string{"is not declared"}},
		{"parallel binds afterwards", body(`parallel { a = A(i) b = B(i) } return { a: a, b: b }`), nil},
		{"parallel over a parameter", body(`parallel { i = A(c) }`), []string{"parameters are immutable"}},
		{"approval binds", body(`approval g { with { a: "${i}", b: A(i) } } return g.a`), nil},
		{"approval over a parameter", body(`approval i { }`), []string{"parameters are immutable"}},
		{"approval entries are templates", body(`approval g { with { a: "${zz}" } }`), []string{`"zz" in interpolation`}},
		{"names of kinds are apart", body(`A = 1 t = A return { a: A(t) }`), nil},
	})
}

func TestValues(t *testing.T) {
	t.Parallel()
	runTable(t, []verdict{
		{"assigned object is plain text", body(`x = { a: "${zz}" }`), nil},
		{"calls in an assigned object", body(`x = { a: A("${zz}") }`), []string{`"zz" in interpolation`}},
		{"condition strings are plain", body(`if i == "${zz}" { }`), nil},
		{"condition references", body(`if !(zz.a < 3) && c { }`), []string{`unresolved reference "zz"`}},
		{"return is a template", body(`return { a: { b: "${zz}" } }`), []string{`"zz" in interpolation`}},
		{"blanks in a token", body(`return "${ i.a }"`), nil},
		{"two words in a token", body(`return "${i c}"`), []string{`unresolved reference "i c" in interpolation`}},
		{"empty field in a token", body(`return "${i.}"`), []string{`unresolved reference "i." in interpolation`}},
		{"field of a token", body(`r = Closed(i) return "x ${r.nope}"`), []string{"is not declared"}},
		{"whole token keeps its type", body(`n = IntOut(i) IntIn("${n}")`), nil},
		{"near name", body(`return inptu`), []string{`did you mean "input"?`}},
		{"unknown callee", body(`Editor(i)`), []string{`unresolved reference "Editor"`}},
		{"tool without operation", body(`t(i)`), []string{`unresolved reference "t"`}},
		{"unknown tool", body(`tt.op()`), []string{`did you mean "t"?`}},
		{"operation outside the manifest", body(`ws.read_fil()`), []string{`did you mean "read_file"?`}},
		{"arguments of a failing call are checked", body(`nope.op(a: zz)`), []string{"unknown tool", `unresolved reference "zz"`}},
		{"placeholder taken", body(`t.op(arg0: i, c)`), []string{`"arg0" is given twice`}},
		{"number beyond doubles", body(`x = 1e999`), []string{"range of a double"}},
		{"big integers are fine", body(`x = 123456789012345678901234567890`), nil},
		{"limit beyond counting", body(`while c limit 99999999999 { }`), []string{"limit is 99999999999"}},
		{"workflow argument type", body(`n = IntOut(i) W1(n)`), []string{`argument "only" of "W1": integer is not compatible with string`}},
		{"workflow result type", `workflow r() -> Int { return r2() } workflow r2() -> Str { return "s" }`, []string{"declared as Int: string is not compatible"}},
		{"returned object", `workflow r() -> In { return { repo: "x", bogus: 1 } }`, []string{`"bogus" is not declared`}},
		{"parameter claimed twice", body(`W2(left: i, right: c, xs)`), []string{"too many arguments"}},
		{"no parameters", `workflow n() { } ` + body(`n(i)`), []string{"too many arguments"}},
		{"nested document field", body(`Typed({meta: {x: 1, y: 2}})`), []string{`"meta.y" is not declared`}},
		{"document of another kind", body(`n = IntOut(i) Typed(n)`), []string{"not compatible"}},
	})
}

func TestDeclarations(t *testing.T) {
	t.Parallel()
	op := func(fields string) string {
		return "tool o { type native operations { look { readOnly true } act { " + fields + " } } }"
	}
	runTable(t, []verdict{
		{"no model", `agent a { }`, []string{"has no model"}},
		{"default model", `agent a { } defaults { model mock/m }`, nil},
		{"unknown provider", `agent a { model opnai/x }`, []string{`did you mean "openai"?`}},
		{"declared provider", `agent a { model lab/x } provider lab { type openai }`, nil},
		{"provider type", `provider lab { type opeanai }`, []string{`did you mean "openai"?`}},
		{"provider url without host", `provider lab { type openai baseUrl "https://" }`, []string{"baseUrl"}},
		{"provider url of no kind", `provider lab { type openai baseUrl "not-a-url" }`, []string{"baseUrl"}},
		{"empty provider url", `provider lab { type openai baseUrl "" }`, nil},
		{"a secret instead of a reference", `provider lab { type openai apiKeyFrom "sk-123" }`, []string{"env:NAME"}},
		{"temperature bounds", `agent a { model mock/m constraints { temperature 0 } } agent b { model mock/m constraints { temperature 2.0 } }`, nil},
		{"tiny temperature", `agent a { model mock/m constraints { temperature 1e-999999999 } }`, nil},
		{"negative temperature", `agent a { model mock/m constraints { temperature -1 } }`, []string{"from 0 to 2"}},
		{"huge count", `agent a { model mock/m constraints { maxTokens 99999999999999999999 } }`, []string{"maxTokens"}},
		{"negative cost", `policy p { execution { maxTotalCostUsd -0.5 } }`, []string{"0 or more"}},
		{"granted twice", `agent a { model mock/m grants { tool.t.x tool.t.x } }`, []string{"W: granted twice"}},
		{"granted delegation", `agent a { model mock/m grants { agent.A workflow.W1 agent.AA } }`, []string{`unknown agent "AA"`}},
		{"required twice", `policy p { approvals { requiredFor { tool.t.x tool.t.x } } }`, []string{"listed twice"}},
		{"required operation", `policy p { approvals { requiredFor { tool.ws.nope } } }`, []string{"no operation"}},
		{"preset", `policy p { preset shell-safe }`, []string{`did you mean "shell_safe"?`}},
		{"presets are policies", `workflow w() policy shell_safe { } agent a { model mock/m policy strict }`, nil},
		{"hitl tool", `policy p { hitl { interruptOn { nope wss { } } } }`, []string{"unknown tool", `did you mean "ws"?`}},
		{"hitl operations", `policy p { hitl { interruptOn { ws { allowedEditTools { "nope" } } } } }`, []string{"no operation"}},
		{"environment targets", `environment e { overrides { agents { Z { } } policies { P { } } tools { T { } } } }`,
			[]string{`unknown agent "Z"`, `unknown policy "P"`, `unknown tool "T"`}},
		{"runtime", `defaults { runtime remote }`, []string{"runtime is one of"}},
		{"no type", `tool x { }`, []string{"`type` is missing"}},
		{"unknown type", `tool x { type natve }`, []string{`did you mean "native"?`}},
		{"transport missing", `tool x { type http }`, []string{"needs a block `http"}},
		{"transport of another type", `tool x { type native mcp { command "c" } }`, []string{"does not fit a tool of type native"}},
		{"mcp both ways", `tool x { type mcp mcp { command "c" url "http://h" } }`, []string{"remove one"}},
		{"mcp no way", `tool x { type mcp mcp { } }`, []string{"`command` is missing"}},
		{"http without base", `tool x { type http http { } }`, []string{"`baseUrl` is missing"}},
		{"backoff", `tool x { type native retry { backoff "linear" } }`, []string{"backoff is one of"}},
		{"tool limits", `tool x { type native limits { checkpointExceedPolicy truncate } }`, []string{"checkpointExceedPolicy"}},
		{"effect name", op(`effects { Net.read }`), []string{"not an effect name"}},
		{"operation name", `tool o { type native operations { readFile { } } }`, []string{"not an operation name"}},
		{"reconcile", op(`reconcile look`), nil},
		{"reconcile writes", op(`reconcile act`), []string{"readOnly true"}},
		{"reconcile unknown", op(`reconcile lok`), []string{`did you mean "look"?`}},
		{"missing schema", op(`schema "schemas/None.json"`), []string{"does not exist"}},
		{"broken schema", op(`outputSchema "schemas/Broken.json"`), []string{"cannot be used"}},
		{"schema outside", op(`schema "../x.json"`), []string{"leaves the project root"}},
		{"repeated limits", `limits { } limits { checkpointExceedPolicy truncate }`, []string{"a second `limits` block"}},
	})
}

// TestBrokenDeclarationsDoNotCascade: names of broken declarations still count,
// and what may be lost is not called missing.
func TestBrokenDeclarationsDoNotCascade(t *testing.T) {
	t.Parallel()
	got := checkFiles(world(), map[string]string{"a.agent": `
agent Broken { model mock/m nonsense }
tool half { type native operations { read { wat } } }
agent 5 { }
workflow w(x: any) { Broken(x) half.write() Lost(x) return y }
`})
	var unresolved int
	for _, d := range got {
		if d.Code[:3] == "TF2" {
			unresolved++
			if !strings.Contains(d.Message(), `unresolved reference "y"`) {
				t.Errorf("a complaint that follows from a slip: %s", d.Message())
			}
		}
	}
	if unresolved != 1 {
		t.Errorf("%d complaints of the checker, want 1:\n%s", unresolved, got)
	}
}

func TestDuplicatesAcrossFilesNameBothPlaces(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"agent x { model mock/m }", "tool x { type native }", "policy x { }", "workflow x() { }", "environment x { }", "provider x { type openai }"} {
		got := checkFiles(world(), map[string]string{"b/two.agent": kind, "a/one.agent": "\n" + kind})
		if len(got) != 1 || got[0].At.File != "b/two.agent" || !strings.Contains(got[0].Message(), "a/one.agent:2:") {
			t.Errorf("%s: %s", kind, got)
		}
	}
}
