package schema

import (
	"slices"
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// variant is a document with one change.
type variant struct {
	what string
	kind manifest.Kind
	root canon.Value
}

// corpus is documents to change, with what is known of them all: which members
// objects of a place have, and which words the schemas list.
type corpus struct {
	documents []*manifest.Document
	members   map[string]map[string]canon.Value
	kinds     map[manifest.Kind]bool
	// sets is the closed sets of words.
	sets [][]string
}

func newCorpus(sets [][]string) *corpus {
	return &corpus{members: map[string]map[string]canon.Value{}, kinds: map[manifest.Kind]bool{}, sets: sets}
}

func (c *corpus) add(doc *manifest.Document) {
	c.documents = append(c.documents, doc)
	c.kinds[doc.Kind] = true
	walk(doc.Root, nil, func(at []string, v canon.Value) {
		for _, f := range v.Fields() {
			known := c.members[shape(doc.Kind, at)]
			if known == nil {
				known = map[string]canon.Value{}
				c.members[shape(doc.Kind, at)] = known
			}
			if _, ok := known[f.Name]; !ok {
				known[f.Name] = f.Value
			}
		}
	})
}

// others is the words of every closed set that word is in, and of the rest a few;
// none for a text that is no word.
func (c *corpus) others(word string) []string {
	var out []string
	for i, set := range c.sets {
		if slices.Contains(set, word) {
			out = append(out, set...)
		} else if i%3 == 0 {
			out = append(out, set[0])
		}
	}
	if !slices.Contains(out, word) {
		return nil
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shape is a place without its indices.
func shape(kind manifest.Kind, at []string) string {
	var b strings.Builder
	b.WriteString(string(kind))
	for _, name := range at {
		if isIndex(name) {
			name = "*"
		}
		b.WriteString("/" + name)
	}
	return b.String()
}

// walk visits v and what is below it.
func walk(v canon.Value, at []string, visit func([]string, canon.Value)) {
	visit(at, v)
	below := at[:len(at):len(at)]
	for _, f := range v.Fields() {
		walk(f.Value, append(below, f.Name), visit)
	}
	for i, item := range v.Items() {
		walk(item, append(below, strconv.Itoa(i)), visit)
	}
}

// focused is root with only those elements of lists that lead to a place, and where
// the place is then: most of a document has nothing to do with a change in it.
func focused(root canon.Value, at []string) (canon.Value, []string) {
	if len(at) == 0 {
		return root, nil
	}
	if root.Kind() == canon.KindList {
		i, _ := strconv.Atoi(at[0])
		item, below := focused(root.Items()[i], at[1:])
		return canon.List(item), append([]string{"0"}, below...)
	}
	member, _ := root.Get(at[0])
	member, below := focused(member, at[1:])
	return root.With(at[0], member), append([]string{at[0]}, below...)
}

// variants calls yield with every change of every document, in one order.
func (c *corpus) variants(yield func(variant)) {
	done := map[string]bool{}
	for _, doc := range c.documents {
		yield(variant{"nothing in " + doc.File, doc.Kind, doc.Root})
		if !done[string(doc.Kind)] {
			done[string(doc.Kind)] = true
			for _, kind := range ordered.Keys(c.kinds) {
				yield(variant{"another kind", kind, doc.Root})
				yield(variant{"another kind, named", kind, doc.Root.With("kind", canon.String(string(kind)))})
			}
		}
		walk(doc.Root, nil, func(at []string, v canon.Value) {
			key := shape(doc.Kind, at)
			if done[key] || len(at) == 0 {
				return
			}
			done[key] = true
			root, place := focused(doc.Root, at)
			c.change(&manifest.Document{File: doc.File, Kind: doc.Kind, Root: root}, place, v, yield)
		})
	}
}

// change yields the changes at one place.
func (c *corpus) change(doc *manifest.Document, at []string, v canon.Value, yield func(variant)) {
	give := func(what string, w canon.Value) {
		yield(variant{what + " at " + strings.Join(at, "/") + " in " + doc.File, doc.Kind, replaced(doc.Root, at, w)})
	}
	for _, w := range unlikely(v) {
		give(w.JSON(), w)
	}
	yield(variant{"deletion of " + strings.Join(at, "/") + " in " + doc.File, doc.Kind, without(doc.Root, at)})
	switch v.Kind() {
	case canon.KindString:
		s, _ := v.AsString()
		for _, w := range c.others(s) {
			give("word "+w, canon.String(w))
		}
		give("blank after", canon.String(s+" "))
		give("upper case", canon.String(strings.ToUpper(s)))
		give("line break", canon.String(s+"\n"))
	case canon.KindBool:
		b, _ := v.AsBool()
		give("opposite", canon.Bool(!b))
	case canon.KindList:
		changeList(v, give)
	case canon.KindObject:
		c.changeObject(shape(doc.Kind, at), v, give)
	}
}

func changeList(v canon.Value, give func(string, canon.Value)) {
	items := v.Items()
	if len(items) == 0 {
		return
	}
	give("first only", canon.List(items[0]))
	give("element twice", canon.List(append(append([]canon.Value{}, items...), items[0])...))
	give("number as element", canon.List(append(append([]canon.Value{}, items...), canon.Int(7))...))
	many := []canon.Value{}
	for i := range 30 {
		many = append(many, canon.String("item"+strconv.Itoa(i)))
	}
	give("many elements", canon.List(many...))
	give("many elements and one again", canon.List(append(many, many[3])...))
}

func (c *corpus) changeObject(key string, v canon.Value, give func(string, canon.Value)) {
	give("unknown member", v.With("unknownMember", canon.Int(1)))
	give("nameless member", v.With("", canon.Int(1)))
	give("nameless text", v.With("", canon.String("a.yaml")))
	for _, name := range ordered.Keys(c.members[key]) {
		if _, has := v.Get(name); !has {
			give("member "+name, v.With(name, c.members[key][name]))
		}
	}
	for _, a := range v.Fields() {
		for _, b := range v.Fields() {
			if a.Name < b.Name {
				give("no "+a.Name+" and no "+b.Name, v.Without(a.Name).Without(b.Name))
			}
		}
	}
}

// unlikely is values that are tried where v is: a few of every type, and many at the
// limits of the schemas of the type of v.
func unlikely(v canon.Value) []canon.Value {
	out := []canon.Value{
		canon.Null(), canon.Bool(true), canon.Bool(false), canon.Int(0), canon.String(""), canon.String("x"),
		canon.List(), canon.Strings([]string{"x"}), canon.List(canon.Object()), canon.Object(),
	}
	switch v.Kind() {
	case canon.KindString:
		out = append(out, canon.Strings(texts).Items()...)
	case canon.KindNumber:
		for _, s := range []string{"-1", "1", "1.5", "1.0", "10", "11", "65535", "65536", "0.1", "-0.5", "1e3", "100000000000000000000000"} {
			n, err := canon.Number(s)
			if err != nil {
				panic(err)
			}
			out = append(out, n)
		}
	case canon.KindObject:
		one := []canon.Field{canon.F("kind", canon.String("actor")), canon.F("id", canon.String("x"))}
		owner := canon.Object(canon.F("kind", canon.String("workflow")), canon.F("id", canon.String("y")))
		out = append(out, canon.Object(one...), canon.Object(append(one, canon.F("scope", owner))...),
			canon.Object(canon.F("kind", canon.String("workflow-step")), canon.F("id", canon.String("x")), canon.F("scope", owner)))
	}
	return out
}

var texts = []string{
	" ", "\t\n", "\u00a0", "Bad Id", "a--b", "a-", "-a", "1a", "a_b-c1", long(128), long(129), long(254), strings.Repeat("ä", 128),
	"a.b", "a.b.c", "A.b", "a..b", ".a", "a.", "a.b1", "EU-1", ".eu", "a_b", "2026-06-01", "2026-13-40", "2026-02-29", "2028-02-29",
	"2026-06-01T00:00:00Z", "2026-06-01T00:00:00", "2026-06-01t23:59:60z", "2026-06-01T12:00:60Z", "2026-06-01T00:00:00+01:00", "0.1", "0.2",
}

// replaced is root with w at a place.
func replaced(root canon.Value, at []string, w canon.Value) canon.Value {
	if len(at) == 0 {
		return w
	}
	if root.Kind() == canon.KindList {
		items := append([]canon.Value{}, root.Items()...)
		i, _ := strconv.Atoi(at[0])
		items[i] = replaced(items[i], at[1:], w)
		return canon.List(items...)
	}
	old, _ := root.Get(at[0])
	return root.With(at[0], replaced(old, at[1:], w))
}

// without is root without the value at a place.
func without(root canon.Value, at []string) canon.Value {
	if root.Kind() == canon.KindList {
		items := append([]canon.Value{}, root.Items()...)
		i, _ := strconv.Atoi(at[0])
		if len(at) == 1 {
			return canon.List(append(items[:i], items[i+1:]...)...)
		}
		items[i] = without(items[i], at[1:])
		return canon.List(items...)
	}
	if len(at) == 1 {
		return root.Without(at[0])
	}
	old, _ := root.Get(at[0])
	return root.With(at[0], without(old, at[1:]))
}
