// Command demo takes the example support-reply from validate to a sent mail, and
// kills the worker on the way. It prints every command it gives, with its output.
//
// It works on a copy of the example in a temporary folder, with a Temporal server,
// a mail sink and workers of its own: loopback addresses, free ports, ended by
// their process ids. It exits 0 only when everything it tells was observed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// patience bounds the whole demonstration; it takes about a quarter of it.
const patience = 2 * time.Minute

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(stderr)
	bin := flags.String("bin", "bin", "`folder` with terfyn, terfyn-devserver and mailsink")
	project := flags.String("project", "examples/support-reply", "`folder` of the example")
	lose := flags.Int("lose", 0, "let the mail sink lose its first `n` answers, so that the outcome has to be looked up")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := demonstrate(ctx, *bin, *project, *lose, stdout); err != nil {
		fmt.Fprintln(stderr, "demo:", err)
		return 1
	}
	return 0
}

// demonstrate prepares the stage, plays the story and clears up. After a failure
// the folder is kept, for a look at what is in it.
func demonstrate(ctx context.Context, bin, project string, lose int, out io.Writer) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return fmt.Errorf("find the executables: %w", err)
	}
	dir, err := os.MkdirTemp("", "terfyn-demo-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	s := &stage{out: out, bin: bin, dir: dir, project: filepath.Join(dir, "support-reply")}
	defer s.clear()
	if err := s.prepare(ctx, project, lose); err != nil {
		return fmt.Errorf("%w; files are in %s", err, dir)
	}
	if err := s.play(ctx); err != nil {
		return fmt.Errorf("%w; files are in %s", err, dir)
	}
	s.clear()
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove the folder: %w", err)
	}
	return nil
}
