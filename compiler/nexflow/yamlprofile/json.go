package yamlprofile

import (
	"encoding/json"
	"regexp"
	"strconv"
	"unicode/utf16"
)

// surrogates is a pair of escapes that JSON writes a character beyond the basic plane
// with, behind any backslashes.
var surrogates = regexp.MustCompile(`(\\*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})`)

// withoutSurrogates writes such a pair of a JSON text as the one escape that YAML has
// for the character: every JSON text is a YAML text, but the library does not know
// these. A text that is no JSON is left as it is.
func withoutSurrogates(b []byte) []byte {
	if !surrogates.Match(b) || !json.Valid(b) {
		return b
	}
	return surrogates.ReplaceAllFunc(b, func(pair []byte) []byte {
		parts := surrogates.FindSubmatch(pair)
		before := parts[1]
		if len(before)%2 == 1 {
			return pair // the backslash before the u is itself escaped
		}
		high, _ := strconv.ParseUint(string(parts[2]), 16, 16) // four hex digits
		low, _ := strconv.ParseUint(string(parts[3]), 16, 16)
		point := strconv.FormatUint(uint64(utf16.DecodeRune(rune(high), rune(low))), 16)
		return append(append([]byte{}, before...), `\U`+"00000000"[:8-len(point)]+point...)
	})
}
