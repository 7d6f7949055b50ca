package docs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/golden"
	"terfyn/policy"
	"terfyn/policy/lint"
)

const (
	policyFile  = "policy.md"
	presetsFrom = "<!-- presets -->\n"
	presetsTo   = "<!-- end of presets -->\n"
)

// TestPolicyPage compiles the projects of policy.md, and compares the outputs and the
// table of presets in it; UPDATE_GOLDEN=1 rewrites those.
func TestPolicyPage(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(policyFile)
	if err != nil {
		t.Fatal(err)
	}
	terfyn := filepath.Join(t.TempDir(), "terfyn")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", terfyn, "terfyn/cmd/terfyn").CombinedOutput(); err != nil {
		t.Fatalf("build terfyn: %v\n%s", err, out)
	}
	before, rest, found := strings.Cut(string(b), presetsFrom)
	_, after, ended := strings.Cut(rest, presetsTo)
	if !found || !ended {
		t.Fatalf("%s lacks the marks of its table", policyFile)
	}
	text := before + presetsFrom + presetTable(t) + presetsTo + after
	golden.File(t, policyFile, []byte(rewritten(t, text, terfyn)))
}

// rewritten is the page with what its commands print. A command runs in the project
// of the last block before it.
func rewritten(t *testing.T, text, terfyn string) string {
	var out strings.Builder
	end, dir := 0, ""
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		e := example{text: text[m[4]:m[5]], line: 1 + strings.Count(text[:m[0]], "\n")}
		switch text[m[2]:m[3]] {
		case "agent":
			compiles(t, e)
			dir = written(t, e.project())
		case "agent-refused":
			isRefused(t, e)
		case "console":
			out.WriteString(text[end:m[4]])
			for line := range strings.Lines(e.text) {
				if command, ok := strings.CutPrefix(line, "$ terfyn "); ok {
					out.WriteString(line + printed(t, dir, terfyn, strings.Fields(command)))
				}
			}
			end = m[5]
		default:
			t.Errorf("%s:%d: a block of an unknown kind", policyFile, e.line)
		}
	}
	return out.String() + text[end:]
}

func compiles(t *testing.T, e example) {
	t.Helper()
	_, ds := compiler.Compile(e.project(), compiler.Options{Project: "example"})
	for _, d := range ds {
		if d.Code != diag.NotRunnable {
			t.Errorf("%s:%d does not compile cleanly: %s", policyFile, e.line, diag.Plain(d))
		}
	}
}

func isRefused(t *testing.T, e example) {
	t.Helper()
	first, _, _ := strings.Cut(e.text, "\n")
	want, marked := strings.CutPrefix(first, refusedMark)
	_, ds := compiler.Compile(e.project(), compiler.Options{Project: "example"})
	if !marked || !ds.HasErrors() || !strings.Contains(worded(ds), want) {
		t.Errorf("%s:%d is not refused with %q:\n%s", policyFile, e.line, want, worded(ds))
	}
}

// written puts the files of a project into a folder called example.
func written(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "example")
	for name, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func printed(t *testing.T, dir, terfyn string, args []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), terfyn, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// presetProject has one operation of each kind the table is about.
const presetProject = `
tool t { type mock operations {
    read { readOnly true effects { x.read } }
    send { effects { x.send } }
    wipe { effects { destructive } }
} }
tool trusted { type mock safety { trusted true } operations { send { effects { x.send } } } }
tool gated { type mock safety { requiresApproval true sideEffects false } operations { send {} } }
tool host { type native operations { command.run {} } }
policy permits { effects { permit { x } permitWithApproval { destructive } } }
policy strict_permits { preset strict effects { permit { x } permitWithApproval { destructive } } }
policy permissive_permits { preset permissive effects { permit { x } permitWithApproval { destructive } } }
workflow w() { x = 1 }
`

// presetTable asks policy about every operation under every preset.
func presetTable(t *testing.T) string {
	t.Helper()
	r, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: []byte(presetProject)}}, compiler.Options{Project: "example"})
	if ds.HasErrors() {
		t.Fatal(ds.String())
	}
	calls := []struct{ heading, capability, command string }{
		{"read-only", "tool.t.read", ""}, {"side effects", "tool.t.send", ""}, {"destructive", "tool.t.wipe", ""},
		{"trusted", "tool.trusted.send", ""}, {"`requiresApproval`", "tool.gated.send", ""},
		{"`ls x`", "tool.host.command.run", "ls x"}, {"`rm x`", "tool.host.command.run", "rm x"},
	}
	var out strings.Builder
	out.WriteString("| policy |")
	for _, c := range calls {
		out.WriteString(" " + c.heading + " |")
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(calls)) + "\n")
	for _, row := range []struct{ title, policy string }{
		{"none", ""}, {"none, `permit { x }`, `permitWithApproval { destructive }`", "permits"}, {"`strict`", "strict"}, {"`strict` with these effects", "strict_permits"},
		{"`permissive`", "permissive"}, {"`permissive` with these effects", "permissive_permits"}, {"`shell_safe`", "shell_safe"},
	} {
		out.WriteString("| " + row.title + " |")
		for _, c := range calls {
			g := r.Graph
			g.Workflows = []resource.Workflow{{Name: "w", Policy: row.policy}}
			tool, operation, _ := resource.SplitCapability(c.capability)
			call := policy.Call{Workflow: "w", Tool: tool, Operation: operation, Arguments: canon.Object(canon.F("command", canon.String(c.command)))}
			out.WriteString(" " + map[policy.Verdict]string{policy.Allow: "runs", policy.RequireApproval: "asks", policy.Deny: "denied"}[policy.Evaluate(&g, call).Verdict] + " |")
		}
		out.WriteString("\n")
	}
	return out.String()
}

// TestPolicyPageListsEveryAdvice compares the table of advice with the registry.
func TestPolicyPageListsEveryAdvice(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(policyFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range diag.Codes() {
		if strings.HasPrefix(string(c), "TF51") && !strings.Contains(string(b), fmt.Sprintf("\n| [%s](diagnostics/%s.md) | ", c, c)) {
			t.Errorf("%s does not list %s", policyFile, c)
		}
	}
	for _, s := range []lint.Severity{lint.Low, lint.Medium, lint.High} {
		if !strings.Contains(string(b), string(s)) {
			t.Errorf("%s does not name the severity %s", policyFile, s)
		}
	}
}
