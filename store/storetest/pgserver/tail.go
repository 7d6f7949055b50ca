package pgserver

import (
	"bytes"
	"sync"
)

// readyText is what a server logs when it accepts connections.
var readyText = []byte("database system is ready to accept connections")

// longestTail bounds what is kept of the server's log.
const longestTail = 16 << 10

// tail keeps the end of the server's log and tells when it is ready.
type tail struct {
	mu    sync.Mutex
	text  []byte
	seen  bool
	ready chan struct{}
}

func newTail() *tail { return &tail{ready: make(chan struct{})} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if !t.seen && bytes.Contains(t.text, readyText) {
		t.seen = true
		close(t.ready)
	}
	if over := len(t.text) - longestTail; over > 0 {
		t.text = append([]byte(nil), t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
