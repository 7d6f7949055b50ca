package diff_test

import (
	"strings"
	"testing"

	"terfyn/planner/diff"
)

func lines(before, after string) string {
	marks := map[diff.LineKind]string{diff.LineSame: "  ", diff.LineAdded: "+ ", diff.LineRemoved: "- ", diff.LineGap: "..."}
	var b strings.Builder
	for _, l := range diff.Lines(before, after) {
		b.WriteString(marks[l.Kind] + l.Text + "|")
	}
	return b.String()
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, after, want string }{
		{"a\nb\n", "a\nb\n", ""},
		{"a\nb", "a\nb\n", ""},
		{"", "a\n", "+ a|"},
		{"a\n", "", "- a|"},
		{"a\nb\nc\n", "a\nx\nc\n", "  a|- b|+ x|  c|"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", "...|  3|  4|- 5|+ x|  6|  7|...|"},
		{"a\nb\n", "b\na\n", "- a|  b|+ a|"},
		{"x\n1\n2\n3\n4\n5\n6\ny\n", "X\n1\n2\n3\n4\n5\n6\nY\n", "- x|+ X|  1|  2|...|  5|  6|- y|+ Y|"},
	} {
		if got := lines(test.before, test.after); got != test.want {
			t.Errorf("%q to %q: %s, want %s", test.before, test.after, got, test.want)
		}
	}
}

// Texts too large for the table are replaced as a whole, and nothing is lost.
func TestLongTextsAreReplaced(t *testing.T) {
	t.Parallel()
	before, after := strings.Repeat("a\n", 3000), strings.Repeat("b\n", 3000)
	var removed, added int
	for _, l := range diff.Lines(before, after) {
		switch l.Kind {
		case diff.LineRemoved:
			removed++
		case diff.LineAdded:
			added++
		}
	}
	if removed != 3000 || added != 3000 {
		t.Errorf("%d removed, %d added", removed, added)
	}
}

// Applying a difference without gaps to the first text gives the second.
func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nd")
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 4000 {
			return
		}
		var removed, added int
		for _, l := range diff.Lines(before, after) {
			switch l.Kind {
			case diff.LineRemoved:
				removed++
			case diff.LineAdded:
				added++
			}
		}
		back := 0
		for _, l := range diff.Lines(after, before) {
			if l.Kind == diff.LineRemoved {
				back++
			}
		}
		count := func(s string) int {
			if s == "" {
				return 0
			}
			return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1
		}
		if count(before)-removed != count(after)-added {
			t.Errorf("%q to %q: %d removed, %d added", before, after, removed, added)
		}
		if back != added {
			t.Errorf("the way back removes %d, the way there adds %d", back, added)
		}
	})
}
