package record_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"terfyn/activities/record"
	"terfyn/internal/canon"
)

func parse(t *testing.T, s string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestViewMasksEverywhere(t *testing.T) { // behaviours 61, 101, 260
	t.Parallel()
	in := `{"authToken":"a","list":[[{"API_KEY":"b"}],{"ok":1}],"deep":{"Password":{"x":1}},"pin":"1234","n":9007199254740993}`
	v := parse(t, in)
	want := `{"authToken":"[REDACTED]","deep":{"Password":"[REDACTED]"},"list":[[{"API_KEY":"[REDACTED]"}],{"ok":1}],"n":9007199254740993,"pin":"[REDACTED]"}`
	if got := record.View(v, "PIN").JSON(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v.JSON() != parse(t, in).JSON() {
		t.Error("the value that is executed was changed") // behaviours 38
	}
	if got := record.View(v).Str("pin"); got != "1234" {
		t.Errorf("a key nobody named was masked: %s", got)
	}
	if !record.Masks("X-Authorization") || record.Masks("author") {
		t.Error("Masks is wrong")
	}
}

func TestTraceCutsButViewDoesNot(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 300)
	v := canon.Object(canon.F("text", canon.String(long)))
	if got := record.View(v).Str("text"); got != long {
		t.Error("a view that a person decides on was shortened")
	}
	got := record.Trace(v).Str("text")
	if utf8.RuneCountInString(got) != 256 || !strings.HasSuffix(got, "…") || !utf8.ValidString(got) {
		t.Errorf("cut to %d characters", utf8.RuneCountInString(got))
	}
}

func TestTooLargeBecomesAPreview(t *testing.T) {
	t.Parallel()
	items := make([]canon.Value, 0, 1000)
	for range 1000 {
		items = append(items, canon.String(strings.Repeat("é", 200)))
	}
	v := canon.List(items...)
	got := record.Trace(v)
	if yes, _ := got.At("payload_truncated").AsBool(); !yes || got.Str("preview") == "" || !utf8.ValidString(got.Str("preview")) {
		t.Errorf("got %.200s", got.JSON())
	}
	if record.View(v).Kind() != canon.KindList {
		t.Error("a view below its limit was replaced")
	}
}

func TestDeepNestingIsBounded(t *testing.T) {
	t.Parallel()
	v := canon.Int(1)
	for range canon.MaxDepth {
		v = canon.List(v)
	}
	if n := len(record.View(v).Encode()); n > 1000 {
		t.Errorf("the view has %d bytes", n)
	}
}

func TestTextIsBoundedUTF8(t *testing.T) {
	t.Parallel()
	got := record.Text("bad \xff " + strings.Repeat("é", 1<<20))
	if len(got) > 4200 || !utf8.ValidString(got) {
		t.Errorf("%d bytes", len(got))
	}
}
