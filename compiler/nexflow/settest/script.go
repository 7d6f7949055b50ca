package settest

import (
	"strings"
	"testing"
)

// Apply changes single values. Every line of script is one change: a file without
// its ending, a pointer and what becomes of the value there, ":= JSON" or "delete".
// A line "FILE delete" takes the whole document away.
func (f Files) Apply(t testing.TB, script string) Files {
	t.Helper()
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		head, json, put := strings.Cut(line, " := ")
		words := strings.Fields(head)
		switch {
		case put && len(words) == 2:
			f = f.Put(t, words[0]+".yaml", words[1], json)
		case len(words) == 3 && words[2] == "delete":
			f = f.Drop(t, words[0]+".yaml", words[1])
		case len(words) == 2 && words[1] == "delete":
			f = f.Without(words[0] + ".yaml")
		default:
			t.Fatalf("%q is no change", line)
		}
	}
	return f
}
