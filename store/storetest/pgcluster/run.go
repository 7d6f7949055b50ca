package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"terfyn/store/storetest/pgserver"
)

// variable carries the DSN to the command; package pgtest reads it.
const variable = "TERFYN_TEST_POSTGRES"

const (
	exitUsage  = 2
	exitFailed = 1
	// exitSignalled is added to the number of the signal that ended the command.
	exitSignalled = 128
)

func run(args []string, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(stderr, "usage: pgcluster -- COMMAND [ARGUMENT…]")
		return exitUsage
	}
	// Signals are taken over before anything is started, so none of them can
	// leave a cluster behind.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if os.Getenv(variable) != "" {
		return command(args, os.Environ(), signals, stderr)
	}
	cluster, err := start(signals, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "pgcluster: %v\n", err)
		return exitFailed
	}
	code := command(args, append(os.Environ(), variable+"="+cluster.DSN("postgres")), signals, stderr)
	if err := cluster.Stop(); err != nil {
		fmt.Fprintf(stderr, "pgcluster: %v\n", err)
		code = max(code, exitFailed)
	}
	return code
}

// start gives up on the first signal.
func start(signals <-chan os.Signal, stderr io.Writer) (*pgserver.Cluster, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Minute, errors.New("it took more than ten minutes"))
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-signals:
			cancel()
		case <-done:
		}
	}()
	cluster, err := pgserver.Start(ctx)
	if !errors.Is(err, pgserver.ErrNoBinaries) {
		return cluster, err
	}
	if err := install(ctx, stderr); err != nil {
		return nil, fmt.Errorf("PostgreSQL is missing and could not be installed: %w; install it, or set %s to the address of a server whose user may create databases", err, variable)
	}
	return pgserver.Start(ctx)
}

// install fetches PostgreSQL from the distribution; the package lists are
// refreshed only when it is not known.
func install(ctx context.Context, stderr io.Writer) error {
	if os.Geteuid() != 0 {
		return errors.New("only root can install packages")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return err
	}
	err := aptGet(ctx, stderr, "install", "-y", "postgresql")
	if err == nil {
		return nil
	}
	if err := aptGet(ctx, stderr, "update"); err != nil {
		return err
	}
	return aptGet(ctx, stderr, "install", "-y", "postgresql")
}

func aptGet(ctx context.Context, stderr io.Writer, args ...string) error {
	c := exec.CommandContext(ctx, "apt-get", args...)
	c.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	c.Stdout, c.Stderr = stderr, stderr // standard output belongs to the command
	if err := c.Run(); err != nil {
		return fmt.Errorf("apt-get %s: %w", args[0], err)
	}
	return nil
}

// command runs args to their end and returns the exit code.
func command(args, env []string, signals <-chan os.Signal, stderr io.Writer) int {
	c := exec.Command(args[0], args[1:]...)
	c.Env, c.Stdin, c.Stdout, c.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	detach(c)
	runtime.LockOSThread() // the command is told when this thread dies
	defer runtime.UnlockOSThread()
	if err := c.Start(); err != nil {
		fmt.Fprintf(stderr, "pgcluster: %v\n", err)
		return exitFailed
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case s := <-signals:
			forward(c, s)
		case err := <-ended:
			return exitCode(err, stderr)
		}
	}
}

func exitCode(err error, stderr io.Writer) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		fmt.Fprintf(stderr, "pgcluster: %v\n", err)
		return exitFailed
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return exitSignalled + int(status.Signal())
	}
	return exit.ExitCode()
}
