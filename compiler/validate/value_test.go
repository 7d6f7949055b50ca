package validate

import (
	"regexp"
	"testing"
)

// TestNameForms compares the forms of names with the expressions that define them.
func TestNameForms(t *testing.T) {
	t.Parallel()
	ident := regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`)
	word := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	path := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$`)
	const alphabet = "aZ_0-.é"
	var try func(string, int)
	try = func(s string, left int) {
		if isIdent(s) != ident.MatchString(s) || isWord(s) != word.MatchString(s) || isPath(s) != path.MatchString(s) {
			t.Errorf("%q: ident %t, word %t, path %t", s, isIdent(s), isWord(s), isPath(s))
		}
		if left > 0 {
			for _, r := range alphabet {
				try(s+string(r), left-1)
			}
		}
	}
	try("", 5)
}
