// Command mailsink runs the mail service of package sink on a loopback address.
// It ends on SIGINT or SIGTERM.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"terfyn/examples/support-reply/mailsink/sink"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("mailsink", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8025", "loopback `address` to listen on; port 0 takes a free one")
	ready := flags.String("ready-file", "", "write {\"address\",\"pid\"} to this `file` when ready")
	log := flags.String("log", "", "keep the accepted mails in this `file`, one JSON object a line")
	lose := flags.Int("lose", 0, "accept the first `n` mails without answering")
	parent := flags.Int("parent-pid", 0, "end when this `process`, which must be the parent, is gone")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go outlive(ctx, *parent, cancel)
	if err := serve(ctx, *addr, *ready, *log, *lose, stdout); err != nil {
		fmt.Fprintln(stderr, "mailsink:", err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, addr, ready, log string, lose int, stdout io.Writer) error {
	s := &sink.Sink{}
	if log != "" {
		f, err := os.OpenFile(log, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return fmt.Errorf("open the log: %w", err)
		}
		defer func() { _ = f.Close() }()
		if s, err = sink.Resume(f); err != nil {
			return fmt.Errorf("open the log %s: %w", log, err)
		}
	}
	s.LoseNext(lose)
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	if !listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
		return errors.Join(fmt.Errorf("%s is no loopback address", addr), listener.Close())
	}
	server := http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(stdout, "mail sink at http://%s\n", listener.Addr())
	if err := announce(ready, listener.Addr().String()); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-ended:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
		return server.Close()
	}
}

// parentPoll is how often the parent is looked for.
const parentPoll = 300 * time.Millisecond

// outlive calls orphaned once the process parent is gone; 0 has none.
func outlive(ctx context.Context, parent int, orphaned func()) {
	if parent == 0 {
		return
	}
	t := time.NewTicker(parentPoll)
	defer t.Stop()
	for os.Getppid() == parent {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
	orphaned()
}

// announce writes the ready file in one step, so that nobody reads half of it.
func announce(path, address string) error {
	if path == "" {
		return nil
	}
	b, err := json.Marshal(map[string]any{"address": address, "pid": os.Getpid()})
	if err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	part := path + ".part"
	if err := os.WriteFile(part, b, 0o600); err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	return nil
}
