package manifest

// MaxID is the greatest length of an id, in characters.
const MaxID = 128

// RedactedID stands for an id that is not repeated.
const RedactedID = "<redacted-id>"

// IsID reports whether s has the form of an id: lower-case groups that begin with a
// letter, joined by single hyphens or underscores (nexflow.md 3).
func IsID(s string) bool {
	if s == "" || len(s) > MaxID || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	separator := false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			separator = false
		case (c == '-' || c == '_') && !separator:
			separator = true
		default:
			return false
		}
	}
	return !separator
}

// IsEventType reports whether s has the form of an event type: lower-case words
// joined by dots, at least two.
func IsEventType(s string) bool {
	dots, word := 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			word = true
		case c == '.' && word:
			dots, word = dots+1, false
		default:
			return false
		}
	}
	return word && dots > 0
}

// Shown is an id or event type as it may be repeated in output.
func Shown(id string) string {
	if IsID(id) || len(id) <= MaxID && IsEventType(id) {
		return id
	}
	return RedactedID
}
