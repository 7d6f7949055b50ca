package schema

import (
	"slices"
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

// requirement is about a missing field; with a choice, one of several would do.
func requirement(field string, choice bool) complaint {
	if choice {
		return complaint{message: "The field " + field + " is missing, one of those of which the object needs at least one.", suggestion: "Add it or another one of them."}
	}
	return complaint{message: "The required field " + field + " is missing.", suggestion: "Add the field."}
}

// forkSentences is what is said about a choice without a fitting branch. What is wrong
// with the branch that is meant has records of its own.
var forkSentences = map[fork]string{
	unclear: "The value has none of the forms that its field has.",
	unnamed: "Which fields the object must have depends on its kind, which is missing or none of those that there are.",
	ofKind:  "The object does not have the form that its kind asks for.",
	ofType:  "The value does not have the form that its type has in this field.",
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
		what, _ := r.form()
		return "The text is not " + lowerFirst(what) + "."
	case "format":
		if r.isDay() {
			return "The text is not a day of the calendar (RFC 3339)."
		}
		return "The text is not a point in time with its offset (RFC 3339)."
	case "additionalProperties":
		return "The object has a field that it does not know."
	case "oneOf":
		return "The value fits more than one of the forms that its field has."
	case "uniqueItems":
		return "The list has an element twice."
	case "minItems", "minLength", "minProperties", "maxLength", "minimum", "maximum":
		return r.limit()
	default:
		return "The value breaks a rule of its field."
	}
}

// form is what a text is to be, and how such texts are made up, from the title of the
// schema: "An id, made of groups".
func (r rule) form() (what, how string) {
	what, how, _ = strings.Cut(r.schema.Str("title"), ", ")
	return what, how
}

func (r rule) isDay() bool {
	s, _ := r.value.AsString()
	return s == "date"
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
	said := complaint{message: "The object has fields that exclude each other: " + strings.Join(present, ", ") + ".", suggestion: "Keep one of them.", members: present}
	if len(r.value.At("required").Items()) > 1 {
		return said
	}
	said.message = "An object like this does not have the field " + strings.Join(present, ", ") + "."
	switch {
	case slices.Contains(present, gateField):
		// A gate is not proposed for removal.
		said.message = "The rule names an approvalGate, and its effect is not approval_required."
		said.suggestion = "Write the effect approval_required if the gate is to be asked."
	case r.schema.At("properties").At(discriminator).Kind() != canon.KindNull:
		said.message = "An object of this kind does not have the field " + strings.Join(present, ", ") + "."
		said.suggestion = "Remove it, or correct the kind."
	default:
		said.suggestion = "Remove the field."
	}
	if len(present) > 1 {
		said.message = strings.Replace(said.message, "the field ", "the fields ", 1)
		said.suggestion = strings.Replace(said.suggestion, "Remove it,", "Remove them,", 1)
	}
	return said
}

// gateField is the field with which a rule names its gate.
const gateField = "approvalGate"

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
