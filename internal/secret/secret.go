// Package secret owns references to secrets: env:NAME and file:PATH. Source,
// snapshots and histories carry only the reference; Resolve turns it into a
// value at the moment of a call, and nothing here keeps one.
//
// It leaves out redaction, which works on keys (activities/record).
package secret

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// maxBytes bounds what a file reference may hold; credentials are small.
const maxBytes = 64 << 10

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// IsReference reports whether s is written as a reference. What starts like one
// is one, also when the rest is malformed: sending it as a literal would hide the
// mistake.
func IsReference(s string) bool {
	return strings.HasPrefix(s, "env:") || strings.HasPrefix(s, "file:")
}

// Resolve returns the value ref stands for; a text that is no reference is
// returned as it is. A trailing line break of a file is dropped. Errors name the
// reference and never a value. An unset or empty value is an error.
func Resolve(ref string) (string, error) {
	if name, ok := strings.CutPrefix(ref, "env:"); ok {
		return fromEnv(ref, name)
	}
	if path, ok := strings.CutPrefix(ref, "file:"); ok {
		return fromFile(ref, path)
	}
	return ref, nil
}

func fromEnv(ref, name string) (string, error) {
	if !envName.MatchString(name) {
		return "", fmt.Errorf("secret reference %q names no environment variable", ref)
	}
	value := os.Getenv(name)
	if value == "" {
		return "", fmt.Errorf("secret reference %s: the environment variable %s is not set", ref, name)
	}
	return value, nil
}

func fromFile(ref, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("secret reference %s: %w", ref, cause(err))
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("secret reference %s is not a regular file", ref)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("secret reference %s: %w", ref, cause(err))
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("secret reference %s: %w", ref, cause(err))
	case len(b) > maxBytes:
		return "", fmt.Errorf("secret reference %s holds more than %d bytes", ref, maxBytes)
	}
	value := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	if value == "" {
		return "", fmt.Errorf("secret reference %s is empty", ref)
	}
	return value, nil
}

// cause drops the path of a path error; the reference already names it.
func cause(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}
