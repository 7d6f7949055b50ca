package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/schema"
)

// redactedField stands for the name of a field that no schema knows.
const redactedField = "<redacted>"

// TextChange is something that changed with no change in authority or behaviour. It
// stands at a place in the later set; where there is none, in the earlier.
type TextChange struct {
	Class Class `json:"class"` // added, removed or changed
	// Kind and ID are the declaration, Scope the workflow or prompt set it is in; of
	// what stands around declarations Kind is the kind of the document.
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Scope string `json:"scope"`
	// Field is "" for the declaration as a whole, and hides a name that no schema knows.
	Field string `json:"field"`
	// Near is the field about who may do what, missing in the later set, that such a name
	// is nearly.
	Near string `json:"near"`
	File string `json:"file"`
	Path string `json:"path"`
}

// text files a change without effect. What is beyond the limit is only counted.
func (c *comparison) text(x Change) { c.strayText(x, "") }

// strayText is text for a field that may have been meant to be another.
func (c *comparison) strayText(x Change, near string) {
	c.inert++
	if len(c.texts) < 2*MaxChanges {
		c.texts = append(c.texts, TextChange{x.Class, x.Kind, x.ID, x.Scope, x.Field, near, x.File, x.Path})
	}
}

// limitedTexts orders the list by place, what may have been meant otherwise first, and
// cuts it.
func (c *comparison) limitedTexts(cut *bool) []TextChange {
	all := append([]TextChange{}, c.texts...)
	slices.SortStableFunc(all, func(a, b TextChange) int {
		return cmp.Or(cmp.Compare(min(len(b.Near), 1), min(len(a.Near), 1)), compareAsWritten(a.File, a.Path, b.File, b.Path), strings.Compare(a.Field, b.Field))
	})
	if c.inert > MaxChanges {
		*cut = true
	}
	return all[:min(len(all), MaxChanges)]
}

// textOf is the change of one field; there is a value before or after.
func textOf(field string, was, is manifest.Node) Change {
	x := Change{Class: Changed, Field: field, File: is.File(), Path: is.Path()}
	switch {
	case !was.Exists():
		x.Class = Added
	case !is.Exists():
		x.Class, x.File, x.Path = Removed, was.File(), was.Path()
	}
	return x
}

// hiddenText is textOf for a member whose name no schema knows.
func hiddenText(path string, was, is manifest.Node) Change {
	x := textOf(strings.TrimPrefix(path+"."+redactedField, "."), was, is)
	x.Path = x.Path[:strings.LastIndexByte(x.Path, '/')] + "/" + redactedField
	return x
}

// residue tells what differs outside the fields of a kind: nobody reads it.
func (c *comparison) residue(k comparedKind, path string, e, l refs.Declaration, was, is manifest.Node) {
	for _, name := range memberNames(was, is) {
		at := name
		if path != "" {
			at = path + "." + name
		}
		a, b := was.Get(name), is.Get(name)
		switch k.knows(at) {
		case exactly:
		case inside:
			c.residue(k, at, e, l, a, b)
		default:
			if !same(a, b) {
				c.strayText(k.about(l, hiddenText(path, a, b)), c.nearAuthority(k, path, name, is))
			}
		}
	}
}

// nearAuthority is the field about who may do what that the later object lacks and
// that has nearly that name. It is no longer looked for when the list is full.
func (c *comparison) nearAuthority(k comparedKind, path, name string, is manifest.Node) string {
	if !is.Get(name).Exists() || len(c.texts) == 2*MaxChanges {
		return ""
	}
	var lacking []string
	for _, f := range k.fields {
		first, _, _ := strings.Cut(strings.TrimPrefix(f.path, path+"."), ".")
		under := path == "" || strings.HasPrefix(f.path, path+".")
		if under && (f.means == authority || f.means == throughEffects) && !is.Get(first).Exists() {
			lacking = append(lacking, first)
		}
	}
	return nearName(name, lacking)
}

// documents compares what stands around the declarations: metadata, hints and the
// envelope of events.
func (c *comparison) documents() {
	for _, info := range manifest.Kinds() {
		was := documentsByID(c.earlier.Set().Of(info.Kind), info)
		for _, d := range c.later.Set().Of(info.Kind) {
			if e, both := was[documentID(d, info)]; both {
				c.around(info, "", schema.ShapeOf(info.Kind), e.Node(), d.Node())
			}
		}
	}
}

// around compares the members of two objects, and those of known objects in them one
// by one.
func (c *comparison) around(info manifest.KindInfo, path string, shape *schema.Shape, was, is manifest.Node) {
	for _, name := range memberNames(was, is) {
		a, b := was.Get(name), is.Get(name)
		if path == "" && name == info.List || same(a, b) {
			continue
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		inner, known := shape.Find(name)
		var x Change
		switch {
		case !known:
			x = hiddenText(path, a, b)
		case len(inner.Members) > 0 && a.Exists() && b.Exists():
			c.around(info, at, inner, a, b)
			continue
		default:
			x = textOf(at, a, b)
		}
		x.Kind = string(info.Kind)
		if info.Many {
			x.ID = manifest.Shown(is.Document().Node().At(info.List, "id").Text())
		}
		c.text(x)
	}
}

// restOf is what differs in entries of a list beside what has an effect.
type restOf func(field string, was, is manifest.Node) []Change

// restOfItems matches the entries of two lists of objects by their ids and compares
// what is neither an id nor told anyway: a field that is known, and those that no
// schema knows. An entry that comes twice is told apart by its turn.
func restOfItems(ids []string, known string, told ...string) restOf {
	return func(field string, was, is manifest.Node) []Change {
		earlier := map[string]manifest.Node{}
		for _, i := range turns(was, ids) {
			earlier[i.key] = i.node
		}
		var out []Change
		for _, i := range turns(is, ids) {
			e, both := earlier[i.key]
			if !both {
				continue
			}
			for _, name := range memberNames(e, i.node) {
				a, b := e.Get(name), i.node.Get(name)
				switch {
				case slices.Contains(ids, name) || slices.Contains(told, name) || same(a, b):
				case name == known:
					out = append(out, textOf(field+"."+name, a, b))
				default:
					out = append(out, hiddenText(field, a, b))
				}
			}
		}
		return out
	}
}

func turns(list manifest.Node, ids []string) []item {
	turn := map[string]int{}
	var out []item
	for _, n := range list.Items() {
		key := ""
		for _, id := range ids {
			key += n.Get(id).Text() + " "
		}
		turn[key]++
		out = append(out, item{key: key + strconv.Itoa(turn[key]), node: n})
	}
	return out
}
