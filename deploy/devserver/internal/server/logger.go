package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/log/tag"
)

const (
	levelFatal = slog.LevelError + 4
	// levelNever silences everything but the message of a fatal error, which
	// is the only explanation the user gets for the end of the process.
	levelNever = levelFatal
)

func parseLevel(text string) (slog.Level, error) {
	switch text {
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	case "never":
		return levelNever, nil
	}
	return 0, fmt.Errorf("--log-level %q is unknown; use debug, info, warn, error or never", text)
}

func parseFormat(text string) (string, error) {
	switch text {
	case "text", "pretty":
		return "text", nil
	case "json":
		return "json", nil
	}
	return "", fmt.Errorf("--log-format %q is unknown; use text, pretty or json", text)
}

// logger hands the server's log to slog. It is safe for concurrent use.
type logger struct {
	out   *slog.Logger
	level *slog.LevelVar // shared with the loggers that With made
	tags  []tag.Tag
	// exitFunc ends the process after a fatal error. The server goes on after
	// Fatal as if it could not return, so it must not return.
	exitFunc func(code int)
}

var (
	_ log.Logger     = (*logger)(nil)
	_ log.WithLogger = (*logger)(nil)
)

// newLogger writes records of at least level to w, one line each.
func newLogger(w io.Writer, level slog.Level, format string) *logger {
	threshold := new(slog.LevelVar)
	threshold.Set(level)
	opts := &slog.HandlerOptions{Level: threshold, ReplaceAttr: nameFatal}
	var h slog.Handler = slog.NewTextHandler(w, opts)
	if format == "json" {
		h = slog.NewJSONHandler(w, opts)
	}
	return &logger{out: slog.New(h), level: threshold, exitFunc: os.Exit}
}

// expectFailures silences warnings and errors for the rest of the log. A server
// that is being stopped reports each call it breaks off as an error. Who asked
// for the info or debug level still sees them.
func (l *logger) expectFailures() {
	if l.level.Level() > slog.LevelInfo {
		l.level.Set(levelNever)
	}
}

func nameFatal(_ []string, a slog.Attr) slog.Attr {
	if level, ok := a.Value.Any().(slog.Level); ok && a.Key == slog.LevelKey && level == levelFatal {
		return slog.String(slog.LevelKey, "FATAL")
	}
	return a
}

// With returns a logger that adds the tags to each of its records.
func (l *logger) With(tags ...tag.Tag) log.Logger {
	return &logger{out: l.out, level: l.level, tags: append(slices.Clone(l.tags), tags...), exitFunc: l.exitFunc}
}

func (l *logger) Debug(msg string, tags ...tag.Tag)  { l.write(slog.LevelDebug, msg, tags) }
func (l *logger) Info(msg string, tags ...tag.Tag)   { l.write(slog.LevelInfo, msg, tags) }
func (l *logger) Warn(msg string, tags ...tag.Tag)   { l.write(slog.LevelWarn, msg, tags) }
func (l *logger) Error(msg string, tags ...tag.Tag)  { l.write(slog.LevelError, msg, tags) }
func (l *logger) DPanic(msg string, tags ...tag.Tag) { l.write(slog.LevelError, msg, tags) }

// Panic logs and panics with the message.
func (l *logger) Panic(msg string, tags ...tag.Tag) {
	l.write(slog.LevelError, msg, tags)
	panic(msg)
}

// Fatal logs and ends the process with exit code 1.
func (l *logger) Fatal(msg string, tags ...tag.Tag) {
	l.write(levelFatal, msg, tags)
	l.exitFunc(exitFailed)
}

func (l *logger) write(level slog.Level, msg string, tags []tag.Tag) {
	ctx := context.Background()
	// Reading a tag's value is costly; most records are never written.
	if !l.out.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, len(l.tags)+len(tags))
	for _, t := range slices.Concat(l.tags, tags) {
		attrs = append(attrs, slog.Any(t.Key(), t.Value()))
	}
	l.out.LogAttrs(ctx, level, msg, attrs...)
}
