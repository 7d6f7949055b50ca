package storetest

import (
	"fmt"
	"testing"

	"terfyn/store"
	"terfyn/store/audit"
)

// BenchmarkAppend measures appending one event to one chain.
func BenchmarkAppend(b *testing.B, s store.Store) {
	n := 0
	for b.Loop() {
		if _, err := s.Append(background(), event("bench", n)); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// BenchmarkVerify measures the walk of chains of growing length and reports the
// time per event, which stays level when the walk is linear.
func BenchmarkVerify(b *testing.B, s store.Store) {
	for _, length := range []int{10_000, 100_000} {
		runID := fmt.Sprint("bench", length)
		for from := 0; from < length; from += 1000 {
			var events []store.Event
			for i := range 1000 {
				events = append(events, event(runID, from+i))
			}
			if _, err := s.Append(background(), events...); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				report, err := audit.Verify(background(), s, runID)
				if err != nil || !report.Intact() || report.Count != int64(length) {
					b.Fatalf("%+v, %v", report, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(length), "ns/event")
		})
	}
}
