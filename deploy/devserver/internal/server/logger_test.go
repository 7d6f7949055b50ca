package server

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"go.temporal.io/server/common/log/tag"
)

func TestLoggerKeepsItsLevelAndTags(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := newLogger(&out, slog.LevelWarn, "json")
	l.Debug("debug")
	l.Info("info")
	l.With(tag.NewStringTag("service", "history")).Warn("slow", tag.NewInt("n", 3))
	var record map[string]any
	if err := json.Unmarshal([]byte(out.String()), &record); err != nil {
		t.Fatalf("want one JSON record, got %q: %v", &out, err)
	}
	if record["msg"] != "slow" || record["service"] != "history" || record["n"] != 3.0 || record["level"] != "WARN" {
		t.Errorf("record %v", record)
	}
}

func TestFatalEndsTheProcessAtEveryLevel(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"debug", "error", "never"} {
		level, err := parseLevel(text)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		code := -1
		l := newLogger(&out, level, "text")
		l.exitFunc = func(c int) { code = c }
		l.With(tag.NewStringTag("service", "frontend")).Fatal("no listener", tag.Address("127.0.0.1:1"))
		if code != exitFailed {
			t.Errorf("%s: exit code %d, want %d", text, code, exitFailed)
		}
		for _, want := range []string{"level=FATAL", "no listener", "127.0.0.1:1", "service=frontend"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q lacks %q", text, &out, want)
			}
		}
	}
}

func TestExpectedFailuresAreSilent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"error": false, "warn": false, "info": true, "debug": true} {
		level, err := parseLevel(text)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		l := newLogger(&out, level, "text")
		child := l.With(tag.NewStringTag("service", "history"))
		l.expectFailures()
		child.Error("call broken off")
		if got := out.Len() > 0; got != want {
			t.Errorf("at level %s an expected failure is written: %v, want %v", text, got, want)
		}
	}
}

func TestPanicPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if got := recover(); got != "bad state" {
			t.Errorf("recovered %v, want the message", got)
		}
	}()
	newLogger(new(strings.Builder), levelNever, "text").Panic("bad state")
}
