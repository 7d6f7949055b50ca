// Package examples holds runnable projects. Its tests keep every one of them in
// canonical form, compiling without a complaint and planning to its golden; what
// running them takes is the business of their own demos.
package examples

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/compiler"
	"terfyn/compiler/format"
	"terfyn/compiler/source"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/golden"
)

// projects lists the folders beside this file that hold a project.
func projects(t *testing.T) []string {
	t.Helper()
	mains, err := filepath.Glob("*/main.agent")
	if err != nil {
		t.Fatal(err)
	}
	if len(mains) == 0 {
		t.Fatal("no example was found")
	}
	for i, m := range mains {
		mains[i] = filepath.Dir(m)
	}
	return mains
}

func TestFormatted(t *testing.T) {
	t.Parallel()
	for _, dir := range projects(t) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".agent" {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out, problems := format.Source(source.NewFile(path, b))
			if problems.HasErrors() {
				t.Errorf("%s does not parse:\n%s", path, problems)
				return nil
			}
			golden.File(t, path, out)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestCompiles(t *testing.T) {
	t.Parallel()
	for _, dir := range projects(t) {
		r, problems := compiler.Compile(os.DirFS(dir), compiler.Options{Project: filepath.Base(dir)})
		if len(problems) > 0 {
			t.Errorf("%s is not without complaints:\n%s", dir, problems)
		}
		for _, l := range r.Layers {
			if l.Status != compiler.Passed {
				t.Errorf("%s: the layer %s is %s", dir, l.Name, l.Status)
			}
		}
	}
}

// TestPlans keeps the first plan of every project: what it may do and what stops
// for a person.
func TestPlans(t *testing.T) {
	t.Parallel()
	for _, dir := range projects(t) {
		r, problems := compiler.Compile(os.DirFS(dir), compiler.Options{Project: filepath.Base(dir)})
		if problems.HasErrors() {
			t.Fatalf("%s does not compile:\n%s", dir, problems)
		}
		plan, err := deploy.Prepare(t.Context(), nil, snapshot.Content{
			Environment: deploy.DefaultEnvironment, Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas,
		}, deploy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := json.Indent(&out, plan.JSON().Encode(), "", "  "); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
		golden.File(t, filepath.Join("testdata", dir+".plan.json"), out.Bytes())
	}
}

// TestNoAgentSendsMail: only the workflow itself sends, so that no model chooses
// a recipient.
func TestNoAgentSendsMail(t *testing.T) {
	t.Parallel()
	r, problems := compiler.Compile(os.DirFS("support-reply"), compiler.Options{Project: "support-reply"})
	if problems.HasErrors() {
		t.Fatalf("does not compile:\n%s", problems)
	}
	for _, a := range r.Graph.Agents {
		for _, grant := range a.Grants {
			if strings.HasPrefix(grant, "tool.mail.") {
				t.Errorf("agent %s may call %s by itself", a.Name, grant)
			}
		}
	}
}

// TestSupportReplyTakesARealModel follows the example's README: a provider and one
// changed line.
func TestSupportReplyTakesARealModel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("support-reply")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "agents.agent")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), "model mock/drafter"); n != 1 {
		t.Fatalf("Drafter's model is named in %d lines, not in one", n)
	}
	changed := strings.Replace(string(b), "model mock/drafter", "model desk/NAME", 1)
	for line := range strings.Lines(string(b)) {
		if provider, ok := strings.CutPrefix(line, "//     "); ok {
			changed += provider
		}
	}
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	r, problems := compiler.Compile(os.DirFS(dir), compiler.Options{Project: "support-reply"})
	if len(problems) > 0 {
		t.Fatalf("with a provider:\n%s", problems)
	}
	a, _ := r.Graph.Agent("Drafter")
	if len(r.Graph.Providers) != 1 || a.Model != "desk/NAME" || a.MockScript != "" {
		t.Errorf("providers %+v, model %s, script %q", r.Graph.Providers, a.Model, a.MockScript)
	}
}
