package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"terfyn/compiler"
	"terfyn/compiler/config"
	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
)

// environment is the name under which rows of the chosen environment are kept.
func (a *app) environment() string {
	if a.flags.env == "" {
		return deploy.DefaultEnvironment
	}
	return a.flags.env
}

// root opens the project's folder.
func (a *app) root() (fs.FS, error) {
	info, err := os.Stat(a.flags.project)
	if err != nil || !info.IsDir() {
		return nil, usagef("there is no project folder %s; name it with --project", a.flags.project)
	}
	return os.DirFS(a.flags.project), nil
}

// projectName is the base name of the project's folder.
func (a *app) projectName() string {
	abs, err := filepath.Abs(a.flags.project)
	if err != nil {
		return filepath.Base(a.flags.project)
	}
	return filepath.Base(abs)
}

// compile compiles the project over the user-local configuration. The error is about
// the folder, not its content.
func (a *app) compile(runs bool) (*compiler.Result, diag.List, error) {
	root, err := a.root()
	if err != nil {
		return nil, nil, err
	}
	below := a.local()
	r, ds := compiler.Compile(root, compiler.Options{
		Project: a.projectName(), SkipPolicyBounds: runs, Limits: config.Merge(below.files...).Limits,
	})
	below.complain(r, &ds)
	return r, ds, nil
}

// content compiles the project and lays the chosen environment over it.
// Diagnostics go to stderr; an error among them ends with the validation code.
func (a *app) content(runs bool) (snapshot.Content, error) {
	r, err := a.checked(runs)
	if err != nil {
		return snapshot.Content{}, err
	}
	return a.overlaid(r)
}

// checked is the project as it is declared, under the rules of content.
func (a *app) checked(runs bool) (*compiler.Result, error) {
	r, ds, err := a.compile(runs)
	if err != nil {
		return nil, err
	}
	if ds.HasErrors() {
		return nil, a.invalid(ds, r, !runs && a.document())
	}
	if !a.flags.quiet && !runs {
		a.fewDiagnostics(a.beside(ds), r)
		a.countNotRun(ds)
	}
	a.keepFew(ds)
	if !runs {
		a.tellLocal(r)
	}
	return r, nil
}

// overlaid is a checked project as it applies to the chosen environment.
func (a *app) overlaid(r *compiler.Result) (snapshot.Content, error) {
	g, err := overlay(r.Graph, a.environment())
	if err != nil {
		return snapshot.Content{}, &coded{code: ExitInvalid, cause: err}
	}
	return deploy.Pinned(snapshot.Content{Environment: a.environment(), Graph: g, Programs: r.Programs, Schemas: r.Schemas}), nil
}

// overlay applies an environment. The default one need not be declared; where it
// is, it applies without -e too, so that one name never means two contents.
func overlay(g resource.Graph, env string) (resource.Graph, error) {
	if _, declared := g.Environment(env); env == deploy.DefaultEnvironment && !declared {
		env = ""
	}
	applied, err := resource.Overlay(g, env)
	if errors.Is(err, resource.ErrUnknownEnvironment) {
		var names []string
		for _, e := range g.Environments {
			names = append(names, e.Name)
		}
		err = fmt.Errorf("%w%s", err, diag.DidYouMean(diag.Near(env, names)))
	}
	return applied, err
}

// hasSources reports whether the project's folder is a project: run, status and
// the like also work from elsewhere.
func (a *app) hasSources() bool { return sourceIn(a.flags.project) != "" }

// sourceIn gives the first source of a project in dir and below, "" when there is none.
func sourceIn(dir string) string {
	first, found := "", errors.New("found")
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is no source
		case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && (strings.HasSuffix(d.Name(), ".agent") || path == filepath.Join(dir, "project.yaml")):
			first = path
			return found
		}
		return nil
	})
	return first
}

// target splits KIND/NAME.
func target(arg string) (kind, name string, err error) {
	kind, name, ok := strings.Cut(arg, "/")
	if !ok || kind == "" || name == "" {
		return "", "", usagef("%q does not name a resource; write KIND/NAME, for example agent/assistant", arg)
	}
	return kind, name, nil
}

func str(name, v string) canon.Field { return canon.F(name, canon.String(v)) }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
