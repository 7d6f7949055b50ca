package types

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func typ(t *testing.T, doc string) Type {
	t.Helper()
	return Of(mustLoad(t, doc))
}

func TestTypeSets(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		`true`:                          "any",
		`{}`:                            "any",
		`{"enum":[1]}`:                  "any",
		`{"anyOf":[{"type":"string"}]}`: "any",
		`false`:                         "never",
		`{"type":"string"}`:             "string",
		`{"type":["null","string"]}`:    "string or null",
		`{"type":["integer","number"]}`: "integer or number",
		`{"$ref":"#/$defs/s","$defs":{"s":{"type":"boolean"}}}`:                  "boolean",
		`{"$ref":"#/$defs/s","$defs":{"s":{"$ref":"#/$defs/t"},"t":false}}`:      "never",
		`{"allOf":[{"type":["string","integer"]},{"type":["number","object"]}]}`: "integer",
		`{"allOf":[{"type":"string"},{"type":"integer"}]}`:                       "never",
		`{"allOf":[{"type":"number"},{"type":["number","null"]}]}`:               "number",
		`{"type":"object","allOf":[{"required":["a"]}]}`:                         "object",
	}
	for doc, want := range cases {
		if got := typ(t, doc).String(); got != want {
			t.Errorf("%s is %s, want %s", doc, got, want)
		}
	}
	if got := Of(nil); !got.IsUntyped() {
		t.Errorf("no schema is %s", got)
	}
}

func TestAssignable(t *testing.T) {
	t.Parallel()
	str, num, integer := Basic(String), Basic(Number), Basic(Integer)
	cases := []struct {
		from, to Type
		want     bool
	}{
		{Untyped(), str, true},
		{str, Untyped(), true},
		{Basic(String | Integer), str, false},
		{str, Basic(String | Integer), true},
		{integer, num, true},
		{num, integer, false},
		{Basic(Integer | Null), Basic(Number | Null), true},
		{Literal(), integer, true},
		{Never(), str, true},
		{Never(), Never(), true},
		{str, Never(), false},
		{Literal(), Never(), false},
		{Untyped(), Never(), true},
		{Basic(Object), Basic(Object), true},
	}
	for _, c := range cases {
		if got := Assignable(c.from, c.to); got != c.want {
			t.Errorf("%s into %s: %v", c.from, c.to, got)
		}
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	closedObject := `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"b":true,"n":false},"patternProperties":{"^x_":{"type":"integer"}}}`
	cases := []struct{ doc, name, want string }{
		{closedObject, "a", "string"},
		{closedObject, "b", "any"},
		{closedObject, "n", "is not declared"},
		{closedObject, "nope", "is not declared"},
		{closedObject, "x_1", "any"},
		{`{"properties":{"a":{"type":"string"}}}`, "z", "any"},
		{`{"type":"object"}`, "z", "any"},
		{`{"type":"string"}`, "z", "any"},
		{`true`, "z", "any"},
		{`{"$ref":"#/$defs/o","$defs":{"o":` + closedObject + `}}`, "nope", "is not declared"},
		{`{"allOf":[{"properties":{"a":{"type":["string","null"]}}},{"properties":{"a":{"type":"string"}}}]}`, "a", "string"},
		{`{"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"type":"null"}}}]}`, "a", "is not declared"},
		{`{"properties":{"child":{"$ref":"#"}}}`, "child", "any"},
	}
	for _, c := range cases {
		m, err := Member(typ(t, c.doc), c.name)
		got := m.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want && !(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%s of %s: %s, want %s", c.name, c.doc, got, c.want)
		}
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		`{"type":"array","items":{"type":"string"}}`: "string",
		`{"type":"array"}`:                           "any",
		`{"prefixItems":[{"type":"string"}]}`:        "any",
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":{"type":"null"}}`: "null",
	}
	for doc, want := range cases {
		if got := Items(typ(t, doc)).String(); got != want {
			t.Errorf("%s: %s, want %s", doc, got, want)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	doc := `{"type":"object","additionalProperties":false,"properties":{
		"meta":{"type":"object","additionalProperties":false,"properties":{"x":{"type":"integer"}}},
		"tags":{"type":"array","prefixItems":[{"type":"null"}],"items":{"type":"string"}},
		"free":{}}}`
	cases := map[string]string{
		"meta.x": "integer", "meta.y": "is not declared", "tags.0": "null", "tags.1": "string", "tags.x": "is not declared",
		"free.any.thing": "any", "nope": "is not declared", "meta.x.deep": "is not declared", "0": "is not declared",
	}
	for path, want := range cases {
		got, err := Lookup(typ(t, doc), strings.Split(path, ".")...)
		text := got.String()
		if err != nil {
			text = err.Error()
			if !strings.Contains(text, `"`+path+`"`) {
				t.Errorf("%s: the message does not name the path: %s", path, text)
			}
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %s", path, text, want)
		}
	}
	if _, err := Lookup(typ(t, `{"type":"string"}`), "arg0"); err == nil {
		t.Error("a string has no fields, yet arg0 was found")
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	doc := `{"type":"object","additionalProperties":false,"properties":{
		"repo":{"type":"string"},"number":{"type":"integer"},
		"tags":{"type":"array","items":{"type":"string"}},"any":{"type":"array"},
		"meta":{"type":"object","additionalProperties":false,"properties":{"x":{"type":"integer"}}},
		"none":false}}`
	field := func(name string, s Shape) Field { return Field{Name: name, Shape: s} }
	str, integer := ValueOf(Basic(String)), ValueOf(Basic(Integer))
	cases := map[string]struct {
		shape Shape
		doc   string
		want  []string
	}{
		"literal":          {ValueOf(Literal()), `{"type":"integer"}`, nil},
		"string":           {str, `{"type":"integer"}`, []string{"string is not compatible with integer"}},
		"fields":           {ObjectOf(field("repo", integer), field("bogus", str)), doc, []string{`field "repo": integer is not compatible with string`, `field "bogus" is not declared: the schema allows no field of this name`}},
		"nested":           {ObjectOf(field("meta", ObjectOf(field("y", str), field("x", integer)))), doc, []string{`field "meta.y" is not declared: the schema allows no field of this name`}},
		"forbidden":        {ObjectOf(field("none", ValueOf(Literal()))), doc, []string{`field "none" is not declared: the schema allows no field of this name`}},
		"list":             {ObjectOf(field("tags", ListOf(str, integer)), field("any", ListOf(str, integer))), doc, []string{`field "tags.1": integer is not compatible with string`}},
		"list in object":   {ObjectOf(field("meta", ListOf(str))), doc, []string{`field "meta.0" is not declared: the schema takes object, which has no field of this name`}},
		"object to string": {ObjectOf(field("a", str)), `{"type":"string"}`, []string{`field "a" is not declared: the schema takes string, which has no fields`}},
		"empty object":     {ObjectOf(), `{"type":"string"}`, []string{"object is not compatible with string"}},
		"empty list":       {ListOf(), `{"type":"string"}`, []string{"array is not compatible with string"}},
		"never":            {ValueOf(Literal()), `false`, []string{"a literal is not compatible with never"}},
		"untyped":          {ObjectOf(field("a", str)), `true`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, m := range Fit(c.shape, typ(t, c.doc)) {
				got = append(got, m.Message)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	a := typ(t, `{"type":"object"}`)
	if got := Join(a, a); got.String() != "object" {
		t.Errorf("same: %s", got)
	}
	if got := Join(a, typ(t, `{"type":"object"}`)); !got.IsUntyped() {
		t.Errorf("two object schemas join to %s", got)
	}
	if got := Join(Basic(String), Basic(String)); got.String() != "string" {
		t.Errorf("two strings join to %s", got)
	}
	if got := Join(Literal(), Untyped()); got.IsLiteral() {
		t.Error("a literal on one path only stays a literal")
	}
}
