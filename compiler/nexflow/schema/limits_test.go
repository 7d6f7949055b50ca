package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

const mebibyte = 1 << 20

// filledUp repeats a text up to a mebibyte, between a beginning and an end.
func filledUp(t testing.TB, head, part, tail string) *manifest.Document {
	t.Helper()
	text := head + strings.TrimSuffix(strings.Repeat(part, (mebibyte-len(head)-len(tail))/len(part)), ",") + tail
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return document("big.yaml", v)
}

// hostile is documents of a mebibyte that are wrong everywhere, or right and large.
func hostile(t testing.TB) map[string]*manifest.Document {
	t.Helper()
	head := func(kind, rest string) string {
		return `{"specVersion":"0.1","kind":"` + kind + `","metadata":{},` + rest
	}
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"i%d",`, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":1,`, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	permission := head("PermissionSet", `"permissions":[{"id":"a","description":"","effect":"deny","capabilities":[],"subjects":[`)
	return map[string]*manifest.Document{
		"wrong elements":         filledUp(t, head("PermissionSet", `"permissions":[`), `1,`, `]}`),
		"empty elements":         filledUp(t, head("AgentDefinitionSet", `"agentDefinitions":[`), `{"status":"active"},`, `]}`),
		"wrong ids":              filledUp(t, permission, `1,`, `]}]}`),
		"many lists of them":     filledUp(t, head("PermissionSet", `"permissions":[`), `{"subjects":[1,1,1,1,1,1,1]},`, `]}`),
		"ids, each once":         filledUp(t, permission+numbered(90_000), ` `, `]}]}`),
		"objects, each the same": filledUp(t, head("Project", `"project":{"approvalGates":[{"targets":[`), `{"kind":"task","id":"a"},`, `]}]}}`),
		"unknown hints":          filledUp(t, head("Project", `"manifests":{`)+keys(80_000), ` `, `}}`),
		"unknown members":        filledUp(t, head("Project", `"project":{"policies":{"humanOverride":{`)+keys(80_000), ` `, `}}}}`),
		"wrong actors":           filledUp(t, head("ActorSet", `"actors":[`), `{"kind":"x","agentRef":1},`, `]}`),
		"long number":            filledUp(t, head("RetrievalProfileSet", `"retrievalProfiles":[{"retriever":{"topK":`), `1`, `}}]}`),
		"large numbers":          filledUp(t, head("Project", `"manifests":{"workflows":[`), `1e308,`, `]}}`),
		"long text":              filledUp(t, head("CapabilitySet", `"capabilities":[{"id":"`), `a-`, `"}]}`),
		"long moment":            filledUp(t, head("PromptSet", `"promptSets":[{"review":{"reviewedAt":"2026-06-01T00:00:00.`), `0`, `"}}]}`),
	}
}

func TestHostileDocumentsEndSoon(t *testing.T) {
	for name, doc := range hostile(t) {
		start := time.Now()
		records, err := Check(manifest.NewSet([]*manifest.Document{doc}))
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		t.Logf("%s: %d records in %s", name, len(records), took)
		if took > 20*time.Second {
			t.Errorf("%s: the check took %s", name, took)
		}
		if len(records) == 0 != (name == "ids, each once") {
			t.Errorf("%s: there are %d records", name, len(records))
		}
		if len(records) > 50*MaxFaulty {
			t.Errorf("%s: there are %d records", name, len(records))
		}
	}
}

// Up to the quota every faulty element is reported, whatever its place.
func TestEveryFaultUpToTheQuota(t *testing.T) {
	t.Parallel()
	for _, n := range []int{250, MaxFaulty, MaxFaulty + 1, 3 * MaxFaulty} {
		items := make([]canon.Value, n)
		for i := range items {
			items[i] = canon.Int(int64(i))
		}
		files := full(t)
		files["capabilities.yaml"] = files["capabilities.yaml"].With("capabilities", canon.List(items...))
		if got := len(check(t, files)); got != min(n, MaxFaulty) {
			t.Errorf("%d faulty elements give %d records", n, got)
		}
	}
}

// After enough records no further document is read; those before are complete.
func TestEnoughRecords(t *testing.T) {
	t.Parallel()
	var docs []*manifest.Document
	items := make([]canon.Value, MaxFaulty)
	for i := range items {
		items[i] = canon.Bool(true)
	}
	for i := range 20 {
		v := full(t)["capabilities.yaml"].With("capabilities", canon.List(items...))
		docs = append(docs, document(fmt.Sprintf("f%02d.yaml", i), v))
	}
	records, err := Check(manifest.NewSet(docs))
	if err != nil || len(records) != MaxRecords {
		t.Errorf("%d records, %v", len(records), err)
	}
	if last := records[len(records)-1].File; last != "f09.yaml" {
		t.Errorf("the last record is in %s", last)
	}
}
