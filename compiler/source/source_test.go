package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPos(t *testing.T) {
	t.Parallel()
	f := NewFile("a/b.agent", []byte("ab\r\ncü\n\nd"))
	for offset, want := range map[int]Pos{
		-1: {0, 1, 1}, 0: {0, 1, 1}, 2: {2, 1, 3}, 3: {3, 1, 4}, 4: {4, 2, 1},
		5: {5, 2, 2}, 7: {7, 2, 4}, 8: {8, 3, 1}, 9: {9, 4, 1}, 10: {10, 4, 2}, 99: {10, 4, 2},
	} {
		if got := f.Pos(offset); got != want {
			t.Errorf("Pos(%d) = %+v, want %+v", offset, got, want)
		}
	}
	if got, want := f.Span(4, 5).String(), "a/b.agent:2:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestByteOrderMarkHasNoColumn(t *testing.T) {
	t.Parallel()
	f := NewFile("a", []byte("\xEF\xBB\xBFx\ny"))
	if got, want := f.Pos(3), (Pos{3, 1, 1}); got != want || f.Start() != 3 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := string(f.Line(1)); got != "x" {
		t.Errorf("line 1 is %q", got)
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][]string{
		"":             {""},
		"a":            {"a"},
		"a\n":          {"a", ""},
		"a\r\nb":       {"a", "b"},
		"\n\n":         {"", "", ""},
		"\xEF\xBB\xBF": {""},
	} {
		f := NewFile("a", []byte(src))
		got := []string{}
		for n := 1; n <= f.LineCount(); n++ {
			got = append(got, string(f.Line(n)))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q -want +got:\n%s", src, diff)
		}
		if f.Line(0) != nil || f.Line(f.LineCount()+1) != nil {
			t.Errorf("%q has lines outside its range", src)
		}
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	f := NewFile("a", []byte("abc\ndef\n"))
	whole := f.Span(0, 1).To(f.Span(4, 6))
	if whole != f.Span(0, 6) || !whole.Contains(0) || !whole.Contains(5) || whole.Contains(6) {
		t.Errorf("got %+v", whole)
	}
	if none := (Span{}); !none.IsZero() || none.Contains(0) || none.To(whole) != whole || whole.To(none) != whole {
		t.Error("the zero span must be neutral")
	}
	other := NewFile("b", []byte("abc"))
	for _, pair := range [][2]Span{
		{f.Span(0, 1), f.Span(1, 2)}, {f.Span(2, 3), f.Span(4, 5)}, {f.Span(5, 6), other.Span(0, 1)},
	} {
		if !pair[0].Before(pair[1]) || pair[1].Before(pair[0]) {
			t.Errorf("%s must stand before %s", pair[0], pair[1])
		}
	}
}
