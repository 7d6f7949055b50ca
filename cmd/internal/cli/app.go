package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"syscall"
	"time"

	"golang.org/x/term"

	"terfyn/cmd/internal/render"
	"terfyn/internal/canon"
)

// streams are the process's own.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// app is what the commands of one process share.
type app struct {
	streams
	flags    flags
	getenv   func(string) string
	now      func() time.Time
	warnings []render.Warning
	// localConfig is read when it is first asked for.
	localConfig *local
	// command is the name of the running command.
	command string
	// started is set once the command line is understood; what fails before is
	// a usage error.
	started bool
}

// Main runs the command line args and returns the exit code. The first SIGINT or
// SIGTERM ends the running command in its own way, a second one the process.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	a := &app{streams: streams{in: in, out: out, err: errs}, getenv: os.Getenv, now: time.Now}
	return int(a.run(ctx, args))
}

func (a *app) run(ctx context.Context, args []string) Exit {
	root := newRoot(a)
	root.SetArgs(longOut(args))
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return ExitOK
	}
	code := codeOf(err)
	if !a.started {
		code = ExitInvalid
	}
	var c *coded
	if errors.As(err, &c) && c.cause == nil {
		return code
	}
	text := message(err)
	if a.plain() {
		text = render.ASCII(text)
	}
	a.note("Error: %s", text)
	return code
}

// longOut spells plan's -out, which is written with one dash, as a long flag.
func longOut(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		if arg == "-out" || len(arg) > 5 && arg[:5] == "-out=" {
			arg = "-" + arg
		}
		out[i] = arg
	}
	return out
}

// note writes one line to stderr.
func (a *app) note(format string, args ...any) {
	_, _ = fmt.Fprintf(a.err, format+"\n", args...)
}

// info is a note that -q leaves out.
func (a *app) info(format string, args ...any) {
	if !a.flags.quiet {
		a.note(format, args...)
	}
}

// warn keeps a warning for the document and tells it at once.
func (a *app) warn(class, reason, format string, args ...any) {
	w := render.Warning{Class: class, Reason: reason, Message: fmt.Sprintf(format, args...)}
	a.warnings = append(a.warnings, w)
	a.note("Warning (%s): %s", w.Class, w.Message)
}

// show writes the result: the document for machines, or what human writes.
func (a *app) show(human func(w io.Writer), payload ...canon.Field) error {
	switch a.flags.output {
	case "json":
		return render.JSON(a.out, render.Document(a.warnings, payload...))
	case "yaml":
		return render.YAML(a.out, render.Document(a.warnings, payload...))
	}
	human(a.out)
	return nil
}

// machine reports whether the output is not for people at a terminal.
func (a *app) machine() bool { return a.flags.output != "table" }

// document reports whether the output is one object.
func (a *app) document() bool { return a.flags.output == "json" || a.flags.output == "yaml" }

// plain reports whether the reader asked for text without colours and marks.
func (a *app) plain() bool { return a.flags.noColor || a.getenv("NO_COLOR") != "" }

func (a *app) palette(w io.Writer) render.Palette {
	return render.NewPalette(!a.plain() && terminal(w))
}

// terminal reports whether a stream is a terminal.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// userName is the person at the keyboard, as far as the system knows.
func (a *app) userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	if name := a.getenv("USER"); name != "" {
		return name
	}
	return "unknown"
}
