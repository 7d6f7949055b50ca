package schema

import (
	"fmt"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// BenchmarkCheck checks sets of many small workflows: the time for one must not grow
// with their number.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{2000, 8000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var docs []*manifest.Document
			base := full(b)["workflow.yaml"]
			for i := range n {
				v := base.With("workflow", base.At("workflow").With("id", canon.String(fmt.Sprintf("w%d", i))))
				docs = append(docs, document(fmt.Sprintf("w%05d.yaml", i), v))
			}
			set := manifest.NewSet(docs)
			b.ReportAllocs()
			for b.Loop() {
				if records, err := Check(set); err != nil || len(records) > 0 {
					b.Fatal(records, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/document")
		})
	}
}
