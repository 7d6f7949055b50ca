package golden

import (
	"bytes"
	"strings"
)

// archive is a txtar file: a comment, then sections that each start with a line
// `-- name --`.
type archive struct {
	comment []byte
	files   []section
}

type section struct {
	name string
	data []byte
}

func parseArchive(b []byte) archive {
	var a archive
	for _, line := range bytes.SplitAfter(b, []byte("\n")) {
		if name := marker(line); name != "" {
			a.files = append(a.files, section{name: name})
			continue
		}
		if len(a.files) == 0 {
			a.comment = append(a.comment, line...)
			continue
		}
		last := &a.files[len(a.files)-1]
		last.data = append(last.data, line...)
	}
	return a
}

// marker is the name in a section line, "" for other lines.
func marker(line []byte) string {
	s := strings.TrimSuffix(string(line), "\n")
	if len(s) < len("-- x --") || !strings.HasPrefix(s, "-- ") || !strings.HasSuffix(s, " --") {
		return ""
	}
	return strings.TrimSpace(s[3 : len(s)-3])
}

func (a archive) format() []byte {
	out := bytes.Clone(a.comment)
	for _, f := range a.files {
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, "-- "+f.name+" --\n"...)
		out = append(out, f.data...)
	}
	return out
}
