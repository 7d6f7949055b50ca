package docs

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/diag"
)

const (
	languageFile = "language.md"
	fileMark     = "// file: "
	refusedMark  = "// refused: "
	mockMark     = "# file: mocks/"
)

var (
	fence     = regexp.MustCompile("(?ms)^```([a-z-]*)\n(.*?)^```$")
	fieldWord = regexp.MustCompile(`\b(?:keep|size|exceed)\("([A-Za-z]+)"`)
)

// example is one fenced block with its place in the document.
type example struct {
	text string
	line int
}

func languageText(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(languageFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// examplesOf gives the blocks with an info string; there must be some.
func examplesOf(t *testing.T, info string) []example {
	t.Helper()
	text := languageText(t)
	var out []example
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		if text[m[2]:m[3]] == info {
			out = append(out, example{text: text[m[4]:m[5]], line: 1 + strings.Count(text[:m[0]], "\n")})
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no block %q", languageFile, info)
	}
	return out
}

// project splits a block at its `// file: NAME` lines; what stands before the
// first of them is main.agent.
func (e example) project() fstest.MapFS {
	files := fstest.MapFS{}
	name := "main.agent"
	for line := range strings.Lines(e.text) {
		if next, ok := strings.CutPrefix(line, fileMark); ok {
			name = strings.TrimSpace(next)
			continue
		}
		f := cmp.Or(files[name], &fstest.MapFile{})
		f.Data = append(f.Data, line...)
		files[name] = f
	}
	return files
}

func TestLanguageExamplesCompile(t *testing.T) {
	t.Parallel()
	for _, e := range examplesOf(t, "agent") {
		if _, ds := compiler.Compile(e.project(), compiler.Options{Project: "example"}); len(ds) > 0 {
			t.Errorf("%s:%d does not compile cleanly:\n%s", languageFile, e.line, worded(ds))
		}
	}
}

func TestLanguageRefusalsAreRefused(t *testing.T) {
	t.Parallel()
	for _, e := range examplesOf(t, "agent-refused") {
		first, _, _ := strings.Cut(e.text, "\n")
		want, ok := strings.CutPrefix(first, refusedMark)
		if !ok {
			t.Errorf("%s:%d: the block does not start with %q", languageFile, e.line, refusedMark)
			continue
		}
		_, ds := compiler.Compile(e.project(), compiler.Options{Project: "example"})
		if !ds.HasErrors() || !strings.Contains(worded(ds), want) {
			t.Errorf("%s:%d is not refused with %q:\n%s", languageFile, e.line, want, worded(ds))
		}
	}
}

func worded(ds diag.List) string {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(d.Message() + "\n")
	}
	return b.String()
}

// TestLanguageMockScriptsLoad compiles a project that has the script as the one
// of its model, or of its tool where the script lists operations.
func TestLanguageMockScriptsLoad(t *testing.T) {
	t.Parallel()
	for _, e := range examplesOf(t, "yaml") {
		first, _, _ := strings.Cut(e.text, "\n")
		file, ok := strings.CutPrefix(first, mockMark)
		if !ok {
			t.Errorf("%s:%d: the block does not start with %q", languageFile, e.line, mockMark)
			continue
		}
		name := strings.TrimSuffix(file, ".yaml")
		main := "agent a { model mock/" + name + " }"
		if strings.Contains(e.text, "\noperations:") {
			main = "tool " + name + " { type mock }"
		}
		r, ds := compiler.Compile(fstest.MapFS{
			"main.agent":    {Data: []byte(main)},
			"mocks/" + file: {Data: []byte(e.text)},
		}, compiler.Options{Project: "example"})
		captured := ""
		for _, a := range r.Graph.Agents {
			captured += a.MockScript
		}
		for _, tool := range r.Graph.Tools {
			captured += tool.MockScript
		}
		if len(ds) > 0 || captured == "" {
			t.Errorf("%s:%d: the script is not taken:\n%s", languageFile, e.line, worded(ds))
		}
	}
}

// TestLanguageNamesEveryField compares the field words of the parser with the
// words the reference sets in code.
func TestLanguageNamesEveryField(t *testing.T) {
	t.Parallel()
	text := languageText(t)
	files, err := filepath.Glob("../compiler/syntax/parse_*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fieldWord.FindAllStringSubmatch(string(source), -1) {
			found++
			if !regexp.MustCompile("`[^`\n]*\\b" + m[1] + "\\b[^`\n]*`").MatchString(text) {
				t.Errorf("%s does not name the field %s of %s", languageFile, m[1], filepath.Base(path))
			}
		}
	}
	if found == 0 {
		t.Error("no field word was found in the parser")
	}
}

// TestLanguageListsWhatIsNotRun looks for everything that is pinned and not run.
func TestLanguageListsWhatIsNotRun(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(languageText(t), "\n## Checked and pinned, not run yet\n")
	archive, err := os.ReadFile("../compiler/runnable/testdata/gaps.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, listed, _ := strings.Cut(string(archive), "\n-- out/gaps --\n")
	listed, _, _ = strings.Cut(listed, "\n-- ")
	for line := range strings.Lines(listed) {
		head, construct, ok := strings.Cut(strings.TrimSpace(line), ": ")
		field := head[strings.LastIndexAny(head, " ")+1:]
		switch word, _, _ := strings.Cut(field, "."); {
		case !ok:
			t.Fatalf("a gap is not understood: %q", line)
		case strings.HasPrefix(construct, "the call of workflow"):
			construct = "a call of a workflow"
		case word == "calls":
		case word == "grants":
			construct = word
		default:
			construct = field[strings.LastIndexByte(field, '.')+1:]
		}
		if !strings.Contains(section, construct) {
			t.Errorf("the last section of %s does not name %q", languageFile, construct)
		}
	}
}

// TestLanguagePinnedExamples compile, and are refused a run.
func TestLanguagePinnedExamples(t *testing.T) {
	t.Parallel()
	for _, e := range examplesOf(t, "agent-pinned") {
		_, ds := compiler.Compile(e.project(), compiler.Options{Project: "example"})
		if len(ds) == 0 {
			t.Errorf("%s:%d: nothing of it is only pinned", languageFile, e.line)
		}
		for _, d := range ds {
			if d.Code != diag.NotRunnable {
				t.Errorf("%s:%d: %s", languageFile, e.line, d.Message())
			}
		}
	}
}
