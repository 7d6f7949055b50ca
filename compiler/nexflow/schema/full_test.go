package schema

import (
	"testing"

	"terfyn/compiler/nexflow/manifest"
)

func TestEveryFieldIsAccepted(t *testing.T) {
	t.Parallel()
	files := full(t)
	if len(files) != len(manifest.Kinds()) {
		t.Errorf("there are documents of %d kinds, want %d", len(files), len(manifest.Kinds()))
	}
	for _, r := range check(t, files) {
		t.Errorf("%s: %s", brief(r), r.Message)
	}
}
