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
		{`capabilities /capabilities/0/id := "A"`, "The text is not an id.", "An id is made of groups of lower-case letters and digits joined by single hyphens or underscores, beginning with a letter, such as docs-agent."},
		{`capabilities /capabilities/0/risk := "mid"`, "The value is not one of the words that its field has.", ""},
		{`capabilities /capabilities/0/auditRecommended := "yes"`, "The value is not true or false.", "Write true or false, without quotes."},
		{`context /contextSources/0/type := "jirra"`, "The value is not one of the words that its field has.", "Did you mean jira?"},
		{`context /contextSources/0/contentTypes/0 := "web_page"`, "The value is not one of the words that its field has.", "Did you mean web_pages?"},
		{`context /contextSources/0/type := "zebra"`, "The value is not one of the words that its field has.", ""},
		{`context /contextSources/0/refreshPolicy := "manua"`, "The value is not one of the words that its field has.", ""},
		{`context /contextSources/0/freshness/lastReviewed := "soon"`, "The text is not a day of the calendar (RFC 3339).", "Write year, month and day, such as 2026-06-01."},
		{`tasks /tasks/0/participants := ["a", "a"]`, "The list has an element twice.", "Remove the repetition."},
		{`retrieval-profiles /retrievalProfiles/0/retriever/topK := 0`, "The number is less than 1.", ""},
		{`agents /agents/0/skills := []`, "The list has fewer than 1 element.", "Write at least one element."},
		{`agents /agents/0/description := ""`, "The text is shorter than 1 character.", "Write a text."},
		{`capabilities /capabilities/0/id := "` + long(200) + `"`, "The text is longer than 128 characters.", "Shorten the text."},
		{`agent-definitions /agentDefinitions/0/components/memoryPolicyRef := 1`, "The field is not supported here.", "Remove the field."},
		{`providers /providers/0/capabilities := []`, "The object has fields that exclude each other: features, capabilities.", "Keep one of them."},
		{`events /events/0/type := "Task.Created"`, "The text is not an event type.", "An event type is made of two or more words of lower-case letters joined by dots, such as task.created."},
		{`project /manifests/actors := " "`, "The text is not a path that is not blank.", "Write a path that is not blank."},
		{`providers /providers/0/constraints/allowedRegions := ["-eu"]`, "The text is not the name of a region.", "The name of a region is made of letters, digits, dots, underscores and hyphens, beginning with a letter or digit, such as eu-west-1."},
		{`prompt-sets /promptSets/0/review/reviewedAt := "2026-06-01"`, "The text is not a point in time with its offset (RFC 3339).", "Write date, time and offset, such as 2026-06-01T12:00:00Z."},
		{`capabilities /capabilities/0/description := 5`, "The value is not a text.", "Put the value in quotes."},
		{`capabilities /capabilities/0/description := null`, "The value is not a text.", "Write a text; an empty one is written as two quotes."},
		{`capabilities /capabilities/0/description := ["a"]`, "The value is not a text.", "Write a single text."},
		{`tasks /tasks/0/participants := "a"`, "The value is not a list.", "Write a list, also of one."},
		{`tasks /tasks/0/participants := null`, "The value is not a list.", "Write a list; an empty one is written as []."},
		{`tasks /tasks/0/participants := {}`, "The value is not a list.", "Write a list: entries that begin with a hyphen."},
		{`capabilities /capabilities/0/auditRecommended := 1`, "The value is not true or false.", "Write true or false."},
		{`retrieval-profiles /retrievalProfiles/0/retriever/topK := "8"`, "The value is not a whole number.", "Write a number, without quotes."},
		{`retrieval-profiles /retrievalProfiles/0/retriever/topK := 1.5`, "The value is not a whole number.", "Write a whole number."},
		{`context /contextSources/0/freshness := "P1D"`, "The value is not an object.", "Write a mapping: fields with values below."},
		{`actors /actors/1/agentRef := "baker-agent"`, "The value is not an object.", "Write a mapping: fields with values below."},
		{`actors /actors/1/agentRef/scope := {"kind": "workflow", "id": "w"}`, "An object like this does not have the field scope.", "Remove the field."},
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
	if r := one(t, `project /project/approvalGates/1/targets := [{"kind": "task", "id": "bread", "why": 1}]
		project /project/approvalGates/1/appliesTo delete`); !slices.Equal(r.Details.Allowed, []string{"id", "kind", "scope"}) {
		t.Errorf("fields are %v", r.Details.Allowed)
	}
}

// What is said about a value that fits no branch of a choice is true of that value.
func TestBranchesSayWhatIsMeant(t *testing.T) {
	t.Parallel()
	const network = "/project/policies/networkAccess"
	for _, c := range []struct {
		script string
		want   []string // messages with suggestions
	}{
		{`actors /actors/0/agentRef := {"kind": "agent", "id": "baker-agent"}`, []string{
			"The object does not have the form that its kind asks for. ",
			"An object of this kind does not have the field agentRef. Remove it, or correct the kind.",
		}},
		{`actors /actors/0/agentRef := {"kind": "agent", "id": "baker-agent"}
		  actors /actors/0/operatedBy := [{"kind": "actor", "id": "anna"}]`, []string{
			"The object does not have the form that its kind asks for. ",
			"An object of this kind does not have the fields agentRef, operatedBy. Remove them, or correct the kind.",
		}},
		{`actors /actors/2/operatedBy delete`, []string{
			"The object does not have the form that its kind asks for. ",
			"The required field operatedBy is missing. Add the field.",
		}},
		{`actors /actors/2/kind := "robot"`, []string{
			"Which fields the object must have depends on its kind, which is missing or none of those that there are. ",
			"The value is not one of the words that its field has. ",
		}},
		{`project /project/approvalGates/0/targets/1/scope delete`, []string{
			"The object does not have the form that its kind asks for. ",
			"The required field scope is missing. Add the field.",
		}},
		{`project /project/approvalGates/0/targets/0/scope := {"kind": "workflow", "id": "morning"}`, []string{
			"The object does not have the form that its kind asks for. ",
			"The field is not supported here. Remove the field.",
		}},
		{`project ` + network + `/default := "allow"`, []string{
			"The value does not have the form that its type has in this field. ",
			"The value is not the only one that its field may have here. ",
		}},
		{`project ` + network + `/rules/0/effect := "allow"`, []string{
			"The value does not have the form that its type has in this field. ",
			"The rule names an approvalGate, and its effect is not approval_required. Write the effect approval_required if the gate is to be asked.",
		}},
		{`project ` + network + ` := 5`, []string{
			"The value has none of the forms that its field has. ",
			"The value is not a text. Put the value in quotes.",
			"The value is not an object. Write a mapping: fields with values below.",
		}},
	} {
		var got []string
		for _, r := range check(t, full(t).Apply(t, c.script)) {
			got = append(got, r.Message+" "+r.Suggestion)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.script, diff)
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
