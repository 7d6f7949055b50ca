package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/store"
)

// FormatVersion is the version of the snapshot row this package writes and reads.
const FormatVersion = 1

// Content is everything a run executes under.
type Content struct {
	// Environment is the name the graph was overlaid for.
	Environment string
	// Graph is normalised and has the environment's overlay applied.
	Graph resource.Graph
	// Programs has one program for each workflow of Graph, in any order.
	Programs []ir.Program
	// Schemas holds every captured schema document by project-relative path.
	// After Load the bytes are canonical.
	Schemas map[string][]byte
}

// Build makes the snapshot row and its artifacts. Equal content and compiler
// version give equal bytes and digests. CreatedAt stays zero: time is no part
// of identity and is set when the snapshot is stored.
func Build(c Content, compilerVersion string) (store.Snapshot, []store.Artifact, error) {
	programs, err := orderedPrograms(c)
	if err != nil {
		return store.Snapshot{}, nil, fmt.Errorf("build the snapshot of environment %q: %w", c.Environment, err)
	}
	docs, err := ParseSchemas(c.Schemas)
	if err != nil {
		return store.Snapshot{}, nil, fmt.Errorf("build the snapshot of environment %q: %w", c.Environment, err)
	}
	graph := artifact(store.KindResolvedGraph, resource.GraphFormat, resource.Encode(c.Graph))
	exec := artifact(store.KindExecutionIR, ir.FormatVersion, ir.EncodeSet(programs))
	manifest := artifact(store.KindManifest, ManifestFormat, NewManifest(c.Graph, docs).Encode())
	schemas := artifact(store.KindSchemaBundle, SchemasFormat, encodeSchemas(docs))
	snap := store.Snapshot{
		FormatVersion:   FormatVersion,
		CompilerVersion: compilerVersion,
		Environment:     c.Environment,
		Graph:           graph.Digest,
		ExecutionIR:     exec.Digest,
		Manifest:        manifest.Digest,
		Schemas:         schemas.Digest,
	}
	snap.Digest = identity(snap)
	return snap, []store.Artifact{graph, exec, manifest, schemas}, nil
}

// identity is the digest of a snapshot row: everything but times and the digest itself.
func identity(s store.Snapshot) canon.Digest {
	return canon.Object(
		canon.F("formatVersion", canon.Int(int64(s.FormatVersion))),
		canon.F("compilerVersion", canon.String(s.CompilerVersion)),
		canon.F("environment", canon.String(s.Environment)),
		canon.F("resolvedGraph", canon.String(string(s.Graph))),
		canon.F("executionIr", canon.String(string(s.ExecutionIR))),
		canon.F("capabilityManifest", canon.String(string(s.Manifest))),
		canon.F("schemaBundle", canon.String(string(s.Schemas))),
	).Digest()
}

func artifact(kind store.ArtifactKind, format int, b []byte) store.Artifact {
	return store.Artifact{Digest: canon.Sum(b), Kind: kind, FormatVersion: format, Bytes: b}
}

// orderedPrograms sorts the programs and checks that they are those of the
// graph: a workflow without its program could never start, and a program
// without a workflow would run under no policy.
func orderedPrograms(c Content) ([]ir.Program, error) {
	programs := slices.Clone(c.Programs)
	slices.SortFunc(programs, func(a, b ir.Program) int { return strings.Compare(a.Workflow, b.Workflow) })
	have := make(map[string]string, len(programs))
	for _, p := range programs {
		if have[p.Workflow] != "" {
			return nil, fmt.Errorf("workflow %q has two programs", p.Workflow)
		}
		have[p.Workflow] = string(p.Digest())
	}
	declared := make(map[string]bool, len(c.Graph.Workflows))
	for _, w := range c.Graph.Workflows {
		declared[w.Name] = true
		switch digest := have[w.Name]; {
		case digest == "":
			return nil, fmt.Errorf("workflow %q has no program", w.Name)
		case w.ProgramDigest != "" && w.ProgramDigest != digest:
			return nil, fmt.Errorf("workflow %q is pinned to program %s and has program %s", w.Name, w.ProgramDigest, digest)
		}
	}
	for _, p := range programs {
		if !declared[p.Workflow] {
			return nil, fmt.Errorf("program %q belongs to no workflow of the graph", p.Workflow)
		}
	}
	return programs, nil
}
