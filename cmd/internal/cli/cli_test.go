package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"terfyn/deploy"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want Exit
	}{
		{nil, ExitOK},
		{errors.New("x"), ExitFailure},
		{usagef("x"), ExitInvalid},
		{fmt.Errorf("wrapped: %w", failf(ExitConflict, "x")), ExitConflict},
		{fmt.Errorf("apply: %w", store.ErrConflict), ExitConflict},
		{fmt.Errorf("apply: %w", &deploy.RefusedError{}), ExitDenied},
		{exit(ExitWidened), ExitWidened},
		{exit(ExitOK), ExitOK},
	} {
		if got := codeOf(c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}

// Every fault and refusal has its code by choice, not by falling through.
func TestFaultAndRefusalCodes(t *testing.T) {
	t.Parallel()
	for fault, want := range map[contract.FaultType]Exit{
		"": 0, contract.FaultInput: 2, contract.FaultNoWorkflow: 2, contract.FaultNotDeployed: 3,
		contract.FaultPolicy: 5, contract.FaultBudget: 5, contract.FaultRevoked: 5, contract.FaultExpired: 5,
		contract.FaultRejected: 4, contract.FaultTool: 4, contract.FaultAgent: 4, contract.FaultModel: 4, contract.FaultEvaluation: 4,
		contract.FaultLimit: 4, contract.FaultRunID: 4, contract.FaultSnapshot: 4, contract.FaultCancelled: 4, contract.FaultInternal: 4,
	} {
		if got := faultCode(fault); got != want {
			t.Errorf("%s: %d, want %d", fault, got, want)
		}
	}
	for refusal, want := range map[policy.RefusalCode]Exit{
		policy.RefusedDecided: 4, policy.RefusedLate: 4, policy.RefusedActor: 5, policy.RefusedStale: 2,
		policy.RefusedNotAllowed: 2, policy.RefusedEdit: 2, policy.RefusedMalformed: 2, policy.RefusedUnknown: 1,
	} {
		if got := refusalCode(refusal); got != want {
			t.Errorf("%s: %d, want %d", refusal, got, want)
		}
	}
}

func TestMessageIsOneLine(t *testing.T) {
	t.Parallel()
	if got := message(errors.New("a\n\tb\n")); got != "a; b;" {
		t.Errorf("%q", got)
	}
	if got := message(fmt.Errorf("apply: plan again: %w", store.ErrConflict)); got != "apply: plan again" {
		t.Errorf("%q", got)
	}
	if got := message(errors.New("merge: conflict")); got != "merge: conflict" {
		t.Errorf("%q", got)
	}
}

func TestDecideNamesTheActorsVariable(t *testing.T) {
	t.Parallel()
	a := &app{getenv: func(string) string { return "eve" }}
	for code, want := range map[policy.RefusalCode]bool{policy.RefusedActor: true, policy.RefusedStale: false} {
		_, err := a.decide(t.Context(), refusing(code), nil, "run", contract.Decision{}, time.Second)
		if codeOf(err) != refusalCode(code) || strings.Contains(err.Error(), "set TERFYN_HITL_ACTOR") != want {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// refusing is a decider that refuses with its code.
type refusing policy.RefusalCode

func (r refusing) Decide(context.Context, string, contract.Decision, time.Duration) (contract.Verdict, error) {
	return contract.Verdict{}, &policy.Refusal{Code: policy.RefusalCode(r), Message: "no"}
}

func TestLongOut(t *testing.T) {
	t.Parallel()
	got := longOut([]string{"plan", "-out", "f", "-out=g", "-o", "json", "-output", "--", "-out"})
	want := []string{"plan", "--out", "f", "--out=g", "-o", "json", "-output", "--", "-out"}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestRunInput(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "in.json")
	if err := os.WriteFile(file, []byte(`{"n":9007199254740993,"topic":"file"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{streams: streams{in: strings.NewReader(`{}`)}}
	for _, c := range []struct {
		values []string
		file   string
		want   string
	}{
		{nil, "", `{}`},
		{nil, "-", `{}`},
		{[]string{"topic=  a  b  "}, "", `{"topic":"  a  b  "}`},
		{[]string{"  topic  =x"}, "", `{"topic":"x"}`},
		{[]string{"a=b=c", "k=   ", "e="}, "", `{"a":"b=c","e":"","k":"   "}`},
		{[]string{"topic=flag"}, file, `{"n":9007199254740993,"topic":"flag"}`},
	} {
		got, err := a.runInput(t.Context(), c.values, c.file)
		if err != nil || got.JSON() != c.want {
			t.Errorf("%v %s: %s, %v", c.values, c.file, got.JSON(), err)
		}
	}
	for _, bad := range []string{"novalue", "=v", "   =v"} {
		if _, err := a.runInput(t.Context(), []string{bad}, ""); codeOf(err) != ExitInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestEditDocument(t *testing.T) {
	t.Parallel()
	got, err := editDocument([]string{"n=9007199254740993", "s=plain words", `q="x"`, " o = {\"a\":1}"}, `{"n":1,"kept":true}`)
	if want := `{"kept":true,"n":9007199254740993,"o":{"a":1},"q":"x","s":"plain words"}`; err != nil || got.JSON() != want {
		t.Errorf("%s %v", got.JSON(), err)
	}
	for _, bad := range []string{"1e400", "{x", "[1", `"open`, "-", " {", "2026-01-01"} {
		if _, err := editDocument([]string{"when=" + bad}, ""); codeOf(err) != ExitInvalid || !strings.Contains(err.Error(), "when") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, text := range []string{"", " ", "tomorrow", "x{", "nul"} {
		if got, err := editDocument([]string{"when=" + text}, ""); err != nil || got.At("when").Text() != text {
			t.Errorf("%q: %s %v", text, got.JSON(), err)
		}
	}
}

func TestRunIDsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", " ", "a b", "a\tb", "a\nb", "a\x00b", "a\u0085b", "a\xffb", "environment/local", strings.Repeat("x", 201)} {
		if err := checkRunID(bad); codeOf(err) != ExitInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, good := range []string{"a", "ticket-7/ü", strings.Repeat("x", 200)} {
		if err := checkRunID(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

func TestRunIDsAreUniqueAndSortByTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a, b, later := newRunID(now), newRunID(now), newRunID(now.Add(time.Millisecond))
	if a == b || a >= later || b >= later || len(a) != len(later) {
		t.Errorf("%s %s %s", a, b, later)
	}
}

func TestPageKeys(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 2, 3, 4, 567000, time.UTC)
	gotAt, gotID, err := pageStart(pageKey(at, "run,1"))
	if err != nil || !gotAt.Equal(at) || gotID != "run,1" {
		t.Errorf("%s %s %v", gotAt, gotID, err)
	}
	for _, bad := range []string{"x", "2026,", "2026-01-01T00:00:00Z"} {
		if _, _, err := pageStart(bad); codeOf(err) != ExitInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestProgressLine(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	now := time.Unix(100, 0)
	a := &app{streams: streams{err: &b}, now: func() time.Time { return now }}
	a.progress(now.Add(-90 * time.Second))([]store.Step{
		{Status: store.StepSucceeded, CostUSD: "0.1", TokensIn: 5}, {Status: store.StepRunning, CostUSD: "0.2", TokensOut: 2},
	})
	if got, want := b.String(), "\r\x1b[K1 of 2 steps, 7 tokens, USD 0.3000, 1m30s"; got != want {
		t.Errorf("%q", got)
	}
}

// Every command has what help and completion show.
func TestCommandsAreDescribed(t *testing.T) {
	t.Parallel()
	root := newRoot(&app{getenv: os.Getenv})
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
		if c.Short == "" {
			t.Errorf("%s has no description", c.Name())
		}
		for _, sub := range c.Commands() {
			if sub.Short == "" || sub.RunE == nil {
				t.Errorf("%s %s is not complete", c.Name(), sub.Name())
			}
		}
	}
	want := []string{"apply", "approvals", "approve", "attach", "audit", "cancel", "compile", "completion", "confirm", "dev", "diff", "drift", "edit", "explain", "export", "fmt",
		"graph", "help", "init", "inspect", "logs", "migrate", "new", "nexflow", "plan", "reject", "rollback", "run", "runs", "setup", "state", "status", "store", "validate",
		"version", "worker"}
	if !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
}
