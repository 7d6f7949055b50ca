package check

import "unicode/utf8"

// invalidUTF8 is the offset of the first byte that is not UTF-8, -1 when there
// is none.
func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
