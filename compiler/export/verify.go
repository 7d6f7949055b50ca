package export

import (
	"bytes"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/internal/overlayfs"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// verify compiles the files and names every resource that came back different.
func verify(c Compiled, files Files) []Refusal {
	r, ds := compiler.Compile(overlayfs.New(nil, files), compiler.Options{Project: c.Graph.Project, SkipPolicyBounds: true})
	if ds.HasErrors() {
		var out []Refusal
		for _, d := range ds {
			if d.Severity == diag.Error {
				out = append(out, Refusal{Kind: resource.KindProject, Name: c.Graph.Project, Field: d.At.File,
					Reason: "the exported text does not load: " + diag.Plain(d)})
			}
		}
		return out
	}
	return Differences(c, Compiled{Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas})
}

// Differences names every resource, program and schema that a and b do not have in
// common, nil when there is none.
func Differences(a, b Compiled) []Refusal {
	out := differentPrograms(a.Programs, b.Programs)
	if !bytes.Equal(resource.Encode(a.Graph), resource.Encode(b.Graph)) {
		out = append(out, differentResources(a.Graph, b.Graph)...)
	}
	for _, name := range ordered.Keys(a.Schemas) {
		if !bytes.Equal(a.Schemas[name], b.Schemas[name]) {
			out = append(out, Refusal{Kind: resource.KindProject, Name: a.Graph.Project, Field: "schemas",
				Reason: "the schema " + name + " does not come back: no resource refers to it"})
		}
	}
	return out
}

func differentPrograms(a, b []ir.Program) []Refusal {
	var out []Refusal
	known := map[string]canon.Digest{}
	for _, p := range b {
		known[p.Workflow] = p.Digest()
	}
	for _, p := range a {
		if known[p.Workflow] != p.Digest() {
			out = append(out, Refusal{Kind: resource.KindWorkflow, Name: p.Workflow, Field: "program",
				Reason: "the language says only a program that differs from it"})
		}
	}
	return out
}

func differentResources(a, b resource.Graph) []Refusal {
	var out []Refusal
	known := map[resource.Kind]map[string]resource.Resource{}
	for _, r := range resource.Resources(b) {
		if known[r.Kind] == nil {
			known[r.Kind] = map[string]resource.Resource{}
		}
		known[r.Kind][r.Name] = r
	}
	for _, r := range resource.Resources(a) {
		other := known[r.Kind][r.Name]
		if other.Hash == r.Hash {
			continue
		}
		for _, field := range differentFields(r.Spec, other.Spec) {
			out = append(out, Refusal{Kind: r.Kind, Name: r.Name, Field: field, Reason: "the value does not come back from the text; it cannot be said in the language"})
		}
	}
	return out
}

func differentFields(a, b canon.Value) []string {
	names := map[string]bool{}
	for _, f := range append(a.Fields()[:len(a.Fields()):len(a.Fields())], b.Fields()...) {
		if a.At(f.Name).JSON() != b.At(f.Name).JSON() {
			names[f.Name] = true
		}
	}
	return ordered.Keys(names)
}
