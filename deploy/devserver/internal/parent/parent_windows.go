package parent

import (
	"fmt"
	"os"
)

// wait holds the parent open, so that its number cannot go to another process,
// and returns when it has ended.
func wait(pid int, gone chan<- struct{}, armed chan<- error) {
	p, err := os.FindProcess(pid)
	if err != nil {
		armed <- fmt.Errorf("open process %d: %w", pid, err)
		return
	}
	armed <- nil
	if _, err := p.Wait(); err == nil {
		close(gone)
	}
}
