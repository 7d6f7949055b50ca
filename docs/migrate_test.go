package docs

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler/diag"
	"terfyn/compiler/migrate"
	"terfyn/internal/golden"
)

// between gives what stands in the block of a page between two marks, and where.
func between(t *testing.T, text, mark string) (content string, start, end int) {
	t.Helper()
	open, closing := strings.Index(text, "<!-- "+mark+" -->\n"), strings.Index(text, "<!-- end of "+mark+" -->")
	if open < 0 || closing < open {
		t.Fatalf("migrate.md lacks the marks of %s", mark)
	}
	m := fence.FindStringSubmatchIndex(text[open:closing])
	if m == nil {
		t.Fatalf("migrate.md has no block between the marks of %s", mark)
	}
	return text[open+m[4] : open+m[5]], open + m[4], open + m[5]
}

// TestMigratePageIsTrue converts the project of migrate.md and keeps what is said and
// what comes out equal to the page; UPDATE_GOLDEN=1 rewrites it.
func TestMigratePageIsTrue(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("migrate.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	before, _, _ := between(t, text, "before")
	files := fstest.MapFS{}
	name := ""
	for line := range strings.Lines(before) {
		if next, ok := strings.CutPrefix(line, "# file: "); ok {
			name = strings.TrimSpace(next)
			files[name] = &fstest.MapFile{}
			continue
		}
		files[name].Data = append(files[name].Data, line...)
	}
	r, ds := migrate.Project(files, "project.agent")
	if ds.HasErrors() {
		t.Fatal(ds.String())
	}
	var said strings.Builder
	for _, d := range ds {
		said.WriteString(diag.Plain(d) + "\n")
	}
	for _, block := range [][2]string{{"said", said.String()}, {"after", string(r.Text)}} {
		_, start, end := between(t, text, block[0])
		text = text[:start] + block[1] + text[end:]
	}
	golden.File(t, "migrate.md", []byte(text))
}
