package discovery_test

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/discovery"
	"terfyn/internal/bigproject"
)

// workflows is a set with so many workflow documents of an ordinary size.
func workflows(count int) (tree, discovery.Limits) {
	files := tree{}
	var project strings.Builder
	project.WriteString("specVersion: '0.1'\nkind: Project\nmetadata: {project: many}\nproject: {id: many}\nmanifests:\n  workflows:\n")
	for i := range count {
		name := fmt.Sprintf("flows/flow-%05d.yaml", i)
		fmt.Fprintf(&project, "    - %s\n", name)
		var b strings.Builder
		fmt.Fprintf(&b, "specVersion: \"0.1\"\nkind: Workflow\nmetadata:\n  project: many\nworkflow:\n  id: flow-%d\n  stages:\n", i)
		for stage := range 3 {
			fmt.Fprintf(&b, "    - id: stage-%d\n      displayName: Stage\n      steps:\n", stage)
			for step := range 3 {
				fmt.Fprintf(&b, "        - id: step-%d-%d\n          task: task-%d\n          dependsOn: []\n          emits: [task.started, task.completed]\n", stage, step, step)
			}
		}
		files[name] = b.String()
	}
	files["project.yaml"] = project.String()
	return files, discovery.Limits{Documents: count + 1}
}

func BenchmarkDiscover(b *testing.B) {
	for _, count := range []int{2000, 8000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			files, limits := workflows(count)
			for b.Loop() {
				if set, records := discovery.Discover(files, discovery.Selection{}, limits); set == nil {
					b.Fatal(records)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(count), "µs/document")
		})
	}
}

// TestDiscoverIsLinear counts the work for a set of documents and for one of twice
// as many.
func TestDiscoverIsLinear(t *testing.T) {
	bigproject.Linear(t, func(documents int) func() {
		files, limits := workflows(documents)
		return func() {
			if set, records := discovery.Discover(files, discovery.Selection{}, limits); set == nil {
				t.Error(records)
			}
		}
	})
}
