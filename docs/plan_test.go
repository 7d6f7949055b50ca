package docs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/golden"
	"terfyn/planner/risk"
	"terfyn/store/open"
)

// planVarying is what differs from one run of plan.md to the next.
var planVarying = []struct {
	what *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`sha256:[0-9a-f]{64}`), "sha256:…"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`), "2026-03-01 09:00:00Z"},
	{regexp.MustCompile(`VERSION +SNAPSHOT +APPLIED +ACTOR +PROJECT +CURRENT`), "VERSION  SNAPSHOT  APPLIED               ACTOR  PROJECT  CURRENT"},
	{regexp.MustCompile(`(?m)^(\d) +sha256:… +2026-03-01 09:00:00Z +\S+ +desk *(.*)$`), "$1        sha256:…  2026-03-01 09:00:00Z  ann    desk     $2"},
	{regexp.MustCompile(`chain head [0-9a-f]{12}`), "chain head …"},
	{regexp.MustCompile(`(?m) +$`), ""},
}

// TestPlanPage runs the commands of plan.md on the project of the page and compares
// what they print; UPDATE_GOLDEN=1 rewrites the page.
func TestPlanPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("plan.md")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), tourPatience)
	defer cancel()
	s := &session{t: t, dir: filepath.Join(t.TempDir(), "desk")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.tour = tour{t: t, dir: s.dir, terfyn: filepath.Join(t.TempDir(), "terfyn")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", s.tour.terfyn, "terfyn/cmd/terfyn").CombinedOutput(); err != nil {
		t.Fatalf("build terfyn: %v\n%s", err, out)
	}
	golden.File(t, "plan.md", []byte(s.page(ctx, string(page))))
	if s.commands < 10 {
		t.Errorf("the page has %d commands", s.commands)
	}
}

// session is a shell for a page: it knows terfyn, with its stdout sent to a file, and
// the exit code of the command before.
type session struct {
	t        *testing.T
	tour     tour
	dir      string
	code     int
	commands int
}

var fenceLine = regexp.MustCompile("^(`{3,})([a-z]*)$")

// page gives the page back with what its commands print now. A block of the project
// follows a comment with the name of its file.
func (s *session) page(ctx context.Context, text string) string {
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	file := ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\n")
		out.WriteString(lines[i])
		if name, ok := strings.CutPrefix(line, "<!-- "); ok && strings.HasSuffix(name, ".agent -->") {
			file = strings.TrimSuffix(name, " -->")
		}
		m := fenceLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSuffix(lines[end], "\n") != m[1] {
			end++
		}
		if end == len(lines) {
			s.t.Fatalf("the block in line %d stays open", i+1)
		}
		block := lines[i+1 : end]
		switch {
		case m[2] == "console":
			out.WriteString(s.console(ctx, block))
		case m[2] == "agent" && file != "":
			s.write(file, strings.Join(block, ""))
			out.WriteString(strings.Join(block, ""))
			file = ""
		default:
			out.WriteString(strings.Join(block, ""))
		}
		out.WriteString(lines[end])
		i = end
	}
	return out.String()
}

func (s *session) write(name, text string) {
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) console(ctx context.Context, block []string) string {
	var out strings.Builder
	for _, line := range block {
		command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
		if !ok {
			continue
		}
		said := s.run(ctx, command)
		for _, v := range planVarying {
			said = v.what.ReplaceAllString(said, v.text)
		}
		out.WriteString("$ " + command + "\n" + said)
	}
	return out.String()
}

func (s *session) run(ctx context.Context, command string) string {
	s.commands++
	if command == "echo $?" {
		return strconv.Itoa(s.code) + "\n"
	}
	command, target, redirected := strings.Cut(command, " > ")
	words := strings.Fields(command)
	if words[0] != "terfyn" {
		s.t.Fatalf("the page does not know the command %q", words[0])
	}
	if i := slices.Index(words, "$FIRST"); i >= 0 {
		words[i] = s.first(ctx)
	}
	cmd := s.tour.command(ctx, words[1:])
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	var said, stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if redirected {
		cmd.Stdout = &stdout
	}
	err := cmd.Run()
	var failed *exec.ExitError
	s.code = 0
	if errors.As(err, &failed) {
		s.code = failed.ExitCode()
	} else if err != nil {
		s.t.Fatal(err)
	}
	if redirected {
		s.write(target, stdout.String())
	}
	return said.String()
}

// first is the digest of the oldest snapshot, as rollback --list shows it.
func (s *session) first(ctx context.Context) string {
	state, err := open.Open(ctx, filepath.Join(s.dir, ".agentic", "state.db"), open.ReadOnly)
	if err != nil {
		s.t.Fatal(err)
	}
	applies, err := state.Applies(ctx, "local", time.Time{}, 50)
	if err := errors.Join(err, state.Close()); err != nil || len(applies) == 0 {
		s.t.Fatalf("%v, %d applies", err, len(applies))
	}
	return string(applies[len(applies)-1].SnapshotAfter)
}

var categoryRow = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|")

// TestRiskCategoriesAreDocumented compares the table of plan.md with the code.
func TestRiskCategoriesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("plan.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "<!-- categories -->\n")
	table, _, ended := strings.Cut(table, "<!-- end of categories -->\n")
	if !found || !ended {
		t.Fatal("plan.md lacks the marks of its table")
	}
	var documented []risk.Category
	for _, m := range categoryRow.FindAllStringSubmatch(table, -1) {
		documented = append(documented, risk.Category(m[1]))
	}
	if diff := cmp.Diff(risk.Categories(), documented); diff != "" {
		t.Errorf("categories (-code +plan.md):\n%s", diff)
	}
}
