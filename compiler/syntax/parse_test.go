package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

func parse(src string) (*Unit, diag.List) {
	return Parse(source.NewFile("main.agent", []byte(src)), ParseLimits{})
}

// inBody puts statements into a workflow.
func inBody(stmts string) string { return "workflow w(c: any, xs: any) { " + stmts + " }" }

func TestAccepted(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"empty file":                    "",
		"grant of a tool":               "agent a { grants { tool.ws.read_file } }",
		"grants of agents":              "agent a { grants { agent.b, workflow.c } }",
		"any exceed policy":             "limits { checkpointExceedPolicy truncate }",
		"provider without type":         `provider p { apiKeyFrom "env:K" }`,
		"effects present and empty":     "workflow w() effects { } { }",
		"parentheses around comparison": inBody("if (c.a < c.b) && (c.b < c.d) { }"),
		"return in a loop":              inBody("for x in xs { return x }"),
		"instructions with a token":     `agent a { instructions "${y}" }`,
		"limit as a condition":          "workflow w(limit: any) { while limit limit 3 { } }",
		"in as a parameter":             "workflow w(in: any) { for x in in { } }",
		"retry as a name":               inBody("retry = c retry.op(c) f(retry)"),
		"approval as a name":            inBody("approval = c approval.op()"),
		"until as a name":               inBody("until = c"),
		"words as field names":          inBody("x = c.if y = c.else.while z = { for: 1, if: 2, limit: 3, in: 4, tool: 5 }"),
		"true as a name":                "tool true { type false }",
		"words as resource names":       "tool model { } policy tool { } agent policy { policy limits }",
		"object with and without comma": inBody("x = { a: 1 b: 2, c: 3, }"),
		"clause before the body":        "workflow w(x: any) policy p { return x }",
		"model id with dots":            "agent a { model openai/gpt-4.1:2 }",
		"negative number":               inBody("x = -1 y = -0.5e-3"),
		"temperature zero":              "agent a { constraints { temperature 0 } }",
		"size zero":                     "limits { maxStateBytes 0 }",
		"two events":                    `workflow w() trigger event "a" {} trigger event "b" {} { }`,
		"statements after return":       inBody("return c x = c"),
		"condition named like a call":   inBody("if c.x == true || !false { }"),
		"empty string":                  `agent a { description "" }`,
		"block on one line":             `agent a { description """x""" }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, problems := parse(src); len(problems) > 0 {
				t.Errorf("%s\n%s", src, problems)
			}
		})
	}
}

func TestRejected(t *testing.T) {
	t.Parallel()
	for _, c := range rejected {
		t.Run(c.src, func(t *testing.T) {
			t.Parallel()
			unit, problems := parse(c.src)
			if !problems.HasErrors() {
				t.Fatalf("accepted:\n%s", Dump(unit))
			}
			if got := problems[0]; got.Code != c.code || !strings.Contains(got.Message(), c.fragment) {
				t.Errorf("got %s\nwant %s with %q", diag.Plain(got), c.code, c.fragment)
			}
			if len(problems) != 1 {
				t.Errorf("one slip gives one diagnostic, got:\n%s", problems)
			}
			for _, d := range unit.Decls {
				if d.Broken() {
					return
				}
			}
			if len(unit.Decls) > 0 {
				t.Error("no declaration is marked as broken")
			}
		})
	}
}

var rejected = []struct {
	src      string
	code     diag.Code
	fragment string
}{
	{"agent a { grants { ws.read_file } }", diag.BadCapability, "a grant starts with `tool.`"},
	{"agent a { grants { read_file } }", diag.BadCapability, "a grant starts with `tool.`"},
	{"agent a { grants { tool.ws } }", diag.BadCapability, "tool.TOOL.OPERATION"},
	{"agent a { grants { agent.b.c } }", diag.BadCapability, "agent.NAME"},
	{"policy p { approvals { requiredFor { github.read } } }", diag.BadCapability, "`tool.`"},
	{"policy p { approvals { requiredFor { agent.b } } }", diag.ReservedWord, `"agent"`},
	{"workflow w() effects { tool.ws.read_file } { }", diag.BadEffect, "no `tool.` prefix"},
	{"agent a { model m/x model m/y }", diag.DuplicateField, `duplicate field "model"`},
	{"tool t { operations { a {} a {} } }", diag.DuplicateEntry, "duplicate operation"},
	{inBody("while !c.ok { }"), diag.MissingLimit, "limit is required"},
	{inBody("retry until c.ok { }"), diag.MissingLimit, "limit is required"},
	{inBody("while c limit 0 { }"), diag.NotACount, "1 or more"},
	{inBody("while c limit 1.5 { }"), diag.NotACount, "whole number"},
	{inBody("while c limit 1e2 { }"), diag.NotACount, "whole number"},
	{inBody("while c limit -1 { }"), diag.NotACount, "whole number"},
	{inBody("while c limit c.n { }"), diag.NotACount, "whole number"},
	{inBody("parallel while c limit 2 { }"), diag.MisplacedParallel, "parallel while"},
	{inBody("parallel retry until c limit 2 { }"), diag.MisplacedParallel, "parallel retry"},
	{inBody("parallel x = c"), diag.MisplacedParallel, "followed by"},
	{inBody("if f(x) { }"), diag.CallInCondition, "a call is not allowed in a condition; bind it first"},
	{inBody("while t.op() limit 2 { }"), diag.CallInCondition, "bind it first"},
	{inBody("if a == f(x) { }"), diag.CallInCondition, "bind it first"},
	{inBody("if a < b < c { }"), diag.ChainedComparison, "&&"},
	{inBody("if a == b == c { }"), diag.ChainedComparison, "parentheses"},
	{inBody("if a = b { }"), diag.UnexpectedToken, "=="},
	{inBody("parallel { f(x) }"), diag.MisplacedParallel, "only assignments"},
	{inBody("parallel { a = f(x) a = g(x) }"), diag.DuplicateEntry, "branch"},
	{"workflow w(a: any, a: any) { }", diag.DuplicateEntry, "duplicate parameter"},
	{"workflow w(a: any,) { }", diag.TrailingComma, "trailing comma"},
	{inBody("x = f(c,)"), diag.TrailingComma, "trailing comma"},
	{inBody("x"), diag.NotAStatement, "not a statement"},
	{inBody("x.y"), diag.NotAStatement, "not a statement"},
	{inBody("x == 3"), diag.NotAStatement, "not a statement"},
	{inBody("x.y = 3"), diag.NotAStatement, "cannot assign"},
	{inBody(`"text"`), diag.NotAStatement, "a string"},
	{inBody("else { }"), diag.NotAStatement, "else without an if"},
	{inBody("return { a: 1, a: 2 }"), diag.DuplicateEntry, "duplicate key"},
	{inBody("for x in { a: 1 } { }"), diag.ObjectAsCollection, "object literal"},
	{inBody("if = 3"), diag.UnexpectedToken, "a condition"},
	{inBody("for parallel in xs { }"), diag.ReservedWord, `"parallel"`},
	{inBody("x = c.0"), diag.UnexpectedToken, "a name after the dot"},
	{inBody("x = c - y = c"), diag.BadCharacter, "'-'"},
	{inBody("x = 01"), diag.MalformedNumber, "01"},
	{inBody("x = 1x"), diag.MalformedNumber, "1x"},
	{"agent a { constraints { maxTokens 0 } }", diag.NotACount, "maxTokens"},
	{"agent a { constraints { maxIterations 1.5 } }", diag.NotACount, "maxIterations"},
	{"agent a { instructions file }", diag.UnexpectedToken, "( after file"},
	{`agent a { instructions file("x" }`, diag.UnexpectedToken, "after the path"},
	{"agent a { model mock / x }", diag.UnexpectedToken, "directly after"},
	{"agent a { colour red }", diag.UnknownField, `"colour"`},
	{"agent workflow { }", diag.ReservedWord, `"workflow"`},
	{"agent a { workingTree shared }", diag.UnknownWord, "exclusive"},
	{"limits { toolInputExceedPolicy maybe }", diag.UnknownWord, "truncate, fail"},
	{"tool t { operations { a { idempotency often } } }", diag.UnknownWord, "key, safe, none"},
	{"policy p { approvals { onTimeout wait } }", diag.UnknownWord, "reject, escalate, approve"},
	{`policy p { hitl { interruptOn { t { allowedDecisions { accept } } } } }`, diag.UnknownWord, "approve, reject, edit, switch"},
	{"policy p { hitl { interruptOn { t t } } }", diag.DuplicateEntry, "tool in interruptOn"},
	{"environment e { overrides { agents { a {} a {} } } }", diag.DuplicateEntry, "agent override"},
	{`workflow w() trigger schedule {} trigger schedule {} { }`, diag.DuplicateField, "trigger schedule"},
	{`workflow w() policy p policy q { }`, diag.DuplicateField, `"policy"`},
	{`agent a { description "x\q" }`, diag.UnknownEscape, "escape"},
	{`agent a { grants { tool.a.b, , tool.a.c } }`, diag.UnexpectedToken, "an entry of grants"},
	{"hello", diag.NotADeclaration, "expected a declaration"},
	{"}", diag.NotADeclaration, "expected a declaration"},
	{"agent a { model m/x", diag.MissingBrace, "missing } of agent a opened at line 1, column 9"},
	{"workflow w() { if c { return c }", diag.MissingBrace, "missing } of workflow w"},
	{`agent a { description """x }`, diag.UnclosedBlock, "never closed"},
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	paths := glob(t, "testdata/corpus/*.agent")
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			unit, problems := Parse(source.NewFile(filepath.Base(path), read(t, path)), ParseLimits{})
			if len(problems) > 0 {
				t.Errorf("must parse:\n%s", problems)
			}
			golden(t, "testdata/dump/"+strings.TrimSuffix(filepath.Base(path), ".agent")+".txt", DumpPositions(unit))
		})
	}
}

// TestBroken compares every diagnostic of broken programs, and what of the
// program survives.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, path := range glob(t, "testdata/broken/*.agent") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			unit, problems := Parse(source.NewFile(filepath.Base(path), read(t, path)), ParseLimits{})
			if !problems.HasErrors() {
				t.Error("must not parse")
			}
			golden(t, strings.TrimSuffix(path, ".agent")+".txt", problems.String()+"\n\n"+Dump(unit))
		})
	}
}

func TestGoldensHaveSources(t *testing.T) {
	t.Parallel()
	for pattern, dir := range map[string]string{"testdata/dump/*.txt": "testdata/corpus", "testdata/broken/*.txt": "testdata/broken"} {
		for _, path := range glob(t, pattern) {
			src := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".txt")+".agent")
			if _, err := os.Stat(src); err != nil {
				t.Errorf("no test produces %s: %v", path, err)
			}
		}
	}
}

func glob(t testing.TB, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file matches %s: %v", pattern, err)
	}
	return paths
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// golden compares with a file; UPDATE_GOLDEN=1 writes it instead.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, path)), got); diff != "" {
		t.Errorf("%s -want +got:\n%s", path, diff)
	}
}
