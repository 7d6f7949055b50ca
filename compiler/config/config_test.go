package config_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/config"
	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
)

func parse(t *testing.T, path, text string) config.File {
	t.Helper()
	f, ds := config.Parse(path, []byte(text))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	return f
}

func TestParse(t *testing.T) {
	t.Parallel()
	f := parse(t, "local.yaml", `
color: false
output: json
limits:
  maxToolInputBytes: 1
  maxToolOutputBytes: 2
  maxCheckpointBytes: 3
  maxStateBytes: 4
  maxWorkflowNesting: 5
  maxLoopIterations: 0x10
  toolInputExceedPolicy: fail
  toolOutputExceedPolicy: truncate
  checkpointExceedPolicy: fail
`)
	off := false
	want := config.File{Path: "local.yaml", Settings: config.Settings{Color: &off, Output: "json", Limits: resource.Limits{
		MaxToolInputBytes: 1, MaxToolOutputBytes: 2, MaxCheckpointBytes: 3, MaxStateBytes: 4, MaxWorkflowNesting: 5, MaxLoopIterations: 16,
		ToolInputExceedPolicy: resource.Fail, ToolOutputExceedPolicy: resource.Truncate, CheckpointExceedPolicy: resource.Fail,
	}}}
	if d := cmp.Diff(want, f); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if limits := reflect.ValueOf(f.Limits); limits.NumField() != 9 {
		t.Errorf("there are %d limits; the file above sets 9", limits.NumField())
	}
	for _, empty := range []string{"", "# nothing\n", "limits: {}\n"} {
		if f := parse(t, "x", empty); !reflect.DeepEqual(f.Settings, config.Settings{}) {
			t.Errorf("%q says %+v", empty, f)
		}
	}
}

// TestBehaviour84UnknownKeys: a key nobody knows is an error at its place, and keys
// that would give authority are unknown.
func TestBehaviour84UnknownKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"outptu: json":                            `c.yaml:1:1: unknown key "outptu"; the keys here are color, limits, output`,
		"limits:\n  maxLoopIteration: 3":          `c.yaml:2:3: unknown key "limits.maxLoopIteration"`,
		"limits:\r\n  é: 3\r\n":                   `c.yaml:2:3: unknown key "limits.é"`,
		"policies: {house: {preset: permissive}}": `unknown key "policies"`,
		"environment: prod":                       "never what a project may do",
		"state: postgres://db":                    `unknown key "state"`,
		"providers: {}":                           `unknown key "providers"`,
		"approvals: {permissive: true}":           `unknown key "approvals"`,
	} {
		f, ds := config.Parse("c.yaml", []byte(text))
		if len(ds) != 1 || ds[0].Code != diag.UnknownConfigKey || !ds.HasErrors() || !strings.Contains(ds.String(), want) {
			t.Errorf("%q: %q, want one %s with %q", text, ds.Strings(), diag.UnknownConfigKey, want)
		}
		if !reflect.DeepEqual(f.Settings, config.Settings{}) {
			t.Errorf("%q says %+v", text, f)
		}
	}
	_, ds := config.Parse("c.yaml", []byte("limits:\n  maxLoopIteration: 3"))
	if fix := ds[0].Fix; fix == nil || fix.Text != "maxLoopIterations" || fix.At.End.Col != 19 {
		t.Errorf("the fix is %+v", fix)
	}
}

func TestWrongValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"color: 1":                                     "1:8: color must be true or false; found 1",
		"output: xml":                                  `1:9: output must be table or json or yaml; found "xml"`,
		"output: [json]":                               `output must be`,
		"limits: 3":                                    "1:9: limits must be a mapping of limits; found 3",
		"limits: {maxStateBytes: 0}":                   "1:25: limits.maxStateBytes must be a whole number, 1 or more; found 0",
		"limits: {maxStateBytes: -1}":                  "1 or more",
		"limits: {maxStateBytes: 1.5}":                 "1 or more",
		"limits: {maxStateBytes: '7'}":                 "1 or more",
		"limits: {maxStateBytes: 9223372036854775808}": "1 or more",
		"limits: {toolInputExceedPolicy: cut}":         "must be truncate or fail",
		"limits: {checkpointExceedPolicy: truncate}":   "must be fail",
		"- a":                                  "must be a mapping with the keys",
		"a: 1\na: 2":                           "2:1: this configuration cannot be used: it is no YAML of the expected form",
		"color: [":                             "no YAML",
		"output: " + strings.Repeat("x", 1000): "found string",
		"# " + strings.Repeat("x", config.MaxBytes): "larger than 1048576 bytes",
	} {
		_, ds := config.Parse("c.yaml", []byte(text))
		if len(ds) != 1 || ds[0].Code != diag.BadConfig || !ds.HasErrors() || !strings.Contains(ds.String(), want) {
			t.Errorf("%.60q: %.300q, want one %s with %q", text, ds.Strings(), diag.BadConfig, want)
		}
	}
	// What is right counts all the same.
	f, ds := config.Parse("c.yaml", []byte("output: json\ncolour: false\n"))
	if len(ds) != 1 || f.Output != "json" {
		t.Errorf("%+v, %q", f, ds.Strings())
	}
}

// TestBehaviour85Precedence: the project, then the file in its folder, then the
// user's file; what is built in comes after all of them.
func TestBehaviour85Precedence(t *testing.T) {
	t.Parallel()
	local := parse(t, "local", "color: true\nlimits: {maxStateBytes: 20, maxLoopIterations: 21, maxToolInputBytes: 22}")
	user := parse(t, "user", "color: false\noutput: yaml\nlimits: {maxStateBytes: 30, maxLoopIterations: 31, maxWorkflowNesting: 32, checkpointExceedPolicy: fail}")
	project := resource.Limits{MaxStateBytes: 10}
	merged := config.Merge(local, user)
	if !*merged.Color || merged.Output != "yaml" {
		t.Errorf("preferences %+v", merged)
	}
	resolved := project.Over(merged.Limits).Over(resource.BuiltinLimits())
	want := resource.BuiltinLimits()
	want.MaxStateBytes, want.MaxLoopIterations, want.MaxToolInputBytes, want.MaxWorkflowNesting = 10, 21, 22, 32
	if d := cmp.Diff(want, resolved); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	wantFrom := []config.Limit{
		{Name: "maxToolInputBytes", Value: int64(22), From: "local"}, {Name: "maxWorkflowNesting", Value: int64(32), From: "user"},
		{Name: "maxLoopIterations", Value: int64(21), From: "local"}, {Name: "checkpointExceedPolicy", Value: resource.Fail, From: "user"},
	}
	if d := cmp.Diff(wantFrom, config.Effective(project, local, user)); d != "" {
		t.Errorf("effective (-want +got):\n%s", d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("limits: {maxStateBytes: 3}\noutput: json"))
	f.Add([]byte("\xef\xbb\xbfcolor: [\n"))
	f.Add([]byte("a: &a {b: 1}\nlimits: *a\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, ds := config.Parse("c.yaml", b)
		for _, d := range ds {
			if d.At.File != "c.yaml" || d.At.Start.Offset > len(b) {
				t.Errorf("%s stands at %+v", diag.Plain(d), d.At)
			}
		}
	})
}
