package nexflow

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/report"
	"terfyn/compiler/nexflow/starter"
)

// set writes a first set into a new folder.
func set(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if exit := Main([]string{"init", "--root", dir, "--id", "my-project"}, io.Discard, io.Discard, "v"); exit != 0 {
		t.Fatal(exit)
	}
	return dir
}

type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errors.New("/secret/pipe") }

const unwrittenText = "TERFYN-CLI-INTERNAL: The answer could not be written; nothing is claimed.\n"

// TestAnswersThatCannotBeWritten are none, in every command and format.
func TestAnswersThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := set(t)
	for _, c := range commands {
		for _, f := range formatsOf(c) {
			args := []string{string(c), "--root", dir, "--format", string(f)}
			want := unwrittenText
			if c == budget.Init {
				args = append(args, "--id", "my-project")
				want = "TERFYN-CLI-INTERNAL: The answer could not be written; files that init has made stay.\n"
			}
			var errs bytes.Buffer
			if exit := Main(args, gone{}, &errs, "v"); exit != 4 || !strings.HasSuffix(errs.String(), want) || strings.Contains(errs.String(), "secret") {
				t.Errorf("%s %s: %d %s", c, f, exit, errs.String())
			}
		}
	}
}

// faulty is a result whose text ends in a fault.
type faulty struct{ nexflow.Told }

func (faulty) WriteText(io.Writer) { panic("/secret/place") }

func TestAFaultWhilePrintingClaimsNothing(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	e := report.New(report.Outcome{Command: budget.Graph, Checks: report.NothingRun(), Result: faulty{}})
	if exit := show(e, line{format: formatText}, &out, &errs); exit != 4 || out.Len() > 0 || errs.String() != unwrittenText {
		t.Errorf("%d %s %s", exit, &out, &errs)
	}
}

// TestJSONIsOneLine in every command: one object, one line feed, nothing on stderr,
// and never an authorisation.
func TestJSONIsOneLine(t *testing.T) {
	t.Parallel()
	dir := set(t)
	for _, args := range [][]string{
		{"discover", "--root", dir}, {"validate", "--root", dir}, {"inspect", "--root", dir}, {"inspect", "--root", dir, "--against", dir},
		{"graph", "--root", dir}, {"init", "--root", dir, "--id", "my-project"}, {"init", "--root", dir, "--id", "other"},
		{"--help"}, {"--version"}, {"validate", "--help"}, {"validate", "--root", dir + "/missing"}, {"run"}, {},
	} {
		var out, errs bytes.Buffer
		exit := Main(append(slices.Clone(args), "--format", "json"), &out, &errs, "v")
		text := out.String()
		if errs.Len() > 0 || strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "}\n") || !json.Valid(out.Bytes()) || strings.Contains(text, dir) {
			t.Errorf("%q: %s%s", args, text, errs.String())
		}
		if !strings.Contains(text, `"executionAuthorized":false,`) || (exit == 0) == strings.Contains(text, `"result":null`) {
			t.Errorf("%q: %d %s", args, exit, text)
		}
	}
}

// TestNoTextHasTheRoot: no format of a good or bad answer shows where the set lies.
func TestNoTextHasTheRoot(t *testing.T) {
	t.Parallel()
	dir := set(t)
	for _, c := range readers {
		for _, f := range formatsOf(c) {
			for _, root := range []string{dir, dir + "/project.yaml", dir + "/missing"} {
				var out, errs bytes.Buffer
				Main([]string{string(c), "--root", root, "--format", string(f)}, &out, &errs, "v")
				if strings.Contains(out.String()+errs.String(), dir) {
					t.Errorf("%s %s: %s%s", c, f, &out, &errs)
				}
			}
		}
	}
}

func TestWordsForShells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args, next string
		want       string
		files      bool
	}{
		{"", "", "discover validate inspect graph init", false},
		{"validate", "", "", false},
		{"validate --root", "", "", true},
		{"inspect --against", "", "", true},
		{"validate --layer", "", "discovery schema semantic", false},
		{"graph -o", "", "text json mermaid dot", false},
		{"init", "-", "--root --id --name --format --help --version", false},
		{"validate --root . --file a --strict", "-", "--project --file --layer --format --help --version", false},
		{"init --id", "", "", false},
	} {
		got, files := Words(strings.Fields(c.args), c.next)
		if strings.Join(got, " ") != c.want || files != c.files {
			t.Errorf("%s %s: %v %v", c.args, c.next, got, files)
		}
	}
}

// TestNamesComeBackAsWritten: what a name may have is read back by the set's own
// reader.
func TestNamesComeBackAsWritten(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a: b # c", `"'\`, "{x} [y] !z &a *b %c @d `e", "- dash", "Zoë 日本 😀", "yes", "1_000", "no\u200dbreak\ufeff\ufffe", "a\u00a0b", starter.NameOf("x-y")} {
		dir := t.TempDir()
		var out, errs bytes.Buffer
		if exit := Main([]string{"init", "--root", dir, "--id", "a", "--name", name}, &out, &errs, "v"); exit != 0 {
			t.Fatalf("%q: %s", name, errs.String())
		}
		if exit := Main([]string{"validate", "--root", dir, "--strict"}, &out, &errs, "v"); exit != 0 || errs.Len() > 0 {
			t.Errorf("%q: %d %s", name, exit, errs.String())
		}
	}
}
