package syntax

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// TestNestingIsBounded feeds every construct that nests, far too deep. Each must
// give one clear error and leave the declaration behind it readable.
func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	const n = 10_000
	r := strings.Repeat
	for name, stmts := range map[string]string{
		"blocks":        r("if a { ", n) + r("} ", n),
		"else if":       "if a { }" + r(" else if a { }", n),
		"objects":       "x = " + r("{ a: ", n) + "1" + r(" }", n),
		"calls":         "x = " + r("f(", n) + "a" + r(")", n),
		"parentheses":   "if " + r("(", n) + "a" + r(")", n) + " { }",
		"negations":     "if " + r("!", n) + "a { }",
		"loops":         r("parallel for i in a { ", n) + r("} ", n),
		"mixed objects": "x = " + r("f({ a: ", n) + "1" + r(" })", n),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unit, problems := parse("workflow w(a: any) {\n" + stmts + "\n}\nagent after { model m/x }\n")
			if len(problems) != 1 || problems[0].Code != diag.NestingTooDeep {
				t.Fatalf("want one error about nesting, got:\n%s", problems)
			}
			last, ok := unit.Decls[len(unit.Decls)-1].(*AgentDecl)
			if len(unit.Decls) != 2 || !unit.Decls[0].Broken() || !ok || last.Broken() || last.Model == nil {
				t.Errorf("the next declaration is lost:\n%.500s", Dump(unit))
			}
		})
	}
}

func TestUnclosedNestingIsBounded(t *testing.T) {
	t.Parallel()
	_, problems := parse("workflow w(a: any) { " + strings.Repeat("if a { ", 100_000))
	if len(problems) != 1 || problems[0].Code != diag.NestingTooDeep {
		t.Errorf("want one error about nesting, got:\n%s", problems)
	}
}

func TestDepthJustInside(t *testing.T) {
	t.Parallel()
	file := source.NewFile("main.agent", []byte("workflow w(a: any) { x = {a: {b: {c: 1}}} }"))
	if _, problems := Parse(file, ParseLimits{Depth: 4}); len(problems) > 0 {
		t.Errorf("depth 4 must do:\n%s", problems)
	}
	if _, problems := Parse(file, ParseLimits{Depth: 3}); !problems.HasErrors() {
		t.Error("depth 3 must not do")
	}
}

// TestErrorsAreBounded feeds a million errors of each phase.
func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	for name, src := range map[string]string{
		"characters":   strings.Repeat("; ", n),
		"top level":    strings.Repeat("x {\n", n),
		"fields":       "agent a {\n" + strings.Repeat("b { }\n", n) + "}",
		"statements":   "workflow w() {\n" + strings.Repeat("x\n", n) + "}",
		"declarations": strings.Repeat("agent { }\n", n),
		"grants":       "agent a { grants {\n" + strings.Repeat("x\n", n) + "} }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := parse(src)
			stop := 0
			for _, d := range problems {
				if d.Code == diag.TooManyErrors {
					stop++
				}
			}
			switch {
			case name == "fields" || name == "top level": // one run of unknown fields may be one error
				if len(problems) > 101 || !problems.HasErrors() {
					t.Errorf("%d diagnostics", len(problems))
				}
			case len(problems) != 101 || stop != 1:
				t.Errorf("%d diagnostics, %d of them say that parsing stopped", len(problems), stop)
			}
		})
	}
}

func TestSizeIsBounded(t *testing.T) {
	t.Parallel()
	file := source.NewFile("main.agent", []byte("agent a { }\n"))
	unit, problems := Parse(file, ParseLimits{Bytes: 11})
	if len(problems) != 1 || problems[0].Code != diag.FileTooLarge || unit == nil {
		t.Errorf("got %v", problems)
	}
	if _, problems = Parse(file, ParseLimits{Bytes: 12}); len(problems) > 0 {
		t.Errorf("got %v", problems)
	}
}

// TestHugeFileCostsNothing: a file of 100 MB is one error, and what Parse allocates
// for it does not depend on its size or its lines.
func TestHugeFileCostsNothing(t *testing.T) {
	data := bytes.Repeat([]byte("\n"), 100<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	unit, problems := Parse(source.NewFile("main.agent", data), ParseLimits{})
	runtime.ReadMemStats(&after)
	if unit == nil || len(problems) != 1 || problems[0].Code != diag.FileTooLarge || problems[0].At.Start.Line != 1 {
		t.Errorf("got %v", problems)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// TestErrorsCostIsBounded: a million errors allocate hardly more than the source,
// since reading stops at the hundredth.
func TestErrorsCostIsBounded(t *testing.T) {
	src := []byte("workflow w() {\n" + strings.Repeat("x\n", 1_000_000) + "}")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, problems := Parse(source.NewFile("main.agent", src), ParseLimits{})
	runtime.ReadMemStats(&after)
	if len(problems) != 101 {
		t.Errorf("%d diagnostics", len(problems))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 4*uint64(len(src)) {
		t.Errorf("%d bytes were allocated for a source of %d", used, len(src))
	}
}

// TestLongInput is big without being wrong; it must stay linear.
func TestLongInput(t *testing.T) {
	t.Parallel()
	const n = 100_000
	var b strings.Builder
	b.WriteString("workflow w(a: any) {\nif a" + strings.Repeat(" || a && !a", n) + " { }\n")
	for i := range n {
		fmt.Fprintf(&b, "x%d = f(a) // c\n", i)
	}
	b.WriteString("}\n")
	unit, problems := parse(b.String())
	if len(problems) > 0 {
		t.Fatalf("%s", problems)
	}
	w := unit.Decls[0].(*WorkflowDecl)
	if len(w.Body.Stmts) != n+1 || len(unit.Comments) != n {
		t.Errorf("%d statements, %d comments", len(w.Body.Stmts), len(unit.Comments))
	}
}

func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"NUL":            "agent a { \x00 }",
		"invalid UTF-8":  "agent a { description \"\xff\" }",
		"UTF-16":         "\xff\xfea\x00g\x00",
		"BOM alone":      "\xEF\xBB\xBF",
		"half a BOM":     "\xEF\xBB",
		"only quotes":    `"""""""`,
		"only backslash": `"\`,
		"only slash":     "/",
		"only dots":      "...",
		"lone CR":        "agent a {\r}\r",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unit, problems := parse(src)
			if unit == nil {
				t.Fatal("no tree")
			}
			if clean := name == "BOM alone" || name == "lone CR"; clean == problems.HasErrors() {
				t.Errorf("got:\n%s", problems)
			}
			for _, d := range unit.Decls {
				if problems.HasErrors() && !d.Broken() {
					t.Error("the declaration is not marked")
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, path := range append(glob(f, "testdata/corpus/*.agent"), glob(f, "testdata/broken/*.agent")...) {
		f.Add(read(f, path))
	}
	for _, c := range rejected {
		f.Add([]byte(c.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkInvariants(t, src) })
}

// checkInvariants holds for every input whatsoever.
func checkInvariants(t *testing.T, src []byte) {
	t.Helper()
	file := source.NewFile("main.agent", src)
	unit, problems := Parse(file, ParseLimits{Errors: 20, Depth: 30})
	if unit == nil || len(problems) > 21 {
		t.Fatalf("tree %v, %d diagnostics", unit, len(problems))
	}
	for _, d := range problems {
		if d.At.Start.Offset < file.Start() || d.At.End.Offset > len(src) || d.At.End.Offset < d.At.Start.Offset {
			t.Fatalf("%s lies outside the file: %+v", diag.Plain(d), d.At)
		}
		if want := file.Pos(d.At.Start.Offset); d.At.Start != want {
			t.Fatalf("%s: position %+v, want %+v", diag.Plain(d), d.At.Start, want)
		}
	}
	broken := false
	for _, d := range unit.Decls {
		broken = broken || d.Broken()
	}
	if broken && !problems.HasErrors() {
		t.Fatal("marked as broken without an error")
	}
	if Dump(unit) == "" && len(unit.Decls) > 0 {
		t.Fatal("the tree does not show")
	}
}

// TestMutilated takes every program apart word by word: removes one, puts
// something else in its place, or ends the file there.
func TestMutilated(t *testing.T) {
	t.Parallel()
	for _, path := range glob(t, "testdata/corpus/*.agent") {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			src := string(read(t, path))
			for i := 0; i < len(src); {
				length := 1
				if isNameByte(src[i]) {
					length = len(src[i:]) - len(strings.TrimLeft(src[i:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"))
				}
				if strings.TrimSpace(src[i:i+length]) != "" {
					for _, with := range []string{"", " { ", " \"x\" "} {
						checkInvariants(t, []byte(src[:i]+with+src[i+length:]))
					}
					checkInvariants(t, []byte(src[:i]))
				}
				i += length
			}
		})
	}
}
