package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// grace is how long a child may take to end after it was asked to.
const grace = 10 * time.Second

// poll is how often something that is awaited is looked at.
const poll = 100 * time.Millisecond

// child is a process that the demonstration started.
type child struct {
	name  string
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process is gone
}

// start starts a child; what it writes goes to a file of its name in dir.
func start(dir, name string, cmd *exec.Cmd) (*child, error) {
	log, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	err = cmd.Start()
	err = errors.Join(err, log.Close()) // the child has its own
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c := &child{name: name, cmd: cmd, ended: make(chan struct{})}
	go func() {
		defer close(c.ended)
		_ = cmd.Wait() // how it ended is in its log
	}()
	return c, nil
}

// pid is the process id.
func (c *child) pid() int { return c.cmd.Process.Pid }

// kill ends the child without giving it a say.
func (c *child) kill() error {
	if err := c.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill %s: %w", c.name, err)
	}
	<-c.ended
	return nil
}

// stop asks the child to end, and ends it when it does not.
func (c *child) stop() {
	_ = c.cmd.Process.Signal(syscall.SIGTERM) // it may be gone
	select {
	case <-c.ended:
	case <-time.After(grace):
		_ = c.kill()
	}
}

// ready waits for the ready file of the child and returns the address in it.
func (c *child) ready(ctx context.Context, path string) (string, error) {
	var said struct{ Address string }
	err := until(ctx, c.name+" is ready", func() (bool, error) {
		select {
		case <-c.ended:
			return false, fmt.Errorf("%s ended before it was ready", c.name)
		default:
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return true, json.Unmarshal(b, &said)
	})
	return said.Address, err
}

// until asks ok until it agrees; what names what is awaited.
func until(ctx context.Context, what string, ok func() (bool, error)) error {
	t := time.NewTicker(poll)
	defer t.Stop()
	for {
		done, err := ok()
		if err != nil {
			return fmt.Errorf("wait until %s: %w", what, err)
		}
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait until %s: %w", what, ctx.Err())
		case <-t.C:
		}
	}
}
