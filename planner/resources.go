package planner

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// Applied is one resource as it was last applied.
type Applied struct {
	Kind string
	Name string
	Hash canon.Digest
	Spec canon.Value
}

// Pin returns g with the digest of each workflow's program filled in, so that a
// change of a program alone changes its workflow.
func Pin(g resource.Graph, programs []ir.Program) resource.Graph {
	digests := make(map[string]string, len(programs))
	for _, p := range programs {
		digests[p.Workflow] = string(p.Digest())
	}
	g.Workflows = slices.Clone(g.Workflows)
	for i, w := range g.Workflows {
		if d, ok := digests[w.Name]; ok {
			g.Workflows[i].ProgramDigest = d
		}
	}
	return g
}

// Resources lists everything plan compares and apply stores, by kind and name:
// the resources of the pinned graph and each captured schema document. Without
// the documents, loosening a schema would be no change.
func Resources(g resource.Graph, schemas map[string]canon.Value) []Applied {
	var out []Applied
	for _, r := range resource.Resources(g) {
		out = append(out, Applied{Kind: string(r.Kind), Name: r.Name, Hash: r.Hash, Spec: r.Spec})
	}
	for _, path := range ordered.Keys(schemas) {
		identity := canon.Object(canon.F("kind", canon.String(KindSchema)), canon.F("name", canon.String(path)), canon.F("spec", schemas[path]))
		out = append(out, Applied{Kind: KindSchema, Name: path, Hash: identity.Digest(), Spec: schemas[path]})
	}
	slices.SortStableFunc(out, compareApplied)
	return out
}

func compareApplied(a, b Applied) int {
	if c := strings.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}

// ConfigDigest identifies a resolved configuration: the environment and the
// hash of everything in it. It does not depend on a compiler version, a path or
// an order.
func ConfigDigest(environment string, resources []Applied) canon.Digest {
	sorted := slices.Clone(resources)
	slices.SortStableFunc(sorted, compareApplied)
	entries := make([]canon.Value, len(sorted))
	for i, r := range sorted {
		entries[i] = canon.Object(canon.F("kind", canon.String(r.Kind)), canon.F("name", canon.String(r.Name)), canon.F("hash", canon.String(string(r.Hash))))
	}
	return canon.Object(canon.F("environment", canon.String(environment)), canon.F("resources", canon.List(entries...))).Digest()
}

// listOf names the member of the serialised graph that holds a kind.
var listOf = map[string]string{
	string(resource.KindAgent):         "agents",
	string(resource.KindTool):          "tools",
	string(resource.KindPolicy):        "policies",
	string(resource.KindWorkflow):      "workflows",
	string(resource.KindEnvironment):   "environments",
	string(resource.KindModelProvider): "providers",
}

// GraphOf puts the graph together again from applied specs. A kind or field
// this build does not know is an error: a plan against half a baseline would
// call a widening unchanged.
func GraphOf(applied []Applied) (resource.Graph, error) {
	doc := canon.Object(canon.F("project", canon.String("")))
	lists := map[string][]canon.Value{}
	for _, r := range applied {
		switch member, known := listOf[r.Kind]; {
		case r.Kind == KindSchema:
		case r.Kind == string(resource.KindProject):
			doc = r.Spec
		case known:
			lists[member] = append(lists[member], r.Spec)
		default:
			return resource.Graph{}, fmt.Errorf("read the applied resource %s/%s: this build knows no such kind", r.Kind, r.Name)
		}
	}
	for _, member := range ordered.Keys(lists) {
		doc = doc.With(member, canon.List(lists[member]...))
	}
	g, err := resource.FromValue(doc)
	if err != nil {
		return resource.Graph{}, fmt.Errorf("put the applied resources together: %w", err)
	}
	return g, nil
}
