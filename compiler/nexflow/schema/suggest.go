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
	}
	return ""
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
