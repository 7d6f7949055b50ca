// Package lower breaks every rule of the law in the test: it looks up, imports
// os and testing support, and reaches net/http.
package lower

import (
	"os"

	"terfyn/internal/archtest/testdata/upper"
)

// Name is used by nobody.
var Name = os.Args[0] + upper.Status
