package view

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// markNames says in words what the marks in the first column of a table mean.
var markNames = []struct {
	mark Mark
	text string
}{
	{MarkRiskyAllow, "a participant who is no human may do something risky without being asked"},
	{MarkAutomaticWrites, "content that lasts is written automatically"},
	{MarkUngatedWrites, "content that lasts is written without gate or review"},
	{MarkBeyondReading, "an MCP server offers tools or actions, not only material"},
	{MarkUnbounded, "nothing bounds it"},
	{MarkRelaxed, "the transport is laxer than the default"},
	{MarkNoGate, "no gate stands before it"},
	{MarkNoApprover, "a gate that nobody can approve"},
	{MarkNonhumanApprover, "a gate with an approver who is no human"},
	{MarkNobodyHuman, "approved by one who comes down to no human"},
	{MarkOwnReview, "a definition in force is owned or reviewed by the one who acts with it"},
	{MarkStrayField, "a field that means nothing where it stands is nearly one about authority, or one of another object"},
	{MarkAmbiguous, "more than one definition is active, so none is in force"},
	{MarkUnreadable, "a definition asks for what its participant may not read"},
	{MarkUndeclared, "a reference to something that is not declared; marked ? in the lists"},
}

const (
	// mostListed is how many entries of a list a cell of a table has.
	mostListed = 2
	// mostNamed is that for lists of people, who decide or are let in.
	mostNamed = 6
)

// sheet writes tables of ASCII text.
type sheet struct {
	w    io.Writer
	tab  *tabwriter.Writer
	seen map[Mark]bool
}

// WriteText writes the answer for people, with what needs a look first in its
// table. Every line is ASCII.
func (a Authority) WriteText(w io.Writer) {
	s := &sheet{w: w, seen: map[Mark]bool{}}
	a.writeGrants(s)
	a.writeGates(s)
	a.writeAgents(s)
	a.writeContext(s)
	a.writeMemory(s)
	a.writeNetwork(s)
	a.writeOverride(s)
	a.writeExtensions(s)
	a.writeUnknownFields(s)
	s.legend()
}

// table begins a table under a heading.
func (s *sheet) table(heading string, columns ...string) {
	fmt.Fprintf(s.w, "%s\n", heading)
	s.tab = tabwriter.NewWriter(s.w, 2, 0, 2, ' ', 0)
	if len(columns) > 0 {
		s.row(nil, columns...)
	}
}

// none says that there is nothing of a kind, where there is not.
func (s *sheet) none(heading string, n int) bool {
	if n == 0 {
		fmt.Fprintf(s.w, "%s: none declared\n\n", heading)
	}
	return n == 0
}

func (s *sheet) row(marks []Mark, cells ...string) {
	for _, m := range marks {
		s.seen[m] = true
	}
	first := " "
	if len(marks) > 0 {
		first = "!"
	}
	fmt.Fprintf(s.tab, "%s %s\n", first, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

// end closes a table; notes stand below it.
func (s *sheet) end(notes ...string) {
	// Nothing is to be done where the text does not get out: the command reports it.
	_ = s.tab.Flush()
	for _, n := range notes {
		fmt.Fprintf(s.w, "  %s\n", n)
	}
	fmt.Fprintln(s.w)
}

func (s *sheet) legend() {
	if len(s.seen) == 0 {
		return
	}
	fmt.Fprintln(s.w, "! marks what needs a look:")
	for _, m := range markNames {
		if s.seen[m.mark] {
			fmt.Fprintf(s.w, "  %-18s  %s\n", m.mark, m.text)
		}
	}
}

// marked puts what has marks first and keeps the order otherwise.
func marked[T any](all []T, marks func(T) []Mark) []T {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b T) int { return min(len(marks(b)), 1) - min(len(marks(a)), 1) })
	return out
}

func namesOf(list []Named) string {
	var out []string
	for _, n := range list {
		out = append(out, n.text())
	}
	return shortList(out)
}

// joined is the whole list, for lines that stand alone.
func joined(list []Named) string {
	var out []string
	for _, n := range list {
		out = append(out, n.text())
	}
	return orDash(strings.Join(out, ", "))
}

func (n Named) text() string {
	if n.Declared {
		return n.ID
	}
	return n.ID + "?"
}

func (n *Named) orDash() string {
	if n == nil {
		return "-"
	}
	return n.text()
}

func shortList(all []string) string { return cutList(all, mostListed) }

func cutList(all []string, most int) string {
	if len(all) == 0 {
		return "-"
	}
	if len(all) > most {
		return strings.Join(all[:most], ", ") + ", +" + strconv.Itoa(len(all)-most)
	}
	return strings.Join(all, ", ")
}

func gateNames(gates []Gate) string {
	var out []string
	for _, g := range gates {
		out = append(out, Named{ID: g.ID, Declared: g.Declared}.text())
	}
	return shortList(out)
}

func markWords(marks []Mark) string {
	var out []string
	for _, m := range marks {
		out = append(out, string(m))
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, ", ")
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
