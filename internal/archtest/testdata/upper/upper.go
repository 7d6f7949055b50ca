// Package upper is what package lower must not import.
package upper

import (
	"net/http"

	"github.com/google/go-cmp/cmp"
)

// Status is used by package lower.
var Status = http.StatusText(http.StatusOK) + cmp.Diff(1, 1)
