package schema

import (
	"slices"

	"terfyn/internal/canon"
)

// vocabulary is the fields whose words only describe something. For these a word
// that is spelled almost like the one found is suggested. Never for fields such as
// effect, status or access: the nearest word there could be the less strict one.
var vocabulary = []string{"type", "contentTypes", "features", "modelClass", "strategy", "style", "appliesTo"}

// maxTypos is how many letters may differ between a word and the suggested one.
const maxTypos = 2

// suggest is the smallest safe step against a broken rule, "" for none.
func suggest(r rule, names []string, value canon.Value) string {
	switch r.keyword {
	case "uniqueItems":
		return "Remove the repetition."
	case "enum":
		if text, ok := value.AsString(); ok && describes(names) {
			return nearest(text, words(r.value.Items()...))
		}
	case "type":
		return retype(r.value, value)
	case "pattern":
		return r.spelling()
	case "format":
		if r.isDay() {
			return "Write year, month and day, such as 2026-06-01."
		}
		return "Write date, time and offset, such as 2026-06-01T12:00:00Z."
	case "minItems":
		return "Write at least one element."
	case "minLength":
		return "Write a text."
	case "maxLength":
		return "Shorten the text."
	case "minProperties":
		return "Write at least one field."
	}
	return ""
}

// retype says how a value becomes one of the wanted type.
func retype(wanted, found canon.Value) string {
	name, _ := wanted.AsString()
	isPlain := found.Kind() == canon.KindNumber || found.Kind() == canon.KindBool
	isText := found.Kind() == canon.KindString
	switch {
	case name == "string" && isPlain:
		return "Put the value in quotes."
	case name == "string" && found.IsNull():
		return "Write a text; an empty one is written as two quotes."
	case name == "string":
		return "Write a single text."
	case name == "array" && (isText || isPlain):
		return "Write a list, also of one."
	case name == "array" && found.IsNull():
		return "Write a list; an empty one is written as []."
	case name == "array":
		return "Write a list: entries that begin with a hyphen."
	case name == "boolean" && isText:
		return "Write true or false, without quotes."
	case name == "boolean":
		return "Write true or false."
	case (name == "integer" || name == "number") && isText:
		return "Write a number, without quotes."
	case name == "integer":
		return "Write a whole number."
	case name == "number":
		return "Write a number."
	}
	return "Write a mapping: fields with values below."
}

// spellings are texts of the forms that have a pattern, by what they are.
var spellings = map[string]string{
	"An id":                "docs-agent",
	"An event type":        "task.created",
	"A domain":             "docs.example",
	"The name of a region": "eu-west-1",
}

// spelling is the rule of a pattern in words.
func (r rule) spelling() string {
	what, how := r.form()
	if how == "" {
		return "Write " + lowerFirst(what) + "."
	}
	return what + " is " + how + ", such as " + spellings[what] + "."
}

// describes reports whether the field at the end of names is one of the vocabulary.
func describes(names []string) bool {
	for i := len(names) - 1; i >= 0; i-- {
		if !isIndex(names[i]) {
			return slices.Contains(vocabulary, names[i])
		}
	}
	return false
}

// nearest suggests the one word that is close to text; none when there are several.
func nearest(text string, all []string) string {
	best, least, tied := "", maxTypos+1, false
	for _, word := range all {
		switch d := distance(text, word); {
		case d < least:
			best, least, tied = word, d, false
		case d == least:
			tied = true
		}
	}
	if best == "" || tied || least*2 > len(best) {
		return ""
	}
	return "Did you mean " + best + "?"
}

// distance is how many letters must be changed, added or removed between a and b;
// maxTypos+1 stands for any greater number.
func distance(a, b string) int {
	if diff := len(a) - len(b); diff > maxTypos || diff < -maxTypos {
		return maxTypos + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return min(row[len(b)], maxTypos+1)
}
