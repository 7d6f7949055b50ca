package secret_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/internal/secret"
)

func TestResolve(t *testing.T) {
	t.Setenv("SECRET_TEST_VALUE", "k-123")
	t.Setenv("SECRET_TEST_EMPTY", "")
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct{ ref, want string }{
		{"env:SECRET_TEST_VALUE", "k-123"},
		{"file:" + write("a", "line\n"), "line"},
		{"file:" + write("b", "two\r\n"), "two"},
		{"file:" + write("c", "keeps inner\n\n"), "keeps inner\n"},
		{"literal", "literal"},
		{"", ""},
	} {
		got, err := secret.Resolve(c.ref)
		if err != nil || got != c.want {
			t.Errorf("Resolve(%q) = %q, %v; want %q", c.ref, got, err, c.want)
		}
	}
	for _, ref := range []string{
		"env:", "env:NOT-A-NAME", "env:SECRET_TEST_UNSET", "env:SECRET_TEST_EMPTY", "file:", "file:" + dir,
		"file:" + filepath.Join(dir, "absent"), "file:" + write("empty", "\n"), "file:" + write("big", strings.Repeat("s", 70000)),
	} {
		got, err := secret.Resolve(ref)
		if err == nil || got != "" || !strings.Contains(err.Error(), ref) {
			t.Errorf("Resolve(%q) = %q, %v; want an error naming the reference", ref, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "sss") {
			t.Errorf("the error of %q shows the value", ref)
		}
	}
}

func TestIsReference(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"env:A": true, "file:/x": true, "env:": true, "Bearer x": false, "": false, "environment": false} {
		if secret.IsReference(s) != want {
			t.Errorf("IsReference(%q) = %v", s, !want)
		}
	}
}
