package view

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/report"
)

// width is how long a line of text gets before it goes on in the next one. Words
// are never broken.
const width = 100

// wrap writes a text whose blanks are places to break it. Lines that follow are
// indented by two more than the first.
func wrap(w io.Writer, text string) {
	words := strings.Fields(text)
	first := text[:len(text)-len(strings.TrimLeft(text, " "))]
	line := first
	for n, word := range words {
		switch {
		case n == 0:
			line += word
		case len(line)+1+len(word) > width:
			fmt.Fprintln(w, line)
			line = first + "  " + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w, line)
}

// writeList writes a head and words after it, separated by commas. Nothing is
// written without words.
func writeList(w io.Writer, head string, words []string) {
	if len(words) > 0 {
		wrap(w, head+" "+strings.Join(words, ", "))
	}
}

// WriteText writes the inspection for people: what is declared, by kind.
func (i Inspection) WriteText(w io.Writer) {
	fmt.Fprintf(w, "project %s in %s\n", i.Project.ID, report.Word(i.Project.File))
	for _, k := range i.Summary {
		fmt.Fprintf(w, "  %-19s  %s, %s\n", k.Kind, report.Count(k.DocumentCount, "document"), report.Count(k.ResourceCount, "resource"))
	}
	fmt.Fprintf(w, "%s\n", report.Count(len(i.Resources), "resource"))
	resources := slices.Clone(i.Resources)
	slices.SortStableFunc(resources, func(a, b Resource) int { return compareAsWritten(a.File, a.Path, b.File, b.Path) })
	for _, space := range resourceSpaces {
		var ids []string
		for _, r := range resources {
			if r.Kind == space {
				ids = append(ids, qualified(r.ID, r.Scope))
			}
		}
		writeList(w, fmt.Sprintf("  %s (%d):", space, len(ids)), ids)
	}
	fmt.Fprintf(w, "%s as written, not resolved\n", report.Count(len(i.References), "reference"))
	counts := map[refs.Space]int{}
	for _, r := range i.References {
		counts[r.Kind]++
	}
	var words []string
	for _, space := range append([]refs.Space{refs.Participant}, resourceSpaces...) {
		if counts[space] > 0 {
			words = append(words, fmt.Sprintf("%s %d", space, counts[space]))
		}
	}
	writeList(w, "  to", words)
}

// qualified is an id with the workflow that it is unique in.
func qualified(id string, s *Scope) string {
	if s == nil {
		return id
	}
	return s.ID + "/" + id
}

// compareAsWritten orders places as they stand in their documents, unlike the order
// of lists in JSON, which takes paths as texts.
func compareAsWritten(fileA, pathA, fileB, pathB string) int {
	if c := strings.Compare(fileA, fileB); c != 0 {
		return c
	}
	return slices.CompareFunc(strings.Split(pathA, "/"), strings.Split(pathB, "/"), func(x, y string) int {
		if numeric(x) && numeric(y) {
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
		}
		return strings.Compare(x, y)
	})
}

func numeric(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
