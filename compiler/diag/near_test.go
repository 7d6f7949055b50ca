package diag

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

func TestNearEdits(t *testing.T) {
	t.Parallel()
	known := []string{"CustomerRecord"}
	for name, want := range map[string]string{
		"CustomrRecrd": "CustomerRecord", "CstmrRecord": "", "customerrecord": "CustomerRecord", "CustomerRecord": "",
	} {
		if got := NearEdits(name, known, 2); got != want {
			t.Errorf("NearEdits(%q) = %q, want %q", name, got, want)
		}
	}
	if got := NearEdits("In", []string{"Out", "Ip"}, 2); got != "Ip" {
		t.Errorf("a short name allows one slip: %q", got)
	}
	if got := NearEdits("In", []string{"Out"}, 2); got != "" {
		t.Errorf("two slips in a short name are another name: %q", got)
	}
}
