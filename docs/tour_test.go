package docs

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"terfyn/internal/golden"
)

// tourPatience bounds the whole tour of the README; it takes a few seconds.
const tourPatience = 90 * time.Second

// varying is what differs from one tour to the next, and what stands for it.
var varying = []struct {
	what *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`sha256:[0-9a-f]{64}`), "sha256:…"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "127.0.0.1:7233"},
	{regexp.MustCompile(`\S*/hello/\.agentic`), "…/hello/.agentic"},
	{regexp.MustCompile(`chain head [0-9a-f]{12}`), "chain head …"},
	{regexp.MustCompile(`\b[0-9a-f]{12}  intact`), "…             intact"},
}

// TestTour runs the commands of the README's console block in an empty folder and
// compares what they print; UPDATE_GOLDEN=1 rewrites the block.
func TestTour(t *testing.T) {
	server := os.Getenv("TERFYN_DEVSERVER")
	if server == "" {
		if strings.Contains(os.Getenv("TERFYN_REQUIRE"), "devserver") {
			t.Fatal("TERFYN_DEVSERVER names no Temporal server, and TERFYN_REQUIRE asks for one")
		}
		t.Skip("TERFYN_DEVSERVER names no Temporal server; make test builds one")
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(readme), "```console\n")
	block, after, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		t.Fatal("the README has no console block")
	}
	ctx, cancel := context.WithTimeout(t.Context(), tourPatience)
	defer cancel()
	tour := &tour{t: t, dir: t.TempDir(), terfyn: filepath.Join(t.TempDir(), "terfyn")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", tour.terfyn, "terfyn/cmd/terfyn").CombinedOutput(); err != nil {
		t.Fatalf("build terfyn: %v\n%s", err, out)
	}
	var got strings.Builder
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			got.WriteString(line + tour.run(ctx, strings.Fields(command)))
		}
	}
	text := got.String()
	for _, v := range varying {
		text = v.what.ReplaceAllString(text, v.text)
	}
	golden.File(t, "../README.md", []byte(before+"```console\n"+text+"```\n"+after))
}

// tour is a shell that knows three kinds of commands.
type tour struct {
	t           *testing.T
	dir, terfyn string
}

func (w *tour) run(ctx context.Context, words []string) string {
	switch {
	case words[0] == "cd":
		w.dir = filepath.Join(w.dir, words[1])
		return ""
	case words[0] != "terfyn":
		w.t.Fatalf("the tour does not know the command %q", words[0])
	case words[len(words)-1] == "&":
		return w.background(words[1 : len(words)-1])
	}
	out, err := w.command(ctx, words[1:]).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, out)
	}
	return string(out)
}

func (w *tour) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.terfyn, args...)
	cmd.Dir = w.dir
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "TEMPORAL_") && (!strings.HasPrefix(e, "TERFYN_") || strings.HasPrefix(e, "TERFYN_DEVSERVER=")) {
			cmd.Env = append(cmd.Env, e)
		}
	}
	home := filepath.Join(filepath.Dir(w.terfyn), "home") // without configuration files
	cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME="+home)
	return cmd
}

// background starts a command that stays, and returns what it prints until it
// says that it is ready. It is stopped at the end of the test.
func (w *tour) background(args []string) string {
	w.t.Helper()
	cmd := w.command(context.Background(), args)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()
	})
	lines := bufio.NewReader(stdout)
	var said strings.Builder
	for {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if err != nil {
			w.t.Fatalf("%s ended early: %v\n%s%s", strconv.Quote(args[0]), err, &said, &stderr)
		}
		if strings.HasPrefix(line, "Ready.") {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return said.String()
		}
	}
}
