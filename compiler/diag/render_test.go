package diag

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/source"
)

func lookupOf(text string) func(string) []byte {
	return func(string) []byte { return []byte(text) }
}

func TestSnippetShowsTheFix(t *testing.T) {
	t.Parallel()
	d := Errorf(UnknownField, at("a", 1, 1, 3), "m").WithFix(at("a", 1, 1, 3), "abc", "write abc")
	if got, want := Snippet(d, lookupOf("abd")), "a:1:1: m [TF1201]\n    abd\n    ^~~\n  fix: write abc\n"; got != want {
		t.Errorf("%q", got)
	}
	if d := Errorf(UnknownField, source.Span{}, "m").WithFix(source.Span{}, "x", "t"); d.Fix != nil {
		t.Error("a fix without a place")
	}
}

// TestSecretsAreNotQuoted: the lines of these complaints may hold a secret in clear.
func TestSecretsAreNotQuoted(t *testing.T) {
	t.Parallel()
	for _, code := range []Code{LiteralSecret, BadSecretReference} {
		d := Errorf(code, at("a", 1, 1, 7), "m").With(at("a", 1, 1, 7), "there")
		if got := Snippet(d, lookupOf("hunter2")); strings.Contains(got, "hunter2") {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestLongLinesAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 5000)
	for name, c := range map[string]struct{ start, length int }{
		"start": {1, 10}, "middle": {2*2000 + 1, 10}, "end": {2 * 5000, 1}, "all": {1, 2 * 5000}, "late to the end": {2*4000 + 1, 2 * 1000},
	} {
		lines := strings.Split(Snippet(Errorf(UnknownField, at("a", 1, c.start, c.length), "m"), lookupOf(long)), "\n")
		quoted, mark := lines[1], lines[2]
		if n := utf8.RuneCountInString(quoted); n > maxQuote+len("    ")+2*len(ellipsis) {
			t.Errorf("%s: %d characters are shown", name, n)
		}
		if utf8.RuneCountInString(mark) > utf8.RuneCountInString(quoted) || !strings.Contains(mark, "^") {
			t.Errorf("%s: the mark does not lie under the line:\n%s\n%s", name, quoted, mark)
		}
	}
}

// TestTerminalsAreNotSteered: neither a source nor a file name reaches a terminal with
// control or reordering characters.
func TestTerminalsAreNotSteered(t *testing.T) {
	t.Parallel()
	d := Errorf(UnknownField, at("a\x1b[2J.agent", 1, 1, 1), "message \x1b]0;x\x07").With(at("a", 1, 1, 1), "note \u202e")
	got := Snippet(d, lookupOf("x \x1b[31mred \u2066 \xff \x9b"))
	if strings.ContainsAny(got, "\x1b\x07\u202e\u2066\u009b") || !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
	if got := Printable("tab\tand\nline ä"); got != "tab\tand\nline ä" {
		t.Errorf("%q", got)
	}
}

func TestStyle(t *testing.T) {
	t.Parallel()
	s := Style{
		Text:  func(t string) string { return strings.ReplaceAll(t, "…", "...") },
		Place: func(t string) string { return "<" + t + ">" },
		Grave: func(s Severity, t string) string { return "{" + s.String() + " " + t + "}" },
		Fix:   func(t string) string { return "(" + t + ")" },
	}
	d := Warnf(UnknownField, at("a", 1, 4, 2), "m…").WithFix(at("a", 1, 4, 2), "y", "write y")
	want := "<a:1:4:> {warning warning:} m... {warning [TF1201]}\n    ...xy\n       {warning ^~}\n  (fix:) write y\n"
	if diff := cmp.Diff(want, s.Snippet(d, lookupOf("…xy"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestNamesStandForPlaces: a complaint about something without source names it.
func TestNamesStandForPlaces(t *testing.T) {
	t.Parallel()
	d := Errorf(BadProgram, source.Span{File: "workflow/w/step"}, "m")
	if got := Plain(d); got != "workflow/w/step: m [TF2520]" {
		t.Errorf("%q", got)
	}
}

func TestEmptyLinesAreNotQuoted(t *testing.T) {
	t.Parallel()
	if got := Snippet(Errorf(MissingBrace, at("a", 2, 1, 0), "m"), lookupOf("x {\n   \n")); got != "a:2:1: m [TF1102]\n" {
		t.Errorf("%q", got)
	}
}

func TestMeant(t *testing.T) {
	t.Parallel()
	place := at("a", 1, 1, 4)
	for _, c := range []struct {
		found string
		known []string
		near  string // "" for no question
		fix   bool
	}{
		{"raed", []string{"read", "write"}, "read", true},
		{"READ", []string{"read"}, "read", true},
		{"raed", []string{"read", "raid"}, "read", false},  // two that are as near
		{"item2", []string{"item1"}, "item1", false},       // a series
		{"passage", []string{"pass"}, "", false},           // too far
		{"pasages", []string{"passage"}, "passage", false}, // two slips
		{"ab", []string{"abc"}, "abc", false},              // too short to be sure
	} {
		d := Errorf(UnknownField, place, "m").Meant(place, c.found, c.known)
		if want := "m" + DidYouMean(c.near); d.Message() != want || (d.Fix != nil) != c.fix {
			t.Errorf("%s of %q: %q, fix %v", c.found, c.known, d.Message(), d.Fix)
		}
		if d := Errorf(UnknownField, place, "m").Meant(source.Span{}, c.found, c.known); d.Fix != nil {
			t.Errorf("%s: a fix without a place", c.found)
		}
	}
}
