package cases

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table is one table of a markdown text.
type table struct {
	// section is the number of the heading above it, as in "## 5. Definitions".
	section string
	// before is the last line of text above it.
	before string
	header []string
	rows   [][]string
}

var heading = regexp.MustCompile(`^## (\d+)\.`)

// readTables gives the tables of a text in their order.
func readTables(text string) []table {
	var out []table
	var section, before string
	inside := false
	for _, line := range strings.Split(text, "\n") {
		if m := heading.FindStringSubmatch(line); m != nil {
			section = m[1]
		}
		if !strings.HasPrefix(line, "|") {
			inside = false
			if line != "" {
				before = line
			}
			continue
		}
		cells := splitCells(line)
		switch {
		case !inside:
			out = append(out, table{section: section, before: before, header: cells})
			inside = true
		case isRule(cells):
		default:
			last := &out[len(out)-1]
			last.rows = append(last.rows, cells)
		}
	}
	return out
}

// splitCells cuts a line at the bars that are neither escaped nor in backticks.
func splitCells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var out []string
	var cell strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case c == '|' && !quoted:
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			if c == '`' {
				quoted = !quoted
			}
			cell.WriteByte(c)
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}

func isRule(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { return strings.Trim(c, "-: ") != "" })
}

// row is a case: a set, a change and what it brings.
type row struct {
	id, set, change string
	expect          []expectation
	// failing is the layer that fails, "" when all pass.
	failing      string
	exit, strict int
}

// rowHeader is the header of tables that hold cases.
var rowHeader = []string{"id", "set", "change", "new diagnostics", "layer failing", "exit", "strict"}

// readRows gives the cases of all tables that hold cases.
func readRows(tables []table) ([]row, error) {
	var out []row
	for _, t := range tables {
		if !slices.Equal(t.header, rowHeader) {
			continue
		}
		for _, cells := range t.rows {
			r, err := readRow(cells)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
	}
	return out, nil
}

func readRow(cells []string) (row, error) {
	if len(cells) != len(rowHeader) {
		return row{}, fmt.Errorf("the row %q has %d cells instead of %d", cells[0], len(cells), len(rowHeader))
	}
	r := row{id: cells[0], set: cells[1], change: cells[2], failing: cells[4]}
	if r.failing == "—" {
		r.failing = ""
	}
	var err error
	if r.expect, err = readExpectations(cells[3]); err != nil {
		return row{}, fmt.Errorf("row %s: %w", r.id, err)
	}
	if r.exit, err = strconv.Atoi(cells[5]); err != nil {
		return row{}, fmt.Errorf("row %s: exit: %w", r.id, err)
	}
	if r.strict, err = strconv.Atoi(cells[6]); err != nil {
		return row{}, fmt.Errorf("row %s: strict exit: %w", r.id, err)
	}
	return r, nil
}

// expectation is a finding that has to come out.
type expectation struct {
	// star marks the finding of a schema that must be there; the others of its row
	// may be.
	star bool
	finding
	count int
}

// finding is what of a diagnostic rows speak about.
type finding struct {
	severity, code, file, path string
	// related is the other places, each as file or file#path, joined by commas.
	related string
}

func (f finding) String() string {
	s := fmt.Sprintf("%s %s %s %s", f.severity, f.code, f.file, f.path)
	if f.related != "" {
		s += " ⇢ " + f.related
	}
	return s
}

var expected = regexp.MustCompile("^(★ )?([EWI]) ([A-Z0-9-]+) `([^`]*)`(?: `([^`]*)`)?(?: ⇢ ([^×]+?))?(?: ×(\\d+))?$")

func readExpectations(cell string) ([]expectation, error) {
	if cell == "nothing new" {
		return nil, nil
	}
	var out []expectation
	for _, part := range strings.Split(cell, "<br>") {
		m := expected.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, fmt.Errorf("not an expectation: %q", part)
		}
		e := expectation{star: m[1] != "", count: 1, finding: finding{severity: m[2], code: m[3], file: m[4], path: m[5]}}
		var related []string
		for _, r := range strings.Split(m[6], ",") {
			if r = strings.TrimSpace(r); r != "" {
				related = append(related, r)
			}
		}
		e.related = strings.Join(related, ",")
		if m[7] != "" {
			n, err := strconv.Atoi(m[7])
			if err != nil {
				return nil, fmt.Errorf("count of %q: %w", part, err)
			}
			e.count = n
		}
		out = append(out, e)
	}
	return out, nil
}

func TestReadRows(t *testing.T) {
	t.Parallel()
	const text = "## 4. References\n\n| id | set | change | new diagnostics | layer failing | exit | strict |\n| --- | --- | --- | --- | --- | --- | --- |\n" +
		"| A1 | M | `a.yaml` `/x` := `\"a|b\"` | E NF-A `a.yaml` `/x/0` ⇢ a.yaml#/y, b.yaml#/z<br>★ W NF-B `<input>` ×2 | semantic | 1 | 1 |\n" +
		"| A2 | F | unchanged set | nothing new | — | 0 | 1 |\n"
	rows, err := readRows(readTables(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []row{
		{id: "A1", set: "M", change: "`a.yaml` `/x` := `\"a|b\"`", failing: "semantic", exit: 1, strict: 1, expect: []expectation{
			{finding: finding{severity: "E", code: "NF-A", file: "a.yaml", path: "/x/0", related: "a.yaml#/y,b.yaml#/z"}, count: 1},
			{star: true, finding: finding{severity: "W", code: "NF-B", file: "<input>"}, count: 2},
		}},
		{id: "A2", set: "F", change: "unchanged set", exit: 0, strict: 1},
	}
	if got := fmt.Sprintf("%+v", rows); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got\n%s\nwant\n%+v", got, want)
	}
}

func TestReadRowRefuses(t *testing.T) {
	t.Parallel()
	for name, cells := range map[string][]string{
		"too few cells":  {"A1", "M"},
		"no expectation": {"A1", "M", "x", "E NF-A a.yaml", "—", "0", "0"},
		"no exit code":   {"A1", "M", "x", "nothing new", "—", "none", "0"},
		"no strict code": {"A1", "M", "x", "nothing new", "—", "0", "none"},
	} {
		if _, err := readRow(cells); err == nil {
			t.Errorf("%s: the row was read", name)
		}
	}
}
