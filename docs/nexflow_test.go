package docs

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/code"
	"terfyn/internal/golden"
)

// TestNexflowPage writes the files of nexflow.md, runs its commands and compares what
// they print, and the table of codes with the catalogue; UPDATE_GOLDEN=1 rewrites
// the page.
func TestNexflowPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("nexflow.md")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), tourPatience)
	defer cancel()
	s := newSession(ctx, t, "notes")
	text := withCodes(t, s.page(ctx, string(page)))
	golden.File(t, "nexflow.md", []byte(text))
	if s.commands < 10 {
		t.Errorf("the page has %d commands", s.commands)
	}
}

// withCodes puts the catalogue between its marks.
func withCodes(t *testing.T, text string) string {
	t.Helper()
	before, rest, found := strings.Cut(text, "<!-- codes -->\n")
	_, after, ended := strings.Cut(rest, "<!-- end of codes -->\n")
	if !found || !ended {
		t.Fatal("nexflow.md lacks the marks of its table of codes")
	}
	var table strings.Builder
	table.WriteString("| code | severity | meaning |\n|---|---|---|\n")
	for _, e := range code.All() {
		fmt.Fprintf(&table, "| %s | %s | %s |\n", e.Code, e.Severity, e.Meaning)
	}
	return before + "<!-- codes -->\n" + table.String() + "<!-- end of codes -->\n" + after
}
