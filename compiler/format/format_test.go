package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// corpus reads the programs that the parser's tests use as well.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../syntax/testdata/corpus/*.agent")
	if err != nil || len(paths) == 0 {
		t.Fatalf("the shared corpus is missing: %v", err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

func formatted(t testing.TB, src string) string {
	t.Helper()
	out, problems := Source(source.NewFile("main.agent", []byte(src)))
	if len(problems) > 0 {
		t.Fatalf("source does not parse:\n%s\n%s", problems, src)
	}
	return string(out)
}

// checkRoundTrip holds the contract of the formatter for one program.
func checkRoundTrip(t testing.TB, src []byte) {
	t.Helper()
	before, problems := syntax.Parse(source.NewFile("main.agent", src), syntax.ParseLimits{})
	if problems.HasErrors() {
		return
	}
	once := Unit(before)
	after, problems := syntax.Parse(source.NewFile("main.agent", once), syntax.ParseLimits{})
	if problems.HasErrors() {
		t.Fatalf("output does not parse: %s\n--- source\n%s\n--- output\n%s", problems, src, once)
	}
	if diff := cmp.Diff(syntax.Dump(before), syntax.Dump(after)); diff != "" {
		t.Fatalf("formatting changes the tree (-before +after):\n%s\n--- source\n%s\n--- output\n%s", diff, src, once)
	}
	if diff := cmp.Diff(placedComments(src), placedComments(once)); diff != "" {
		t.Fatalf("formatting loses comments or moves them out of their block (-before +after):\n%s\n--- source\n%s\n--- output\n%s", diff, src, once)
	}
	if diff := cmp.Diff(string(once), string(Unit(after))); diff != "" {
		t.Fatalf("formatting twice differs (-once +twice):\n%s\n--- source\n%s", diff, src)
	}
	checkLayout(t, string(once))
}

func checkLayout(t testing.TB, out string) {
	t.Helper()
	if out == "" {
		return
	}
	if strings.HasPrefix(out, "\n") || strings.HasSuffix(out, "\n\n") || !strings.HasSuffix(out, "\n") {
		t.Fatalf("output must start with text and end in exactly one newline: %q", out)
	}
}

func TestCorpusRoundTrip(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkRoundTrip(t, src)
		})
	}
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := formatted(t, string(src))
			path := filepath.Join("testdata", "golden", name)
			if os.Getenv("UPDATE_GOLDEN") == "1" {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestGoldensHaveSources(t *testing.T) {
	t.Parallel()
	sources := corpus(t)
	goldens, err := filepath.Glob("testdata/golden/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range goldens {
		if _, ok := sources[filepath.Base(path)]; !ok {
			t.Errorf("%s has no source in the corpus", path)
		}
	}
}

func TestSpecifiedSample(t *testing.T) {
	t.Parallel()
	input, err := os.ReadFile("testdata/comments.input")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/comments.want")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), formatted(t, string(input))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(string(want), formatted(t, string(want))); diff != "" {
		t.Errorf("the output is not stable, -want +got:\n%s", diff)
	}
}

func TestErrorsLeaveNoOutput(t *testing.T) {
	t.Parallel()
	out, problems := Source(source.NewFile("main.agent", []byte("agent a { model }\n")))
	if out != nil || !problems.HasErrors() {
		t.Errorf("got %q with %d problems, want no output and an error", out, len(problems))
	}
}

func TestUnitWithoutPositions(t *testing.T) {
	t.Parallel()
	id := func(name string) syntax.Ident { return syntax.Ident{Name: name} }
	param := id("order")
	u := &syntax.Unit{Decls: []syntax.Decl{
		&syntax.ToolDecl{Name: id("t"), Type: &syntax.Ident{Name: "mock"}, Operations: &syntax.Operations{}},
		&syntax.WorkflowDecl{
			Name:   id("w"),
			Params: []syntax.Param{{Name: param, Type: id("any")}},
			Policy: &syntax.Ident{Name: "p"},
			Body: &syntax.Block{Stmts: []syntax.Stmt{
				&syntax.ReturnStmt{Value: &syntax.CallExpr{
					Callee: syntax.Path{Parts: []syntax.Ident{id("A")}},
					Args:   []*syntax.Arg{{Value: &syntax.PathExpr{Path: syntax.Path{Parts: []syntax.Ident{param}}}}},
				}},
			}},
		},
	}}
	want := "tool t {\n    type mock\n    operations {}\n}\n\n" +
		"workflow w(order: any)\n    policy p\n{\n    return A(order)\n}\n"
	if diff := cmp.Diff(want, string(Unit(u))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzFormat(f *testing.F) {
	for _, src := range corpus(f) {
		f.Add(src)
	}
	for _, c := range layoutCases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < 1<<14 {
			checkRoundTrip(t, src)
		}
	})
}
