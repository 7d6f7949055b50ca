package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// one is the only record for a change of the full documents.
func one(t *testing.T, script string) manifest.Record {
	t.Helper()
	records := check(t, full(t).Apply(t, script))
	if len(records) != 1 {
		t.Fatalf("%s: %d records: %v", script, len(records), briefs(records))
	}
	return records[0]
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, message, suggestion string }{
		{`project /project/description delete`, "The required field description is missing.", "Add the field."},
		{`capabilities /capabilities/0/id := "A"`, "The text is not an id, made of groups of lower-case letters and digits joined by single hyphens or underscores, beginning with a letter.", ""},
		{`capabilities /capabilities/0/risk := "mid"`, "The value is not one of the words that its field has.", ""},
		{`capabilities /capabilities/0/auditRecommended := "yes"`, "The value is not true or false.", ""},
		{`context /contextSources/0/type := "jirra"`, "The value is not one of the words that its field has.", "Did you mean jira?"},
		{`context /contextSources/0/contentTypes/0 := "web_page"`, "The value is not one of the words that its field has.", "Did you mean web_pages?"},
		{`context /contextSources/0/type := "zebra"`, "The value is not one of the words that its field has.", ""},
		{`context /contextSources/0/refreshPolicy := "manua"`, "The value is not one of the words that its field has.", ""},
		{`context /contextSources/0/freshness/lastReviewed := "soon"`, "The text is not a day of the calendar, written as in 2026-06-01 (RFC 3339).", ""},
		{`tasks /tasks/0/participants := ["a", "a"]`, "The list has an element twice.", "Remove the repetition."},
		{`retrieval-profiles /retrievalProfiles/0/retriever/topK := 0`, "The number is less than 1.", ""},
		{`agents /agents/0/skills := []`, "The list has fewer than 1 element.", ""},
		{`agents /agents/0/description := ""`, "The text is shorter than 1 character.", ""},
		{`capabilities /capabilities/0/id := "` + long(200) + `"`, "The text is longer than 128 characters.", ""},
		{`agent-definitions /agentDefinitions/0/components/memoryPolicyRef := 1`, "The field is not supported here.", "Remove the field."},
		{`providers /providers/0/capabilities := []`, "The object has fields that exclude each other.", ""},
		{`project /project/policies/humanOverride/extra := 1`, "The object has a field that it does not know.", ""},
	} {
		r := one(t, c.script)
		if r.Message != c.message || r.Suggestion != c.suggestion {
			t.Errorf("%s: %q, %q", c.script, r.Message, r.Suggestion)
		}
	}
}

// A near word is never offered where it could be the less strict one.
func TestNoWordIsSuggestedForAuthority(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		`permissions /permissions/0/effect := "allo"`,
		`agents /agents/0/autonomyLevel := "autonomous_saf"`,
		`context /contextSources/0/access/default := "admi"`,
		`context /contextSources/0/classification := "publi"`,
		`memory /memoryScopes/0/updateMode := "automati"`,
		`providers /providers/1/constraints/trainingUse := "alowed"`,
		`prompt-sets /promptSets/0/review/safetyReviewStatus := "aproved"`,
		`agent-definitions /agentDefinitions/1/status := "activ"`,
		`extensions /extensions/0/lifecycle := "stabl"`,
	} {
		for _, r := range check(t, full(t).Apply(t, script)) {
			if r.Code == "NF-SCHEMA-ENUM" && (r.Suggestion != "" || len(r.Details.Allowed) == 0) {
				t.Errorf("%s: suggestion %q, allowed %v", script, r.Suggestion, r.Details.Allowed)
			}
		}
	}
}

func TestDetails(t *testing.T) {
	t.Parallel()
	if r := one(t, `permissions /permissions/0/effect := "maybe"`); !slices.Equal(r.Details.Allowed, []string{"allow", "deny", "approval_required"}) {
		t.Errorf("allowed words are %v", r.Details.Allowed)
	}
	if r := one(t, `project /project/policies/humanOverride/resume/requireReason := false`); !slices.Equal(r.Details.Allowed, []string{"true"}) {
		t.Errorf("allowed words are %v", r.Details.Allowed)
	}
	if r := one(t, `project /project/approvalGates/1/targets := [{"kind": "task", "id": "bread"}]`); !slices.Equal(r.Details.Members, []string{"targets", "appliesTo"}) {
		t.Errorf("members are %v", r.Details.Members)
	}
	for _, r := range check(t, full(t).Apply(t, `actors /actors/0/agentRef := {"kind": "agent", "id": "baker-agent"}`)) {
		if r.Keyword == "const" && !slices.Equal(r.Details.Allowed, []string{"agent", "automation", "service", "authority"}) {
			t.Errorf("allowed words are %v", r.Details.Allowed)
		}
		if r.Keyword == "not" && !slices.Equal(r.Details.Members, []string{"agentRef"}) {
			t.Errorf("members are %v", r.Details.Members)
		}
	}
}

// Nothing of a document is repeated: not in paths, messages, details or suggestions.
func TestNothingOfADocumentIsRepeated(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	files := full(t)
	for _, name := range []string{secret, secret + "\x1b[31m", strings.Repeat(secret, 100), "a/b~" + secret, "%2F" + secret, "ü" + secret} {
		for _, place := range [][]string{{"manifests"}, {"project", "policies", "humanOverride"}, {"project", "approvalGates", "0", "targets", "0"}} {
			files["project.yaml"] = replaced(files["project.yaml"], append(slices.Clone(place), name), canon.Int(1))
		}
	}
	for _, name := range files.Names() {
		var places [][]string
		walk(files[name], nil, func(at []string, v canon.Value) {
			if v.Kind() == canon.KindString && len(at) > 1 {
				places = append(places, slices.Clone(at))
			}
		})
		for _, at := range places {
			files[name] = replaced(files[name], at, canon.String("Secret "+secret+"."))
		}
	}
	records := check(t, files)
	if len(records) < 200 {
		t.Errorf("there are only %d records", len(records))
	}
	for _, r := range records {
		text := r.Path + r.Message + r.Suggestion + strings.Join(r.Details.Allowed, " ") + strings.Join(r.Details.Members, " ") + r.Keyword
		if strings.Contains(text, secret) || strings.ContainsAny(text, "\x1b%") {
			t.Errorf("the record repeats the document: %s", text)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	f := finder{library: &library{names: map[string]bool{"known": true, "a/b": true}}}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"known", "0", "12"}, "/known/0/12"},
		{[]string{"a/b", "other", "01", "-1", "99999999"}, "/a~1b/<redacted>/<redacted>/<redacted>/<redacted>"},
		{strings.Fields(strings.Repeat("known ", 85)), strings.Repeat("/known", 85)},
		{strings.Fields(strings.Repeat("known ", 86)), "<redacted-field>"},
	} {
		if got := f.path(c.names); got != c.want {
			t.Errorf("%v: %q", c.names, got)
		}
	}
}

func TestTheSameEveryTime(t *testing.T) {
	t.Parallel()
	files := full(t)
	for _, name := range files.Names() {
		files[name] = canon.Object(canon.F("kind", canon.String(files[name].Str("kind"))), canon.F("project", canon.Object()),
			canon.F("actors", canon.List(canon.Object(), canon.Int(1))))
	}
	first, err := Check(set(files))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := Check(set(files))
		if diff := cmp.Diff(first, again); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
	}
}
