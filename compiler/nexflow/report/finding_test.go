package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

func shaped(path, keyword string, d manifest.Details) manifest.Record {
	return manifest.Record{
		Severity: manifest.Error, Code: code.SchemaEnum, Layer: manifest.SchemaLayer, File: "a.yaml",
		Path: path, Keyword: keyword, Message: "M.", Details: d,
	}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	many := slices.Repeat([]string{"w"}, 22)
	for name, c := range map[string]struct {
		record manifest.Record
		want   []string
	}{
		"nothing":           {shaped("/a", "type", manifest.Details{}), nil},
		"words":             {shaped("/a", "enum", manifest.Details{Allowed: []string{"allow", "deny"}}), []string{"One of: allow, deny."}},
		"one word":          {shaped("/a", "const", manifest.Details{Allowed: []string{"deny"}}), []string{"Only: deny."}},
		"one word, said":    {manifest.Record{Message: "A deny.", Details: manifest.Details{Allowed: []string{"deny"}}}, nil},
		"one word, in part": {manifest.Record{Message: "Not denying.", Details: manifest.Details{Allowed: []string{"deny"}}}, []string{"Only: deny."}},
		"version":           {manifest.Record{Message: "M.", Suggestion: `Write "0.1".`, Details: manifest.Details{Allowed: []string{"0.1"}}}, []string{`Write "0.1".`}},
		"fields":            {shaped("/a/<redacted>", "additionalProperties", manifest.Details{Allowed: []string{"id"}}), []string{"Its fields: id."}},
		"members":           {manifest.Record{Message: "A cycle.", Details: manifest.Details{Members: []string{"a", "b"}}}, []string{"Concerned: a, b."}},
		"members, said":     {manifest.Record{Message: "A cycle of a, b.", Details: manifest.Details{Members: []string{"a", "b"}}}, nil},
		"many":              {shaped("/a", "enum", manifest.Details{Allowed: many}), []string{"One of: " + strings.Repeat("w, ", 19) + "w and 2 more."}},
	} {
		if diff := cmp.Diff(c.want, advice(c.record)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestPositions looks at what is asked of the texts and where the answers go.
func TestPositions(t *testing.T) {
	t.Parallel()
	var asked []string
	o := Outcome{Command: budget.Validate, Checks: passed(), Records: []manifest.Record{
		shaped("/b", "enum", manifest.Details{}),
		shaped("/c/<redacted>", "additionalProperties", manifest.Details{Allowed: []string{"id"}}),
		{Severity: manifest.Error, Code: code.SchemaType, Layer: manifest.SchemaLayer, File: "a.yaml", Path: "", Message: "M."},
		{Severity: manifest.Error, Code: code.SchemaType, Layer: manifest.SchemaLayer, File: "a.yaml", Path: "/b", Message: "In the earlier set: M.", About: "In the earlier set"},
		{Severity: manifest.Error, Code: code.RefDuplicateTarget, Layer: manifest.SemanticLayer, File: "z.yaml", Path: "/x", Message: "M.", Related: []manifest.Place{{File: "a.yaml", Path: "/r"}, {File: "a.yaml"}}},
		{Severity: manifest.Error, Code: code.DiscoveryUnsafeSource, Layer: manifest.DiscoveryLayer, File: "y.yaml", Message: "M.", Suggestion: "S.", Line: 9},
		{Severity: manifest.Error, Code: code.DiscoveryUnsafeSource, Layer: manifest.DiscoveryLayer, File: "w.yaml", Message: "M.", Line: 9},
	}}
	o.Locate = func(about, file string, sought []manifest.Sought) []manifest.Position {
		out := make([]manifest.Position, len(sought))
		for i, s := range sought {
			asked = append(asked, strings.Join([]string{about, file, s.Path, strings.Join(s.Known, "+")}, "|"))
			out[i] = manifest.Position{Line: 10 + len(about), Column: 1 + len(s.Path), UTF16: 1}
		}
		return out
	}
	e := New(o)
	if text := string(e.JSON()); asked != nil || strings.Contains(text, "column") || strings.Count(text, `"suggestion":"S. See line 9."`) != 1 || strings.Count(text, `"suggestion":"See line 9."`) != 1 {
		t.Errorf("asked %v for %s", asked, text)
	}
	_, errs := e.Text()
	want := "NF-SCHEMA-TYPE a.yaml: M.\n" +
		"NF-SCHEMA-ENUM a.yaml /b [enum]: M.\n  line 10, column 3.\n" +
		"NF-SCHEMA-TYPE a.yaml /b: In the earlier set: M.\n  line 28, column 3.\n" +
		"NF-SCHEMA-ENUM a.yaml /c/<redacted> [additionalProperties]: M.\n  line 10, column 14. Its fields: id.\n" +
		"NF-DISCOVERY-UNSAFE-SOURCE w.yaml: M.\n  line 9.\n" +
		"NF-DISCOVERY-UNSAFE-SOURCE y.yaml: M.\n  line 9. S.\n" +
		"NF-REF-DUPLICATE-TARGET z.yaml /x: M.\n  see a.yaml, a.yaml /r (line 10, column 3)\n  line 10, column 3.\n"
	if diff := cmp.Diff(want, string(errs)); diff != "" {
		t.Error(diff)
	}
	slices.Sort(asked)
	wantAsked := []string{"In the earlier set|a.yaml|/b|", "|a.yaml|/b|", "|a.yaml|/c/<redacted>|id", "|a.yaml|/r|", "|a.yaml||", "|a.yaml||", "|z.yaml|/x|"}
	if diff := cmp.Diff(wantAsked, asked); diff != "" {
		t.Error(diff)
	}
}
