package schema

import (
	"strings"
	"unicode/utf8"

	"terfyn/internal/canon"
)

// complaint is what is said about a broken rule. Nothing in it comes from the
// document, except that members lists which of the schema's fields are there.
type complaint struct {
	message, suggestion string
	allowed, members    []string
}

func (r rule) requirement(field string) complaint {
	return complaint{message: "The required field " + field + " is missing.", suggestion: "Add the field."}
}

// complaint says what value lacks; the value itself decides only which fields of
// the schema are named.
func (r rule) complaint(value canon.Value) complaint {
	switch r.keyword {
	case "enum":
		return complaint{message: "The value is not one of the words that its field has.", allowed: words(r.value.Items()...)}
	case "const":
		return complaint{message: "The value is not the only one that its field may have here.", allowed: words(r.value)}
	case "not":
		return r.exclusion(value)
	case "anyOf":
		return complaint{message: "The object has none of the fields of which it needs one.", members: fields(r.value)}
	default:
		return complaint{message: r.sentence()}
	}
}

func (r rule) sentence() string {
	switch r.keyword {
	case "type":
		return "The value is not " + typeWords(r.value) + "."
	case "pattern":
		return "The text is not " + lowerFirst(r.schema.Str("title")) + "."
	case "format":
		if s, _ := r.value.AsString(); s == "date" {
			return "The text is not a day of the calendar, written as in 2026-06-01 (RFC 3339)."
		}
		return "The text is not a point in time with its offset, written as in 2026-06-01T12:00:00Z (RFC 3339)."
	case "additionalProperties":
		return "The object has a field that it does not know."
	case "oneOf":
		return "The value has none of the forms that its field has."
	case "uniqueItems":
		return "The list has an element twice."
	case "minItems", "minLength", "minProperties", "maxLength", "minimum", "maximum":
		return r.limit()
	default:
		return "The value breaks a rule of its field."
	}
}

// limit says which limit was missed.
func (r rule) limit() string {
	n := r.value.JSON()
	switch {
	case r.keyword == "minimum":
		return "The number is less than " + n + "."
	case r.keyword == "maximum":
		return "The number is greater than " + n + "."
	case r.keyword == "maxLength":
		return "The text is longer than " + n + " characters."
	case r.keyword == "minLength":
		return "The text is shorter than " + n + plural(n, " character") + "."
	case r.keyword == "minItems":
		return "The list has fewer than " + n + plural(n, " element") + "."
	default:
		return "The object has fewer than " + n + plural(n, " field") + "."
	}
}

func plural(n, word string) string {
	if n == "1" {
		return word
	}
	return word + "s"
}

// exclusion is about fields that must not be there, or not together.
func (r rule) exclusion(value canon.Value) complaint {
	if len(r.value.Fields()) == 0 {
		return complaint{message: "The field is not supported here.", suggestion: "Remove the field."}
	}
	var present []string
	for _, name := range fields(r.value) {
		if _, ok := value.Get(name); ok {
			present = append(present, name)
		}
	}
	return complaint{message: "The object has fields that exclude each other.", members: present}
}

// fields is the fields that a schema, or the branches of a choice, require.
func fields(schema canon.Value) []string {
	var out []string
	for _, branch := range schema.Items() {
		out = append(out, fields(branch)...)
	}
	for _, f := range schema.Fields() {
		switch f.Name {
		case "required":
			out = append(out, words(f.Value.Items()...)...)
		case "anyOf":
			out = append(out, fields(f.Value)...)
		}
	}
	return out
}

// words spells the values that a schema lists.
func words(values ...canon.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		s, isText := v.AsString()
		if !isText {
			s = v.JSON()
		}
		out[i] = s
	}
	return out
}

func typeWords(v canon.Value) string {
	name, _ := v.AsString()
	switch name {
	case "string":
		return "a text"
	case "array":
		return "a list"
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	default:
		return "an object"
	}
}

func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return strings.ToLower(string(r)) + s[n:]
}
