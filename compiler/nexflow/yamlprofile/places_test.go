package yamlprofile

import (
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	block := "# first\nkind: x\nlist:\n  - id: a\n    note: b\n  - id: c\n"
	anchored := "base: &b\n  deep:\n    - one\n    - {two: 2}\nuse: *b\nlist: [*b]\n"
	for _, c := range []struct {
		name, text, path string
		known            []string
		want             manifest.Position
	}{
		{"document", block, "", nil, manifest.Position{Line: 2, Column: 1, UTF16: 1}},
		{"member", block, "/list", nil, manifest.Position{Line: 3, Column: 1, UTF16: 1}},
		{"element", block, "/list/1", nil, manifest.Position{Line: 6, Column: 5, UTF16: 5}},
		{"inside", block, "/list/0/note", nil, manifest.Position{Line: 5, Column: 5, UTF16: 5}},
		{"missing member", block, "/list/1/note", nil, manifest.Position{Line: 6, Column: 5, UTF16: 5}},
		{"missing element", block, "/list/7/note", nil, manifest.Position{Line: 3, Column: 1, UTF16: 1}},
		{"missing at the top", block, "/other/0", nil, manifest.Position{Line: 2, Column: 1, UTF16: 1}},
		{"inside a text", block, "/kind/0", nil, manifest.Position{Line: 2, Column: 1, UTF16: 1}},
		{"no pointer", block, "<redacted-field>", nil, manifest.Position{}},
		{"unknown member", block, "/list/0/<redacted>", []string{"id"}, manifest.Position{Line: 5, Column: 5, UTF16: 5}},
		{"unknown member of nothing known", block, "/list/0/<redacted>", nil, manifest.Position{Line: 4, Column: 5, UTF16: 5}},
		{"CRLF", strings.ReplaceAll(block, "\n", "\r\n"), "/list/0/note", nil, manifest.Position{Line: 5, Column: 5, UTF16: 5}},
		{"CR", strings.ReplaceAll(block, "\n", "\r"), "/list/0/note", nil, manifest.Position{Line: 5, Column: 5, UTF16: 5}},
		{"byte order mark", "\xef\xbb\xbfa: 1\n", "/a", nil, manifest.Position{Line: 1, Column: 1, UTF16: 1}},
		{"version", "%YAML 1.2\n---\na: 1\n", "/a", nil, manifest.Position{Line: 3, Column: 1, UTF16: 1}},
		{"alias", anchored, "/use", nil, manifest.Position{Line: 5, Column: 1, UTF16: 1}},
		{"behind an alias", anchored, "/use/deep/1/two", nil, manifest.Position{Line: 4, Column: 8, UTF16: 8}},
		{"alias in a list", anchored, "/list/0", nil, manifest.Position{Line: 6, Column: 8, UTF16: 8}},
		{"name that is an alias", "a: &n id\nb: {*n : 1}\n", "/b/id", nil, manifest.Position{Line: 2, Column: 5, UTF16: 5}},
		{"flow style", "a: {b: [1, {c: 2}]}\n", "/a/b/1/c", nil, manifest.Position{Line: 1, Column: 13, UTF16: 13}},
		{"quoted names", "\"a\": 1\n'b/c': {\"x~\": 2}\n", "/b~1c/x~0", nil, manifest.Position{Line: 2, Column: 9, UTF16: 9}},
		{"beyond the basic plane", "a: {\"é😀\": 1, b: 2}\n", "/a/b", nil, manifest.Position{Line: 1, Column: 14, UTF16: 15}},
		{"JSON", "{\n\t\"a\": [\n\t\t{\"b\": 1}\n\t]\n}\n", "/a/0/b", nil, manifest.Position{Line: 3, Column: 4, UTF16: 4}},
		{"no YAML", "a: [\n", "/a", nil, manifest.Position{}},
		{"nothing", "", "/a", nil, manifest.Position{}},
	} {
		got := Places([]byte(c.text), []manifest.Sought{{Path: c.path, Known: c.known}})
		if got[0] != c.want {
			t.Errorf("%s: %+v instead of %+v", c.name, got[0], c.want)
		}
	}
}
