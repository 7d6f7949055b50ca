package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"terfyn/store"
)

const (
	maxAttempts = 12
	// maxRetrying bounds the time spent on attempts that lost; it equals the
	// busy timeout, so one full lock wait is not followed by another.
	maxRetrying = 5 * time.Second
	firstPause  = 2 * time.Millisecond
	lastPause   = 200 * time.Millisecond
)

// Store implements store.Store on a Backend.
type Store struct {
	ops
	backend Backend
}

var _ store.Store = (*Store)(nil)

// New returns the store on b; closing it closes b.
func New(b Backend) *Store {
	return &Store{ops: ops{session: pooled{b}, dialect: b}, backend: b}
}

// InTx implements store.Store.
func (s *Store) InTx(ctx context.Context, f func(tx store.Tx) error) error {
	var inner error
	err := retry(ctx, s.backend, func() error {
		inner = nil
		return s.backend.Write(ctx, func(c Conn) error {
			inner = f(&ops{session: joined{checked{c}}, dialect: s.backend})
			return inner
		})
	})
	if err == nil || inner != nil {
		return err // inner is f's own: an operation in it has said what it attempted
	}
	return fmt.Errorf("transaction: %w", s.backend.Translate(err))
}

// Describe implements store.Store.
func (s *Store) Describe() string { return s.backend.Describe() }

// Close implements store.Store.
func (s *Store) Close() error { return s.backend.Close() }

// ops is the set of operations on a session.
type ops struct {
	session session
	dialect Dialect
}

var _ store.Tx = (*ops)(nil)

// session is where operations run: each in its own transaction, or all in one.
type session interface {
	read(ctx context.Context, f func(Conn) error) error
	exec(ctx context.Context, query string, args ...any) (int64, error)
	write(ctx context.Context, f func(Conn) error) error
	append(ctx context.Context, events []store.Event, first ...Statement) ([]store.Event, error)
}

// pooled runs each operation by itself and repeats the ones that lost.
type pooled struct{ b Backend }

func (p pooled) read(ctx context.Context, f func(Conn) error) error {
	return retry(ctx, p.b, func() error {
		return p.b.Read(ctx, func(c Conn) error { return f(checked{c}) })
	})
}

func (p pooled) exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	if err := checkText(args); err != nil {
		return 0, err
	}
	err = retry(ctx, p.b, func() error {
		n, err = p.b.Exec(ctx, query, args...)
		return err
	})
	return n, err
}

func (p pooled) write(ctx context.Context, f func(Conn) error) error {
	return retry(ctx, p.b, func() error {
		return p.b.Write(ctx, func(c Conn) error { return f(checked{c}) })
	})
}

func (p pooled) append(ctx context.Context, events []store.Event, first ...Statement) (out []store.Event, err error) {
	err = retry(ctx, p.b, func() error {
		out, err = p.b.Append(ctx, events, first...)
		return err
	})
	return out, err
}

// joined runs everything in the transaction of c; InTx repeats it as a whole.
type joined struct{ c checked }

func (j joined) read(_ context.Context, f func(Conn) error) error { return f(j.c) }

func (j joined) exec(ctx context.Context, query string, args ...any) (int64, error) {
	return j.c.Exec(ctx, query, args...)
}

func (j joined) write(_ context.Context, f func(Conn) error) error { return f(j.c) }

func (j joined) append(ctx context.Context, events []store.Event, first ...Statement) ([]store.Event, error) {
	return j.c.Append(ctx, events, first...)
}

// retry repeats f while it loses against other transactions, and gives
// store.ErrLocked when that does not end.
func retry(ctx context.Context, d Dialect, f func() error) error {
	start, pause := time.Now(), firstPause
	for attempt := 1; ; attempt++ {
		err := f()
		if err == nil || !d.Retryable(err) {
			return err
		}
		if attempt == maxAttempts || time.Since(start) > maxRetrying {
			if errors.Is(err, store.ErrLocked) {
				return err
			}
			return fmt.Errorf("%w: gave up after %d attempts: %w", store.ErrLocked, attempt, err)
		}
		timer := time.NewTimer(pause/2 + rand.N(pause))
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("%w while waiting for a lock: %w", context.Cause(ctx), err)
		case <-timer.C:
		}
		pause = min(2*pause, lastPause)
	}
}
