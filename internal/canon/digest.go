package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Digest names bytes by content: "sha256:" and 64 lower-case hex digits. The
// empty Digest means "none".
type Digest string

const digestPrefix = "sha256:"

// Sum returns the digest of b.
func Sum(b []byte) Digest {
	sum := sha256.Sum256(b)
	return Digest(digestPrefix + hex.EncodeToString(sum[:]))
}

// Valid reports whether d has the form Sum produces.
func (d Digest) Valid() bool {
	rest, ok := strings.CutPrefix(string(d), digestPrefix)
	if !ok || len(rest) != 2*sha256.Size || strings.ToLower(rest) != rest {
		return false
	}
	_, err := hex.DecodeString(rest)
	return err == nil
}

// Short returns the first 12 hex digits, for people; never use it as a key.
func (d Digest) Short() string {
	rest := strings.TrimPrefix(string(d), digestPrefix)
	return rest[:min(12, len(rest))]
}
