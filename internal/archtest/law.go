// Package archtest owns the import law: which package may import which. Law is the
// one table, Check compares it with what the go command lists, and the test of
// this package runs it over the module. Files of tests are not part of it: a test
// may look up as well as down. Only tests import this package.
package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// Law is the whole table. All patterns of own packages are relative to Module; a
// pattern that ends in "/..." covers the package and everything below it.
type Law struct {
	Module string
	// Layers cover every package of the module; the first that fits a package holds.
	Layers []Layer
	// Reach bounds what packages reach through any number of imports.
	Reach []Reach
	// TestOnly are packages that only each other and tests may import.
	TestOnly []string
}

// Layer says what packages import directly.
type Layer struct {
	Of      string   // the packages it is about
	Own     []string // packages of the module they may import, beside those of Of
	Foreign []string // path prefixes of other modules they may import
	Never   []string // packages of the standard library they must not import
}

// Reach says what packages must not reach.
type Reach struct {
	Of string
	// Own lists the packages of the module that may be reached; nil = any.
	Own []string
	// Never are patterns outside of the module that must not be reached.
	Never []string
	// Except are path prefixes whose imports are not followed, each for a reason
	// given in the table.
	Except []string
}

// Package is one package as the go command lists it.
type Package struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

// Check returns what in packages breaks the law, sorted. packages holds the
// module's own packages and everything they depend on. A rule that is about no
// package is a breach too, so that a renamed package cannot leave the law.
func Check(l Law, packages []Package) []string {
	c := checker{law: l, byPath: map[string]Package{}, breaches: map[string]bool{}}
	for _, p := range packages {
		c.byPath[p.ImportPath] = p
	}
	for _, p := range packages {
		if name, ok := c.own(p.ImportPath); ok {
			c.layer(name, p)
			c.testOnly(name, p)
			c.reach(name, p)
		}
	}
	c.idle(packages)
	var out []string
	for b := range c.breaches {
		out = append(out, b)
	}
	slices.Sort(out)
	return out
}

type checker struct {
	law      Law
	byPath   map[string]Package
	breaches map[string]bool
}

func (c checker) breach(format string, args ...any) { c.breaches[fmt.Sprintf(format, args...)] = true }

// own gives the path of a package relative to the module.
func (c checker) own(path string) (string, bool) {
	return strings.CutPrefix(path, c.law.Module+"/")
}

func (c checker) layer(name string, p Package) {
	i := slices.IndexFunc(c.law.Layers, func(l Layer) bool { return covers(l.Of, name) })
	if i < 0 {
		c.breach("%s is in no layer of the law", name)
		return
	}
	l := c.law.Layers[i]
	for _, imported := range p.Imports {
		if target, ok := c.own(imported); ok {
			if !covers(l.Of, target) && !anyCovers(l.Own, target) {
				c.breach("%s must not import %s", name, target)
			}
			continue
		}
		if c.byPath[imported].Standard {
			if slices.Contains(l.Never, imported) {
				c.breach("%s must not import %s", name, imported)
			}
			continue
		}
		if imported != "C" && !anyBelow(l.Foreign, imported) {
			c.breach("%s must not import %s", name, imported)
		}
	}
}

func (c checker) testOnly(name string, p Package) {
	if anyCovers(c.law.TestOnly, name) {
		return
	}
	for _, imported := range p.Imports {
		if target, ok := c.own(imported); ok && anyCovers(c.law.TestOnly, target) {
			c.breach("%s must not import %s, which is for tests", name, target)
		}
	}
}

func (c checker) reach(name string, p Package) {
	for _, r := range c.law.Reach {
		if covers(r.Of, name) {
			c.walk(r, name, p.ImportPath, []string{name}, map[string]bool{})
		}
	}
}

// walk follows imports depth first; via is the way from the package the rule is about.
func (c checker) walk(r Reach, name, path string, via []string, seen map[string]bool) {
	for _, imported := range c.byPath[path].Imports {
		if seen[imported] {
			continue
		}
		seen[imported] = true
		next := append(slices.Clone(via), imported)
		target, ours := c.own(imported)
		switch {
		case ours && r.Own != nil && !covers(r.Of, target) && !anyCovers(r.Own, target):
			c.breach("%s must not reach %s (%s)", name, target, strings.Join(next, " → "))
			continue
		case !ours && anyCovers(r.Never, imported):
			c.breach("%s must not reach %s (%s)", name, imported, strings.Join(next, " → "))
			continue
		case anyBelow(r.Except, imported):
			continue
		}
		c.walk(r, name, imported, next, seen)
	}
}

// idle finds rules without a package.
func (c checker) idle(packages []Package) {
	used := func(pattern string) bool {
		return slices.ContainsFunc(packages, func(p Package) bool {
			name, ok := c.own(p.ImportPath)
			return ok && covers(pattern, name)
		})
	}
	patterns := slices.Clone(c.law.TestOnly)
	for _, l := range c.law.Layers {
		patterns = append(append(patterns, l.Of), l.Own...)
	}
	for _, r := range c.law.Reach {
		patterns = append(append(patterns, r.Of), r.Own...)
	}
	for _, pattern := range patterns {
		if !used(pattern) {
			c.breach("the law names %s, and there is no such package", pattern)
		}
	}
}

func covers(pattern, name string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == below || strings.HasPrefix(name, below+"/")
	}
	return name == pattern
}

func anyCovers(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, name) })
}

// anyBelow reports whether path is one of prefixes or below one.
func anyBelow(prefixes []string, path string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}
