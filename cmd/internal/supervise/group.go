package supervise

import (
	"context"
	"fmt"
	"os/exec"
	"sync/atomic"
	"time"
)

// The delays between starts of a part that keeps ending, and how long a part
// must run for the delay to begin anew.
const (
	firstDelay = 200 * time.Millisecond
	lastDelay  = 5 * time.Second
	steady     = 10 * time.Second
)

// earlyEnds is how often a part may end before it was ever ready.
const earlyEnds = 3

// stopTimeout is how long a part may take to stop before it is killed.
const stopTimeout = 40 * time.Second

// Part is one child process.
type Part struct {
	Name string
	// Command builds the command for one start.
	Command func() *exec.Cmd
	// Ready returns once the part answers, or with the end of ctx; nil = at once.
	Ready func(ctx context.Context) error
}

// Group runs parts.
type Group struct {
	// Log takes one line for people.
	Log func(format string, args ...any)
	// Started hears of every start.
	Started func(part string, pid int)
}

// Run starts parts one after the other, calls ready when all are, keeps them
// running until ctx ends, and stops them in reverse order. It returns an error
// when a part never gets ready.
func (g *Group) Run(ctx context.Context, parts []Part, ready func() error) error {
	var running []*runner
	defer func() {
		for i := len(running) - 1; i >= 0; i-- {
			close(running[i].stop)
			<-running[i].done
		}
	}()
	for _, p := range parts {
		r := &runner{group: g, part: p, stop: make(chan struct{}), done: make(chan struct{}), ends: make(chan error, 1)}
		running = append(running, r)
		go r.loop()
		if err := r.awaitReady(ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	if err := ready(); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// runner keeps one part running.
type runner struct {
	group *Group
	part  Part
	stop  chan struct{}
	done  chan struct{}
	ends  chan error // the part ended too often before it was ready
	ready atomic.Bool
}

func (r *runner) awaitReady(ctx context.Context) error {
	defer r.ready.Store(true)
	if r.part.Ready == nil {
		return nil
	}
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- r.part.Ready(asking) }()
	select {
	case err := <-r.ends:
		return err
	case err := <-answered:
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the %s does not answer: %w", r.part.Name, err)
		}
		return nil
	}
}

func (r *runner) loop() {
	defer close(r.done)
	delay := firstDelay
	for early := 0; ; {
		began := time.Now()
		err, stopped := r.once()
		if stopped {
			return
		}
		if !r.ready.Load() {
			if early++; early == earlyEnds {
				r.ends <- fmt.Errorf("the %s ended %d times while it started, lastly with: %w; its own messages stand above", r.part.Name, early, err)
				<-r.stop
				return
			}
		}
		if time.Since(began) > steady {
			delay = firstDelay
		}
		r.group.Log("The %s ended (%v); starting it again", r.part.Name, err)
		timer := time.NewTimer(delay)
		select {
		case <-r.stop:
			timer.Stop()
			return
		case <-timer.C:
		}
		delay = min(2*delay, lastDelay)
	}
}

// once runs the part to its end.
func (r *runner) once() (err error, stopped bool) {
	cmd := r.part.Command()
	ownGroup(cmd)
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return err, false
	}
	r.group.Started(r.part.Name, cmd.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			err = errEnded
		}
		return err, false
	case <-r.stop:
	}
	terminate(cmd)
	timer := time.NewTimer(stopTimeout)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		_ = cmd.Process.Kill() // it is gone already, or it is killed
		<-ended
	}
	return nil, true
}

// errEnded: a part ended by itself without complaint.
var errEnded = fmt.Errorf("exit status 0")
