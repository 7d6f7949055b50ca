package native_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/activities/tool"
	"terfyn/activities/tool/native"
	"terfyn/activities/tool/tooltest"
	table "terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// workspace makes a project whose workspace is the directory ws in it.
func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	project := t.TempDir()
	if err := os.MkdirAll(filepath.Join(project, "ws"), 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p := filepath.Join(project, "ws", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return project
}

func call(project, operation string, arguments canon.Value) tool.Call {
	return tool.Call{
		Tool:      resource.Tool{Name: "ws", Type: "native", Workspace: &resource.Workspace{Root: "ws"}},
		Operation: resource.Operation{Name: operation}, Arguments: arguments, ProjectRoot: project,
	}
}

func run(t *testing.T, project, operation, arguments string) (canon.Value, *tool.Error) {
	t.Helper()
	got, err := native.Transport{}.Call(t.Context(), call(project, operation, parse(t, arguments)))
	if err == nil {
		return got.Output, nil
	}
	e, ok := errors.AsType[*tool.Error](err)
	if !ok {
		t.Fatalf("%s: error %v is no *tool.Error", operation, err)
	}
	return canon.Null(), e
}

func file(t *testing.T, project, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(project, "ws", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tooltest.Exercise(t, tooltest.Driver{Raw: true, Hang: runtime.GOOS != "windows", Open: func(t *testing.T, a tooltest.Answer) (tool.Transport, tool.Call) {
		switch {
		case a.Raw != nil:
			return native.Transport{}, call(workspace(t, map[string]string{"f": string(a.Raw)}), "read_file", parse(t, `{"path":"f"}`))
		case a.Fail != "":
			return native.Transport{}, call(workspace(t, nil), "read_file", canon.Object(canon.F("path", canon.String("x")), canon.F(a.Fail, canon.Null())))
		case a.Hang:
			c := call(workspace(t, nil), "run_tests", canon.Object())
			c.Tool.Workspace.TestCommand = "sleep 60 & sleep 60"
			return native.Transport{}, c
		}
		return native.Transport{}, call(workspace(t, nil), "echo", parse(t, a.JSON))
	}})
}

// TestEveryTableEntryRuns compares what runs here with the table the compiler reads.
func TestEveryTableEntryRuns(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(table.Names(), native.Names()); diff != "" {
		t.Errorf("operations (-table +run):\n%s", diff)
	}
	_, err := native.Transport{}.Call(t.Context(), call("", "ghost", canon.Object()))
	if err == nil || !strings.Contains(err.Error(), `no native operation "ghost"`) {
		t.Errorf("an unknown operation: %v", err)
	}
}

// Behaviour 257: the output of echo has the key echo with the arguments in it.
func TestBehaviour257Echo(t *testing.T) {
	t.Parallel()
	if got, e := run(t, "", "echo", `{"msg":"hi"}`); e != nil || got.At("echo").Str("msg") != "hi" {
		t.Errorf("%s, %v", got.JSON(), e)
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.txt": "one\ntwo\nthree", "d/x": "", "d/sub/y": "", "big": strings.Repeat("é\n", 600000)}
	for i := range 1001 {
		files[fmt.Sprintf("many/%04d", i)] = ""
	}
	project := workspace(t, files)
	for arguments, want := range map[string]string{
		`{"path":"a.txt"}`:                                 `{"content":"one\ntwo\nthree","path":"a.txt"}`,
		`{"path":"./d/../a.txt","offset":2}`:               `{"content":"two\nthree","path":"a.txt"}`,
		`{"path":"a.txt","limit":1}`:                       `{"content":"one\n","path":"a.txt"}`,
		`{"path":"a.txt","offset":2.0,"limit":1}`:          `{"content":"two\n","path":"a.txt"}`,
		`{"path":"a.txt","offset":9,"limit":1}`:            `{"content":"","path":"a.txt"}`,
		`{"path":"big","offset":599999,"limit":5}`:         `{"content":"é\né\n","path":"big"}`,
		`{"path":"d"}`:                                     `{"entries":["sub/","x"],"is_directory":true,"path":"d"}`,
		`{"path":"a.txt","offset":1,"limit":100000000000}`: `{"content":"one\ntwo\nthree","path":"a.txt"}`,
	} {
		if got, e := run(t, project, "read_file", arguments); e != nil || got.JSON() != want {
			t.Errorf("%s: %s, %v", arguments, got.JSON(), e)
		}
	}
	for _, arguments := range []string{`{"path":"big"}`, `{"path":"big","offset":2}`} {
		got, e := run(t, project, "read_file", arguments)
		if isCut, _ := got.At("truncated").AsBool(); e != nil || !isCut || len(got.Str("content")) > 1<<20 || strings.Contains(got.Str("content"), "\uFFFD") {
			t.Errorf("%s: truncated %v, %d bytes, %v", arguments, isCut, len(got.Str("content")), e)
		}
	}
	got, e := run(t, project, "list_dir", `{"path":"many"}`)
	if isCut, _ := got.At("truncated").AsBool(); e != nil || !isCut || len(got.At("entries").Items()) != 1000 {
		t.Errorf("a directory of 1001 entries: %d, %v", len(got.At("entries").Items()), e)
	}
	if _, e := run(t, project, "read_file", `{"path":"gone"}`); e == nil || !e.Recoverable || !strings.Contains(e.Message, "does not exist in the workspace") {
		t.Errorf("missing file: %+v", e)
	}
	for _, arguments := range []string{
		`{"path":"a.txt","offset":0}`, `{"path":"a.txt","offset":1.5}`, `{"path":"a.txt","limit":"3"}`, `{"path":["a.txt"]}`,
		`{}`, `{"path":"a.txt","encoding":"x"}`, `[]`,
	} {
		if _, e := run(t, project, "read_file", arguments); e == nil || e.Class != tool.BadInput || !e.Recoverable {
			t.Errorf("%s: %+v", arguments, e)
		}
	}
}

func TestSandbox(t *testing.T) {
	t.Parallel()
	project := workspace(t, map[string]string{"in": "x", ".git/config": "[core]"})
	if err := os.WriteFile(filepath.Join(project, "secret"), []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"out": "../secret", "up": "..", "abs": filepath.Join(project, "secret")} {
		if err := os.Symlink(to, filepath.Join(project, "ws", link)); err != nil {
			t.Fatal(err)
		}
	}
	absolute := canon.String(filepath.Join(project, "secret")).JSON()
	for _, path := range []string{`"../secret"`, absolute, `"out"`, `"up/secret"`, `"abs"`, `"a/../../secret"`, `"in\u0000"`} {
		for operation, rest := range map[string]string{"read_file": "", "write_file": `,"content":"c"`, "edit": `,"old_string":"s","new_string":"t"`, "list_dir": ""} {
			if _, e := run(t, project, operation, `{"path":`+path+rest+`}`); e == nil || e.Class != tool.Denied {
				t.Errorf("%s of %s: %+v", operation, path, e)
			}
		}
	}
	for _, path := range []string{".git/hooks/pre-commit", ".GIT/config", "sub/.git/config"} {
		if _, e := run(t, project, "write_file", `{"path":"`+path+`","content":"x"}`); e == nil || e.Code != "protected" {
			t.Errorf("writing %s: %+v", path, e)
		}
	}
	if got, _ := run(t, project, "grep", `{"pattern":"."}`); strings.Contains(got.JSON(), "out") || strings.Contains(got.JSON(), ".git") {
		t.Errorf("a search left the workspace: %s", got.JSON())
	}
	if b, err := os.ReadFile(filepath.Join(project, "secret")); err != nil || string(b) != "s" {
		t.Errorf("the outside file changed: %q, %v", b, err)
	}
	c := call(project, "read_file", parse(t, `{"path":"in"}`))
	c.Tool.Workspace = nil
	if _, err := (native.Transport{}).Call(t.Context(), c); err == nil || !strings.Contains(err.Error(), "TERFYN_WORKSPACE_ROOT") {
		t.Errorf("without a workspace: %v", err)
	}
}

func TestWriteAndEdit(t *testing.T) {
	t.Parallel()
	project := workspace(t, map[string]string{"a": "x aba y", "run.sh": "old"})
	if err := os.Chmod(filepath.Join(project, "ws", "run.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	if got, e := run(t, project, "write_file", `{"path":"new/deep/f","content":"hi"}`); e != nil || got.JSON() != `{"bytes_written":2,"created":true,"path":"new/deep/f"}` {
		t.Errorf("write: %s, %v", got.JSON(), e)
	}
	if got, e := run(t, project, "write_file", `{"path":"run.sh","content":"new"}`); e != nil || got.At("created").JSON() != "false" || file(t, project, "run.sh") != "new" {
		t.Errorf("overwrite: %s, %v", got.JSON(), e)
	}
	if info, err := os.Stat(filepath.Join(project, "ws", "run.sh")); err != nil || (runtime.GOOS != "windows" && info.Mode().Perm() != 0o750) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for arguments, want := range map[string]tool.Class{
		`{"path":"a","old_string":"zz","new_string":"q"}`: tool.Failed,
		`{"path":"a","old_string":" ","new_string":"q"}`:  tool.Failed,
		`{"path":"a","old_string":"","new_string":"q"}`:   tool.BadInput,
		`{"path":"a","old_string":"x","new_string":"x"}`:  tool.BadInput,
		`{"path":"no","old_string":"x","new_string":"y"}`: tool.Failed,
	} {
		if _, e := run(t, project, "edit", arguments); e == nil || e.Class != want || !e.Recoverable {
			t.Errorf("%s: %+v", arguments, e)
		}
	}
	if got := file(t, project, "a"); got != "x aba y" {
		t.Errorf("a refused edit changed the file: %q", got)
	}
	if _, e := run(t, project, "edit", `{"path":"a","old_string":" aba","new_string":""}`); e != nil || file(t, project, "a") != "x y" {
		t.Errorf("deleting edit: %q, %v", file(t, project, "a"), e)
	}
	overlapping := workspace(t, map[string]string{"o": "aaa"})
	if _, e := run(t, overlapping, "edit", `{"path":"o","old_string":"aa","new_string":"b"}`); e == nil || e.Code != "many_matches" {
		t.Errorf("overlapping occurrences: %+v", e)
	}
	names, err := os.ReadDir(filepath.Join(project, "ws"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.HasPrefix(n.Name(), ".terfyn") {
			t.Errorf("a temporary file is left: %s", n.Name())
		}
	}
}

func TestGlobAndGrep(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a_x.go": "needle 1\nno\nneedle 2\n", "p/q/b_x.go": "needle", "p/c.go": "needle", "vendor/v_x.go": "needle",
		"node_modules/n_x.go": "", ".git/g_x.go": "", "bin": "\x00needle", "long": strings.Repeat("n", 600) + "needle",
	}
	project := workspace(t, files)
	for arguments, want := range map[string]string{
		`{"pattern":"**/*_x.go"}`:              `["a_x.go","p/q/b_x.go"]`,
		`{"pattern":"*.go"}`:                   `["a_x.go"]`,
		`{"pattern":"p/**"}`:                   `["p/c.go","p/q/b_x.go"]`,
		`{"pattern":"**/**/q/**/*.go"}`:        `["p/q/b_x.go"]`,
		`{"pattern":"vendor/*"}`:               `["vendor/v_x.go"]`,
		`{"pattern":"*_x.go","path":"vendor"}`: `["vendor/v_x.go"]`,
		`{"pattern":"**/*.go","path":"p"}`:     `["p/c.go","p/q/b_x.go"]`,
		`{"pattern":"[ab]_?.go"}`:              `["a_x.go"]`,
		`{"pattern":"nothing"}`:                `[]`,
	} {
		if got, e := run(t, project, "glob", arguments); e != nil || got.At("matches").JSON() != want {
			t.Errorf("%s: %s, %v", arguments, got.JSON(), e)
		}
	}
	for arguments, want := range map[string]string{
		`{"pattern":"needle [0-9]"}`:           `[{"file":"a_x.go","line":1,"text":"needle 1"},{"file":"a_x.go","line":3,"text":"needle 2"}]`,
		`{"pattern":"needle","path":"p/c.go"}`: `[{"file":"p/c.go","line":1,"text":"needle"}]`,
		`{"pattern":"^needle$","glob":"*.go"}`: `[{"file":"p/c.go","line":1,"text":"needle"},{"file":"p/q/b_x.go","line":1,"text":"needle"}]`,
		`{"pattern":"absent"}`:                 `[]`,
	} {
		if got, e := run(t, project, "grep", arguments); e != nil || got.At("hits").JSON() != want {
			t.Errorf("%s: %s, %v", arguments, got.JSON(), e)
		}
	}
	for operation, arguments := range map[string]string{"glob": `{"pattern":"[a"}`, "grep": `{"pattern":"(?=x)"}`} {
		if _, e := run(t, project, operation, arguments); e == nil || e.Class != tool.BadInput {
			t.Errorf("%s %s: %+v", operation, arguments, e)
		}
	}
	if _, e := run(t, project, "grep", `{"pattern":"x","path":["a"]}`); e == nil || e.Class != tool.BadInput {
		t.Errorf("a list as path: %+v", e)
	}
	many := workspace(t, map[string]string{"f": strings.Repeat("hit\n", 501)})
	got, e := run(t, many, "grep", `{"pattern":"hit"}`)
	if isCut, _ := got.At("truncated").AsBool(); e != nil || !isCut || len(got.At("hits").Items()) != 500 {
		t.Errorf("501 hits: %d, truncated %v, %v", len(got.At("hits").Items()), isCut, e)
	}
}

func TestRunTests(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands of this test need a POSIX shell")
	}
	t.Setenv("NATIVE_TEST_SECRET", "leaked-value")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", "leaked-value")
	project := workspace(t, map[string]string{"marker": ""})
	for command, want := range map[string]string{
		"echo ok; ls":                  `{"exit_code":0,"output":"ok\nmarker\n","passed":true}`,
		"echo bad >&2; exit 3":         `{"exit_code":3,"output":"bad\n","passed":false}`,
		"env | grep -c leaked || true": `{"exit_code":0,"output":"0\n","passed":true}`,
	} {
		c := call(project, "run_tests", canon.Object())
		c.Tool.Workspace.TestCommand = command
		got, err := native.Transport{}.Call(t.Context(), c)
		if err != nil || got.Output.JSON() != want {
			t.Errorf("%s: %s, %v", command, got.Output.JSON(), err)
		}
	}
	c := call(project, "run_tests", canon.Object())
	c.Tool.Workspace.TestCommand = "yes | head -c 3000000; echo END"
	got, err := native.Transport{}.Call(t.Context(), c)
	if text := got.Output.Str("output"); err != nil || !got.Truncated || len(text) > 256<<10 || !strings.HasSuffix(text, "END\n") {
		t.Errorf("long output: %d bytes, truncated %v, %v", len(text), got.Truncated, err)
	}
	if _, e := run(t, project, "run_tests", `{"command":"rm -rf ."}`); e == nil || e.Class != tool.BadInput {
		t.Errorf("a command from the caller: %+v", e)
	}
	if _, e := run(t, project, "run_tests", `{}`); e == nil || e.Code != "no_test_command" {
		t.Errorf("without a command: %+v", e)
	}
	t.Setenv("TERFYN_WORKSPACE_TEST_COMMAND", "echo fallback")
	if got, e := run(t, project, "run_tests", `{}`); e != nil || got.Str("output") != "fallback\n" {
		t.Errorf("fallback command: %s, %v", got.JSON(), e)
	}
}

// A cancelled test run leaves no process of its group: the background child
// holds the write end of a pipe, which reads as closed once it is gone.
func TestCancelledTestsLeaveNoChildren(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands of this test need a POSIX shell")
	}
	project := workspace(t, nil)
	fifo := filepath.Join(project, "alive")
	c := call(project, "run_tests", canon.Object())
	c.Tool.Workspace.TestCommand = "mkfifo ../alive; (exec 3>../alive; sleep 300) & sleep 300"
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := native.Transport{}.Call(ctx, c)
		done <- err
	}()
	for {
		if info, err := os.Stat(fifo); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			break
		}
		runtime.Gosched()
	}
	pipe, err := os.Open(fifo) // returns once the child has opened its end
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pipe.Close() }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if n, err := pipe.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("the child still writes: %d, %v", n, err)
	}
}
