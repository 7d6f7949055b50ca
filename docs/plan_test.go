package docs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/golden"
	"terfyn/planner/risk"
	"terfyn/store/open"
)

// planVarying is what differs from one run of plan.md to the next.
var planVarying = []struct {
	what *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`sha256:[0-9a-f]{64}`), "sha256:…"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`), "2026-03-01 09:00:00Z"},
	{regexp.MustCompile(`VERSION +SNAPSHOT +APPLIED +ACTOR +PROJECT +CURRENT`), "VERSION  SNAPSHOT  APPLIED               ACTOR  PROJECT  CURRENT"},
	{regexp.MustCompile(`(?m)^(\d) +sha256:… +2026-03-01 09:00:00Z +\S+ +desk *(.*)$`), "$1        sha256:…  2026-03-01 09:00:00Z  ann    desk     $2"},
	{regexp.MustCompile(`chain head [0-9a-f]{12}`), "chain head …"},
	{regexp.MustCompile(`(?m) +$`), ""},
}

// TestPlanPage runs the commands of plan.md on the project of the page and compares
// what they print; UPDATE_GOLDEN=1 rewrites the page.
func TestPlanPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("plan.md")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), tourPatience)
	defer cancel()
	s := newSession(ctx, t, "desk")
	golden.File(t, "plan.md", []byte(s.page(ctx, string(page))))
	if s.commands < 10 {
		t.Errorf("the page has %d commands", s.commands)
	}
}

// first is the digest of the oldest snapshot, as rollback --list shows it.
func (s *session) first(ctx context.Context) string {
	state, err := open.Open(ctx, filepath.Join(s.dir, ".agentic", "state.db"), open.ReadOnly)
	if err != nil {
		s.t.Fatal(err)
	}
	applies, err := state.Applies(ctx, "local", time.Time{}, 50)
	if err := errors.Join(err, state.Close()); err != nil || len(applies) == 0 {
		s.t.Fatalf("%v, %d applies", err, len(applies))
	}
	return string(applies[len(applies)-1].SnapshotAfter)
}

var categoryRow = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|")

// TestRiskCategoriesAreDocumented compares the table of plan.md with the code.
func TestRiskCategoriesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("plan.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "<!-- categories -->\n")
	table, _, ended := strings.Cut(table, "<!-- end of categories -->\n")
	if !found || !ended {
		t.Fatal("plan.md lacks the marks of its table")
	}
	var documented []risk.Category
	for _, m := range categoryRow.FindAllStringSubmatch(table, -1) {
		documented = append(documented, risk.Category(m[1]))
	}
	if diff := cmp.Diff(risk.Categories(), documented); diff != "" {
		t.Errorf("categories (-code +plan.md):\n%s", diff)
	}
}
