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
)

// session is a shell for a page: it knows terfyn, with its stdout sent to a file, and
// the exit code of the command before.
type session struct {
	t        *testing.T
	tour     tour
	dir      string
	code     int
	commands int
}

// newSession builds terfyn and makes an empty folder of that name.
func newSession(ctx context.Context, t *testing.T, folder string) *session {
	t.Helper()
	s := &session{t: t, dir: filepath.Join(t.TempDir(), folder)}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.tour = tour{t: t, dir: s.dir, terfyn: filepath.Join(t.TempDir(), "terfyn")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", s.tour.terfyn, "terfyn/cmd/terfyn").CombinedOutput(); err != nil {
		t.Fatalf("build terfyn: %v\n%s", err, out)
	}
	return s
}

// namedFile is the comment before a block that is a file of the page's project.
var namedFile = regexp.MustCompile(`^<!-- ([a-z-]+\.(?:agent|yaml)) -->$`)

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
		if m := namedFile.FindStringSubmatch(line); m != nil {
			file = m[1]
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
		case (m[2] == "agent" || m[2] == "yaml") && file != "":
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
	if words[0] == "cp" && len(words) == 4 { // cp -r FROM TO
		if err := os.CopyFS(filepath.Join(s.dir, words[3]), os.DirFS(filepath.Join(s.dir, words[2]))); err != nil {
			s.t.Fatal(err)
		}
		return ""
	}
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
