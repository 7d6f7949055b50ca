// Package source owns the bytes of one source file and the positions inside it.
//
// It knows nothing about the language: no tokens, no encodings beyond the
// byte-order mark, no file system. Whoever reads files hands the bytes in.
package source

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Pos is a place in a file. Line and Col count from 1, Col counts bytes.
// The zero Pos is "no place".
type Pos struct {
	Offset int
	Line   int
	Col    int
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String gives line:col.
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Span is a half-open range of one file: End is the place after the last byte.
// The zero Span is "no place in the input". A Span with a File and no Start is a
// place without text: a resource that a machine built.
type Span struct {
	File  string // project-relative, slashes
	Start Pos
	End   Pos
}

// IsZero reports whether s names no place in a text.
func (s Span) IsZero() bool { return !s.Start.IsValid() }

// String gives file:line:col of the start, or the file alone when there is no
// position in it.
func (s Span) String() string {
	if s.IsZero() {
		return Shown(s.File)
	}
	return Shown(s.File) + ":" + s.Start.String()
}

// Shown is the name of a file for messages: quoted and escaped when something in it
// would break the line, steer a terminal, reorder the text around it or is no text.
func Shown(file string) string {
	odd := func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) }
	if utf8.ValidString(file) && !strings.ContainsFunc(file, odd) {
		return file
	}
	return strconv.QuoteToASCII(file)
}

// To is the span from the start of s to the end of end. Both must be in one file.
func (s Span) To(end Span) Span {
	if s.IsZero() {
		return end
	}
	if end.IsZero() {
		return s
	}
	return Span{File: s.File, Start: s.Start, End: end.End}
}

// Contains reports whether the byte offset lies inside s.
func (s Span) Contains(offset int) bool {
	return !s.IsZero() && s.Start.Offset <= offset && offset < s.End.Offset
}

// Before orders spans by file, line and column of their start.
func (s Span) Before(t Span) bool {
	if s.File != t.File {
		return s.File < t.File
	}
	if s.Start.Line != t.Start.Line {
		return s.Start.Line < t.Start.Line
	}
	return s.Start.Col < t.Start.Col
}

// bom is the UTF-8 byte-order mark, which may stand at the start of a file.
var bom = []byte{0xEF, 0xBB, 0xBF}

// File is one source file: its path, its bytes and an index of its lines. Build it
// with NewFile; the bytes must not change afterwards. It is safe for concurrent use.
type File struct {
	Path  string // project-relative, slashes
	Bytes []byte

	start   int // offset of the first byte of line 1
	indexed sync.Once
	lines   []int // offset of the first byte of every line, once indexed
}

// NewFile is the file with these bytes. Lines end at LF, so CRLF files count as one
// would expect. A byte-order mark belongs to no column: the byte after it is 1:1.
func NewFile(path string, data []byte) *File {
	f := &File{Path: path, Bytes: data}
	if bytes.HasPrefix(data, bom) {
		f.start = len(bom)
	}
	return f
}

// index gives the starts of the lines, which it looks for the first time: most
// files are never asked for.
func (f *File) index() []int {
	f.indexed.Do(func() {
		f.lines = make([]int, 1, bytes.Count(f.Bytes, []byte{'\n'})+1)
		f.lines[0] = f.start
		for i, b := range f.Bytes {
			if b == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	})
	return f.lines
}

// Start is the offset of the first byte that is text: 0, or 3 after a byte-order mark.
func (f *File) Start() int { return f.start }

// LineCount is the number of lines, at least 1.
func (f *File) LineCount() int { return bytes.Count(f.Bytes, []byte{'\n'}) + 1 }

// Pos converts a byte offset; offsets outside the file are clamped to its ends.
func (f *File) Pos(offset int) Pos {
	if offset <= f.start {
		return Pos{Offset: f.start, Line: 1, Col: 1}
	}
	offset = min(offset, len(f.Bytes))
	lines := f.index()
	n := sort.Search(len(lines), func(i int) bool { return lines[i] > offset })
	return Pos{Offset: offset, Line: n, Col: offset - lines[n-1] + 1}
}

// Span converts a half-open byte range.
func (f *File) Span(start, end int) Span {
	return Span{File: f.Path, Start: f.Pos(start), End: f.Pos(end)}
}

// Line gives the text of line n (from 1) without its line end, or nil if there is none.
func (f *File) Line(n int) []byte {
	lines := f.index()
	if n < 1 || n > len(lines) {
		return nil
	}
	end := len(f.Bytes)
	if n < len(lines) {
		end = lines[n] - 1
	}
	start := min(lines[n-1], end)
	return bytes.TrimSuffix(f.Bytes[start:end], []byte{'\r'})
}
