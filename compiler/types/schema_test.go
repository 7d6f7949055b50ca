package types

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/canon"
)

func mustLoad(t *testing.T, doc string) *Schema {
	t.Helper()
	s, err := Load("schemas/T.json", []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustParse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ doc, want string }{
		"not json":          {`{`, "read schema"},
		"trailing":          {`{} {}`, "read schema"},
		"number":            {`7`, "at the root"},
		"bad type word":     {`{"type":"text"}`, "/type"},
		"bad type":          {`{"properties":{"a/b":{"type":"objekt"}}}`, `"objekt" is no JSON Schema type; one of array, boolean, integer, null, number, object, string`},
		"bad type in list":  {`{"allOf":[{"type":["string","x"]}]}`, `at /allOf/0/type/1: "x" is no JSON Schema type`},
		"type twice":        {`{"type":["string","string"]}`, "or a list of different ones"},
		"place":             {"{\n  \"a\": 1\n  \"b\": 2 }", "no JSON at line 3, column 3: expected , or }"},
		"place at the end":  {`{"type":`, "no JSON at line 1, column 9: unexpected end"},
		"bad pattern":       {`{"pattern":"("}`, "at /pattern"},
		"missing local ref": {`{"$ref":"#/$defs/none"}`, "not found"},
		"huge limit":        {`{"minimum":1e999999999}`, "read schema"},
		"loop":              {`{"$ref":"#"}`, "loop"},
		"deep":              {strings.Repeat(`{"properties":{"a":`, 3000) + "{}" + strings.Repeat("}}", 3000), "nested deeper than 200 levels"},
		"deep list":         {`{"const":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}", "nested deeper than 200 levels"},
		"allOf loop":        {`{"allOf":[{"$ref":"#"}]}`, "loop"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Load("schemas/T.json", []byte(c.doc))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "schemas/T.json") {
				t.Errorf("Load: %v, want an error naming the schema and %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "terfyn:///") {
				t.Errorf("artificial address in %v", err)
			}
		})
	}
}

func TestLoadRefusesOtherDocuments(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{
		`{"$ref":"Other.json"}`,
		`{"properties":{"a":{"$ref":"../x.json#/a"}}}`,
		`{"$ref":"file:///etc/passwd"}`,
		`{"$ref":"https://schemas.example/x.json"}`,
		`{"$id":"https://schemas.example/a.json","$ref":"b.json"}`,
		`{"$schema":"https://schemas.example/dialect"}`,
	} {
		if _, err := Load("schemas/T.json", []byte(doc)); !errors.Is(err, ErrExternal) {
			t.Errorf("%s: %v, want ErrExternal", doc, err)
		}
	}
	if _, err := Load("schemas/T.json", []byte(`{"$ref":"Other.json"}`)); !strings.Contains(err.Error(), `"Other.json"`) {
		t.Errorf("the reference is not named: %v", err)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	cases := []struct {
		schema, value string
		ok            bool
	}{
		{`true`, `{"a":1}`, true},
		{`false`, `null`, false},
		{`{"type":"integer"}`, `123456789012345678901234567890`, true},
		{`{"type":"integer"}`, `7.0`, true},
		{`{"type":"integer"}`, `7.5`, false},
		{`{"const":9007199254740993}`, `9007199254740992`, false},
		{`{"const":9007199254740993}`, `9007199254740993`, true},
		{`{"maximum":9007199254740992}`, `9007199254740993`, false},
		{`{"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":1.5}`, true},
		{`{"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":"x"}`, false},
		{`{"properties":{"c":{"$ref":"#"}},"required":["id"]}`, `{"id":1,"c":{"id":2}}`, true},
		{`{"properties":{"c":{"$ref":"#"}},"required":["id"]}`, `{"id":1,"c":{}}`, false},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, `{}`, true},
	}
	for _, c := range cases {
		if err := mustLoad(t, c.schema).Validate(mustParse(t, c.value)); (err == nil) != c.ok {
			t.Errorf("%s against %s: %v", c.value, c.schema, err)
		}
	}
}

func TestValidateNamesPlacesAndNoValues(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, `{"type":"object","additionalProperties":false,"required":["id"],"properties":{
		"a/b":{"type":"string","pattern":"^x$"},
		"n":{"minimum":9007199254740993,"multipleOf":3,"maximum":1},
		"k":{"enum":["red","blue"]},
		"c":{"const":5},
		"o":{"oneOf":[{"type":"string"},{"minLength":3}]},
		"u":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`)
	err := s.Validate(mustParse(t, `{"a/b":"canary-1","n":22,"k":"canary-2","c":"canary-3","o":"canary-4","u":7,"z":1,"y":2}`))
	var invalid *InvalidError
	if !errors.As(err, &invalid) {
		t.Fatalf("Validate: %v", err)
	}
	want := []Problem{
		{"", "has members the schema does not allow: 'y', 'z'"},
		{"", "missing properties: 'id'"},
		{"/a~1b", "does not match pattern '^x$'"},
		{"/c", "must be 5"},
		{"/k", `must be one of ["red","blue"]`},
		{"/n", "must be at most 1"},
		{"/n", "must be at least 9007199254740993"},
		{"/n", "must be a multiple of 3"},
		{"/o", "fits more than one of the alternatives"},
		{"/u", "fits none of the alternatives"},
	}
	if diff := cmp.Diff(want, invalid.Problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if text := err.Error(); strings.Contains(text, "canary") || strings.Contains(text, "22") || !strings.Contains(text, "and 5 more") {
		t.Errorf("text %q", text)
	}
}

func TestValidateIsStable(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, `{"additionalProperties":false,"properties":{"a":{"type":"null"},"b":{"type":"null"},"c":{"type":"null"}}}`)
	v := mustParse(t, `{"a":1,"b":2,"c":3,"x":4,"y":5,"z":6}`)
	first := s.Validate(v).Error()
	for range 50 {
		if got := s.Validate(v).Error(); got != first {
			t.Fatalf("%q, then %q", first, got)
		}
	}
}

func TestReadOnlyFields(t *testing.T) {
	t.Parallel()
	cases := map[string][]string{
		`{"properties":{"b":{"readOnly":true},"a":{"readOnly":true},"c":{}}}`:            {"a", "b"},
		`{"$ref":"#/$defs/r","$defs":{"r":{"properties":{"task":{"readOnly":true}}}}}`:   {"task"},
		`{"allOf":[{"properties":{"task":{"readOnly":true}}}]}`:                          {"task"},
		`{"properties":{"task":{"$ref":"#/$defs/ro"}},"$defs":{"ro":{"readOnly":true}}}`: {"task"},
		`{"properties":{"task":{"properties":{"inner":{"readOnly":true}}}}}`:             nil,
		`{"anyOf":[{"properties":{"task":{"readOnly":true}}}]}`:                          nil,
		`true`: nil,
	}
	for doc, want := range cases {
		if diff := cmp.Diff(want, mustLoad(t, doc).ReadOnlyFields()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", doc, diff)
		}
	}
}

func TestSchemaIdentity(t *testing.T) {
	t.Parallel()
	a, b := mustLoad(t, `{"type": "string"}`), mustLoad(t, "{\"type\":\n\"string\"}")
	if a.Digest() != b.Digest() || a.Digest() == mustLoad(t, `{}`).Digest() {
		t.Error("the digest does not follow the document")
	}
	if a.Path() != "schemas/T.json" || a.Document().Str("type") != "string" {
		t.Errorf("path %q, document %s", a.Path(), a.Document().JSON())
	}
}

func FuzzLoad(f *testing.F) {
	for _, doc := range []string{`true`, `{"type":"object"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#"}}}`, `{"items":[1]}`, `{"$anchor":"x","$dynamicRef":"#x"}`, `{"$id":"a","$defs":{"b":{"$id":"c"}}}`} {
		f.Add(doc, `{"a":[1,"x",null]}`)
	}
	f.Fuzz(func(t *testing.T, doc, value string) {
		s, err := Load("T", []byte(doc))
		if err != nil {
			return
		}
		typ := Of(s)
		_, _ = Member(typ, "a")
		_ = Items(typ).String()
		if v, err := canon.Parse([]byte(value)); err == nil && s.Validate(v) == nil && typ.IsNever() {
			t.Errorf("%s accepts %s although it is never", doc, value)
		}
	})
}
