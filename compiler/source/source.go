// Package source owns the bytes of one source file and the positions inside it.
//
// It knows nothing about the language: no tokens, no encodings beyond the
// byte-order mark, no file system. Whoever reads files hands the bytes in.
package source

import (
	"bytes"
	"fmt"
	"sort"
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
// The zero Span is "no place in the input".
type Span struct {
	File  string // project-relative, slashes
	Start Pos
	End   Pos
}

// IsZero reports whether s names no place.
func (s Span) IsZero() bool { return !s.Start.IsValid() }

// String gives file:line:col of the start.
func (s Span) String() string { return s.File + ":" + s.Start.String() }

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

// File is one source file: its path, its bytes and an index of its lines.
// Build it with NewFile; the bytes must not change afterwards.
type File struct {
	Path  string // project-relative, slashes
	Bytes []byte

	lines []int // offset of the first byte of every line
}

// NewFile indexes data. Lines end at LF, so CRLF files count as one would expect.
// A byte-order mark belongs to no column: the byte after it is 1:1.
func NewFile(path string, data []byte) *File {
	f := &File{Path: path, Bytes: data, lines: []int{0}}
	if bytes.HasPrefix(data, bom) {
		f.lines[0] = len(bom)
	}
	for i, b := range data {
		if b == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Start is the offset of the first byte that is text: 0, or 3 after a byte-order mark.
func (f *File) Start() int { return f.lines[0] }

// LineCount is the number of lines, at least 1.
func (f *File) LineCount() int { return len(f.lines) }

// Pos converts a byte offset; offsets outside the file are clamped to its ends.
func (f *File) Pos(offset int) Pos {
	offset = max(f.lines[0], min(offset, len(f.Bytes)))
	n := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	return Pos{Offset: offset, Line: n, Col: offset - f.lines[n-1] + 1}
}

// Span converts a half-open byte range.
func (f *File) Span(start, end int) Span {
	return Span{File: f.Path, Start: f.Pos(start), End: f.Pos(end)}
}

// Line gives the text of line n (from 1) without its line end, or nil if there is none.
func (f *File) Line(n int) []byte {
	if n < 1 || n > len(f.lines) {
		return nil
	}
	end := len(f.Bytes)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	start := min(f.lines[n-1], end)
	return bytes.TrimSuffix(f.Bytes[start:end], []byte{'\r'})
}
