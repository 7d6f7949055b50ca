package refs_test

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/internal/golden"
)

func TestTableIsTheReviewedOne(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, r := range refs.Table() {
		to := string(r.To)
		if r.When != refs.Always {
			to = strings.TrimSpace(to + " (" + string(r.When) + ")")
		}
		fmt.Fprintf(&b, "P%d %s %s -> %s", r.Priority, r.From, r.Pointer, to)
		if r.Selected {
			b.WriteString(" [selected: " + r.Relation() + "]")
		}
		if r.Authority {
			b.WriteString(" [authority]")
		}
		b.WriteByte('\n')
	}
	golden.File(t, "testdata/table.golden", []byte(b.String()))
}

func TestTableIsSound(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range refs.Table() {
		at := string(r.From) + r.Pointer
		if seen[at] {
			t.Errorf("%s stands twice", at)
		}
		seen[at] = true
		info, known := r.From.Info()
		if !known || !strings.HasPrefix(r.Pointer, "/"+info.List+"/") {
			t.Errorf("%s does not lie in the declarations of its kind", at)
		}
		if r.Priority < 0 || r.Priority > 3 {
			t.Errorf("%s has priority %d", at, r.Priority)
		}
		if (r.To == "") != (r.When == refs.OwnKind) {
			t.Errorf("%s: a target is missing, or given although its own kind types it", at)
		}
		if r.To != "" && r.To != refs.Participant && r.To.Kind() == "" {
			t.Errorf("%s refers to %q, which nothing declares", at, r.To)
		}
	}
}

func TestKindOfSpaces(t *testing.T) {
	t.Parallel()
	for space, want := range map[refs.Space]manifest.Kind{
		refs.Artifact: manifest.TaskSet, refs.WorkflowStep: manifest.Workflow, refs.ApprovalGate: manifest.Project,
		refs.Event: manifest.EventSet, refs.Participant: "",
	} {
		if got := space.Kind(); got != want {
			t.Errorf("%s is declared by %q, want %q", space, got, want)
		}
	}
}

func TestRelation(t *testing.T) {
	t.Parallel()
	for pointer, want := range map[string]string{
		"/actors/1/agentRef/id":                               "agent-ref",
		"/project/maintainers/0/id":                           "maintainers",
		"/workflow/dependencies/12/from":                      "from",
		"/agentDefinitions/*/components/capabilityRefs/*":     "capability-refs",
		"/retrievalProfiles/0/index/embeddingModelProfileRef": "embedding-model-profile-ref",
		"/modelProfiles/0/fallback/candidateProviderRefs/3":   "candidate-provider-refs",
		"": "",
	} {
		if got := refs.Relation(pointer); got != want {
			t.Errorf("Relation(%q) = %q, want %q", pointer, got, want)
		}
	}
}
