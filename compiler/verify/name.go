package verify

import "strings"

// isName reports whether s is spelled as a name of the language.
func isName(s string) bool {
	for i := range len(s) {
		letter := s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z'
		rest := i > 0 && (s[i] == '-' || s[i] >= '0' && s[i] <= '9')
		if !letter && !rest {
			return false
		}
	}
	return s != ""
}

// isBinding also takes the names of temporaries, which end in ~2, ~3, … when they
// give way to another.
func isBinding(s string) bool {
	name, number, numbered := strings.Cut(s, "~")
	return isName(name) && (!numbered || number != "" && strings.Trim(number, "0123456789") == "")
}

// isSegment reports whether s can be one part of a call site.
func isSegment(s string) bool { return s != "" && !strings.ContainsAny(s, "/#") }
