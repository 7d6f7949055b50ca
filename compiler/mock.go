package compiler

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/internal/rootfs"
	"terfyn/compiler/internal/yamlvalue"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
)

// mocks captures the scripts of mock models and mock tools, so that they are part
// of the graph and of its identity. A script is optional.
func (c *compilation) mocks(p *check.Project, g *resource.Graph) diag.List {
	var ds diag.List
	l := locator{project: p}
	for i := range g.Agents {
		a := &g.Agents[i]
		name := mockModel(*g, *a)
		if name == "" {
			continue
		}
		at := l.find(resource.KindAgent, a.Name, "model")
		found := len(ds)
		a.MockScript = c.script(name, at, &ds, func(v canon.Value) error {
			_, err := resource.ParseMockScript(v)
			return err
		})
		if a.MockScript == "" && len(ds) == found {
			c.withoutScript(name, at, &ds)
		}
	}
	for i := range g.Tools {
		t := &g.Tools[i]
		if t.Type != "mock" {
			continue
		}
		at := l.find(resource.KindTool, t.Name, "type")
		t.MockScript = c.script(t.Name, at, &ds, func(v canon.Value) error {
			_, err := resource.ParseMockToolScript(v)
			return err
		})
	}
	return ds
}

// mockModel is the script name of an agent with a built-in mock model, "" for
// other models and for mock/default, which has none.
func mockModel(g resource.Graph, a resource.Agent) string {
	model := a.Model
	if model == "" {
		model = g.Defaults.Model
	}
	name, ok := strings.CutPrefix(model, "mock/")
	if !ok || name == "default" {
		return ""
	}
	for _, p := range g.Providers {
		if p.Name == "mock" {
			return "" // a declared provider of that name is meant
		}
	}
	return name
}

// withoutScript warns of a name without a script in a project that has scripts:
// the name is mistyped more likely than meant.
func (c *compilation) withoutScript(name string, at source.Span, ds *diag.List) {
	files, err := fs.ReadDir(c.fsys, "mocks")
	if err != nil {
		return
	}
	var names []string
	for _, f := range files {
		if ext := path.Ext(f.Name()); ext == ".yaml" || ext == ".yml" {
			names = append(names, strings.TrimSuffix(f.Name(), ext))
		}
	}
	advice := "write model mock/default if no script is meant"
	if near := check.Near(name, names); near != "" {
		advice = "did you mean mock/" + near + "?"
	}
	ds.Add(diag.Warnf(diag.UnknownMockScript, at, "the model mock/%s has no script: there is no mocks/%s.yaml, so it always gives the answer of mock/default; add the file, or %s", name, name, advice))
}

// script is the canonical JSON of mocks/<name>.yaml or .yml, "" when there is no
// such file.
func (c *compilation) script(name string, at source.Span, ds *diag.List, check func(canon.Value) error) string {
	for _, file := range []string{"mocks/" + name + ".yaml", "mocks/" + name + ".yml"} {
		b, err := rootfs.Read(c.fsys, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var v canon.Value
		if err == nil {
			v, err = yamlvalue.Parse(b)
		}
		if err == nil {
			err = check(v)
		}
		if err != nil {
			ds.Add(diag.Errorf(diag.BadMockScript, at, "the mock script %s cannot be used: %s", file, err))
			return ""
		}
		return v.JSON()
	}
	return ""
}
