package native

import (
	"bufio"
	"bytes"
	"context"
	"io/fs"
	"os"
	slashpath "path"
	"regexp"
	"slices"
	"strings"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

const (
	// maxHits bounds the hits of grep.
	maxHits = 500
	// maxHitText bounds the text of one hit, in bytes.
	maxHitText = 500
	// maxLine bounds the lines grep looks at; a file with a longer one is left there.
	maxLine = 1 << 20
)

// skipped are directories that searches enter only when they are named.
var skipped = []string{".git", "node_modules", "vendor"}

func glob(ctx context.Context, s session) (canon.Value, error) {
	pattern := s.args.text("pattern")
	matcher, err := newMatcher(pattern)
	if err != nil {
		return canon.Value{}, err
	}
	found := []string{}
	more := false
	err = walk(ctx, s, pattern, func(_ *os.Root, base, p string) bool {
		if matcher.match(under(base, p)) {
			more = len(found) == maxEntries
			if !more {
				found = append(found, p)
			}
		}
		return !more
	})
	if err != nil {
		return canon.Value{}, err
	}
	return truncated(canon.Object(canon.F("matches", canon.Strings(found))), more), nil
}

func grep(ctx context.Context, s session) (canon.Value, error) {
	expr, err := regexp.Compile(s.args.text("pattern"))
	if err != nil {
		return canon.Value{}, bad("pattern is no regular expression: %v", err)
	}
	pattern := s.args.text("glob")
	if pattern == "" {
		pattern = "**"
	}
	matcher, err := newMatcher(pattern)
	if err != nil {
		return canon.Value{}, err
	}
	var hits []canon.Value
	more := false
	err = walk(ctx, s, pattern, func(root *os.Root, base, p string) bool {
		if !matcher.match(under(base, p)) && !matcher.match(slashpath.Base(p)) {
			return true
		}
		hits, more = search(root, p, expr, hits)
		return !more
	})
	if err != nil {
		return canon.Value{}, err
	}
	return truncated(canon.Object(canon.F("hits", canon.List(hits...))), more), nil
}

// search adds the hits of one file. Files that cannot be read and binary files
// have none.
func search(root *os.Root, p string, expr *regexp.Regexp, hits []canon.Value) (all []canon.Value, more bool) {
	f, err := root.Open(p)
	if err != nil {
		return hits, false
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for n := int64(1); lines.Scan(); n++ {
		line := lines.Bytes()
		if bytes.IndexByte(line, 0) >= 0 {
			return hits, false
		}
		if !expr.Match(line) {
			continue
		}
		if len(hits) == maxHits {
			return hits, true
		}
		text := string(line)
		if len(text) > maxHitText {
			text = text[:maxHitText] + "…"
		}
		hits = append(hits, canon.Object(canon.F("file", canon.String(p)), canon.F("line", canon.Int(n)), canon.F("text", canon.String(text))))
	}
	return hits, false
}

// walk visits the regular files under the path argument in order, until visit
// returns false. base is the directory that patterns are relative to.
func walk(ctx context.Context, s session, pattern string, visit func(root *os.Root, base, p string) bool) error {
	root, err := openRoot(s.call)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	start, err := local(s.args.text("path"))
	if err != nil {
		return err
	}
	info, err := root.Stat(start)
	if err != nil {
		return failure(start, err)
	}
	base := start
	if !info.IsDir() {
		base = slashpath.Dir(start)
	}
	named := strings.Split(pattern, "/")
	err = fs.WalkDir(root.FS(), start, func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // what cannot be read has no matches
		case d.IsDir() && p != start && slices.Contains(skipped, d.Name()) && !slices.Contains(named, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		case !visit(root, base, p):
			return fs.SkipAll
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return tool.Ended(ctx, s.call, false)
	case err != nil:
		return failure(start, err)
	}
	return nil
}

func under(base, p string) string {
	if base == "." {
		return p
	}
	return strings.TrimPrefix(p, base+"/")
}

// matcher is a pattern of path segments; ** stands for any number of them.
type matcher []string

func newMatcher(pattern string) (matcher, error) {
	if pattern == "" {
		return nil, bad("pattern is empty")
	}
	segments := strings.Split(slashpath.Clean(pattern), "/")
	for _, s := range segments {
		if _, err := slashpath.Match(s, ""); err != nil {
			return nil, bad("pattern %q is malformed", pattern)
		}
	}
	return segments, nil
}

// match compares segment by segment. reach holds the pattern positions that the
// segments read so far can stand at, so that many ** cost no more than one.
func (m matcher) match(p string) bool {
	reach := m.skip(map[int]bool{0: true})
	for segment := range strings.SplitSeq(p, "/") {
		next := map[int]bool{}
		for i := range m {
			if !reach[i] {
				continue
			}
			if m[i] == "**" {
				next[i] = true
			} else if ok, _ := slashpath.Match(m[i], segment); ok {
				next[i+1] = true
			}
		}
		reach = m.skip(next)
	}
	return reach[len(m)]
}

// skip adds the positions behind ** that stands for no segment.
func (m matcher) skip(reach map[int]bool) map[int]bool {
	for i, s := range m {
		if reach[i] && s == "**" {
			reach[i+1] = true
		}
	}
	return reach
}
