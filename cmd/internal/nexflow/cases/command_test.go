package cases

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terfyn/cmd/internal/cli"
)

// envelope is what the commands print as JSON.
type envelope struct {
	SchemaVersion         string            `json:"schemaVersion"`
	Tool                  map[string]string `json:"tool"`
	SupportedSpecVersions []string          `json:"supportedSpecVersions"`
	Command               *string           `json:"command"`
	Success               bool              `json:"success"`
	ExitCode              int               `json:"exitCode"`
	InputMode             *string           `json:"inputMode"`
	Checks                map[string]string `json:"checks"`
	ExecutionAuthorized   *bool             `json:"executionAuthorized"`
	Diagnostics           []diagnostic      `json:"diagnostics"`
	Truncated             bool              `json:"truncated"`
	Warnings              []receipt         `json:"warnings"`
	Result                json.RawMessage   `json:"result"`
}

type receipt struct {
	Class   string `json:"class"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

type diagnostic struct {
	Severity          string   `json:"severity"`
	EffectiveSeverity string   `json:"effectiveSeverity"`
	Code              string   `json:"code"`
	Layer             *string  `json:"layer"`
	File              *string  `json:"file"`
	Kind              *string  `json:"kind"`
	Path              *string  `json:"path"`
	Keyword           *string  `json:"keyword"`
	Message           string   `json:"message"`
	Related           []place  `json:"related"`
	Details           *details `json:"details"`
}

type place struct {
	File string  `json:"file"`
	Path *string `json:"path"`
}

type details struct {
	Family  string   `json:"family"`
	Reason  string   `json:"reason"`
	Members []string `json:"members"`
}

// finding gives the part of a diagnostic that rows speak about.
func (d diagnostic) finding() finding {
	var related []string
	for _, r := range d.Related {
		at := r.File
		if r.Path != nil {
			at += "#" + *r.Path
		}
		related = append(related, at)
	}
	return finding{
		severity: strings.ToUpper(d.Severity[:1]), code: d.Code,
		file: text(d.File), path: text(d.Path), related: strings.Join(related, ","),
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// answer is what a command gave.
type answer struct {
	exit     int
	out, err string
	envelope
}

// call runs a command of the group in this process.
func call(args ...string) answer {
	var out, errs bytes.Buffer
	exit := cli.Main(append([]string{"nexflow"}, args...), strings.NewReader(""), &out, &errs)
	return answer{exit: exit, out: out.String(), err: errs.String()}
}

// ask runs a command with JSON output and holds the answer against what every
// answer has to keep. secret are texts that must not be in it.
func ask(t *testing.T, secret []string, args ...string) answer {
	t.Helper()
	args = append(slices.Clone(args), "--format", "json")
	a := call(args...)
	if err := a.parse(); err != nil {
		t.Fatalf("%s: %v\nexit %d\n%s\n%s", strings.Join(args, " "), err, a.exit, a.out, a.err)
	}
	for _, fault := range a.faults(secret) {
		t.Errorf("%s: %s", strings.Join(args, " "), fault)
	}
	return a
}

func (a *answer) parse() error {
	if err := json.Unmarshal([]byte(a.out), &a.envelope); err != nil {
		return fmt.Errorf("stdout is not one JSON object: %w", err)
	}
	return nil
}

// envelopeKeys is every key of the envelope, all of which are always there.
var envelopeKeys = []string{
	"checks", "command", "diagnostics", "executionAuthorized", "exitCode", "inputMode", "result",
	"schemaVersion", "success", "supportedSpecVersions", "tool", "truncated", "warnings",
}

var checkNames = []string{"coreProfile", "discovery", "extensionProfiles", "schema", "semantic"}

// faults is what of the promises about every answer is broken.
func (a answer) faults(secret []string) []string {
	var out []string
	bad := func(broken bool, format string, args ...any) {
		if broken {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	bad(a.err != "", "stderr says %q", a.err)
	bad(strings.Count(a.out, "\n") != 1 || !strings.HasSuffix(a.out, "\n"), "stdout is not one line")
	bad(strings.ContainsFunc(strings.TrimSuffix(a.out, "\n"), func(r rune) bool { return r < ' ' || r >= 0x7f }), "stdout is not plain ASCII")
	for _, s := range append(slices.Clone(secret), os.TempDir()) {
		bad(s != "" && strings.Contains(a.out, s), "stdout contains %q", s)
	}
	var keys map[string]json.RawMessage
	bad(json.Unmarshal([]byte(a.out), &keys) != nil, "stdout is no object")
	bad(!slices.Equal(sorted(keys), envelopeKeys), "the envelope has the keys %v", sorted(keys))
	bad(a.SchemaVersion != "terfyn.nexflow/v1", "schemaVersion is %q", a.SchemaVersion)
	bad(a.ExecutionAuthorized == nil || *a.ExecutionAuthorized, "executionAuthorized is not false")
	bad(a.ExitCode != a.exit, "exitCode says %d, the command gave %d", a.ExitCode, a.exit)
	bad(a.Success != (a.exit == 0), "success is %t with exit %d", a.Success, a.exit)
	bad((string(a.Result) == "null") != (a.exit != 0), "exit %d with the result %.60s", a.exit, a.Result)
	bad(a.exit != 0 && len(a.Diagnostics) == 0, "a failure without a diagnostic")
	bad(!slices.Equal(sorted(a.Checks), checkNames), "checks are %v", a.Checks)
	bad(a.Checks["extensionProfiles"] != "not-run", "extensionProfiles is %s", a.Checks["extensionProfiles"])
	for _, d := range a.Diagnostics {
		out = append(out, d.faults()...)
	}
	return out
}

// faults is what is wrong with the shape of a diagnostic, whatever it says.
func (d diagnostic) faults() []string {
	var out []string
	layer := text(d.Layer)
	if (d.Path != nil) != (layer != "" && layer != "discovery") {
		out = append(out, fmt.Sprintf("%s of layer %q has the path %v", d.Code, layer, d.Path))
	}
	if (d.Keyword != nil) != (layer == "schema") {
		out = append(out, fmt.Sprintf("%s of layer %q has the keyword %v", d.Code, layer, d.Keyword))
	}
	for _, r := range d.Related {
		if (r.Path != nil) != (layer != "discovery") {
			out = append(out, fmt.Sprintf("%s of layer %q has the related place %+v", d.Code, layer, r))
		}
	}
	if d.Message == "" {
		out = append(out, d.Code+" says nothing")
	}
	return out
}

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// copySet copies the YAML files of a set to a fresh folder.
func copySet(t *testing.T, from string) *workspace {
	t.Helper()
	outer := t.TempDir()
	w := &workspace{outer: outer, root: filepath.Join(outer, "set")}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(w.root, rel), 0o755)
		}
		if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(w.root, rel), b, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// photograph lists everything below a folder with type, size, time and content.
func photograph(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s %d %d", path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			if content, err := os.ReadFile(path); err == nil {
				fmt.Fprintf(&b, " %x", sha256.Sum256(content))
			}
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
