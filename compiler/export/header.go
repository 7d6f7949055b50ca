package export

import (
	"io/fs"
	"strings"

	"terfyn/internal/ordered"
)

// The first line of an exported source file, and what stands before the paths of
// the other files.
const (
	headerLine = "// Written by terfyn export. The next export into this folder replaces this file and those listed here."
	headerItem = "//     "
)

// header lists the files of an export at the start of its source file, so that
// the next one knows which of the files it finds are its own.
func header(files Files) []byte {
	var b strings.Builder
	b.WriteString(headerLine + "\n")
	for _, name := range ordered.Keys(files) {
		if name != SourceFile {
			b.WriteString(headerItem + name + "\n")
		}
	}
	if len(files[SourceFile]) > 0 {
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// Listed gives the files of an earlier export, SourceFile included, from the text
// of its source file. ok is false when export did not write the text.
func Listed(source []byte) (names []string, ok bool) {
	lines := strings.Split(string(source), "\n")
	if strings.TrimRight(lines[0], "\r") != headerLine {
		return nil, false
	}
	names = []string{SourceFile}
	for _, line := range lines[1:] {
		name, item := strings.CutPrefix(strings.TrimRight(line, "\r"), headerItem)
		if !item {
			break
		}
		if fs.ValidPath(name) && name != "." {
			names = append(names, name)
		}
	}
	return names, true
}
