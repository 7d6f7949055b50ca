package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExampleCommands runs the commands that the READMEs of the examples show. All of
// them succeed, but for the one that a README says fails.
func TestExampleCommands(t *testing.T) {
	t.Parallel()
	for _, dir := range ownSets {
		name := filepath.Base(dir)
		b, err := os.ReadFile(filepath.Join(dir, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for _, line := range strings.Split(string(b), "\n") {
			command, found := strings.CutPrefix(line, "    terfyn nexflow ")
			if !found {
				continue
			}
			shown++
			args := strings.Fields(command)
			for i, a := range args {
				if a == "examples/nexflow/"+name {
					args[i] = dir
				} else if strings.Contains(a, "examples/") {
					t.Errorf("%s: %s is about another folder", name, line)
				}
			}
			want := 0
			if name == "release-train" && strings.HasSuffix(command, "--strict") {
				want = 1
			}
			if a := call(args...); a.exit != want {
				t.Errorf("%s: %s: exit %d: %s", name, command, a.exit, a.err)
			}
		}
		if shown < 3 {
			t.Errorf("%s shows %d commands", name, shown)
		}
	}
}

// TestExamplesUseEveryKind is what the support desk is for.
func TestExamplesUseEveryKind(t *testing.T) {
	t.Parallel()
	got := inspect(t, copySet(t, ownSets["D"]).root)
	if len(got.Inspection.Summary) != 17 {
		t.Errorf("it has %d kinds", len(got.Inspection.Summary))
	}
	for _, s := range got.Inspection.Summary {
		if s.ResourceCount == 0 {
			t.Errorf("%s declares nothing", s.Kind)
		}
	}
}
