package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksLeadSomewhere checks the relative links of every document.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, path := range documents(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(b), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			checked++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), target)); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
	}
	if checked == 0 {
		t.Error("no link was found")
	}
}

// documents lists the Markdown files of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var codeName = regexp.MustCompile("`((?:compiler|planner|policy|store|deploy|workflows|activities|cmd|internal|examples|docs)(?:/[a-z0-9]+)*)`")

// TestArchitectureNamesPackages: every package path in the picture exists.
func TestArchitectureNamesPackages(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	names := codeName.FindAllStringSubmatch(string(b), -1)
	if len(names) == 0 {
		t.Fatal("no package name was found")
	}
	for _, m := range names {
		if info, err := os.Stat(filepath.Join("..", m[1])); err != nil || !info.IsDir() {
			t.Errorf("architecture.md names %s, and there is no such folder", m[1])
		}
	}
}
