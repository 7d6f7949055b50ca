package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"terfyn/internal/canon"
)

// shortestBoundary is the length of a boundary that needs no extension, in hex digits.
const shortestBoundary = 8

// Wrap renders content of an untrusted source (a tool, another agent, an input)
// for a prompt. The element carries a boundary that does not occur in the
// content, so content cannot close it; the same content always gives the same
// text. source is the engine's record of where the content came from.
func Wrap(source, content string) string {
	b := boundary(content, shortestBoundary)
	content = strings.ToValidUTF8(content, "\uFFFD")
	source = string(canon.AppendString(nil, strings.NewReplacer("<", "‹", ">", "›", `"`, "'").Replace(source)))
	return "<untrusted-" + b + " source=" + source + ">\n" + content + "\n</untrusted-" + b + ">"
}

// boundary is a prefix of the content's hash of at least shortest digits,
// extended until the content does not hold it.
func boundary(content string, shortest int) string {
	sum := sha256.Sum256([]byte(content))
	digits := hex.EncodeToString(sum[:])
	for n := shortest; ; n++ {
		for n > len(digits) {
			sum = sha256.Sum256([]byte(digits))
			digits += hex.EncodeToString(sum[:])
		}
		if !strings.Contains(content, digits[:n]) {
			return digits[:n]
		}
	}
}
