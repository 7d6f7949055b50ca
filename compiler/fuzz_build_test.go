package compiler_test

import (
	"testing"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// FuzzBuild takes any programs that can be read: what is wrong with them is a
// complaint and never a bug, and what passes has an encoding that reads back.
func FuzzBuild(f *testing.F) {
	for seed := range uint64(8) {
		in := randomValues(seed, seed%2 == 1)
		f.Add(ir.EncodeSet(in.Programs))
	}
	base := randomValues(0, false)
	f.Fuzz(func(t *testing.T, b []byte) {
		programs, err := ir.DecodeSet(b)
		if err != nil {
			return
		}
		in := compiler.Input{Graph: base.Graph, Programs: programs, Schemas: base.Schemas}
		in.Graph.Workflows = nil
		for _, p := range programs {
			in.Graph.Workflows = append(in.Graph.Workflows, resource.Workflow{Name: p.Workflow})
		}
		r, ds := compiler.Build(in, compiler.Options{Project: "demo"})
		for _, d := range ds {
			if d.Code == diag.Internal {
				t.Fatal(diag.Plain(d))
			}
		}
		if ds.HasErrors() {
			return
		}
		if _, err := ir.DecodeSet(ir.EncodeSet(r.Programs)); err != nil {
			t.Errorf("what passed does not read back: %v", err)
		}
		if _, err := resource.Decode(resource.Encode(r.Graph)); err != nil {
			t.Errorf("the graph does not read back: %v", err)
		}
	})
}
