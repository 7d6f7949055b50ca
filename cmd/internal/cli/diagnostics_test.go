package cli

import (
	"testing"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// Of many warnings of one code the first ten are shown; errors always are.
func TestFew(t *testing.T) {
	t.Parallel()
	var ds diag.List
	for range 25 {
		ds.Add(diag.Errorf(diag.BadConfig, source.Span{}, "wrong"))
		d := diag.Errorf(diag.NotRunnable, source.Span{}, "not run")
		d.Severity = diag.Warning
		ds.Add(d)
	}
	kept, left := few(ds)
	if len(kept) != 35 || len(left) != 1 || left[0].Reason != string(diag.NotRunnable) || left[0].Message != "and 15 more of "+string(diag.NotRunnable)+"; terfyn validate lists all" {
		t.Errorf("%d kept, left %v", len(kept), left)
	}
	if kept, left = few(ds[:20]); len(kept) != 20 || len(left) != 0 {
		t.Errorf("%d kept, left %v", len(kept), left)
	}
}
