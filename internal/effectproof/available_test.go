package effectproof

import (
	"testing"

	"terfyn/internal/cage"
)

// TestCageIsAvailable says why the other tests skip, or are not even there.
func TestCageIsAvailable(t *testing.T) {
	t.Parallel()
	cage.Require(t)
}
