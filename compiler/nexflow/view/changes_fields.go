package view

import (
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// about fills in whose change it is, and its place where it has none.
func (k comparedKind) about(d refs.Declaration, x Change) Change {
	x.Kind = k.name
	if d.ID != "" {
		x.ID = manifest.Shown(d.ID)
	}
	if d.Scope != "" {
		x.Scope = manifest.Shown(d.Scope)
	}
	if x.File == "" {
		x.File, x.Path = d.Node.File(), d.Node.Path()
	}
	return x
}

func (c *comparison) fields(k comparedKind, e, l refs.Declaration) {
	of := owners{was: e.Node, is: l.Node, before: c.controlBefore, after: c.controlAfter}
	for _, f := range k.fields {
		names := strings.Split(f.path, ".")
		was, is := e.Node.At(names...), l.Node.At(names...)
		if f.how == nil || same(was, is) {
			continue
		}
		deltas := f.how(was, is, of)
		for _, d := range deltas {
			if f.means == inert {
				break
			}
			x := Change{Class: d.class, Field: strings.TrimSuffix(f.path+"."+d.sub, "."), Item: d.item, From: d.from, To: d.to, Came: d.came, Went: d.went}
			if at := d.place(was, is); at.Exists() {
				x.File, x.Path = at.File(), at.Path()
			}
			c.file(f.means, k.about(l, x))
		}
		c.quiet(k, f, e, l, deltas)
	}
	c.residue(k, "", e, l, e.Node, l.Node)
}

// quiet tells what changed in a field without effect: in one that never has any, in
// one that says the same in other words, or in entries of a list beside what of them
// has an effect. What permissions list is told unless it shows in the effect of some
// pair.
func (c *comparison) quiet(k comparedKind, f comparedField, e, l refs.Declaration, deltas []delta) {
	if f.means == throughEffects && (c.movedBy(e.Node) || c.movedBy(l.Node)) && !c.leftBehind(f.path, e.Node, l.Node) {
		return
	}
	names := strings.Split(f.path, ".")
	was, is := e.Node.At(names...), l.Node.At(names...)
	if f.rest != nil {
		beside := f.rest(f.path, was, is)
		for _, x := range beside {
			c.text(k.about(l, x))
		}
		if len(beside) > 0 {
			return
		}
	}
	if f.means == inert || deltas == nil {
		c.text(k.about(l, textOf(f.path, was, is)))
	}
}

// same reports whether two values are written the same.
func same(a, b manifest.Node) bool {
	return a.Exists() == b.Exists() && (!a.Exists() || equalValues(a, b))
}
