package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// workspace is a copy of a set that a case may change.
type workspace struct {
	// outer is the folder above the root, which belongs to the case as well.
	outer string
	root  string
	// choose is the options that choose documents, empty for directory mode.
	choose []string
}

func (w *workspace) at(file string) string { return filepath.Join(w.root, filepath.FromSlash(file)) }

// edit reads a document, changes it and writes it back.
func (w *workspace) edit(file string, f func(doc any) (any, error)) error {
	b, err := os.ReadFile(w.at(file))
	if err != nil {
		return err
	}
	doc, err := readDocument(b)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if doc, err = f(doc); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if b, err = writeDocument(doc); err != nil {
		return err
	}
	return os.WriteFile(w.at(file), b, 0o644)
}

// set puts a value at a pointer.
func (w *workspace) set(file, pointer string, v any) error {
	return w.edit(file, func(doc any) (any, error) { return change(doc, segments(pointer), assign(v)) })
}

// appendText adds a text to a file as it is, on a line of its own.
func (w *workspace) appendText(file, text string) error {
	b, err := os.ReadFile(w.at(file))
	if err != nil {
		return err
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	return os.WriteFile(w.at(file), append(append(b, text...), '\n'), 0o644)
}

// step is one change of a case.
type step func(*workspace) error

// form is one sentence of the language in which changes are written.
type form struct {
	shape *regexp.Regexp
	// make gets what the shape found in its groups.
	make func(m []string) (step, error)
}

// sentence compiles a shape in which ~ stands for a text in backticks.
func sentence(shape string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(shape, "~", "`([^`]*)`") + "$")
}

var quoted = regexp.MustCompile("`([^`]*)`")

var forms = []form{
	{sentence(`~ ~ := ~`), makeSet},
	{sentence(`~ append to ~: ~`), func(m []string) (step, error) { return makeSet([]string{m[0], m[1], m[2] + "/-", m[3]}) }},
	{sentence("~ delete (`[^`]*`(?:, `[^`]*`)*)"), makeDelete},
	{sentence(`~ append a copy of ~ with (.+)`), makeCopyOf},
	{sentence(`~ append ~`), makeAppendText},
	{sentence(`~ append a second top-level ~`), makeAppendText},
	{sentence(`~ becomes (?:the sequence )?~`), func(m []string) (step, error) {
		return func(w *workspace) error { return os.WriteFile(w.at(m[1]), []byte(m[2]+"\n"), 0o644) }, nil
	}},
	{sentence(`delete ~`), func(m []string) (step, error) {
		return func(w *workspace) error { return os.Remove(w.at(m[1])) }, nil
	}},
	{sentence(`copy ~ to ~(?: as well)?`), func(m []string) (step, error) {
		return func(w *workspace) error {
			b, err := os.ReadFile(w.at(m[1]))
			if err != nil {
				return err
			}
			return os.WriteFile(w.at(m[2]), b, 0o644)
		}, nil
	}},
	{sentence(`rename ~ to ~`), func(m []string) (step, error) {
		return func(w *workspace) error { return os.Rename(w.at(m[1]), w.at(m[2])) }, nil
	}},
	{sentence(`rename ~ to ~, hint (\w+) likewise`), func(m []string) (step, error) {
		return func(w *workspace) error {
			if err := os.Rename(w.at(m[1]), w.at(m[2])); err != nil {
				return err
			}
			return w.set("project.yaml", "/manifests/"+m[3], m[2])
		}, nil
	}},
	{sentence(`symlink ~ → ~`), func(m []string) (step, error) {
		return func(w *workspace) error { return os.Symlink(m[2], w.at(m[1])) }, nil
	}},
	{sentence("(?:explicit mode|project file)[^`]*~"), func(m []string) (step, error) {
		return func(w *workspace) error { w.choose = strings.Fields(m[1]); return nil }, nil
	}},
	{sentence(`unchanged set\b.*`), func([]string) (step, error) { return func(*workspace) error { return nil }, nil }},
}

func makeSet(m []string) (step, error) {
	v, err := readJSON(m[3])
	if err != nil {
		return nil, err
	}
	return func(w *workspace) error { return w.set(m[1], m[2], v) }, nil
}

func makeDelete(m []string) (step, error) {
	return func(w *workspace) error {
		return w.edit(m[1], func(doc any) (any, error) {
			var err error
			for _, p := range quoted.FindAllStringSubmatch(m[2], -1) {
				if doc, err = change(doc, segments(p[1]), remove); err != nil {
					return nil, err
				}
			}
			return doc, nil
		})
	}, nil
}

func makeAppendText(m []string) (step, error) {
	return func(w *workspace) error { return w.appendText(m[1], m[2]) }, nil
}

var member = regexp.MustCompile("(\\w+) `([^`]*)`")

// makeCopyOf appends a copy of a list's element with some members set to texts.
func makeCopyOf(m []string) (step, error) {
	members := member.FindAllStringSubmatch(m[3], -1)
	if len(members) == 0 {
		return nil, fmt.Errorf("a copy with no member set: %q", m[3])
	}
	return func(w *workspace) error {
		return w.edit(m[1], func(doc any) (any, error) {
			original, err := lookup(doc, m[2])
			if err != nil {
				return nil, err
			}
			b, err := writeDocument(original)
			if err != nil {
				return nil, err
			}
			twin, err := readJSON(string(b))
			if err != nil {
				return nil, err
			}
			for _, set := range members {
				if twin, err = change(twin, []string{set[1]}, assign(set[2])); err != nil {
					return nil, err
				}
			}
			list := m[2][:strings.LastIndexByte(m[2], '/')]
			return change(doc, segments(list+"/-"), assign(twin))
		})
	}, nil
}

// readChange gives the steps of a change, whose sentences are parted by semicolons.
func readChange(text string) ([]step, error) {
	var out []step
	for _, clause := range splitClauses(text) {
		s, err := readClause(clause)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func readClause(clause string) (step, error) {
	for _, f := range forms {
		if m := f.shape.FindStringSubmatch(clause); m != nil {
			return f.make(m)
		}
	}
	return nil, fmt.Errorf("not a sentence of the change language: %q", clause)
}

// splitClauses cuts at the semicolons outside of backticks.
func splitClauses(text string) []string {
	var out []string
	quote, start := false, 0
	for i := range len(text) {
		switch {
		case text[i] == '`':
			quote = !quote
		case text[i] == ';' && !quote:
			out = append(out, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// touched gives the pointers that a change sets, removes or appends to, by file.
func touched(text string) map[string][]string {
	out := map[string][]string{}
	for _, clause := range splitClauses(text) {
		all := quoted.FindAllStringSubmatch(clause, -1)
		if len(all) < 2 {
			continue
		}
		for _, q := range all[1:] {
			if strings.HasPrefix(q[1], "/") {
				out[all[0][1]] = append(out[all[0][1]], q[1])
			}
		}
	}
	return out
}

func TestChangeLanguage(t *testing.T) {
	t.Parallel()
	for change, want := range map[string]map[string]string{
		"`a.yaml` `/x/0` := `7`":                                       {"a.yaml": `{"x":[7]}`},
		"`a.yaml` append to `/x`: `{\"y\": \";\"}`":                    {"a.yaml": `{"x":[{"id":"a"},{"y":";"}]}`},
		"`a.yaml` delete `/x/0/id`, `/x/0`":                            {"a.yaml": `{"x":[]}`},
		"`a.yaml` append a copy of `/x/0` with id `b`, status `c`":     {"a.yaml": `{"x":[{"id":"a"},{"id":"b","status":"c"}]}`},
		"`a.yaml` append `y: 1`":                                       {"a.yaml": "x:\n- id: a\ny: 1"},
		"`a.yaml` append a second top-level `x: 1`":                    {"a.yaml": "x:\n- id: a\nx: 1"},
		"`a.yaml` becomes the sequence `- a`":                          {"a.yaml": "- a"},
		"copy `a.yaml` to `b.yaml` as well; delete `a.yaml`":           {"a.yaml": "", "b.yaml": "x:\n- id: a"},
		"rename `a.yaml` to `b.yaml`; symlink `a.yaml` → `b.yaml`":     {"a.yaml": "x:\n- id: a", "b.yaml": "x:\n- id: a"},
		"unchanged set (for a reason)":                                 {"a.yaml": "x:\n- id: a"},
		"`a.yaml` `/x/0/id` := `\"b\"`; `a.yaml` `/x/0/id` := `\"c\"`": {"a.yaml": `{"x":[{"id":"c"}]}`},
	} {
		steps, err := readChange(change)
		if err != nil {
			t.Error(err)
			continue
		}
		w := &workspace{root: t.TempDir()}
		if err := os.WriteFile(w.at("a.yaml"), []byte("x:\n- id: a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if err := s(w); err != nil {
				t.Errorf("%s: %v", change, err)
			}
		}
		for file, text := range want {
			b, err := os.ReadFile(w.at(file))
			if (err != nil) != (text == "") {
				t.Errorf("%s: %s: %v", change, file, err)
			}
			if got := squeeze(string(b)); got != text {
				t.Errorf("%s: %s holds\n%s\ninstead of\n%s", change, file, got, text)
			}
		}
	}
}

// squeeze takes the blanks out of JSON and the last line end off anything else.
func squeeze(s string) string {
	if strings.HasPrefix(s, "{") {
		return strings.NewReplacer(" ", "", "\n", "").Replace(s)
	}
	return strings.TrimSuffix(s, "\n")
}

func TestChangeChooses(t *testing.T) {
	t.Parallel()
	steps, err := readChange("explicit mode, two documents: `--file b.yaml --file a.yaml`")
	if err != nil {
		t.Fatal(err)
	}
	var w workspace
	for _, s := range steps {
		if err := s(&w); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(w.choose, " "); got != "--file b.yaml --file a.yaml" {
		t.Errorf("chose %q", got)
	}
	for _, prose := range []string{"", "`a.yaml` gets better", "`a.yaml` `/x` := `{`", "`a.yaml` append a copy of `/x/0` with care"} {
		if _, err := readChange(prose); err == nil {
			t.Errorf("%q was understood", prose)
		}
	}
}
