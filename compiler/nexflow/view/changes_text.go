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
	if c.Empty() {
		fmt.Fprintln(w, "Nothing changed.")
		return
	}
	c.writeDefinitions(s)
	if n := c.Counts; len(c.Authority) == 0 {
		fmt.Fprintln(w, "No change in authority.")
	} else {
		s.writeChanges(fmt.Sprintf("Authority: %d widened, %d narrowed, %d changed, %d added, %d removed", n.Widened, n.Narrowed, n.Changed, n.Added, n.Removed), c.Authority)
	}
	if len(c.Behaviour) == 0 {
		fmt.Fprintln(w, "No change in behaviour.")
	} else {
		s.writeChanges("Behaviour", c.Behaviour)
	}
	if c.Inert > 0 {
		fmt.Fprintf(w, "%s with no change in authority or behaviour.\n", plural(c.Inert, "field changed", "fields changed"))
	}
	if c.Truncated {
		fmt.Fprintf(w, "There is more than is listed here: a list has at most %d entries.\n", MaxChanges)
	}
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
		id := orDash(x.ID)
		if x.Scope != "" {
			id = x.Scope + "/" + id
		}
		s.row(nil, first+string(x.Class), x.Kind, id, orDash(x.Field), x.what(), asASCII(x.File)+" "+asASCII(x.Path))
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
	if x.From != "" || x.To != "" {
		out = append(out, fromTo(x.From, x.To))
	}
	return orDash(strings.Join(out, ": "))
}
