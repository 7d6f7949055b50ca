package compiler

import (
	"cmp"
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
	"terfyn/internal/ordered"
)

// mocks captures the scripts of mock models and mock tools, so that they are part
// of the graph and of its identity. A script is optional.
func (c *compilation) mocks(p *check.Project, g *resource.Graph) diag.List {
	var ds diag.List
	l := newLocator(p, nil)
	for i := range g.Agents {
		a := &g.Agents[i]
		a.MockScript = c.modelScript(*g, cmp.Or(a.Model, g.Defaults.Model), l.find(resource.KindAgent, a.Name, "model"), &ds)
	}
	for _, e := range g.Environments {
		for _, name := range ordered.Keys(e.Agents) {
			o := e.Agents[name]
			o.MockScript = c.modelScript(*g, o.Model, l.find(resource.KindEnvironment, e.Name, "agents."+name+".model"), &ds)
			e.Agents[name] = o
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

// modelScript is the script of a model that plays one, "" for other models.
func (c *compilation) modelScript(g resource.Graph, model string, at source.Span, ds *diag.List) string {
	name := mockModel(g, model)
	if name == "" {
		return ""
	}
	found := len(*ds)
	script := c.script(name, at, ds, func(v canon.Value) error {
		_, err := resource.ParseMockScript(v)
		return err
	})
	if script == "" && len(*ds) == found {
		c.withoutScript(name, at, ds)
	}
	return script
}

// mockModel is the script name of a built-in mock model, "" for other models and
// for mock/default, which has none.
func mockModel(g resource.Graph, model string) string {
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
	d := diag.Warnf(diag.UnknownMockScript, at, "the model mock/%s has no script: there is no mocks/%s.yaml, so it always gives the answer of mock/default; add the file, or write model mock/default if no script is meant", name, name)
	d = d.Meant(lastBytes(at, len(name)), name, names)
	ds.Add(d)
}

// lastBytes is the end of a place on one line.
func lastBytes(at source.Span, n int) source.Span {
	if at.Start.Line != at.End.Line || at.End.Offset-at.Start.Offset < n {
		return source.Span{}
	}
	at.Start = source.Pos{Offset: at.End.Offset - n, Line: at.End.Line, Col: at.End.Col - n}
	return at
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
