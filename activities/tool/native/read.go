package native

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"unicode/utf8"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

func listDir(_ context.Context, s session) (canon.Value, error) {
	root, err := openRoot(s.call)
	if err != nil {
		return canon.Value{}, err
	}
	defer func() { _ = root.Close() }()
	p, err := local(s.args.text("path"))
	if err != nil {
		return canon.Value{}, err
	}
	info, err := root.Stat(p)
	if err != nil {
		return canon.Value{}, failure(p, err)
	}
	if !info.IsDir() {
		return canon.Value{}, tool.Failf(tool.Failed, "not_a_directory", "%s is not a directory", p).Answerable()
	}
	return directory(root, p)
}

func readFile(ctx context.Context, s session) (canon.Value, error) {
	root, err := openRoot(s.call)
	if err != nil {
		return canon.Value{}, err
	}
	defer func() { _ = root.Close() }()
	p, err := local(s.args.text("path"))
	if err != nil {
		return canon.Value{}, err
	}
	info, err := root.Stat(p)
	switch {
	case err != nil:
		return canon.Value{}, failure(p, err)
	case info.IsDir():
		return directory(root, p)
	case !info.Mode().IsRegular():
		return canon.Value{}, tool.Failf(tool.Denied, "not_a_file", "%s is no regular file", p)
	}
	f, err := root.Open(p)
	if err != nil {
		return canon.Value{}, failure(p, err)
	}
	defer func() { _ = f.Close() }()
	text, more, err := content(ctx, s, f)
	if err != nil {
		return canon.Value{}, err
	}
	return truncated(canon.Object(canon.F("path", canon.String(p)), canon.F("content", canon.String(text))), more), nil
}

// content reads the whole file, or the asked lines of it.
func content(ctx context.Context, s session, f *os.File) (text string, more bool, err error) {
	offset, from := s.args.count("offset")
	limit, many := s.args.count("limit")
	if !from && !many {
		b, err := io.ReadAll(io.LimitReader(f, maxContent+1))
		if err != nil {
			return "", false, failure(s.args.text("path"), err)
		}
		return whole(b), len(b) > maxContent, nil
	}
	if !from {
		offset = 1
	}
	if !many {
		limit = -1
	}
	b, more, err := lines(ctx, bufio.NewReaderSize(f, 64<<10), offset, limit)
	switch {
	case ctx.Err() != nil:
		return "", false, tool.Ended(ctx, s.call, false)
	case err != nil:
		return "", false, failure(s.args.text("path"), err)
	}
	return whole(b), more, nil
}

// whole cuts b to maxContent without splitting a character.
func whole(b []byte) string {
	if len(b) <= maxContent {
		return string(b)
	}
	b = b[:maxContent]
	for i := len(b) - 1; i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				b = b[:i]
			}
			break
		}
	}
	return string(b)
}

// lines returns limit lines from line offset on, counted from 1; a limit below 0
// means the rest. Lines before the span are read and dropped, so deep spans need
// no memory.
func lines(ctx context.Context, r *bufio.Reader, offset, limit int64) (out []byte, more bool, err error) {
	for line := int64(1); ; {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		part, err := r.ReadSlice('\n')
		if line >= offset && (limit < 0 || line-offset < limit) {
			out = append(out, part...)
			if len(out) > maxContent {
				return out, true, nil
			}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue // the line goes on
		case errors.Is(err, io.EOF):
			return out, false, nil
		case err != nil:
			return nil, false, err
		}
		line++
		if limit >= 0 && line-offset >= limit {
			return out, false, nil
		}
	}
}
