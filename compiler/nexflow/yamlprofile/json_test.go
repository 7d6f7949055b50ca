package yamlprofile

import "testing"

// TestSurrogatePairsOfJSON: what writers of ASCII JSON make of a character is read as
// that character, and only there.
func TestSurrogatePairsOfJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": "\ud83d\ude00"}`:        "\U0001F600",
		`{"a": "x\uD83D\uDE00y"}`:      "x\U0001F600y",
		`{"a": "\\\ud83d\ude00"}`:      "\\\U0001F600",
		`{"a": "\\ud83d\\ude00"}`:      `\ud83d\ude00`,
		`{"a": "\u00e9"}`:              "\u00e9",
		"a: '\\ud83d\\ude00'\n":        `\ud83d\ude00`,
		"# x\na: |-\n  \\ud83d\\ude00": `\ud83d\ude00`,
	} {
		v, refusal := Parse([]byte(text))
		if refusal != nil {
			t.Errorf("%s: %v", text, refusal)
		} else if got := v.Str("a"); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{`{"a": "\ud83d"}`, `{"a": "\ude00\ud83d"}`} {
		if v, refusal := Parse([]byte(text)); refusal == nil {
			t.Errorf("%s is read as %s", text, v.JSON())
		}
	}
}
