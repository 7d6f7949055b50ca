package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"go.temporal.io/server/common/headers"
	"go.temporal.io/server/temporal"

	"terfyn/deploy/devserver/internal/parent"
)

// stopTimeout bounds a clean stop, which takes 1 to 2 seconds. The server's own
// bound is minutes.
const stopTimeout = 10 * time.Second

// run starts the server, says so when it is ready, and stops it when the process
// gets SIGINT or SIGTERM or loses its parent. A second signal ends the process
// at once.
func run(opts Options, stdout, stderr io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, err := followParent(ctx, opts.ParentPID)
	if err != nil {
		return err
	}
	at, err := findEndpoints(opts.IP, opts.Port, opts.HTTPPort)
	if err != nil {
		return err
	}
	db, release, err := openDatabase(opts.DBFilename, opts.ResetDB)
	if err != nil {
		return err
	}
	defer release()
	// Not before the port and the database are ours: the file may belong to the
	// server that has them.
	if err := removeReadyFile(opts.ReadyFile); err != nil {
		return err
	}
	if err := createNamespaces(db, opts.Namespaces, opts.SearchAttributes); err != nil {
		return err
	}
	log := newLogger(stderr, opts.LogLevel, opts.LogFormat)
	srv, err := newServer(newConfig(db, at), at, opts.DynamicConfig, log)
	if err != nil {
		return err
	}
	if err := srv.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	serveErr := serve(ctx, opts, at, stdout)
	stop() // from here on a signal has its default effect
	log.expectFailures()
	return errors.Join(serveErr, stopServer(srv), removeReadyFile(opts.ReadyFile))
}

// serve waits for the started server to be ready, announces it, and returns when
// ctx is done. Being stopped before it was ready is no error.
func serve(ctx context.Context, opts Options, at endpoints, stdout io.Writer) error {
	err := waitReady(ctx, at.address(), opts.Namespaces, opts.SearchAttributes)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if opts.ReadyFile != "" {
		note := readyNote{Address: at.address(), PID: os.Getpid(), Namespaces: opts.Namespaces}
		if err := writeReadyFile(opts.ReadyFile, note); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "%s: Temporal server %s ready at %s, namespaces: %s\n",
		name, headers.ServerVersion, at.address(), strings.Join(opts.Namespaces, ", "))
	<-ctx.Done()
	return nil
}

// followParent returns a context that ends with the process pid; 0 follows none.
func followParent(ctx context.Context, pid int) (context.Context, error) {
	if pid == 0 {
		return ctx, nil
	}
	gone, err := parent.Watch(pid)
	if err != nil {
		return nil, fmt.Errorf("watch --parent-pid %d: %w", pid, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		<-gone
		cancel()
	}()
	return ctx, nil
}

func stopServer(srv temporal.Server) error {
	done := make(chan error, 1)
	go func() { done <- srv.Stop() }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("stop the server: %w", err)
		}
		return nil
	case <-time.After(stopTimeout):
		return fmt.Errorf("stop the server: it did not stop within %v", stopTimeout)
	}
}

// removeReadyFile takes the file away before the start and at the end, so that
// it does not speak of a server that is not there. A killed server leaves its
// file behind; the pid in it tells.
func removeReadyFile(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the old ready file: %w", err)
	}
	return nil
}
