package schema

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

func TestEveryKindHasItsSchema(t *testing.T) {
	t.Parallel()
	l, err := load(embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range manifest.Kinds() {
		doc := l.documents[base+roots[info.Kind]]
		if got := doc.At("properties", "kind", "const"); !canon.Equal(got, canon.String(string(info.Kind))) || doc.Str("title") != string(info.Kind) {
			t.Errorf("the schema %s is not that of %s", roots[info.Kind], info.Kind)
		}
		if doc.At("properties", info.List).IsNull() {
			t.Errorf("the schema of %s has no field %s", info.Kind, info.List)
		}
	}
}

func TestDamagedSchemas(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]fs.FS{
		"no schemas":           fstest.MapFS{},
		"no JSON":              altered(t, "tasks", `"title": "TaskSet",`, `"title": "TaskSet"`),
		"no schema":            altered(t, "tasks", `"type": "object"`, `"type": "thing"`),
		"pattern":              altered(t, "shared", `"^[a-z]+(?:`, `"^[a-z+(?:`),
		"another address":      altered(t, "tasks", `0.1/tasks"`, `0.1/task"`),
		"unknown definition":   altered(t, "tasks", `"shared#/$defs/id"`, `"shared#/$defs/none"`),
		"another document":     altered(t, "tasks", `"shared#/$defs/id"`, `"elsewhere"`),
		"address on a network": altered(t, "tasks", `"shared#/$defs/id"`, `"https://schemas.invalid/id"`),
		"file of the machine":  altered(t, "tasks", `"shared#/$defs/id"`, `"file:///etc/hostname"`),
	} {
		if _, err := load(source); err == nil {
			t.Errorf("%s: the schemas load", name)
		}
	}
	if _, err := load(altered(t, "tasks", `"shared#/$defs/id"`, `"https://schemas.invalid/id"`)); !errors.Is(err, errForeign) {
		t.Errorf("a foreign address is refused with %v", err)
	}
}

func TestUnknownKindIsNoFinding(t *testing.T) {
	t.Parallel()
	doc := document("x.yaml", canon.Object(canon.F("kind", canon.String("Team"))))
	if records, err := Check(manifest.NewSet([]*manifest.Document{doc})); err == nil {
		t.Errorf("there is no error but %d records", len(records))
	}
}

// What the code relies on: the keywords it words, no boolean schemas (their location
// ends in a member, not in a keyword), and no lists where faults do not count.
func TestSchemasUseWhatIsUnderstood(t *testing.T) {
	t.Parallel()
	l, err := load(embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range ordered.Keys(l.documents) {
		checkSchema(t, address, l.documents[address], false)
	}
}

func checkSchema(t *testing.T, at string, s canon.Value, assumed bool) {
	t.Helper()
	if s.Kind() != canon.KindObject {
		t.Errorf("%s is no object", at)
	}
	for _, f := range s.Fields() {
		here := at + "/" + f.Name
		switch f.Name {
		case "$schema", "$id", "title", "type", "enum", "const", "required", "format", "minItems", "minLength", "maxLength",
			"minimum", "maximum", "minProperties", "uniqueItems":
		case "pattern":
			if s.Str("title") == "" {
				t.Errorf("%s: a pattern needs a title that says what it means", at)
			}
		case "$ref":
			if assumed {
				t.Errorf("%s: what is only tried must be written out", here)
			}
		case "items":
			if assumed {
				t.Errorf("%s: lists that are only tried use up the quota", here)
			}
			checkSchema(t, here, f.Value, assumed)
		case "if", "not", "contains":
			checkSchema(t, here, f.Value, true)
		case "then", "else":
			checkSchema(t, here, f.Value, assumed)
		case "additionalProperties":
			if b, isBool := f.Value.AsBool(); !isBool || b {
				checkSchema(t, here, f.Value, assumed)
			}
		case "properties", "$defs", "dependentSchemas":
			for _, member := range f.Value.Fields() {
				checkSchema(t, here+"/"+member.Name, member.Value, assumed)
			}
		case "oneOf", "anyOf":
			for _, branch := range f.Value.Items() {
				checkSchema(t, here, branch, assumed)
			}
		default:
			t.Errorf("%s: the keyword is not one that findings are worded for", here)
		}
	}
}

// The documents that the tests of single faults start from use every field.
func TestFullDocumentsHaveEveryField(t *testing.T) {
	t.Parallel()
	l, err := load(embedded())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"memoryPolicyRef": true, "workflow": true}
	for _, v := range full(t) {
		walk(v, nil, func(_ []string, v canon.Value) {
			for _, f := range v.Fields() {
				seen[f.Name] = true
			}
		})
	}
	for _, name := range ordered.Keys(l.names) {
		if !seen[name] {
			t.Errorf("no document has the field %s", name)
		}
	}
}
