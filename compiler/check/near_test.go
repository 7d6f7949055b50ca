package check

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, want string
		candidates []string
	}{
		{"editr", "editor", []string{"author", "editor"}},
		{"Editor", "editor", []string{"editor", "editors"}},
		{"a", "", []string{"b"}},
		{"raed", "read", []string{"write", "read"}},
		{"publish", "", []string{"read", "write"}},
		{"same", "", []string{"same"}},
		{strings.Repeat("x", 100), "", []string{strings.Repeat("x", 99)}},
	}
	for _, c := range cases {
		if got := Near(c.name, c.candidates); got != c.want {
			t.Errorf("Near(%q, %q) = %q, want %q", c.name, c.candidates, got, c.want)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": -1, "é\uFFFD": -1, "a\xffb": 1, "é\xc3": 2} {
		if got := invalidUTF8([]byte(text)); got != want {
			t.Errorf("invalidUTF8(%q) = %d, want %d", text, got, want)
		}
	}
}
