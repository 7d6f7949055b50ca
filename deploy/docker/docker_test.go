// Package docker holds how to build and compose containers. Its test compares
// these files with the repository; it does not run them.
package docker

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const root = "../.."

// composed is what the test reads of a compose file.
type composed struct {
	Services map[string]struct {
		Image string
		Build *struct{ Context, Dockerfile, Target string }
		// Command is for the image's entry point.
		Command   []string
		DependsOn map[string]struct{ Condition string } `yaml:"depends_on"`
		Volumes   []string
	}
	Volumes map[string]any
}

func TestComposeFitsTheRepository(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join(root, "docker-compose.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range composeProblems(b, root) {
		t.Error(problem)
	}
}

func TestComposeProblemsAreFound(t *testing.T) {
	t.Parallel()
	got := composeProblems([]byte(`
services:
  none: {}
  wrong:
    build: {context: ., dockerfile: deploy/docker/Dockerfile, target: absent}
    depends_on: {nobody: {condition: service_started}}
    volumes: [gone:/x]
  missing:
    build: {context: ., dockerfile: Absentfile}
`), root)
	for _, want := range []string{"none has no image", "no stage absent", "nobody is no service", "gone is no volume", "Absentfile"} {
		if !slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("no problem says %q: %q", want, got)
		}
	}
}

func composeProblems(b []byte, root string) (problems []string) {
	var c composed
	if err := yaml.Unmarshal(b, &c); err != nil {
		return []string{err.Error()}
	}
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if len(c.Services) == 0 {
		bad("there is no service")
	}
	for name, s := range c.Services {
		if s.Image == "" && s.Build == nil {
			bad("service %s has no image and no build", name)
		}
		if s.Build != nil {
			file, err := os.ReadFile(filepath.Join(root, s.Build.Context, s.Build.Dockerfile))
			if err != nil {
				bad("service %s: %v", name, err)
			} else if !slices.Contains(stages(string(file)), s.Build.Target) {
				bad("service %s: %s has no stage %s", name, s.Build.Dockerfile, s.Build.Target)
			}
		}
		for other := range s.DependsOn {
			if _, ok := c.Services[other]; !ok {
				bad("service %s depends on %s, and %s is no service", name, other, other)
			}
		}
		for _, v := range s.Volumes {
			source, _, _ := strings.Cut(v, ":/")
			if _, ok := c.Volumes[source]; !ok && !strings.ContainsAny(source, "./$") {
				bad("service %s: %s is no volume", name, source)
			}
		}
	}
	return problems
}

var (
	stage  = regexp.MustCompile(`(?m)^FROM \S+ AS (\S+)$`)
	copied = regexp.MustCompile(`(?m)^COPY (?:--from=(\S+) )?(.+) \S+$`)
	made   = regexp.MustCompile(`\bmake ([a-z-]+)`)
	target = regexp.MustCompile(`(?m)^([a-z-]+):(?:[^=]|$)`)
)

func stages(dockerfile string) (names []string) {
	for _, m := range stage.FindAllStringSubmatch(dockerfile, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestDockerfileFitsTheRepository(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, m := range copied.FindAllStringSubmatch(text, -1) {
		if from := m[1]; from != "" {
			if !slices.Contains(stages(text), from) {
				t.Errorf("COPY names the stage %s, which does not exist", from)
			}
			continue
		}
		for path := range strings.FieldsSeq(m[2]) {
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Error(err)
			}
		}
	}
	var targets []string
	for _, m := range target.FindAllStringSubmatch(string(makefile), -1) {
		targets = append(targets, m[1])
	}
	names := made.FindAllStringSubmatch(text, -1)
	if len(names) == 0 {
		t.Error("the Dockerfile builds with no make target")
	}
	for _, m := range names {
		if !slices.Contains(targets, m[1]) {
			t.Errorf("the Makefile has no target %s", m[1])
		}
	}
}
