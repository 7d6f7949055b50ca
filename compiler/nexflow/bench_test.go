package nexflow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
)

// memory is a folder whose files are texts.
type memory map[string][]byte

// Open gives the folder itself.
func (m memory) Open() (discovery.Files, func() error, error) {
	return m, func() error { return nil }, nil
}

// Look knows absent and regular files.
func (m memory) Look(name string) (discovery.Entry, error) {
	if _, ok := m[name]; ok {
		return discovery.Regular, nil
	}
	return discovery.Absent, nil
}

// Read gives a file within its limit.
func (m memory) Read(name string, limit int64) ([]byte, error) {
	b, ok := m[name]
	switch {
	case !ok:
		return nil, &discovery.Refused{Reason: manifest.ReasonUnreadable}
	case int64(len(b)) > limit:
		return nil, &discovery.Refused{Reason: manifest.ReasonSize}
	}
	return b, nil
}

// largeSet is the support desk of the examples, with as many workflows in place of its
// one that there are n documents, and the tasks that their steps run.
func largeSet(b *testing.B, n int) memory {
	b.Helper()
	dir := filepath.Join("..", "..", "examples", "nexflow", "support-desk")
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) != 17 {
		b.Fatalf("the example has %d documents (%v)", len(files), err)
	}
	m := memory{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		m[filepath.Base(f)] = text
	}
	delete(m, "workflow.yaml")
	workflows := n - len(m)
	var hints, tasks strings.Builder
	hints.WriteString("  workflows:\n")
	for i := range workflows {
		name := fmt.Sprintf("flows/round-%04d.yaml", i)
		fmt.Fprintf(&hints, "    - %s\n", name)
		m[name] = []byte(largeWorkflow(i))
	}
	for i := range largeTasks {
		fmt.Fprintf(&tasks, largeTask, i, i, i, i)
	}
	m["project.yaml"] = []byte(strings.Replace(string(m["project.yaml"]), "  workflow: workflow.yaml\n", hints.String(), 1))
	m["agent-definitions.yaml"] = []byte(strings.Replace(string(m["agent-definitions.yaml"]), "- desk-round", "- round-0000", 1))
	m["prompt-sets.yaml"] = []byte(strings.Replace(string(m["prompt-sets.yaml"]), "- desk-round", "- round-0001", 1))
	m["tasks.yaml"] = append(m["tasks.yaml"], tasks.String()...)
	return m
}

const (
	largeTasks = 400
	// largeSteps is how many of them a workflow runs, one after the other.
	largeSteps = 8
)

const largeTask = `  - id: answer-%d
    title: Answer kind %d of question
    description: A draft that names the articles it rests on, for tickets of kind %d.
    status: proposed
    owner: reply-agent
    capabilitiesRequired:
      - read_tickets
      - draft_reply
    acceptanceCriteria:
      - The draft names the articles it rests on.
    artifacts:
      - id: answer_text_%d
        type: text
        description: The answer as it would be sent.
        producedBy: reply-agent
`

func largeWorkflow(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `specVersion: "0.1"
kind: Workflow
metadata:
  project: support-desk
workflow:
  id: round-%04d
  displayName: Round %d
  description: From a ticket to an answer.
  triggers:
    - mail.received
  stages:
    - id: answer
      displayName: Answer
      steps:
`, n, n)
	for s := range largeSteps {
		fmt.Fprintf(&b, "        - id: step-%d\n          task: answer-%d\n", s, (n+s*37)%largeTasks)
		if s > 0 {
			fmt.Fprintf(&b, "          dependsOn:\n            - step-%d\n", s-1)
		}
		b.WriteString("          approvalGates:\n            - reply_review\n          emits:\n            - answer.drafted\n            - review.requested\n")
	}
	return b.String()
}

func benchmarkValidate(b *testing.B, documents int) {
	m := largeSet(b, documents)
	size := 0
	for _, text := range m {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		e := nexflow.Run(nexflow.Request{
			Version: "bench", Command: budget.Validate, Source: m,
			Limits: discovery.Limits{Documents: documents, Bytes: 16 << 20},
		})
		if e.ExitCode != 0 {
			b.Fatalf("exit %d: %.2000s", e.ExitCode, e.JSON())
		}
	}
	b.ReportMetric(float64(documents)*float64(b.N)/b.Elapsed().Seconds(), "docs/s")
}

// BenchmarkValidate2000 is a set of 2,000 documents, all layers.
func BenchmarkValidate2000(b *testing.B) { benchmarkValidate(b, 2000) }

// BenchmarkValidate8000 shows whether the time grows as the set does.
func BenchmarkValidate8000(b *testing.B) { benchmarkValidate(b, 8000) }
