package filelock

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestOneHolderAtATime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(path); !errors.Is(err, ErrHeld) {
		t.Errorf("second holder: %v, want ErrHeld", err)
	}
	first.Release()
	third, err := Acquire(path)
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	third.Release()
}

func TestAcquireNamesAMissingFolder(t *testing.T) {
	t.Parallel()
	if _, err := Acquire(filepath.Join(t.TempDir(), "missing", "lock")); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("got %v, want an error that is not ErrHeld", err)
	}
}
