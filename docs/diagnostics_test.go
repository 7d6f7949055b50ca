package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/internal/golden"
	"terfyn/policy/lint"
)

// codePage is the page of one code: what its example gives stands in it as the
// command prints it.
type codePage struct {
	path         string
	text         string
	wrong, right *example // nil for a code that no source gives
	yaml         *example // what gives the code instead, as far as it is a text
	said         [2]int   // where the text of the output block stands, 0 when there is none
}

const codeFolder = "diagnostics"

var pageName = regexp.MustCompile(`^TF[0-9]{4}\.md$`)

// readPage reads the page of a code.
func readPage(t *testing.T, code diag.Code) codePage {
	t.Helper()
	p := codePage{path: filepath.Join(codeFolder, string(code)+".md")}
	b, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatalf("%v; every code has a page", err)
	}
	p.text = string(b)
	for _, m := range fence.FindAllStringSubmatchIndex(p.text, -1) {
		e := &example{text: p.text[m[4]:m[5]], line: 1 + strings.Count(p.text[:m[0]], "\n")}
		switch info := p.text[m[2]:m[3]]; {
		case info == "agent-refused" && p.wrong == nil:
			p.wrong = e
		case info == "yaml" && p.wrong == nil && p.yaml == nil:
			p.yaml = e
		case info == "agent" && p.wrong != nil && p.right == nil:
			p.right = e
		case info == "console" && p.said[1] == 0:
			p.said = [2]int{m[4], m[5]}
		default:
			t.Errorf("%s:%d: a page has one block agent-refused, one console and one agent, or one yaml and one console", p.path, e.line)
		}
	}
	return p
}

// TestEveryCodeHasItsPage compares the folder with the registry, and the title and
// the links of every page with what is registered.
func TestEveryCodeHasItsPage(t *testing.T) {
	t.Parallel()
	var pages []string
	entries, err := os.ReadDir(codeFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "README.md" {
			pages = append(pages, strings.TrimSuffix(e.Name(), ".md"))
		}
		if e.Name() != "README.md" && !pageName.MatchString(e.Name()) {
			t.Errorf("%s is no page of a code", e.Name())
		}
	}
	var codes []string
	for _, c := range diag.Codes() {
		codes = append(codes, string(c))
	}
	if diff := cmp.Diff(codes, pages); diff != "" {
		t.Fatalf("registered codes and pages differ (-codes +pages):\n%s", diff)
	}
	for _, c := range diag.Codes() {
		summary, _ := diag.SummaryOf(c)
		if title, _, _ := strings.Cut(readPage(t, c).text, "\n"); title != fmt.Sprintf("# %s: %s", c, summary) {
			t.Errorf("the page of %s has the title %q", c, title)
		}
	}
}

// companions are complaints that an example cannot be without.
var companions = map[diag.Code]diag.Code{
	diag.UndeclaredWiring: diag.UnverifiedCall, // a call with named arguments is both
}

// TestCodesAreGivenByTheirExamples compiles the example of every page, compares what
// is said with the page, and compiles the repaired example.
func TestCodesAreGivenByTheirExamples(t *testing.T) {
	t.Parallel()
	for _, code := range diag.Codes() {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			p := readPage(t, code)
			elsewhere, apart := shownApart[code]
			switch {
			case apart && p.wrong != nil:
				t.Fatal("the code is in the list of those without an example, and has one")
			case apart:
				ds, lookup := elsewhere(t, p)
				p.compare(t, code, report{list: ds, lookup: lookup})
			case p.wrong == nil || p.right == nil:
				t.Fatal("the page needs an example and its repair")
			default:
				r := study(p.wrong.project())
				p.compare(t, code, r)
				p.repaired(t, code)
				fixed(t, p.wrong.project(), code, r.list)
			}
		})
	}
}

// compare demands that all that is said has the code, and that the page shows it.
func (p codePage) compare(t *testing.T, code diag.Code, r report) {
	t.Helper()
	var said strings.Builder
	found := false
	for _, d := range r.list {
		if advice(d.Code) && !advice(code) {
			continue // what is wrong is the subject, and not what is unwise
		}
		said.WriteString(r.shown(d))
		found = found || d.Code == code
		if d.Code != code && d.Code != companions[code] {
			t.Errorf("%s: another code is given: %s", p.path, diag.Plain(d))
		}
	}
	if !found {
		t.Errorf("%s: the code is not given; said is\n%s", p.path, said.String())
	}
	if p.said[1] == 0 {
		t.Fatalf("%s: no console block shows what is said:\n%s", p.path, said.String())
	}
	golden.File(t, p.path, []byte(p.text[:p.said[0]]+said.String()+p.text[p.said[1]:]))
}

// repaired demands that the second example is free of errors and of the code; that
// this version cannot run some construct is allowed.
func (p codePage) repaired(t *testing.T, code diag.Code) {
	t.Helper()
	for _, d := range study(p.right.project()).list {
		if d.Code == code || d.Code != diag.NotRunnable && (advice(code) || !advice(d.Code)) {
			t.Errorf("%s:%d: the repaired example gives %s", p.path, p.right.line, diag.Plain(d))
		}
	}
}

// fixed makes every change that is offered: it has to repair what it is offered for
// and to break nothing.
func fixed(t *testing.T, files fstest.MapFS, code diag.Code, ds diag.List) {
	t.Helper()
	for _, d := range ds {
		if d.Fix == nil {
			continue
		}
		f := files[d.Fix.At.File]
		if f == nil {
			t.Fatalf("the fix of %s is for the file %q", diag.Plain(d), d.Fix.At.File)
		}
		changed := slices.Concat(f.Data[:d.Fix.At.Start.Offset], []byte(d.Fix.Text), f.Data[d.Fix.At.End.Offset:])
		after := fstest.MapFS{}
		for name, file := range files {
			after[name] = file
		}
		after[d.Fix.At.File] = &fstest.MapFile{Data: changed}
		for _, r := range study(after).list {
			if r.Code == code && len(ds) == 1 || r.Severity == diag.Error && len(ds) == 1 {
				t.Errorf("after the fix %q: %s\n%s", d.Fix.Title, diag.Plain(r), changed)
			}
		}
	}
}

// report is what validate has to say about a project.
type report struct {
	list   diag.List
	lookup func(string) []byte
	grades map[string]lint.Severity // of advice, by its plain text
}

// shown is a diagnostic as the command shows it: advice stands on one line.
func (r report) shown(d diag.Diagnostic) string {
	plain := diag.Plain(d)
	if grade, ok := r.grades[plain]; ok {
		return strings.Replace(plain, ": warning: ", ": advice ("+string(grade)+"): ", 1) + "\n"
	}
	return diag.Snippet(d, r.lookup)
}

// study compiles a project and lints its policies. What only says that this version
// does not run a construct is left out unless that is all there is: it changes from
// version to version.
func study(files fstest.MapFS) report {
	compiled, ds := compiler.Compile(files, compiler.Options{Project: "example"})
	r := report{lookup: compiled.Source, grades: map[string]lint.Severity{}}
	if !ds.HasErrors() {
		for _, f := range lint.Policies(lint.In{Graph: compiled.Graph, Bounds: compiled.Bounds, Environment: "local", Locate: compiled.Locate}) {
			if advice(f.Code) {
				ds.Add(f.Diagnostic())
				r.grades[diag.Plain(f.Diagnostic())] = f.Severity
			}
		}
	}
	r.list = slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return d.Code == diag.NotRunnable })
	if len(r.list) == 0 {
		r.list = ds
	}
	return r
}

// advice reports whether a code is one of policy/lint.
func advice(code diag.Code) bool { return strings.HasPrefix(string(code), "TF51") }

// TestIndexOfCodes compares the index with the registry.
func TestIndexOfCodes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(codeFolder, "README.md")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(b), indexStart)
	if !ok {
		t.Fatalf("%s has no line %q", path, strings.TrimSpace(indexStart))
	}
	golden.File(t, path, []byte(head+indexStart+index()))
}

const indexStart = "<!-- the rest is compared with the registry -->\n"

// areas are the headings of the index by the digits after TF.
var areas = []struct{ prefix, title string }{
	{"10", "Characters, strings and numbers"},
	{"11", "Shape of the source"},
	{"12", "Fields and values"},
	{"13", "Statements and conditions"},
	{"20", "Names"},
	{"21", "Calls"},
	{"22", "Types and schemas"},
	{"23", "Declarations"},
	{"24", "Project files"},
	{"25", "The whole graph"},
	{"30", "Effects"},
	{"51", "Advice about policies"},
	{"80", "Configuration"},
	{"90", "Bugs"},
}

func index() string {
	var b strings.Builder
	listed := map[diag.Code]bool{}
	for _, a := range areas {
		fmt.Fprintf(&b, "\n## %s\n\n", a.title)
		for _, c := range diag.Codes() {
			if strings.HasPrefix(string(c), "TF"+a.prefix) {
				summary, _ := diag.SummaryOf(c)
				fmt.Fprintf(&b, "- [%s](%s.md) %s\n", c, c, summary)
				listed[c] = true
			}
		}
	}
	for _, c := range diag.Codes() {
		if !listed[c] {
			fmt.Fprintf(&b, "\n%s belongs to no heading\n", c)
		}
	}
	return b.String()
}

func TestEveryCodeBelongsToAHeading(t *testing.T) {
	t.Parallel()
	if i := strings.Index(index(), "belongs to no heading"); i >= 0 {
		t.Errorf("%s", index()[max(0, i-20):])
	}
}
