package diag

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/source"
)

func at(file string, line, col, length int) source.Span {
	start := source.Pos{Line: line, Col: col}
	return source.Span{File: file, Start: start, End: source.Pos{Line: line, Col: col + length}}
}

func TestRegistry(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^TF[1-9][0-9]{3}$`)
	for _, c := range Codes() {
		summary, ok := SummaryOf(c)
		if !ok || summary == "" || !form.MatchString(string(c)) {
			t.Errorf("code %q has the summary %q", c, summary)
		}
	}
	if _, ok := SummaryOf("TF0000"); ok {
		t.Error("an unknown code is registered")
	}
}

func TestUnknownCodePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("an unregistered code must panic")
		}
	}()
	Errorf("TF1999", source.Span{}, "x")
}

func TestMergeRefusesMistakes(t *testing.T) {
	t.Parallel()
	for name, areas := range map[string][]map[Code]string{
		"wrong area": {{"TF2001": "x"}},
		"bad form":   {{"TF1": "x"}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s must panic", name)
				}
			}()
			merge(areas...)
		}()
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	list := List{
		Errorf(UnknownField, at("b", 1, 1, 1), "one"),
		Errorf(UnknownField, at("a", 10, 1, 1), "two"),
		Errorf(UnknownField, at("a", 2, 9, 1), "three"),
		Warnf(UnknownField, at("a", 2, 10, 1), "four"),
		Errorf(UnknownField, at("b", 1, 1, 1), "one"),
		Errorf(DuplicateField, at("b", 1, 1, 1), "one"),
		Errorf(UnknownField, source.Span{}, "nowhere"),
	}
	list.Sort()
	want := []string{
		"nowhere [TF1201]",
		"a:2:9: three [TF1201]",
		"a:2:10: warning: four [TF1201]",
		"a:10:1: two [TF1201]",
		"b:1:1: one [TF1201]",
		"b:1:1: one [TF1202]",
	}
	if diff := cmp.Diff(want, list.Strings()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestHasErrors(t *testing.T) {
	t.Parallel()
	var list List
	list.Add(Warnf(UnknownField, source.Span{}, "w"))
	if list.HasErrors() {
		t.Error("a warning is no error")
	}
	list.Add(Errorf(UnknownField, source.Span{}, "e"))
	if !list.HasErrors() {
		t.Error("an error is one")
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	var list List
	for i := range 5 {
		list.Add(Errorf(UnknownField, at("a", i+1, 1, 1), "e"), Warnf(UnknownField, at("a", i+1, 2, 1), "w"))
	}
	got := list.Limit(2).Strings()
	want := []string{
		"a:1:1: e [TF1201]", "a:1:2: warning: w [TF1201]", "a:2:1: e [TF1201]", "a:2:2: warning: w [TF1201]",
		"a:3:1: too many errors: 3 more are not shown; fix the ones above first [TF1104]",
		"a:3:2: warning: too many warnings: 3 more are not shown [TF1104]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := len(list.Limit(5)); n != 10 {
		t.Errorf("a limit that is not reached leaves %d diagnostics", n)
	}
	if n := len(list.Limit(0)); n != 10 {
		t.Errorf("no limit leaves %d diagnostics", n)
	}
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a": []byte("first\n\tüber x = y\n"), "b": []byte("z")}
	lookup := func(path string) []byte { return files[path] }
	d := Errorf(UnknownField, at("a", 2, 8, 5), "two\nlines").With(at("b", 1, 1, 1), "see %s", "here").With(source.Span{}, "no place")
	want := "a:2:8: two lines [TF1201]\n    \tüber x = y\n    \t     ^~~~~\n  b:1:1: see here\n    z\n    ^\n  no place\n"
	if diff := cmp.Diff(want, Snippet(d, lookup)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for name, d := range map[string]Diagnostic{
		"unknown file":       Errorf(UnknownField, at("c", 1, 1, 1), "m"),
		"line past the end":  Errorf(UnknownField, at("b", 9, 9, 1), "m"),
		"over several lines": Errorf(UnknownField, source.Span{File: "a", Start: source.Pos{Line: 1, Col: 3}, End: source.Pos{Line: 2, Col: 2}}, "m"),
		"no place":           Errorf(UnknownField, source.Span{}, "m"),
	} {
		if got := Snippet(d, lookup); got == "" {
			t.Errorf("%s: nothing rendered", name)
		}
	}
	if got := Snippet(d, nil); got != "a:2:8: two lines [TF1201]\n  b:1:1: see here\n  no place\n" {
		t.Errorf("without a lookup: %q", got)
	}
}

func TestMessageFallsBackToSummary(t *testing.T) {
	t.Parallel()
	d := Diagnostic{Code: UnknownField, Severity: Error, Summary: "unknown field"}
	if got := Plain(d); got != "unknown field [TF1201]" {
		t.Errorf("got %q", got)
	}
	if Severity(0).String() != "invalid severity" || Error.String() != "error" || Warning.String() != "warning" {
		t.Error("severities have the wrong words")
	}
}
