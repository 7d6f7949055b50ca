//go:build !linux || !(amd64 || arm64)

package cage

import (
	"fmt"
	"runtime"
)

// Run runs c in the cage, which this system has none of.
func Run(Command) (Result, error) {
	return Result{}, fmt.Errorf("%w: it needs Linux on amd64 or arm64 and this is %s/%s", ErrUnavailable, runtime.GOOS, runtime.GOARCH)
}
