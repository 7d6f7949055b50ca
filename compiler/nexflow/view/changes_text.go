package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteText writes the changes for people, the widest first. Every line is ASCII.
func (c Changes) WriteText(w io.Writer) {
	s := &sheet{w: w, seen: map[Mark]bool{}}
	if c.EarlierProject != c.Project {
		fmt.Fprintf(w, "These are sets of different projects: %s, and %s before.\n", orNone(c.Project), orNone(c.EarlierProject))
	}
	if c.Empty() {
		fmt.Fprintln(w, "Nothing changed.")
		return
	}
	if n := c.Counts; len(c.Authority) == 0 {
		fmt.Fprintln(w, "Authority: no change in a field that has an effect here.")
	} else {
		s.writeChanges(fmt.Sprintf("Authority: %d widened, %d narrowed, %d changed, %d added, %d removed", n.Widened, n.Narrowed, n.Changed, n.Added, n.Removed), c.Authority)
	}
	c.writeDefinitions(s)
	if len(c.Behaviour) == 0 {
		fmt.Fprintln(w, "Behaviour: no change in a field that has an effect here.")
	} else {
		s.writeChanges("Behaviour", c.Behaviour)
	}
	c.writeTexts(s)
	if c.Truncated {
		fmt.Fprintf(w, "There is more than is listed here: a list has at most %d entries.\n", MaxChanges)
	}
}

// writeTexts lists what a reviewer has to read although nothing here depends on it.
func (c Changes) writeTexts(s *sheet) {
	if c.Inert == 0 {
		return
	}
	s.table("Texts and other fields without effect here that changed; read them", "CLASS", "KIND", "ID", "FIELD", "PLACE")
	for _, x := range c.Texts {
		first, field := "", orDash(x.Field)
		if x.Near != "" {
			first, field = "!", field+", near "+x.Near
		}
		s.row(nil, first+string(x.Class), x.Kind, scoped(x.Scope, x.ID), field, asASCII(x.File)+" "+asASCII(x.Path))
	}
	s.end(plural(c.Inert, "entry", "entries") + ", with no change in authority or behaviour.")
}

func scoped(scope, id string) string {
	if scope == "" {
		return orDash(id)
	}
	return scope + "/" + orDash(id)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func (c Changes) writeDefinitions(s *sheet) {
	for _, a := range c.Definitions {
		s.table("Definitions of "+a.Agent, "DEFINITION", "CHANGE", "VERSION", "STATUS")
		for _, d := range a.Definitions {
			s.row(nil, d.ID, string(d.Class), fromTo(quoted(d.VersionFrom), quoted(d.VersionTo)), fromTo(d.StatusFrom, d.StatusTo))
		}
		if a.ActiveChanged {
			s.end("In force: " + fromTo(orNone(a.ActiveFrom), orNone(a.ActiveTo)) + ".")
		} else {
			s.end()
		}
	}
}

func quoted(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(s)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func fromTo(from, to string) string {
	switch {
	case from == to:
		return orDash(from)
	case from == "":
		return "now " + to
	case to == "":
		return "was " + from
	}
	return from + " -> " + to
}

func (s *sheet) writeChanges(heading string, all []Change) {
	s.table(heading, "CLASS", "KIND", "ID", "FIELD", "CHANGE", "PLACE")
	for _, x := range all {
		first := ""
		if x.Class == Widened {
			first = "!"
		}
		s.row(nil, first+string(x.Class), x.Kind, scoped(x.Scope, x.ID), orDash(x.Field), x.what(), asASCII(x.File)+" "+asASCII(x.Path))
	}
	s.end()
}

// asASCII is a name as it is, or quoted where it has other characters than visible
// ones of ASCII.
func asASCII(s string) string {
	for i := range len(s) {
		if s[i] <= 0x20 || s[i] > 0x7e {
			return strconv.QuoteToASCII(s)
		}
	}
	return s
}

// what is the change itself: the entry of a list, and what became what.
func (x Change) what() string {
	var out []string
	if x.Item != "" {
		out = append(out, x.Item)
	}
	switch {
	case x.Came > 0 && x.Went > 0:
		out = append(out, fmt.Sprintf("added %d, removed %d", x.Came, x.Went))
	case x.Came > 0:
		out = append(out, fmt.Sprintf("added %d", x.Came))
	case x.Went > 0:
		out = append(out, fmt.Sprintf("removed %d", x.Went))
	case x.From != "" || x.To != "":
		out = append(out, fromTo(x.From, x.To))
	}
	return orDash(strings.Join(out, ": "))
}
