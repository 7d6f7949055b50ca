package native

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	slashpath "path"
	"strings"
	"unicode/utf8"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

// newFileMode is the mode of files that write_file creates.
const newFileMode = 0o644

func writeFile(_ context.Context, s session) (canon.Value, error) {
	root, err := openRoot(s.call)
	if err != nil {
		return canon.Value{}, err
	}
	defer func() { _ = root.Close() }()
	p, err := writable(s.args.text("path"))
	if err != nil {
		return canon.Value{}, err
	}
	mode, exists, err := target(root, p)
	if err != nil {
		return canon.Value{}, err
	}
	if dir := slashpath.Dir(p); !exists && dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return canon.Value{}, failure(dir, err)
		}
	}
	text := s.args.text("content")
	if err := replace(root, p, []byte(text), mode); err != nil {
		return canon.Value{}, err
	}
	return canon.Object(
		canon.F("path", canon.String(p)), canon.F("bytes_written", canon.Int(int64(len(text)))), canon.F("created", canon.Bool(!exists))), nil
}

func edit(_ context.Context, s session) (canon.Value, error) {
	before, after := s.args.text("old_string"), s.args.text("new_string")
	switch {
	case before == "":
		return canon.Value{}, bad("old_string is empty")
	case before == after:
		return canon.Value{}, bad("old_string and new_string are equal")
	}
	root, err := openRoot(s.call)
	if err != nil {
		return canon.Value{}, err
	}
	defer func() { _ = root.Close() }()
	p, err := writable(s.args.text("path"))
	if err != nil {
		return canon.Value{}, err
	}
	text, mode, err := editable(root, p)
	if err != nil {
		return canon.Value{}, err
	}
	at := strings.Index(text, before)
	if at < 0 {
		return canon.Value{}, tool.Failf(tool.Failed, "no_match", "old_string does not occur in %s", p).Answerable()
	}
	// From the next byte on, so that overlapping occurrences count as two.
	if strings.Contains(text[at+1:], before) {
		return canon.Value{}, tool.Failf(tool.Failed, "many_matches", "old_string occurs more than once in %s; give more of its surroundings", p).Answerable()
	}
	if err := replace(root, p, []byte(text[:at]+after+text[at+len(before):]), mode); err != nil {
		return canon.Value{}, err
	}
	return canon.Object(canon.F("path", canon.String(p)), canon.F("replaced", canon.Int(1))), nil
}

// editable loads a text file for edit.
func editable(root *os.Root, p string) (text string, mode fs.FileMode, err error) {
	mode, exists, err := target(root, p)
	if err == nil && !exists {
		err = failure(p, fs.ErrNotExist)
	}
	if err != nil {
		return "", 0, err
	}
	f, err := root.Open(p)
	if err != nil {
		return "", 0, failure(p, err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxEditable+1))
	switch {
	case err != nil:
		return "", 0, failure(p, err)
	case len(b) > maxEditable:
		return "", 0, tool.Failf(tool.Failed, "too_large", "%s is larger than %d bytes", p, maxEditable).Answerable()
	case !utf8.Valid(b):
		return "", 0, tool.Failf(tool.Failed, "not_text", "%s is no UTF-8 text", p).Answerable()
	}
	return string(b), mode, nil
}

// target looks at what a write would replace: only regular files are.
func target(root *os.Root, p string) (mode fs.FileMode, exists bool, err error) {
	info, err := root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newFileMode, false, nil
	case err != nil:
		return 0, false, failure(p, err)
	case !info.Mode().IsRegular():
		return 0, false, tool.Failf(tool.Denied, "not_a_file", "%s is no regular file and is not replaced", p)
	}
	return info.Mode().Perm(), true, nil
}

// replace writes beside the target and renames, so that readers see the old or
// the new content and a crash leaves one of them.
func replace(root *os.Root, p string, content []byte, mode fs.FileMode) error {
	temp := slashpath.Join(slashpath.Dir(p), ".terfyn-"+rand.Text())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return failure(p, err)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = root.Rename(temp, p)
	}
	if err != nil {
		_ = root.Remove(temp)
		return failure(p, err)
	}
	return nil
}
