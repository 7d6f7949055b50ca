package cli

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"terfyn/cmd/internal/supervise"
	"terfyn/cmd/internal/wire"
)

// The parts of dev.
const (
	partServer = "Temporal server"
	partWorker = "worker"
)

// devRun is one running dev.
type devRun struct {
	app     *app
	project string
	server  wire.Server
	state   string   // may hold a password: it reaches the worker by environment only
	paths   []string // where the ready file goes

	mu        sync.Mutex
	file      wire.DevFile
	announced bool
}

func (d *devRun) parts() []supervise.Part {
	return []supervise.Part{
		{Name: partServer, Command: d.serverCommand, Ready: d.serverReady},
		{Name: partWorker, Command: d.workerCommand, Ready: d.workerReady},
	}
}

func (d *devRun) serverCommand() *exec.Cmd {
	cmd := d.server.Command(wire.ServerSettings{Project: d.project, Address: d.file.Address, Namespace: d.file.Namespace, Parent: os.Getpid()})
	cmd.Stderr = d.app.err
	return cmd
}

func (d *devRun) workerCommand() *exec.Cmd {
	args := []string{
		"worker", "--project", d.project, "--address", d.file.Address,
		"--namespace", d.file.Namespace, "--task-queue", d.file.TaskQueue, "--parent-pid", strconv.Itoa(os.Getpid()), "--quiet",
	}
	if d.app.flags.verbose {
		args = append(args, "--verbose")
	}
	cmd := exec.Command(self(), args...)
	cmd.Env = append(os.Environ(), "TERFYN_STATE="+d.state)
	cmd.Stderr = d.app.err
	return cmd
}

// self is the path of this executable.
func self() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

func (d *devRun) target() wire.Target {
	return wire.Target{Project: d.project, Address: d.file.Address, Namespace: d.file.Namespace, TaskQueue: d.file.TaskQueue, Local: true}
}

// readyPoll is how often a starting part is asked.
const readyPoll = 50 * time.Millisecond

// serverReady waits until the namespace answers.
func (d *devRun) serverReady(ctx context.Context) error {
	return d.until(ctx, func(c *wire.Connection) (bool, error) { return c.Registered(ctx) })
}

func (d *devRun) workerReady(ctx context.Context) error {
	return d.until(ctx, func(c *wire.Connection) (bool, error) { return c.Polling(ctx) })
}

// until asks ok over a connection of its own until it agrees.
func (d *devRun) until(ctx context.Context, ok func(*wire.Connection) (bool, error)) error {
	t := time.NewTicker(readyPoll)
	defer t.Stop()
	for {
		if c, err := wire.Dial(ctx, d.target(), nil); err == nil {
			agreed, err := ok(c)
			c.Close()
			if err == nil && agreed {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

// started keeps the process ids in the ready file up to date.
func (d *devRun) started(part string, pid int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if part == partServer {
		d.file.ServerPID = pid
	} else {
		d.file.WorkerPID = pid
	}
	if d.announced {
		if err := d.write(); err != nil {
			d.app.note("Warning: %v", err)
		}
	}
}

func (d *devRun) write() error {
	for _, p := range d.paths {
		if err := d.file.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// ready announces that everything runs.
func (d *devRun) ready() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.write(); err != nil {
		return err
	}
	d.announced = true
	w := d.app.out
	say(w, "Temporal server:  %s", d.file.Address)
	say(w, "Namespace, queue: %s, %s", d.file.Namespace, d.file.TaskQueue)
	say(w, "State:            %s", d.file.State)
	say(w, "Ready. Start a run with terfyn run workflow/NAME; Ctrl-C stops everything.")
	return nil
}
