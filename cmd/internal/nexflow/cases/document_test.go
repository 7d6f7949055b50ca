package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

// readDocument gives a YAML text as maps, lists and scalars. It knows as much of
// YAML as the sets use and is on purpose not the reader of the commands.
func readDocument(b []byte) (any, error) {
	var n yaml.Node
	if err := yaml.Unmarshal(b, &n); err != nil {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	return plainValue(&n)
}

func plainValue(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.DocumentNode:
		return plainValue(n.Content[0])
	case yaml.AliasNode:
		return plainValue(n.Alias)
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			v, err := plainValue(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			out[n.Content[i].Value] = v
		}
		return out, nil
	case yaml.SequenceNode:
		out := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := plainValue(c)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case yaml.ScalarNode:
		return plainScalar(n), nil
	}
	return nil, fmt.Errorf("YAML node of kind %d", n.Kind)
}

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func plainScalar(n *yaml.Node) any {
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Value
	}
	switch n.Value {
	case "", "~", "null":
		return nil
	case "true":
		return true
	case "false":
		return false
	}
	if number.MatchString(n.Value) {
		return json.Number(n.Value)
	}
	return n.Value
}

// readJSON gives a JSON text with its numbers as written.
func readJSON(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read JSON %q: %w", text, err)
	}
	if d.More() {
		return nil, fmt.Errorf("read JSON %q: more than one value", text)
	}
	return v, nil
}

// writeDocument gives a document as JSON, which is YAML.
func writeDocument(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write document: %w", err)
	}
	return b.Bytes(), nil
}

var errNoPlace = errors.New("no such place")

// segments cuts a JSON Pointer.
func segments(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}

// lookup gives the value at a pointer.
func lookup(doc any, pointer string) (any, error) {
	for _, s := range segments(pointer) {
		switch c := doc.(type) {
		case map[string]any:
			v, ok := c[s]
			if !ok {
				return nil, fmt.Errorf("%w: %s", errNoPlace, pointer)
			}
			doc = v
		case []any:
			i, err := strconv.Atoi(s)
			if err != nil || i < 0 || i >= len(c) {
				return nil, fmt.Errorf("%w: %s", errNoPlace, pointer)
			}
			doc = c[i]
		default:
			return nil, fmt.Errorf("%w: %s", errNoPlace, pointer)
		}
	}
	return doc, nil
}

// change gives the value in place of the container that holds the last segment of a
// pointer. edit gets this container and the segment.
func change(doc any, parts []string, edit func(container any, last string) (any, error)) (any, error) {
	if len(parts) == 1 {
		return edit(doc, parts[0])
	}
	switch c := doc.(type) {
	case map[string]any:
		inner, ok := c[parts[0]]
		if !ok {
			return nil, fmt.Errorf("%w: %s", errNoPlace, parts[0])
		}
		v, err := change(inner, parts[1:], edit)
		if err != nil {
			return nil, err
		}
		c[parts[0]] = v
		return c, nil
	case []any:
		i, err := strconv.Atoi(parts[0])
		if err != nil || i < 0 || i >= len(c) {
			return nil, fmt.Errorf("%w: %s", errNoPlace, parts[0])
		}
		v, err := change(c[i], parts[1:], edit)
		if err != nil {
			return nil, err
		}
		c[i] = v
		return c, nil
	}
	return nil, fmt.Errorf("%w: %s", errNoPlace, parts[0])
}

// assign puts v at the last segment; "-" appends to a list.
func assign(v any) func(any, string) (any, error) {
	return func(container any, last string) (any, error) {
		switch c := container.(type) {
		case map[string]any:
			c[last] = v
			return c, nil
		case []any:
			if last == "-" {
				return append(c, v), nil
			}
			i, err := strconv.Atoi(last)
			if err != nil || i < 0 || i >= len(c) {
				return nil, fmt.Errorf("%w: %s", errNoPlace, last)
			}
			c[i] = v
			return c, nil
		}
		return nil, fmt.Errorf("%w: %s", errNoPlace, last)
	}
}

// remove takes the last segment out. What is not there cannot be taken out, so that
// a row that misses its place is noticed.
func remove(container any, last string) (any, error) {
	switch c := container.(type) {
	case map[string]any:
		if _, ok := c[last]; ok {
			delete(c, last)
			return c, nil
		}
	case []any:
		if i, err := strconv.Atoi(last); err == nil && i >= 0 && i < len(c) {
			return append(c[:i:i], c[i+1:]...), nil
		}
	}
	return nil, fmt.Errorf("%w: %s", errNoPlace, last)
}

func TestDocumentEdits(t *testing.T) {
	t.Parallel()
	const text = "a: [1, {b: '2'}]\nc: 2026-06-01\nd: yes\ne: ~\nf: 1.5\n"
	for name, tc := range map[string]struct {
		pointer string
		edit    func(any, string) (any, error)
		want    string
	}{
		"set":         {"/a/1/b", assign(json.Number("3")), `{"a":[1,{"b":3}],"c":"2026-06-01","d":"yes","e":null,"f":1.5}`},
		"append":      {"/a/-", assign("x"), `{"a":[1,{"b":"2"},"x"],"c":"2026-06-01","d":"yes","e":null,"f":1.5}`},
		"remove item": {"/a/0", remove, `{"a":[{"b":"2"}],"c":"2026-06-01","d":"yes","e":null,"f":1.5}`},
		"remove":      {"/a", remove, `{"c":"2026-06-01","d":"yes","e":null,"f":1.5}`},
	} {
		doc, err := readDocument([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		doc, err = change(doc, segments(tc.pointer), tc.edit)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tc.want, string(got)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

func TestDocumentEditsNeedTheirPlace(t *testing.T) {
	t.Parallel()
	for _, pointer := range []string{"/x", "/a/7", "/a/1/z", "/c/0", "/q/r"} {
		doc, err := readDocument([]byte("a: [1, {b: 2}]\nc: d\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := change(doc, segments(pointer), remove); !errors.Is(err, errNoPlace) {
			t.Errorf("removing %s gave %v", pointer, err)
		}
	}
}
