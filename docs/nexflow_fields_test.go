package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/internal/golden"
)

const manifestSchemas = "../compiler/nexflow/schema/v0.1"

// TestNexflowFields compares the tables of nexflow-fields.md with the schemas and
// with the table of references; UPDATE_GOLDEN=1 rewrites them.
func TestNexflowFields(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("nexflow-fields.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	s := readManifestSchemas(t)
	for _, kind := range manifest.Kinds() {
		open, closing := "<!-- fields of "+string(kind.Kind)+" -->\n", "<!-- end -->\n"
		before, rest, found := strings.Cut(text, open)
		_, after, ended := strings.Cut(rest, closing)
		if !found || !ended {
			t.Fatalf("nexflow-fields.md lacks the marks of %s", kind.Kind)
		}
		text = before + open + s.table(kind) + closing + after
	}
	golden.File(t, "nexflow-fields.md", []byte(text))
}

// member is a member of a JSON object in the order of its file.
type member struct {
	name  string
	value any
}

type object []member

func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (o object) text(name string) string {
	s, _ := o.get(name).(string)
	return s
}

type schemaPages struct {
	t     *testing.T
	files map[string]object
}

func readManifestSchemas(t *testing.T) schemaPages {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(manifestSchemas, "*.schema.json"))
	if err != nil || len(names) < len(manifest.Kinds()) {
		t.Fatalf("%v, %d schemas", err, len(names))
	}
	s := schemaPages{t: t, files: map[string]object{}}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber()
		s.files[strings.TrimSuffix(filepath.Base(name), ".schema.json")] = ordered(t, d).(object)
	}
	return s
}

// ordered reads a value and keeps the order of members.
func ordered(t *testing.T, d *json.Decoder) any {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token {
	case json.Delim('{'):
		out := object{}
		for d.More() {
			name := ordered(t, d).(string)
			out = append(out, member{name, ordered(t, d)})
		}
		_, err = d.Token()
		if err != nil {
			t.Fatal(err)
		}
		return out
	case json.Delim('['):
		out := []any{}
		for d.More() {
			out = append(out, ordered(t, d))
		}
		_, err = d.Token()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	return token
}

// placed is a schema and the file in which its references begin.
type placed struct {
	file string
	object
}

// follow replaces a schema by what it refers to, with the names of what it went
// through. What stands beside a reference narrows what it leads to.
func (s schemaPages) follow(p placed) (to placed, names []string) {
	var beside object
	for {
		ref := p.text("$ref")
		if ref == "" {
			return narrowed(p, beside), names
		}
		for _, m := range p.object {
			if m.name == "minItems" || m.name == "properties" {
				beside = append(beside, m)
			}
		}
		file, pointer, _ := strings.Cut(ref, "#")
		if file == "" {
			file = p.file
		}
		p = placed{file, s.files[file]}
		for _, name := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
			if name == "" {
				continue
			}
			inner, ok := p.get(name).(object)
			if !ok {
				s.t.Fatalf("%s leads nowhere", ref)
			}
			p.object = inner
		}
		names = append(names, file+"#"+pointer[strings.LastIndex(pointer, "/")+1:])
	}
}

func narrowed(p placed, beside object) placed {
	for _, b := range beside {
		if b.name != "properties" {
			p.object = append(slices.Clone(p.object), b)
			continue
		}
		var properties object
		for _, m := range p.get("properties").(object) {
			if by := b.value.(object).get(m.name); by != nil {
				m.value = by
			}
			properties = append(properties, m)
		}
		p.object = append(object{{"properties", properties}}, p.object...)
	}
	return p
}

func (s schemaPages) table(kind manifest.KindInfo) string {
	var rows strings.Builder
	for name, file := range s.files {
		if file.text("title") != string(kind.Kind) {
			continue
		}
		w := fieldRows{schemaPages: s, kind: kind.Kind, out: &rows}
		for _, list := range []string{kind.List, "envelope", "manifests"} {
			if top, ok := file.get("properties").(object).get(list).(object); ok {
				needed, _ := file.get("required").([]any)
				w.field(list, "/"+list, placed{name, top}, slices.Contains(needed, any(list)))
			}
		}
	}
	return "| field | value |\n|---|---|\n" + rows.String()
}

type fieldRows struct {
	schemaPages
	kind manifest.Kind
	out  *strings.Builder
}

// words are the names of schemas in the words of the page.
var words = map[string]string{
	"shared#id": "id", "shared#ids": "ids", "shared#someIds": "ids, at least one",
	"shared#event": "event type", "shared#events": "event types", "shared#someEvents": "event types, at least one",
	"shared#filled": "text, not empty", "shared#texts": "texts", "shared#uniqueTexts": "texts, each once",
	"shared#date": "date", "shared#moment": "time", "shared#attachments": "list, inert", "shared#resourceKind": "kind of a resource",
	"project#path": "path", "network#domain": "domain", "providers#region": "region",
}

// field writes the row of a field and those below it.
func (w fieldRows) field(shown, pointer string, at placed, required bool) {
	to, names := w.follow(at)
	if word := wordFor(names); word != "" {
		w.row(shown, required, w.target(pointer, word))
		return
	}
	if forms, ok := to.get("oneOf").([]any); ok && to.get("properties") == nil {
		for _, form := range forms {
			w.field(shown, pointer, placed{to.file, form.(object)}, required)
		}
		return
	}
	switch {
	case to.get("properties") != nil:
		if !strings.HasSuffix(shown, "[]") {
			w.row(shown, required, "object"+closed(to))
		}
		needed, _ := to.get("required").([]any)
		for _, m := range to.get("properties").(object) {
			if unscoped := m.name == "scope" && slices.Contains(names, "shared#unscoped"); unscoped {
				continue
			}
			if inner, ok := m.value.(object); ok && !refused(inner) {
				w.field(shown+"."+m.name, pointer+"/"+m.name, placed{to.file, inner}, slices.Contains(needed, any(m.name)))
			}
		}
	case to.get("items") != nil:
		items := placed{to.file, to.get("items").(object)}
		inner, through := w.follow(items)
		if inner.get("properties") == nil {
			what := "list of " + simple(inner)
			if word := wordFor(through); word != "" {
				what = "list, each " + word
			}
			w.row(shown, required, w.target(pointer, strings.Replace(what, "list", "list"+least(to), 1)))
			return
		}
		w.row(shown, required, "list"+least(to)+closed(inner))
		w.field(shown+"[]", pointer+"/*", items, false)
	default:
		w.row(shown, required, w.target(pointer, simple(to)))
	}
}

// wordFor is the word of the page for what a schema refers to, "" for none.
func wordFor(names []string) string {
	for _, n := range names {
		if word, known := words[n]; known {
			return word
		}
	}
	return ""
}

func refused(o object) bool {
	never, ok := o.get("not").(object)
	return ok && len(never) == 0
}

func closed(p placed) string {
	if p.get("additionalProperties") == false {
		return ", closed"
	}
	return ""
}

func least(p placed) string {
	if p.get("minItems") != nil {
		return ", at least one"
	}
	return ""
}

// simple is a value that has no parts.
func simple(p placed) string {
	if c := p.get("const"); c != nil {
		return fmt.Sprintf("`%v`", c)
	}
	if list, ok := p.get("enum").([]any); ok {
		var out []string
		for _, v := range list {
			out = append(out, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(out, " ")
	}
	out := map[string]string{"string": "text", "boolean": "true or false", "integer": "whole number", "number": "number", "object": "object"}[p.text("type")]
	if out == "" {
		out = "any value"
	}
	if p.get("minLength") != nil {
		out += ", not empty"
	}
	if low := p.get("minimum"); low != nil {
		out += fmt.Sprintf(" from %v", low)
	}
	if high := p.get("maximum"); high != nil {
		out += fmt.Sprintf(" to %v", high)
	}
	return out
}

// target adds what a reference leads to.
func (w fieldRows) target(pointer, value string) string {
	for _, r := range refs.Table() {
		if r.From != w.kind || strings.TrimSuffix(r.Pointer, "/*") != pointer || r.When == refs.ScopeOfTarget {
			continue
		}
		switch {
		case r.When == refs.OwnKind:
			return value + " of a thing of that kind"
		case r.When == refs.SameWorkflow:
			return value + " → step of the same workflow"
		}
		return value + " → " + strings.ReplaceAll(string(r.To), "-", " ")
	}
	return value
}

func (w fieldRows) row(shown string, required bool, value string) {
	star := ""
	if required {
		star = " *"
	}
	fmt.Fprintf(w.out, "| `%s`%s | %s |\n", shown, star, value)
}
