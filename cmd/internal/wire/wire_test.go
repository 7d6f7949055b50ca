package wire

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
)

func TestWhereTemporalIs(t *testing.T) {
	project, config := t.TempDir(), filepath.Join(t.TempDir(), "temporal.toml")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(config, "[profile.other]\naddress = \"other:1\"\nnamespace = \"theirs\"\n")
	dev := DevFile{PID: os.Getpid(), Address: "dev:1", Namespace: "devns", TaskQueue: "devq"}
	for _, c := range []struct {
		name           string
		env            map[string]string
		dev            bool
		target         Target
		address, ns, q string
	}{
		{name: "nothing", address: DefaultAddress, ns: "default", q: "terfyn"},
		{name: "dev", dev: true, address: "dev:1", ns: "devns", q: "devq"},
		{name: "dev with flags", dev: true, target: Target{Namespace: "n", TaskQueue: "q"}, address: "dev:1", ns: "n", q: "q"},
		{name: "environment before dev", dev: true, env: map[string]string{"TEMPORAL_ADDRESS": "env:1", "TEMPORAL_NAMESPACE": "envns"}, address: "env:1", ns: "envns", q: "terfyn"},
		{name: "profile", dev: true, target: Target{Profile: "other"}, address: "other:1", ns: "theirs", q: "terfyn"},
		{name: "flag first", env: map[string]string{"TEMPORAL_ADDRESS": "env:1"}, target: Target{Profile: "other", Address: "flag:1"}, address: "flag:1", ns: "theirs", q: "terfyn"},
		{name: "local takes no settings", env: map[string]string{"TEMPORAL_ADDRESS": "env:1", "TEMPORAL_NAMESPACE": "envns"}, target: Target{Local: true, Address: "l:1"}, address: "l:1", ns: "default", q: "terfyn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TEMPORAL_CONFIG_FILE", config)
			for _, name := range []string{"TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE"} {
				t.Setenv(name, c.env[name]) // also restores it
				if c.env[name] != "" {
					continue
				}
				if err := os.Unsetenv(name); err != nil {
					t.Fatal(err)
				}
			}
			if err := RemoveDevFile(DevFilePath(project)); err != nil {
				t.Fatal(err)
			}
			if c.dev {
				if err := dev.Write(DevFilePath(project)); err != nil {
					t.Fatal(err)
				}
			}
			c.target.Project = project
			got, err := resolve(c.target)
			if err != nil || got.options.HostPort != c.address || got.options.Namespace != c.ns || got.queue != c.q {
				t.Errorf("%s %s %s, %v", got.options.HostPort, got.options.Namespace, got.queue, err)
			}
		})
	}
}

func TestAMissingProfileIsAnError(t *testing.T) {
	t.Setenv("TEMPORAL_CONFIG_FILE", filepath.Join(t.TempDir(), "none.toml"))
	if _, err := resolve(Target{Profile: "other"}); err == nil {
		t.Error("an unknown profile was taken")
	}
}

func TestADevFileOfADeadProcessDoesNotCount(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	// The largest id there can be is never one of a running process here.
	b, err := json.Marshal(DevFile{PID: 1<<31 - 1, Address: "dev:1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(project, Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(DevFilePath(project), b, 0o600); err != nil {
		t.Fatal(err)
	}
	if f, ok := ReadDevFile(project); ok {
		t.Errorf("%+v", f)
	}
	if Alive(0) || Alive(-1) || !Alive(os.Getpid()) {
		t.Error("Alive is wrong about processes that are certain")
	}
}

// Asking again must be the same update; anything that changes what would be done
// must be another.
func TestUpdateID(t *testing.T) {
	t.Parallel()
	d := contract.Decision{ApprovalID: "apr-1", Decision: policy.Approve, Actor: "ann", Revision: "sha256:1"}
	base := updateID(d)
	if !strings.HasPrefix(base, "apr-1-approve-") {
		t.Errorf("%s", base)
	}
	same := d
	same.Reason = "another"
	if updateID(same) != base {
		t.Error("the reason makes another update")
	}
	for _, change := range []func(*contract.Decision){
		func(d *contract.Decision) { d.Actor = "bob" },
		func(d *contract.Decision) { d.Revision = "sha256:2" },
		func(d *contract.Decision) { d.Decision = policy.Reject },
		func(d *contract.Decision) { d.Edit = canon.Object(canon.F("a", canon.Int(1))) },
		func(d *contract.Decision) { d.ProviderID = "7" },
	} {
		other := d
		change(&other)
		if updateID(other) == base {
			t.Errorf("%+v is the same update", other)
		}
	}
}

func TestDecideErrors(t *testing.T) {
	t.Parallel()
	d := contract.Decision{ApprovalID: "apr-1"}
	expired, cancel := context.WithCancel(t.Context())
	cancel()
	var refused *policy.Refusal
	if err := decideError(t.Context(), "r", d, temporal.NewNonRetryableApplicationError("late", string(policy.RefusedLate), nil)); !errors.As(err, &refused) || refused.Code != policy.RefusedLate || refused.Message != "late" {
		t.Errorf("%v", err)
	}
	if err := decideError(t.Context(), "r", d, serviceerror.NewNotFound("closed")); !errors.Is(err, ErrRunGone) {
		t.Errorf("%v", err)
	}
	if err := decideError(t.Context(), "r", d, &client.WorkflowUpdateServiceTimeoutOrCanceledError{}); !errors.Is(err, ErrUndecided) {
		t.Errorf("%v", err)
	}
	if err := decideError(expired, "r", d, errors.New("deadline")); !errors.Is(err, ErrUndecided) {
		t.Errorf("%v", err)
	}
	if err := decideError(t.Context(), "r", d, errors.New("x")); errors.Is(err, ErrUndecided) || errors.Is(err, ErrRunGone) {
		t.Errorf("%v", err)
	}
}

func TestServerCommand(t *testing.T) {
	t.Parallel()
	in := ServerSettings{Project: "/p", Address: "127.0.0.1:7000", Namespace: "n", Parent: 42}
	own := strings.Join(Server{Path: "/bin/s", own: true}.Command(in).Args, " ")
	for _, want := range []string{"server start-dev --ip 127.0.0.1 --port 7000 --namespace n --headless", "--search-attribute TerfynStatus=Keyword", "--parent-pid 42"} {
		if !strings.Contains(own, want) {
			t.Errorf("no %q in %s", want, own)
		}
	}
	if other := strings.Join(Server{Path: "/bin/s"}.Command(in).Args, " "); strings.Contains(other, "--parent-pid") {
		t.Errorf("a flag only terfyn-devserver has: %s", other)
	}
}

func TestFindServer(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "temporal")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TERFYN_DEVSERVER", "")
	t.Setenv("PATH", dir)
	if s, err := FindServer(); err != nil || s.Path != program || s.own {
		t.Errorf("%+v %v", s, err)
	}
	t.Setenv("TERFYN_DEVSERVER", program)
	if s, err := FindServer(); err != nil || s.Path != program || !s.own {
		t.Errorf("%+v %v", s, err)
	}
	t.Setenv("TERFYN_DEVSERVER", filepath.Join(dir, "none"))
	if _, err := FindServer(); err == nil {
		t.Error("a variable that names nothing was ignored")
	}
	t.Setenv("TERFYN_DEVSERVER", "")
	t.Setenv("PATH", t.TempDir())
	if _, err := FindServer(); !errors.Is(err, ErrNoServer) {
		t.Errorf("%v", err)
	}
}
