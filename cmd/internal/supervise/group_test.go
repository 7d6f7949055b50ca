package supervise

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The test executable is its own child: it waits for its stdin to end, or ends at
// once.
const role = "SUPERVISE_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "wait":
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(0)
	case "fail":
		os.Exit(3)
	}
	os.Exit(m.Run())
}

func child(r string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), role+"="+r)
		if _, err := cmd.StdinPipe(); err != nil {
			panic(err)
		}
		return cmd
	}
}

// journal collects what a group does.
type journal struct {
	mu      sync.Mutex
	lines   []string
	pids    map[string]int
	started chan string
}

func newJournal() (*journal, *Group) {
	j := &journal{pids: map[string]int{}, started: make(chan string, 100)}
	return j, &Group{
		Log: func(format string, _ ...any) { j.mu.Lock(); defer j.mu.Unlock(); j.lines = append(j.lines, format) },
		Started: func(part string, pid int) {
			j.mu.Lock()
			j.pids[part] = pid
			j.mu.Unlock()
			j.started <- part
		},
	}
}

func (j *journal) pid(part string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.pids[part]
}

func TestAKilledPartStartsAgain(t *testing.T) {
	t.Parallel()
	j, g := newJournal()
	ctx, stop := context.WithCancel(t.Context())
	done, ready := make(chan error, 1), make(chan struct{})
	go func() {
		done <- g.Run(ctx, []Part{{Name: "a", Command: child("wait")}, {Name: "b", Command: child("wait")}}, func() error { close(ready); return nil })
	}()
	<-ready
	order := []string{<-j.started, <-j.started}
	slices.Sort(order)
	if !slices.Equal(order, []string{"a", "b"}) {
		t.Errorf("%v", order)
	}
	first := j.pid("a")
	p, err := os.FindProcess(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	if part := <-j.started; part != "a" || j.pid("a") == first {
		t.Errorf("started %s, pid %d after %d", part, j.pid("a"), first)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAPartThatNeverGetsReadyIsGivenUp(t *testing.T) {
	t.Parallel()
	_, g := newJournal()
	never := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	err := g.Run(t.Context(), []Part{{Name: "server", Command: child("fail"), Ready: never}}, func() error { t.Error("ready"); return nil })
	if err == nil || !strings.Contains(err.Error(), "server ended 3 times") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v", err)
	}
}

func TestPartsStartOneAfterTheOther(t *testing.T) {
	t.Parallel()
	j, g := newJournal()
	refuse := errors.New("no")
	err := g.Run(t.Context(), []Part{
		{Name: "a", Command: child("wait"), Ready: func(context.Context) error { return refuse }},
		{Name: "b", Command: child("wait")},
	}, func() error { t.Error("ready"); return nil })
	if !errors.Is(err, refuse) || j.pid("b") != 0 {
		t.Errorf("%v, b has pid %d", err, j.pid("b"))
	}
}
