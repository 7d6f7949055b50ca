package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// The most that is read of what a user names, in bytes.
const (
	maxPlanBytes  = 256 << 20
	maxInputBytes = 16 << 20
)

// readFile reads a file that a user names. What is no regular file, where reading may
// never end, and what is larger than limit are errors; they do not repeat the name.
func readFile(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, withoutPath(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer func() { _ = f.Close() }()
	return readAll(f, limit)
}

// readStdin reads all that is sent, up to limit bytes. It ends early with ctx; the
// read then goes on until the process ends.
func readStdin(ctx context.Context, in io.Reader, limit int64) ([]byte, error) {
	type result struct {
		b   []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		b, err := readAll(in, limit)
		done <- result{b, err}
	}()
	select {
	case r := <-done:
		return r.b, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func readAll(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, withoutPath(err)
	case int64(len(b)) > limit:
		return nil, fmt.Errorf("it is larger than %d bytes", limit)
	}
	return b, nil
}

// withoutPath drops the path of an error whose caller names it.
func withoutPath(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
