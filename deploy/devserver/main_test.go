package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// terfynAttributes are the search attributes terfyn registers.
var terfynAttributes = []string{"TerfynWorkflow", "TerfynEnvironment", "TerfynStatus", "TerfynWaitingFor", "TerfynSnapshot"}

func attributeFlags(names ...string) []string {
	var flags []string
	for _, n := range names {
		flags = append(flags, "--search-attribute", n+"=Keyword")
	}
	return flags
}

func TestStartAnnouncesAndStopsCleanly(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			note := filepath.Join(t.TempDir(), "ready.json")
			if err := os.WriteFile(note, []byte("stale"), 0o600); err != nil {
				t.Fatal(err)
			}
			s := start(t, "--namespace", "one", "--namespace", "two", "--ready-file", note)
			text, err := os.ReadFile(note)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Address    string
				PID        int
				Namespaces []string
			}
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("ready file %q: %v", text, err)
			}
			if got.Address != s.address || got.PID != s.cmd.Process.Pid || !slices.Equal(got.Namespaces, []string{"one", "two"}) {
				t.Errorf("ready file %s for %s, pid %d", text, s.address, s.cmd.Process.Pid)
			}
			for _, ns := range got.Namespaces {
				describeNamespace(t, s, ns)
			}
			before := time.Now()
			if code := s.end(sig); code != 0 {
				t.Errorf("exit code %d, want 0", code)
			}
			t.Logf("stopped after %v", time.Since(before))
			if s.stderr.Len() != 0 {
				t.Errorf("stderr of a normal start and stop: %s", &s.stderr)
			}
			if _, err := os.Stat(note); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the ready file is still there after the end: %v", err)
			}
		})
	}
}

func TestRunSurvivesAKilledServer(t *testing.T) {
	t.Parallel()
	// The name has characters that mean something in SQLite's URIs.
	db := filepath.Join(t.TempDir(), "state #1 50%?.db")
	flags := append([]string{"--namespace", "terfyn", "--db-filename", db}, attributeFlags(terfynAttributes...)...)
	first := start(t, flags...)
	startWorkflow(t, first, "terfyn", "run-1", "waiting")
	if code := first.end(syscall.SIGKILL); code != -1 {
		t.Fatalf("exit code %d after SIGKILL", code)
	}

	second := start(t, flags...)
	describeNamespace(t, second, "terfyn")
	got, err := workflowservice.NewWorkflowServiceClient(second.dial()).DescribeWorkflowExecution(soon(t),
		&workflowservice.DescribeWorkflowExecutionRequest{Namespace: "terfyn", Execution: &commonpb.WorkflowExecution{WorkflowId: "run-1"}})
	if err != nil {
		t.Fatal(err)
	}
	info := got.GetWorkflowExecutionInfo()
	if info.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
		t.Errorf("status %v, want running", info.GetStatus())
	}
	if value := string(info.GetSearchAttributes().GetIndexedFields()["TerfynStatus"].GetData()); value != `"waiting"` {
		t.Errorf("TerfynStatus is %s, want \"waiting\"", value)
	}
	if code := second.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d, want 0; stderr: %s", code, &second.stderr)
	}
	if _, err := os.Stat(db); err != nil {
		t.Errorf("the database is not where it was asked for: %v", err)
	}
}

func TestDatabaseIsReadableByItsOwnerOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, "--db-filename", filepath.Join(dir, "state.db"))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has mode %v", f.Name(), mode)
		}
	}
}

func TestOldDatabaseGetsNewAttributes(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "state.db")
	first := start(t, append([]string{"--db-filename", db}, attributeFlags("TerfynWorkflow")...)...)
	first.end(syscall.SIGTERM)

	second := start(t, append([]string{"--db-filename", db}, attributeFlags(terfynAttributes...)...)...)
	list, err := operatorservice.NewOperatorServiceClient(second.dial()).ListSearchAttributes(soon(t),
		&operatorservice.ListSearchAttributesRequest{Namespace: "default"})
	if err != nil {
		t.Fatal(err)
	}
	for _, attr := range terfynAttributes {
		if typ := list.GetCustomAttributes()[attr]; typ != enumspb.INDEXED_VALUE_TYPE_KEYWORD {
			t.Errorf("%s is %v, want Keyword", attr, typ)
		}
	}
	startWorkflow(t, second, "default", "run-1", "running") // fails for an unknown attribute
	second.end(syscall.SIGTERM)

	refused(t, 1, []string{"--port", "0", "--db-filename", db, "--search-attribute", "TerfynStatus=Int"},
		"TerfynStatus is Keyword", "Int was asked for")
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	refused(t, 1, []string{"--port", port}, "127.0.0.1:"+port, "in use")
	refused(t, 1, []string{"--port", "0", "--http-port", port}, "127.0.0.1:"+port, "in use")
}

func TestDatabaseOfAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "state.db")
	first := start(t, "--db-filename", db)
	startWorkflow(t, first, "default", "run-1", "")
	refused(t, 1, []string{"--port", "0", "--db-filename", db}, "in use by another server")
	first.end(syscall.SIGTERM)
	if err := os.WriteFile(db+".version", []byte("1.0.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, 1, []string{"--port", "0", "--db-filename", db}, db, `"1.0.0"`, "--reset-db")
	if err := os.Remove(db + ".version"); err != nil {
		t.Fatal(err)
	}
	refused(t, 1, []string{"--port", "0", "--db-filename", db}, db, "unknown", "--reset-db")

	fresh := start(t, "--db-filename", db, "--reset-db")
	_, err := workflowservice.NewWorkflowServiceClient(fresh.dial()).DescribeWorkflowExecution(soon(t),
		&workflowservice.DescribeWorkflowExecutionRequest{Namespace: "default", Execution: &commonpb.WorkflowExecution{WorkflowId: "run-1"}})
	if err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("the old run after a reset: %v, want not found", err)
	}
	fresh.end(syscall.SIGTERM)
	start(t, "--db-filename", db).end(syscall.SIGTERM) // the reset left a good database
}

func TestRefusedCommandLines(t *testing.T) {
	t.Parallel()
	refused(t, 2, []string{"--ip", "0.0.0.0"}, "0.0.0.0", "loopback")
	refused(t, 2, []string{"--no-such-flag"}, "no-such-flag")
	refused(t, 1, append([]string{"--port", "0"}, attributeFlags(strings.Split("A B C D E F G H I J K", " ")...)...), "10 search attributes")
	refused(t, 1, []string{"--port", "0", "--parent-pid", "1"}, "--parent-pid 1", "not the parent")
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := execute(t, "version")
	if got.code != 0 || !strings.HasPrefix(got.stdout, "terfyn-devserver (Temporal server 1.") || got.stderr != "" {
		t.Errorf("version: %+v", got)
	}
}

func TestServerEndsWithItsParent(t *testing.T) {
	t.Parallel()
	// The shell is the parent; the server inherits its stdout, which therefore
	// ends when both are gone.
	sh := exec.Command("sh", "-c", `"$0" server start-dev --port 0 --parent-pid $$ & wait`, executable)
	stdout, err := sh.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 1)
	if _, err := io.ReadFull(stdout, first); err != nil {
		t.Fatalf("wait for the ready line: %v", err)
	}
	if err := sh.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	end := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, stdout)
		end <- err
	}()
	if err := within(t, "the end of the server", end); err != nil {
		t.Error(err)
	}
	if err := sh.Wait(); err == nil {
		t.Error("the killed shell ended well")
	}
}

func describeNamespace(t *testing.T, s *running, ns string) {
	t.Helper()
	got, err := workflowservice.NewWorkflowServiceClient(s.dial()).DescribeNamespace(soon(t),
		&workflowservice.DescribeNamespaceRequest{Namespace: ns})
	if err != nil {
		t.Fatalf("describe namespace %s: %v", ns, err)
	}
	if got.GetNamespaceInfo().GetName() != ns {
		t.Errorf("namespace %q, want %q", got.GetNamespaceInfo().GetName(), ns)
	}
}

// startWorkflow starts a run that no worker takes up; status, if any, becomes its
// TerfynStatus.
func startWorkflow(t *testing.T, s *running, ns, id, status string) {
	t.Helper()
	req := &workflowservice.StartWorkflowExecutionRequest{
		Namespace:    ns,
		WorkflowId:   id,
		WorkflowType: &commonpb.WorkflowType{Name: "TerfynRun"},
		TaskQueue:    &taskqueuepb.TaskQueue{Name: "terfyn"},
		RequestId:    fmt.Sprintf("request-%s", id),
	}
	if status != "" {
		req.SearchAttributes = &commonpb.SearchAttributes{IndexedFields: map[string]*commonpb.Payload{
			"TerfynStatus": {Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(strconv.Quote(status))},
		}}
	}
	if _, err := workflowservice.NewWorkflowServiceClient(s.dial()).StartWorkflowExecution(soon(t), req); err != nil {
		t.Fatalf("start workflow %s: %v", id, err)
	}
}

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}
