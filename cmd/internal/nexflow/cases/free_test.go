package cases

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// freeChanges is the changes of the specification's table that are written in plain
// words only.
var freeChanges = map[string]step{
	"D06": linkOutside,
	"D07": linkFolder,
	"D08": linkProject,
	"D21": func(w *workspace) error { return w.appendText("tasks.yaml", aliases(101)) },
	"D22": func(w *workspace) error { return w.appendText("tasks.yaml", "# "+strings.Repeat("x", 1<<20)) },
	"D23": func(w *workspace) error { w.choose = manyFiles(129); return nil },
	"D28": func(w *workspace) error { return w.appendText("tasks.yaml", "notes: \"\xff\"") },
	"D29": func(w *workspace) error { return os.WriteFile(w.at("stray.yaml"), []byte("a: [\n"), 0o644) },
	"S18b": func(w *workspace) error {
		return insertAfter(w, "context.yaml", "- id:", "    freshness: {lastReviewed: 2026-06-01}")
	},
}

func linkOutside(w *workspace) error {
	if err := os.Rename(w.at("actors.yaml"), w.at("../actors.yaml")); err != nil {
		return err
	}
	return os.Symlink("../actors.yaml", w.at("actors.yaml"))
}

func linkFolder(w *workspace) error {
	if err := os.Mkdir(w.at("real"), 0o755); err != nil {
		return err
	}
	if err := os.Rename(w.at("actors.yaml"), w.at("real/actors.yaml")); err != nil {
		return err
	}
	if err := os.Symlink("real", w.at("link")); err != nil {
		return err
	}
	return w.set("project.yaml", "/manifests/actors", "link/actors.yaml")
}

func linkProject(w *workspace) error {
	if err := os.Rename(w.at("project.yaml"), w.at("p2.yaml")); err != nil {
		return err
	}
	return os.Symlink("p2.yaml", w.at("project.yaml"))
}

// aliases is an anchor and a list that uses it n times.
func aliases(n int) string {
	return "anchor: &a x\nuses: [" + strings.TrimSuffix(strings.Repeat("*a, ", n), ", ") + "]"
}

// manyFiles chooses project.yaml and files that are not there, n in all.
func manyFiles(n int) []string {
	out := []string{"--file", "project.yaml"}
	for i := 1; i < n; i++ {
		out = append(out, "--file", fmt.Sprintf("absent-%03d.yaml", i))
	}
	return out
}

// insertAfter puts a line behind the first line that has a text in it.
func insertAfter(w *workspace, file, mark, line string) error {
	b, err := os.ReadFile(w.at(file))
	if err != nil {
		return err
	}
	lines := bytes.Split(b, []byte("\n"))
	for i, l := range lines {
		if bytes.Contains(l, []byte(mark)) {
			rest := append([][]byte{[]byte(line)}, lines[i+1:]...)
			return os.WriteFile(w.at(file), bytes.Join(append(lines[:i+1:i+1], rest...), []byte("\n")), 0o644)
		}
	}
	return fmt.Errorf("%s has no line with %q", file, mark)
}
