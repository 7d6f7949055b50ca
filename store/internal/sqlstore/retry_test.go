package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"terfyn/store"
)

var errLost = errors.New("lost the race")

// races is a dialect in which errLost may be tried again.
type races struct{}

func (races) Time(t time.Time) any      { return t }
func (races) ForUpdate() string         { return "" }
func (races) Retryable(err error) bool  { return errors.Is(err, errLost) }
func (races) Translate(err error) error { return err }

func TestRetry(t *testing.T) {
	t.Parallel()
	other := errors.New("other")
	for _, c := range []struct {
		name  string
		fails int
		with  error
		calls int
		want  error
	}{
		{"at once", 0, nil, 1, nil},
		{"after losing twice", 2, errLost, 3, nil},
		{"not for other errors", 9, other, 1, other},
		{"for wrapped ones", 1, fmt.Errorf("append: %w", errLost), 2, nil},
		{"not for ever", maxAttempts + 1, errLost, maxAttempts, store.ErrLocked},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			err := retry(context.Background(), races{}, func() error {
				if calls++; calls <= c.fails {
					return c.with
				}
				return nil
			})
			if !errors.Is(err, c.want) || calls != c.calls {
				t.Fatalf("%d calls, %v; want %d and %v", calls, err, c.calls, c.want)
			}
		})
	}
}

func TestRetryEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	err := retry(ctx, races{}, func() error {
		cancel()
		return errLost
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, errLost) {
		t.Fatalf("got %v", err)
	}
}

func TestTimesKeepTheirOrderAsText(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 7200))
	last := ""
	for _, d := range []time.Duration{0, time.Microsecond, 10 * time.Microsecond, time.Second, time.Hour} {
		text := FormatTime(base.Add(d))
		if text <= last {
			t.Fatalf("%s does not follow %s", text, last)
		}
		last = text
		var back time.Time
		if err := (timeInto{&back}).Scan(text); err != nil || !back.Equal(base.Add(d)) || back.Location() != time.UTC {
			t.Fatalf("%s came back as %v, %v", text, back, err)
		}
	}
	for _, bad := range []any{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000+00:00", "yesterday", int64(5)} {
		if err := (timeInto{new(time.Time)}).Scan(bad); err == nil {
			t.Errorf("%v was read as a time", bad)
		}
	}
}
