package compiler_test

import (
	"os"
	"strings"
	"testing"

	"terfyn/compiler/format"
	"terfyn/compiler/source"
)

// TestFormattingIsNotIdentity formats the files of a project and compares digests.
func TestFormattingIsNotIdentity(t *testing.T) {
	t.Parallel()
	archive, err := os.ReadFile("testdata/project.txtar")
	if err != nil {
		t.Fatal(err)
	}
	project := map[string]string{}
	for _, part := range strings.Split(string(archive), "\n-- ")[1:] {
		if name, text, ok := strings.Cut(part, " --\n"); ok && !strings.HasPrefix(name, "out/") {
			project[name] = text + "\n"
		}
	}
	want := digests(mustCompile(t, project))
	formatted, ds := format.Source(source.NewFile("main.agent", []byte(project["main.agent"])))
	if len(ds) > 0 {
		t.Fatalf("the formatter complains:\n%s", ds)
	}
	if string(formatted) == project["main.agent"] {
		t.Fatal("the source is formatted already, the test shows nothing")
	}
	project["main.agent"] = string(formatted)
	if got := digests(mustCompile(t, project)); got != want {
		t.Errorf("digests changed:\n%s\nwant\n%s", got, want)
	}
}
