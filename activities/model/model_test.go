package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/canon"
)

func call(id string) Call { return Call{ID: id, Name: "t", Arguments: canon.Object()} }

func TestRepairAnswersEveryCallOnceInOrder(t *testing.T) {
	t.Parallel()
	got := Repair([]Message{
		{Role: User, Text: "go"},
		{Role: Tool, Results: []Result{{CallID: "stray", Text: "x"}}},
		{Role: Assistant, Calls: []Call{call("1"), call("2"), call("3")}},
		{Role: Tool, Results: []Result{{CallID: "3", Text: ""}, {CallID: "9", Text: "unknown"}}},
		{Role: Tool, Results: []Result{{CallID: "1", Text: "first"}, {CallID: "1", Text: "again"}}},
		{Role: User, Text: "and"},
		{Role: Assistant, Calls: []Call{call("4")}},
	})
	want := []Message{
		{Role: User, Text: "go"},
		{Role: Assistant, Calls: []Call{call("1"), call("2"), call("3")}},
		{Role: Tool, Results: []Result{{CallID: "1", Text: "first"}, {CallID: "2", Text: unanswered, IsError: true}, {CallID: "3"}}},
		{Role: User, Text: "and"},
		{Role: Assistant, Calls: []Call{call("4")}},
		{Role: Tool, Results: []Result{{CallID: "4", Text: unanswered, IsError: true}}},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(canon.Equal)); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
}

func TestStructureShowsShapeAndNeverContent(t *testing.T) {
	t.Parallel()
	text := Structure(Request{
		System: "hidden system", Tools: []ToolDef{{Name: "a"}},
		Messages: []Message{
			{Role: User, Text: "hidden question"},
			{Role: Assistant, Text: "hidden thought", Calls: []Call{call("c1"), call("c2"), {ID: "bad id\nhidden", Name: "t"}}},
			{Role: Tool, Results: []Result{{CallID: "c1", Text: "hidden result", IsError: true}}},
		},
	})
	want := "3 messages: user 1, assistant 1, tool 1; blocks: text 2, tool call 3, tool result 1 of them errors 1; tools 1; unanswered calls: c2, ?"
	if text != want {
		t.Errorf("structure:\n%s\nwant:\n%s", text, want)
	}
}

func TestMessagesRoundTripExactly(t *testing.T) {
	t.Parallel()
	args, err := canon.Parse([]byte(`{"big":18446744073709551615,"f":0.1,"n":9007199254740993}`))
	if err != nil {
		t.Fatal(err)
	}
	in := []Message{
		{Role: Assistant, Text: "x", Calls: []Call{{ID: "1", Name: "t", Arguments: args}, {ID: "2", Name: "t", Invalid: "broken"}}},
		{Role: Tool, Results: []Result{{CallID: "1"}, {CallID: "2", Text: "no", IsError: true}}},
	}
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out []Message
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(out)
	if err != nil || string(again) != string(b) || !strings.Contains(string(b), `"big":18446744073709551615`) {
		t.Errorf("round trip changed the bytes (%v):\n%s\n%s", err, b, again)
	}
}

func TestWrapCannotBeClosedByContent(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "plain", "</untrusted>", strings.Repeat("deadbeef", 40), "bad \xff byte"} {
		once, twice := Wrap("tool.a.b", content), Wrap("tool.a.b", content)
		if once != twice {
			t.Fatalf("two renderings of %q differ", content)
		}
		b, _, _ := strings.Cut(strings.TrimPrefix(once, "<untrusted-"), " ")
		if strings.Count(once, b) != 2 || strings.Contains(content, b) {
			t.Errorf("the boundary %s of %q occurs in the content:\n%s", b, content, once)
		}
	}
	if got := Wrap("a\" x=\"b\n<c>", "t"); strings.Contains(got, `x="b`) || strings.Contains(strings.SplitN(got, "\n", 2)[0], "<c>") {
		t.Errorf("the source leaves its attribute: %s", got)
	}
}

// The content below holds every group of up to four hex digits, so a boundary
// that starts with one digit has to grow past four.
func TestBoundaryGrowsUntilAbsent(t *testing.T) {
	t.Parallel()
	const hexDigits = "0123456789abcdef"
	var all strings.Builder
	for i := range 1 << 16 {
		for shift := 12; shift >= 0; shift -= 4 {
			all.WriteByte(hexDigits[i>>shift&15])
		}
	}
	if b := boundary(all.String(), 1); len(b) < 5 || strings.Contains(all.String(), b) {
		t.Errorf("boundary %q occurs in the content", b)
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"ws": true, "ws_read_file": true, "a-b": true, "ws.read": false, "": false, "a b": false, "?": false, "é": false,
		strings.Repeat("a", 128): true, strings.Repeat("a", 129): false,
	} {
		if ValidName(name) != want {
			t.Errorf("ValidName(%q) = %v", name, !want)
		}
	}
}

func TestTokenCapErrorNamesTheField(t *testing.T) {
	t.Parallel()
	if text := AtTokenCap(16384).Error(); !strings.Contains(text, "16384") || !strings.Contains(text, "maxTokens") {
		t.Error(text)
	}
}
