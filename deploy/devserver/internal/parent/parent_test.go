package parent

import (
	"errors"
	"os"
	"testing"
)

// That the channel closes at the end of the parent is shown on the executable.
func TestWatchRefusesAProcessThatIsNotTheParent(t *testing.T) {
	t.Parallel()
	if _, err := Watch(os.Getpid()); !errors.Is(err, ErrNotParent) {
		t.Errorf("got %v, want ErrNotParent", err)
	}
}

func TestWatchedParentIsAlive(t *testing.T) {
	t.Parallel()
	gone, err := Watch(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-gone:
		t.Error("the parent is reported gone while it waits for this test")
	default:
	}
}
