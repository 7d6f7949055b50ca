package risk

import "terfyn/internal/canon"

// Schemas are the digests of the captured schema documents by path, on both
// sides. What a reference checks is what its document says, not what it is called.
type Schemas struct {
	Before, After map[string]canon.Digest
}

// Same reports whether a reference of each side leads to the same content. Where
// no earlier document is known, the names are all there is to compare.
func (s Schemas) Same(before, after string) bool {
	was, known := s.Before[before]
	if !known {
		return before == after
	}
	return was == s.After[after]
}
