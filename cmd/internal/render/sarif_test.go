package render_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/internal/golden"
)

// sarifSchema is the schema of the standard, out of the source of a module that
// carries it.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	pkg, err := build.Import("github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif", ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err = strconv.Unquote(lit.Value); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	if err := c.AddResource("sarif.json", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// conforms checks a log against the schema of the standard.
func conforms(s *jsonschema.Schema, log []byte) error {
	d := json.NewDecoder(bytes.NewReader(log))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	return s.Validate(v)
}

var sarifSource = []byte("ünïcode 𝄞 x\nsecond line\n")

// sarifSample has every shape a result may have.
func sarifSample() render.Sarif {
	f := source.NewFile("odd name/a:b#1.agent", sarifSource)
	whole := f.Span(0, len("ünïcode"))
	x := f.Span(strings.Index(string(sarifSource), "x"), strings.Index(string(sarifSource), "x")+1)
	lines := f.Span(4, len(sarifSource)-1)
	return render.Sarif{
		Version: "1.2.3", Base: "sub/dir",
		Lookup: func(name string) []byte {
			if name == f.Path {
				return sarifSource
			}
			return nil
		},
		List: diag.List{
			diag.Errorf(diag.UnknownField, x, "unknown field").With(whole, "see here").With(source.Span{}, "no place").WithFix(x, "y", "write y"),
			diag.Warnf(diag.RepeatedCapability, lines, "over two lines"),
			diag.Errorf(diag.RepeatedCapability, whole, "the same code as an error"),
			diag.Errorf(diag.NoProject, source.Span{}, "no place at all \xff"),
			diag.Errorf(diag.UnknownField, source.Span{File: "gone.agent", Start: source.Pos{Line: 3, Col: 7}, End: source.Pos{Line: 3, Col: 9}}, "a file that cannot be read"),
		},
		Layers: []compiler.Layer{{Name: "parse", Status: compiler.Passed}, {Name: "check", Status: compiler.Failed}, {Name: "validate", Status: compiler.NotRun}},
	}
}

func TestSarifConformsToTheStandard(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	for name, s := range map[string]render.Sarif{"every shape": sarifSample(), "nothing found": {Version: "1"}} {
		log := s.Log().Encode()
		if err := conforms(schema, log); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
		if _, err := sarif.FromBytes(log); err != nil {
			t.Errorf("%s cannot be read back: %v", name, err)
		}
	}
}

// TestSarifSchemaRefuses shows that the check above can fail.
func TestSarifSchemaRefuses(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	good := string(sarifSample().Log().Encode())
	for _, change := range [][2]string{
		{`"startLine":`, `"startLin":`},
		{`"level":"error"`, `"level":"grave"`},
		{`"version":"2.1.0"`, `"version":"2.2.0"`},
		{`"executionSuccessful":true`, `"executionSuccessful":"yes"`},
	} {
		bad := strings.ReplaceAll(good, change[0], change[1])
		if bad == good {
			t.Errorf("the log has no %s", change[0])
		}
		if conforms(schema, []byte(bad)) == nil {
			t.Errorf("the schema accepts %s", change[1])
		}
	}
}

func TestSarifLog(t *testing.T) {
	t.Parallel()
	golden.File(t, "testdata/sample.sarif", []byte(render.Indented(sarifSample().Log())+"\n"))
}

var refused = regexp.MustCompile("(?ms)^```agent-refused\n(.*?)^```$")

// TestSarifOfEveryCode: what the examples of the code pages give is within the
// standard.
func TestSarifOfEveryCode(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	pages, err := filepath.Glob("../../../docs/diagnostics/TF*.md")
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		m := refused.FindSubmatch(b)
		if m == nil {
			continue
		}
		main, _, _ := bytes.Cut(m[1], []byte("// file: "))
		r, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: main}}, compiler.Options{Project: "example"})
		log := render.Sarif{Version: "1", List: ds, Lookup: r.Source, Layers: r.Layers}.Log().Encode()
		if err := conforms(schema, log); err != nil {
			t.Errorf("%s: %#v", page, err)
		}
	}
}
