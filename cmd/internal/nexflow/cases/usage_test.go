package cases

import (
	"slices"
	"strings"
	"testing"
)

// misuses is the command lines of U01 and more, each with the value that must not be
// repeated. ROOT stands for a folder that does not exist: nothing is opened.
var misuses = map[string][]string{
	"no command":             {},
	"unknown command":        {"observe", "--root", "ROOT"},
	"unknown option":         {"validate", "--root", "ROOT", "--colour"},
	"root twice":             {"validate", "--root", "ROOT", "--root", "ROOT"},
	"blank root":             {"validate", "--root", ""},
	"blank root with blanks": {"validate", "--root", "  "},
	"no root":                {"validate"},
	"root without a value":   {"validate", "--root"},
	"project with file":      {"validate", "--root", "ROOT", "--project", "project.yaml", "--file", "tasks.yaml"},
	"project twice":          {"validate", "--root", "ROOT", "--project", "project.yaml", "--project", "project.yaml"},
	"two words":              {"validate", "inspect", "--root", "ROOT"},
	"id of validate":         {"validate", "--root", "ROOT", "--id", "secret-id"},
	"name of inspect":        {"inspect", "--root", "ROOT", "--name", "secret name"},
	"help and version":       {"--help", "--version"},
	"help with root":         {"--help", "--root", "."},
	"unknown format":         {"validate", "--root", "ROOT", "--format", "yaml"},
	"two formats":            {"validate", "--root", "ROOT", "--format", "json", "--format", "text"},
	"both spellings":         {"validate", "--root", "ROOT", "--format", "json", "-o", "json"},
	"strict of inspect":      {"inspect", "--root", "ROOT", "--strict"},
	"layer of graph":         {"graph", "--root", "ROOT", "--layer", "schema"},
	"unknown layer":          {"validate", "--root", "ROOT", "--layer", "secret"},
	"state":                  {"validate", "--root", "ROOT", "--state", "secret"},
	"environment":            {"validate", "--root", "ROOT", "-e", "secret"},
	"address":                {"validate", "--root", "ROOT", "--address", "secret"},
	"init without id":        {"init", "--root", "ROOT"},
	"id in capitals":         {"init", "--root", "ROOT", "--id", "My-Secret"},
	"id of 129 characters":   {"init", "--root", "ROOT", "--id", strings.Repeat("secret", 21) + "xyz"},
	"id with two hyphens":    {"init", "--root", "ROOT", "--id", "secret--b"},
	"name with blanks":       {"init", "--root", "ROOT", "--id", "a", "--name", " secret"},
	"name of 129 characters": {"init", "--root", "ROOT", "--id", "a", "--name", strings.Repeat("secret", 21) + "xyz"},
	"name turned around":     {"init", "--root", "ROOT", "--id", "a", "--name", "sec\u202eret"},
	"name with a line end":   {"init", "--root", "ROOT", "--id", "a", "--name", "secret\nx"},
	"empty name":             {"init", "--root", "ROOT", "--id", "a", "--name", ""},
	"file of init":           {"init", "--root", "ROOT", "--id", "a", "--file", "secret.yaml"},
}

// TestMisuse is U01 and U02, with N18 in it.
func TestMisuse(t *testing.T) {
	t.Parallel()
	for name, args := range misuses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outer := t.TempDir()
			args := slices.Clone(args)
			for i, a := range args {
				args[i] = strings.ReplaceAll(a, "ROOT", outer+"/nowhere")
			}
			plain := call(args...)
			if plain.exit != 2 || plain.out != "" && !slices.Contains(args, "json") {
				t.Errorf("exit %d: %s%s", plain.exit, plain.out, plain.err)
			}
			if !strings.Contains(plain.out+plain.err, "TERFYN-CLI-USAGE") {
				t.Errorf("says %s%s", plain.out, plain.err)
			}
			if strings.Contains(plain.out+plain.err, "ecret") || strings.Contains(plain.out+plain.err, outer) {
				t.Errorf("repeats a value: %s%s", plain.out, plain.err)
			}
			if name == "root without a value" || name == "unknown format" || name == "two formats" || name == "both spellings" {
				return
			}
			a := ask(t, []string{outer, "ecret"}, args...)
			if a.exit != 2 || a.Command != nil || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != "TERFYN-CLI-USAGE" || a.InputMode != nil {
				t.Errorf("as JSON: %s", a.out)
			}
			for layer, status := range a.Checks {
				if status != "not-run" {
					t.Errorf("%s is %s", layer, status)
				}
			}
		})
	}
}

// TestFormatThatIsNone is U03: what looks like a format but is a value, or stands
// behind the end of options, is no request for JSON.
func TestFormatThatIsNone(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"validate", "--root", ".", "--file", "--format", "json"},
		{"validate", "--root", ".", "--", "--format", "json"},
		{"validate", "--root", "--format", "json"},
	} {
		if a := call(args...); a.exit != 2 || a.out != "" || !strings.Contains(a.err, "TERFYN-CLI-USAGE") {
			t.Errorf("%v: exit %d: %s%s", args, a.exit, a.out, a.err)
		}
	}
}

// TestNothingRuns is U04: no command of this group executes anything.
func TestNothingRuns(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["D"])
	before := photograph(t, w.outer)
	for _, word := range []string{
		"run", "execute", "preflight", "start", "serve", "watch", "deploy", "provider", "mcp", "a2a", "install", "update", "login", "auth",
	} {
		a := ask(t, []string{w.outer}, word, "--root", w.root)
		if a.exit != 2 || a.Command != nil || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != "TERFYN-CLI-USAGE" {
			t.Errorf("%s: %s", word, a.out)
		}
		if strings.Contains(a.out, word+" ") {
			t.Errorf("%s is repeated: %s", word, a.out)
		}
	}
	if photograph(t, w.outer) != before {
		t.Error("the folder changed")
	}
}

// TestHelpAndVersion read nothing and claim nothing.
func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"--help", "--version"} {
		a := ask(t, nil, word)
		if a.exit != 0 || text(a.Command) != strings.TrimPrefix(word, "--") || a.InputMode != nil {
			t.Errorf("%s: %s", word, a.out)
		}
		var r struct{ Text string }
		if result(t, a, &r); r.Text == "" {
			t.Errorf("%s says nothing", word)
		}
		for layer, status := range a.Checks {
			if status != "not-run" {
				t.Errorf("%s: %s is %s", word, layer, status)
			}
		}
	}
}

// TestLayerStopsEarly is validate --layer.
func TestLayerStopsEarly(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["R"])
	for layer, want := range map[string]string{
		"discovery": "passed not-run not-run not-run",
		"schema":    "passed passed not-run not-run",
		"semantic":  "passed passed passed passed",
	} {
		a := ask(t, []string{w.outer}, "validate", "--root", w.root, "--layer", layer)
		got := strings.Join([]string{a.Checks["discovery"], a.Checks["schema"], a.Checks["coreProfile"], a.Checks["semantic"]}, " ")
		if a.exit != 0 || got != want || (len(a.Diagnostics) > 0) != (layer == "semantic") {
			t.Errorf("%s: exit %d, %s, %d findings", layer, a.exit, got, len(a.Diagnostics))
		}
	}
}
