package check

import "testing"

func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": -1, "é\uFFFD": -1, "a\xffb": 1, "é\xc3": 2} {
		if got := invalidUTF8([]byte(text)); got != want {
			t.Errorf("invalidUTF8(%q) = %d, want %d", text, got, want)
		}
	}
}
