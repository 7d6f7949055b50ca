package view

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// MaxChanges is how many entries a list of Changes has.
const MaxChanges = 2000

// Class says which way a change goes.
type Class string

// The classes. Widened means that more can happen, or that it can happen with
// less of a say by people; narrowed is the opposite. A text, and a field that
// nothing reads, is never either.
const (
	Widened  Class = "widened"
	Narrowed Class = "narrowed"
	Changed  Class = "changed"
	Added    Class = "added"
	Removed  Class = "removed"
)

var classes = []Class{Widened, Narrowed, Changed, Added, Removed}

// mirror is the class of the change back.
func (c Class) mirror() Class {
	switch c {
	case Widened:
		return Narrowed
	case Narrowed:
		return Widened
	case Added:
		return Removed
	case Removed:
		return Added
	}
	return Changed
}

// Changes is what a set says differently from an earlier one of the same project.
type Changes struct {
	// Definitions is the agents of which a definition came, went, or has another
	// version or status.
	Definitions []AgentChange `json:"definitions"`
	// Authority is what changed about who may do what, and under whose control.
	Authority []Change `json:"authority"`
	// Behaviour is what changed about how work is done within that.
	Behaviour []Change    `json:"behaviour"`
	Counts    ClassCounts `json:"authorityCounts"`
	// Texts is what changed with no change in authority or behaviour: fields that have no
	// effect here and that a reviewer has to read. Their values are not shown.
	Texts []TextChange `json:"texts"`
	// Inert counts them.
	Inert int `json:"noChangeInAuthorityOrBehaviour"`
	// EarlierProject and Project are the ids of the projects.
	EarlierProject string `json:"earlierProject"`
	Project        string `json:"project"`
	// Truncated says that a list has more than MaxChanges entries, or that permissions
	// list more pairs than were compared.
	Truncated bool `json:"truncated"`
}

// Empty reports whether the sets say the same.
func (c Changes) Empty() bool {
	return len(c.Definitions)+len(c.Authority)+len(c.Behaviour)+c.Inert == 0 && !c.Truncated
}

// ClassCounts counts the entries of Authority.
type ClassCounts struct {
	Widened  int `json:"widened"`
	Narrowed int `json:"narrowed"`
	Changed  int `json:"changed"`
	Added    int `json:"added"`
	Removed  int `json:"removed"`
}

// Change is one thing that changed. It stands at a place in the later set; where
// there is none, in the earlier.
type Change struct {
	Class Class `json:"class"`
	// Kind and ID are the declaration, Scope the workflow or prompt set it is in.
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Scope string `json:"scope"`
	// Field is the field, "" for the declaration as a whole.
	Field string `json:"field"`
	// Item is the entry of a list that came or went; the capability of an effect.
	Item string `json:"item"`
	// From and To are closed words, ids and counts; "" where there was nothing, or
	// something that is not shown.
	From string `json:"from"`
	To   string `json:"to"`
	// Came and Went count the entries of a list that are not shown themselves.
	Came int    `json:"entriesAdded"`
	Went int    `json:"entriesRemoved"`
	File string `json:"file"`
	Path string `json:"path"`
}

// Compare says what changed from earlier to later. Both sets have passed discovery
// and schema.
func Compare(earlier, later *refs.Index) Changes {
	c := &comparison{
		earlier: earlier, later: later, before: team.New(earlier), after: team.New(later),
		controlBefore: team.NewControl(earlier), controlAfter: team.NewControl(later),
	}
	c.effects()
	for _, k := range comparedKinds {
		c.kind(k)
	}
	c.documents()
	out := Changes{
		Definitions: c.definitions(), Inert: c.inert, Truncated: c.truncated,
		EarlierProject: shown(earlier.Set().Project().Get("id")), Project: shown(later.Set().Project().Get("id")),
	}
	out.Texts = c.limitedTexts(&out.Truncated)
	out.Authority = c.limited(c.authority, &out.Truncated)
	out.Behaviour = c.limited(c.behaviour, &out.Truncated)
	for _, x := range c.authority {
		out.Counts.count(x.Class)
	}
	return out
}

func (n *ClassCounts) count(c Class) {
	switch c {
	case Widened:
		n.Widened++
	case Narrowed:
		n.Narrowed++
	case Changed:
		n.Changed++
	case Added:
		n.Added++
	case Removed:
		n.Removed++
	}
}

// limited orders a list, the widest changes first, and cuts it.
func (c *comparison) limited(all []Change, cut *bool) []Change {
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(slices.Index(classes, a.Class), slices.Index(classes, b.Class)),
			strings.Compare(a.File, b.File), strings.Compare(a.Path, b.Path), strings.Compare(a.Kind, b.Kind),
			strings.Compare(a.ID, b.ID), strings.Compare(a.Field, b.Field), strings.Compare(a.Item, b.Item),
		)
	})
	if len(all) > MaxChanges {
		*cut = true
		all = all[:MaxChanges]
	}
	return append([]Change{}, all...)
}

// comparison collects what changed.
type comparison struct {
	earlier, later       *refs.Index
	before, after        *team.Team
	controlBefore        *team.Control
	controlAfter         *team.Control
	authority, behaviour []Change
	texts                []TextChange // at most some more than MaxChanges
	inert                int          // how many there are
	truncated            bool
	// moved is the pairs whose effect or gates changed.
	moved map[grantPair]bool
}

// file puts a change into the list that it belongs to.
func (c *comparison) file(m meaning, x Change) {
	switch m {
	case authority:
		c.authority = append(c.authority, x)
	case behaviour:
		c.behaviour = append(c.behaviour, x)
	case inert:
		c.text(x)
	}
}

// kind compares the declarations of one kind, matched by their ids.
func (c *comparison) kind(k comparedKind) {
	if k.applies != nil && !k.applies(c.earlier, c.later) {
		return
	}
	was, is := k.find(c.earlier), k.find(c.later)
	old := map[[2]string]refs.Declaration{}
	for _, d := range was {
		old[[2]string{d.Scope, d.ID}] = d
	}
	for _, d := range is {
		key := [2]string{d.Scope, d.ID}
		e, both := old[key]
		delete(old, key)
		if !both {
			c.file(k.means, k.about(d, Change{Class: k.added(d.Node)}))
			continue
		}
		c.fields(k, e, d)
	}
	for _, d := range was {
		if _, gone := old[[2]string{d.Scope, d.ID}]; gone {
			c.file(k.means, k.about(d, Change{Class: k.added(d.Node).mirror()}))
		}
	}
}
