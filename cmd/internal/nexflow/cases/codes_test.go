package cases

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/code"
	"terfyn/internal/sharedtest"
)

// laterCodes is codes that rows of the specification's tables mark as emitted, but
// not by these commands.
var laterCodes = []string{"NF-EFFECTIVE-CONFIG-RUNTIME-UNSUPPORTED"}

// TestSharedCodes compares the catalogue with the codes that the specification says
// are given: the rows of 9.2 marked "emit", the tables of section 7, and the texts of 6.2 and 9.3.
func TestSharedCodes(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(sharedtest.Path(t, "spec", "nexflow.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	add := func(codes []string) {
		for _, c := range codes {
			want[c] = true
		}
	}
	for _, tb := range readTables(string(b)) {
		switch {
		case slices.Equal(tb.header, []string{"code", "meaning", "terfyn"}):
			for _, cells := range tb.rows {
				if strings.HasPrefix(cells[2], "emit") {
					add(expandCodes(cells[0]))
				}
			}
		case tb.section == "7" && tb.header[0] == "code":
			for _, cells := range tb.rows {
				add(expandCodes(cells[0]))
			}
		}
	}
	for _, part := range [][2]string{{"\n### 6.2 ", "\n## 7."}, {"\n### 9.3 ", "\n## 10."}} { // codes in running text
		_, rest, _ := strings.Cut(string(b), part[0])
		rest, _, _ = strings.Cut(rest, part[1])
		for _, m := range regexp.MustCompile("`(TERFYN-[A-Z-]*[A-Z])`").FindAllStringSubmatch(rest, -1) {
			want[m[1]] = true
		}
	}
	for _, c := range laterCodes {
		if !want[c] {
			t.Errorf("%s is excused, but the specification does not give it", c)
		}
		delete(want, c)
	}
	if len(want) < 100 {
		t.Fatalf("the specification was read as giving %d codes", len(want))
	}
	got := map[string]bool{}
	for _, e := range code.All() {
		if got[string(e.Code)] {
			t.Errorf("%s is in the catalogue twice", e.Code)
		}
		got[string(e.Code)] = true
		if !want[string(e.Code)] {
			t.Errorf("%s is in the catalogue, but the specification does not give it", e.Code)
		}
	}
	for _, c := range sorted(want) {
		if !got[c] {
			t.Errorf("%s is given by the specification, but not in the catalogue", c)
		}
	}
}

// expandCodes reads a cell such as "NF-A-ONE, -TWO, NF-B": a word that begins with
// the hyphen takes its family from the code before.
func expandCodes(cell string) []string {
	var out []string
	for _, word := range strings.Split(cell, ",") {
		word = strings.Trim(strings.TrimSpace(word), "`")
		if strings.HasPrefix(word, "-") && len(out) > 0 {
			word = familyOf(out[0]) + word
		}
		out = append(out, word)
	}
	return out
}

// families are the beginnings that a shortened code may continue.
var families = []string{"NF-EFFECTIVE-CONFIG", "NF-DISCOVERY", "NF-PROFILE", "NF-SYNTAX", "NF-SCHEMA", "NF-REF", "TERFYN-COMPILE"}

func familyOf(c string) string {
	for _, f := range families {
		if strings.HasPrefix(c, f+"-") {
			return f
		}
	}
	return c
}

func TestExpandCodes(t *testing.T) {
	t.Parallel()
	got := expandCodes("NF-REF-A, -B-C, TERFYN-COMPAT-X, NF-SCHEMA")
	if want := []string{"NF-REF-A", "NF-REF-B-C", "TERFYN-COMPAT-X", "NF-SCHEMA"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// TestGivenCodesAreInTheCatalogue looks at the severity as well.
func TestGivenCodesAreInTheCatalogue(t *testing.T) {
	t.Parallel()
	s := ownSuite(t)
	for _, r := range s.rows {
		t.Run(r.id, func(t *testing.T) {
			t.Parallel()
			w := s.prepare(t, r)
			for _, d := range ask(t, nil, append([]string{"validate", "--root", w.root}, w.choose...)...).Diagnostics {
				e, ok := code.Lookup(code.Code(d.Code))
				if !ok || !strings.Contains(e.Severity, d.Severity) {
					t.Errorf("%s is given as %s; the catalogue says %+v", d.Code, d.Severity, e)
				}
			}
		})
	}
}
