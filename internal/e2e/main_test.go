package e2e

import (
	"os"
	"testing"

	"terfyn/store/storetest/pgtest"
)

// TestMain makes the test binary a worker when it is started as one, so that a
// test can kill its worker without killing itself.
func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) != "" {
		os.Exit(workerMain())
	}
	pgtest.Main(m)
}
