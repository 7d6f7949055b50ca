package view

import (
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/team"
	"terfyn/internal/canon"
)

// delta is one difference within a field.
type delta struct {
	class          Class
	sub            string // a field below the field
	item, from, to string
	came, went     int           // entries that are not shown
	was, is        manifest.Node // the entry of a list, where it is one
}

// place is where a delta stands: in the later set where it has a place there.
func (d delta) place(was, is manifest.Node) manifest.Node {
	for _, n := range []manifest.Node{d.is, d.was, is, was} {
		if n.Exists() {
			return n
		}
	}
	return manifest.Node{}
}

// owners is the declarations that a field belongs to, and who stands behind whom,
// before and after.
type owners struct {
	was, is       manifest.Node
	before, after *team.Control
}

// comparer says how a field differs that is not written the same twice. No delta
// means that the difference has no effect.
type comparer func(was, is manifest.Node, of owners) []delta

func equalValues(a, b manifest.Node) bool { return canon.Equal(a.Value(), b.Value()) }

// word is a value of which it only counts that it is another one; it is shown.
func word(was, is manifest.Node, _ owners) []delta {
	return []delta{{class: Changed, from: shown(was), to: shown(is)}}
}

// hidden is word for values that are not shown.
func hidden(manifest.Node, manifest.Node, owners) []delta { return []delta{{class: Changed}} }

// flag is a boolean that is false where it is missing. set is the class of setting
// it.
func flag(set Class) comparer {
	return func(was, is manifest.Node, _ owners) []delta {
		if was.True() == is.True() {
			return nil
		}
		class := set
		if was.True() {
			class = set.mirror()
		}
		return []delta{{class: class, from: strconv.FormatBool(was.True()), to: strconv.FormatBool(is.True())}}
	}
}

// rising is a word of an order. up is the class of a higher word, absent the step
// that silence has. Words of one step are another, but no more.
func rising(o manifest.Order, absent int, up Class) comparer {
	rank := func(n manifest.Node) int {
		if r, known := o.Rank(n.Text()); known {
			return r
		}
		return absent
	}
	return func(was, is manifest.Node, _ owners) []delta {
		d := delta{class: Changed, from: shown(was), to: shown(is)}
		switch a, b := rank(was), rank(is); {
		case b > a:
			d.class = up
		case b < a:
			d.class = up.mirror()
		}
		return []delta{d}
	}
}

// count is a number, zero where it is missing.
func count(up Class) comparer {
	return func(was, is manifest.Node, _ owners) []delta {
		a, _ := was.Value().AsInt()
		b, _ := is.Value().AsInt()
		class := up
		switch {
		case a == b:
			return nil
		case b < a:
			class = up.mirror()
		}
		return []delta{{class: class, from: strconv.FormatInt(a, 10), to: strconv.FormatInt(b, 10)}}
	}
}

// list is a set of ids or closed words. added is the class of a new entry.
func list(added Class) comparer {
	return func(was, is manifest.Node, _ owners) []delta { return entries(textItems(was), textItems(is), added) }
}

// secretList is list for entries that are not shown: they are counted. Where some came
// and others went, that is told once more in one line.
func secretList(added Class) comparer {
	return func(was, is manifest.Node, _ owners) []delta {
		a, b := valueItems(was), valueItems(is)
		d := delta{from: strconv.Itoa(was.Len()), to: strconv.Itoa(is.Len())}
		came, went := len(missing(b, a)), len(missing(a, b))
		var out []delta
		tell := func(class Class, came, went int) {
			d.class, d.came, d.went = class, came, went
			out = append(out, d)
		}
		if came > 0 {
			tell(added, came, 0)
		}
		if went > 0 {
			tell(added.mirror(), 0, went)
		}
		if came > 0 && went > 0 {
			tell(Changed, came, went)
		}
		return out
	}
}

const (
	// anything is what gets through without an allow-list.
	anything = "anything"
	// listedWord is what an entry of a list is that came or went.
	listedWord = "listed"
)

// allowed is a list that bounds something where it is there, and nothing where it
// is missing; emptyBounds says what an empty one does.
func allowed(entry comparer, emptyBounds bool) comparer {
	bounds := func(n manifest.Node) bool { return n.Exists() && (emptyBounds || n.Len() > 0) }
	return func(was, is manifest.Node, of owners) []delta {
		a, b := bounds(was), bounds(is)
		switch {
		case a && b:
			return entry(was, is, of)
		case a:
			return []delta{{class: Widened, from: strconv.Itoa(was.Len()), to: anything}}
		case b:
			return []delta{{class: Narrowed, from: anything, to: strconv.Itoa(is.Len())}}
		}
		return nil
	}
}

// gateField is a field that names a gate: to name one is to be controlled.
func gateField(was, is manifest.Node, _ owners) []delta {
	d := delta{class: Changed, from: shown(was), to: shown(is)}
	switch {
	case !was.Exists():
		d.class = Narrowed
	case !is.Exists():
		d.class = Widened
	}
	return []delta{d}
}

// approverList is a list of people who must all agree. With nobody on it a gate
// cannot be passed at all, so that the first approver is neither more nor less.
func approverList(was, is manifest.Node, of owners) []delta {
	out := list(Narrowed)(was, is, of)
	if was.Len() == 0 || is.Len() == 0 {
		for i := range out {
			out[i].class = Changed
		}
	}
	return out
}

// item is an entry of a list with what identifies it.
type item struct {
	key, shown string
	node       manifest.Node
}

// entries compares two lists as sets. A key that comes twice is one entry.
func entries(was, is []item, added Class) []delta {
	var out []delta
	for _, i := range missing(is, was) {
		out = append(out, delta{class: added, item: i.shown, to: listedWord, is: i.node})
	}
	for _, i := range missing(was, is) {
		out = append(out, delta{class: added.mirror(), item: i.shown, from: listedWord, was: i.node})
	}
	return out
}

// missing is what of a list is not in another, each once.
func missing(of, in []item) []item {
	there := map[string]bool{}
	for _, i := range in {
		there[i.key] = true
	}
	var out []item
	for _, i := range of {
		if !there[i.key] {
			there[i.key] = true
			out = append(out, i)
		}
	}
	return out
}

func textItems(n manifest.Node) []item {
	var out []item
	for _, e := range n.Items() {
		out = append(out, item{key: e.Text(), shown: manifest.Shown(e.Text()), node: e})
	}
	return out
}

func valueItems(n manifest.Node) []item {
	var out []item
	for _, e := range n.Items() {
		out = append(out, item{key: e.Value().JSON(), node: e})
	}
	return out
}

// ports is a list of numbers, which are shown.
func ports(added Class) comparer {
	return func(was, is manifest.Node, _ owners) []delta {
		a, b := valueItems(was), valueItems(is)
		for _, list := range [][]item{a, b} {
			for i := range list {
				list[i].shown = list[i].key
			}
		}
		return entries(a, b, added)
	}
}

// objects is a list of objects that their members identify.
func objects(added Class, members ...string) comparer {
	identify := func(n manifest.Node) []item {
		var out []item
		for _, e := range n.Items() {
			var key, words []string
			for _, m := range members {
				if v := e.At(strings.Split(m, ".")...); v.Exists() {
					key = append(key, v.Value().JSON())
					words = append(words, shown(v))
				} else {
					key = append(key, "")
				}
			}
			out = append(out, item{key: strings.Join(key, " "), shown: strings.Join(words, " "), node: e})
		}
		return out
	}
	return func(was, is manifest.Node, _ owners) []delta { return entries(identify(was), identify(is), added) }
}
