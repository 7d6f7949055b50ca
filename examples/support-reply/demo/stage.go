package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// baseURL is the one line of the example that the copy changes: the address of the
// mail service is part of the source, and the sink here has a free port.
const baseURL = "http://127.0.0.1:8025"

// stage is where the story is played.
type stage struct {
	out               io.Writer
	bin, dir, project string
	address, sink     string // of the Temporal server and of the mail sink
	children          []*child
	worker            *child
	workers           int // started so far
}

// prepare copies the example and starts the mail sink and the Temporal server.
func (s *stage) prepare(ctx context.Context, project string, lose int) error {
	ready := filepath.Join(s.dir, "sink.json")
	sink, err := s.start("mailsink", exec.Command(filepath.Join(s.bin, "mailsink"),
		"--addr", "127.0.0.1:0", "--ready-file", ready, "--log", filepath.Join(s.dir, "mails.jsonl"), "--lose", strconv.Itoa(lose),
		"--parent-pid", strconv.Itoa(os.Getpid())))
	if err != nil {
		return err
	}
	host, err := sink.ready(ctx, ready)
	if err != nil {
		return err
	}
	s.sink = "http://" + host
	if err := copyProject(s.project, project, s.sink); err != nil {
		return err
	}
	ready = filepath.Join(s.dir, "server.json")
	server, err := s.start("terfyn-devserver", exec.Command(filepath.Join(s.bin, "terfyn-devserver"), "server", "start-dev",
		"--port", "0", "--db-filename", filepath.Join(s.dir, "temporal.db"), "--ready-file", ready, "--parent-pid", strconv.Itoa(os.Getpid())))
	if err != nil {
		return err
	}
	s.address, err = server.ready(ctx, ready)
	return err
}

func (s *stage) start(name string, cmd *exec.Cmd) (*child, error) {
	c, err := start(s.dir, name, cmd)
	if err == nil {
		s.children = append(s.children, c)
	}
	return c, err
}

// clear ends what was started, the last one first.
func (s *stage) clear() {
	for i := len(s.children) - 1; i >= 0; i-- {
		s.children[i].stop()
	}
	s.children = nil
}

// copyProject copies what belongs to the project; the programs beside it do not.
func copyProject(to, from, sink string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	for _, other := range []string{"demo", "mailsink", ".agentic"} {
		if err := os.RemoveAll(filepath.Join(to, other)); err != nil {
			return fmt.Errorf("copy %s: %w", from, err)
		}
	}
	path := filepath.Join(to, "tools.agent")
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("set the address of the mail sink: %w", err)
	}
	if n := strings.Count(string(b), baseURL); n != 1 {
		return fmt.Errorf("set the address of the mail sink: %s names %s %d times, not once", path, baseURL, n)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), baseURL, sink, 1)), 0o600); err != nil {
		return fmt.Errorf("set the address of the mail sink: %w", err)
	}
	return nil
}

// terfyn builds a command in the project's folder that talks to the stage's server.
func (s *stage) terfyn(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "terfyn"), args...)
	cmd.Dir = s.project
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "TEMPORAL_") && !strings.HasPrefix(e, "TERFYN_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	// Without the home folder no configuration file of Temporal's is found.
	cmd.Env = append(cmd.Env, "TEMPORAL_ADDRESS="+s.address, "NO_COLOR=1", "HOME="+s.dir, "XDG_CONFIG_HOME="+s.dir)
	return cmd
}

// show gives a command and prints it with its output.
func (s *stage) show(ctx context.Context, args ...string) error { return s.showFrom(ctx, "", args...) }

// showFrom leaves out what the command writes before the text from, and says so.
func (s *stage) showFrom(ctx context.Context, from string, args ...string) error {
	line := written(args)
	fmt.Fprintf(s.out, "\n$ %s\n", line)
	b, err := s.terfyn(ctx, args...).CombinedOutput()
	text := string(b)
	if i := strings.Index(text, from); i > 0 {
		text = "…\n" + text[i:]
	}
	_, printErr := io.WriteString(s.out, text)
	if err = errors.Join(err, printErr); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	return nil
}

// written is a command as one writes it in a shell.
func written(args []string) string {
	line := "terfyn"
	for _, a := range args {
		if strings.Contains(a, " ") {
			a = "'" + a + "'"
		}
		line += " " + a
	}
	return line
}

// ask gives a command for its document and prints nothing.
func (s *stage) ask(ctx context.Context, v any, args ...string) error {
	args = append(args, "-o", "json")
	b, err := s.terfyn(ctx, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("terfyn %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		return fmt.Errorf("terfyn %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// say prints a line of the story.
func (s *stage) say(format string, args ...any) {
	fmt.Fprintf(s.out, "\n── "+format+"\n", args...)
}

// hire starts a worker and waits until it polls.
func (s *stage) hire(ctx context.Context) error {
	s.workers++
	name := "worker-" + strconv.Itoa(s.workers)
	w, err := s.start(name, s.terfyn(context.WithoutCancel(ctx), "worker", "--address", s.address, "--parent-pid", strconv.Itoa(os.Getpid())))
	if err != nil {
		return err
	}
	s.worker = w
	return until(ctx, name+" polls", func() (bool, error) {
		b, err := os.ReadFile(filepath.Join(s.dir, name+".log"))
		select {
		case <-w.ended:
			return false, fmt.Errorf("%s ended: %s", name, b)
		default:
			return strings.Contains(string(b), "Worker polls"), err
		}
	})
}

// mail is one mail in the sink.
type mail struct {
	ID          string
	OperationID string
	Answered    bool
	Mail        struct{ To, Subject, Body string }
}

// mails asks the sink what it accepted.
func (s *stage) mails(ctx context.Context) ([]mail, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.sink+"/messages", nil)
	if err != nil {
		return nil, fmt.Errorf("ask the mail sink: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the mail sink: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	var said struct{ Messages []mail }
	if err := json.NewDecoder(res.Body).Decode(&said); err != nil {
		return nil, fmt.Errorf("ask the mail sink: %w", err)
	}
	return said.Messages, nil
}
