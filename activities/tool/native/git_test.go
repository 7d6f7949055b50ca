package native_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/activities/tool"
)

// repository makes a project whose workspace is a repository with one commit and a
// bare repository as its origin.
func repository(t *testing.T) (project string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	project = workspace(t, map[string]string{"a.txt": "one\n"})
	gitIn(t, project, ".", "init", "--quiet", "--bare", "origin.git")
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "main"}, {"add", "."},
		{"-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "first"},
		{"remote", "add", "origin", filepath.Join(project, "origin.git")},
	} {
		gitIn(t, project, "ws", args...)
	}
	return project
}

func gitIn(t *testing.T, project, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = filepath.Join(project, dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestGit(t *testing.T) {
	t.Parallel()
	project := repository(t)
	write := func(name, text string) {
		t.Helper()
		if _, e := run(t, project, "write_file", `{"path":"`+name+`","content":"`+text+`"}`); e != nil {
			t.Fatal(e)
		}
	}
	write("a.txt", "two")
	write("new file.txt", "x")
	got, e := run(t, project, "status", `{}`)
	if want := `{"branch":"main","changes":[{"path":"a.txt","status":"M"},{"path":"new file.txt","status":"??"}]}`; e != nil || got.JSON() != want {
		t.Errorf("status: %s, %v", got.JSON(), e)
	}
	if got, e = run(t, project, "diff", `{}`); e != nil || !strings.Contains(got.Str("diff"), "-one\n+two") {
		t.Errorf("diff: %s, %v", got.JSON(), e)
	}
	if got, e = run(t, project, "create_branch", `{"name":"fix/1"}`); e != nil || got.Str("branch") != "fix/1" {
		t.Errorf("create_branch: %s, %v", got.JSON(), e)
	}
	if _, e = run(t, project, "create_branch", `{"name":"fix/1"}`); e == nil || !e.Recoverable || !strings.Contains(e.Message, "already exists") {
		t.Errorf("a branch that exists: %v", e)
	}
	if got, e = run(t, project, "push_branch", `{"branch":"fix/1"}`); e != nil || got.Str("remote") != "origin" {
		t.Errorf("push_branch: %s, %v", got.JSON(), e)
	}
	if heads := gitIn(t, project, "origin.git", "branch", "--list"); !strings.Contains(heads, "fix/1") {
		t.Errorf("origin has %q", heads)
	}
}

func TestGitRefusesOddNames(t *testing.T) {
	t.Parallel()
	project := repository(t)
	for _, name := range []string{"", "-f", "--force", "a b", "a..b", "a:b", "+x", "x.lock", "a//b", "a/", "HEAD^", "@{u}"} {
		for operation, argument := range map[string]string{"create_branch": "name", "push_branch": "branch"} {
			if _, e := run(t, project, operation, `{"`+argument+`":"`+name+`"}`); e == nil || e.Class != tool.BadInput {
				t.Errorf("%s %q: %v", operation, name, e)
			}
		}
	}
}

// What lies in a workspace starts no program when git looks at it.
func TestGitRunsNothingOfTheWorkspace(t *testing.T) {
	t.Parallel()
	project := repository(t)
	hook := filepath.Join(project, "ws", ".git", "hooks", "pre-push")
	if err := os.MkdirAll(filepath.Dir(hook), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\ntouch "+filepath.Join(project, "ran")+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	gitIn(t, project, "ws", "config", "diff.external", "touch "+filepath.Join(project, "ran")+" #")
	for _, c := range [][2]string{{"push_branch", `{"branch":"main"}`}, {"status", `{}`}, {"diff", `{}`}} {
		if _, e := run(t, project, c[0], c[1]); e != nil {
			t.Errorf("%s: %v", c[0], e)
		}
	}
	if _, err := os.Stat(filepath.Join(project, "ran")); err == nil {
		t.Error("a program of the workspace ran")
	}
}

func TestGitHidesCredentials(t *testing.T) {
	t.Parallel()
	project := repository(t)
	gitIn(t, project, "ws", "remote", "set-url", "origin", "http://user:hunter2@127.0.0.1:9/x.git")
	_, e := run(t, project, "push_branch", `{"branch":"main"}`)
	if e == nil || strings.Contains(e.Message, "hunter2") || e.Class != tool.Failed {
		t.Errorf("%v", e)
	}
}

func TestCommandRun(t *testing.T) {
	t.Parallel()
	project := workspace(t, map[string]string{"a.txt": "hello"})
	got, e := run(t, project, "command.run", `{"command":"cat a.txt"}`)
	if want := `{"exit_code":0,"output":"hello","passed":true}`; e != nil || got.JSON() != want {
		t.Errorf("%s, %v", got.JSON(), e)
	}
	if got, e = run(t, project, "command.run", `{"command":"exit 3"}`); e != nil || got.At("exit_code").JSON() != "3" {
		t.Errorf("%s, %v", got.JSON(), e)
	}
	if _, e = run(t, project, "command.run", `{}`); e == nil || e.Class != tool.BadInput {
		t.Errorf("no command: %v", e)
	}
}
