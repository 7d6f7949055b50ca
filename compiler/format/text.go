package format

import (
	"strings"

	"terfyn/compiler/syntax"
)

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

// quote gives the one-line form of a string value.
func quote(value string) string { return `"` + escapes.Replace(value) + `"` }

// Raw reports whether a text with line breaks is written raw, as its author would
// see it, and not as one line with escapes.
func Raw(value string) bool { return blockable(value) }

// blockable reports whether a value has a line break and can be written raw
// between three quotes so that reading it gives the value back.
func blockable(value string) bool {
	if !strings.Contains(value, "\n") || strings.Contains(value, `"""`) || strings.Contains(value, "\r") {
		return false
	}
	lines := strings.Split(value, "\n")
	if blank(lines[0]) || blank(lines[len(lines)-1]) {
		return false
	}
	for i, l := range lines {
		if l != "" {
			lines[i] = indentUnit + l
		}
	}
	return syntax.BlockValue("\n"+strings.Join(lines, "\n")+"\n"+indentUnit) == value
}

func blank(line string) bool { return strings.Trim(line, " \t") == "" }
