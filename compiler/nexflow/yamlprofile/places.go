package yamlprofile

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/nexflow/manifest"
)

// Places finds values in the text of a document that is in the profile: a member
// where its name begins, an element where its value begins, and the content of an
// alias where the anchor is. All positions are unknown when the text cannot be read.
func Places(b []byte, sought []manifest.Sought) []manifest.Position {
	out := make([]manifest.Position, len(sought))
	b = withoutSurrogates(withoutMark(b))
	root, refusal := decode(b)
	if root == nil || refusal != nil {
		return out
	}
	lines := lineStarts(b)
	for i, s := range sought {
		if n := find(root, s); n != nil {
			out[i] = position(b, lines, n)
		}
	}
	return out
}

// withoutMark drops a byte order mark.
func withoutMark(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

var pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")

// find is the node where a place begins, nil when the path is none.
func find(root *yaml.Node, s manifest.Sought) *yaml.Node {
	if s.Path == "" {
		return root
	}
	if !strings.HasPrefix(s.Path, "/") {
		return nil
	}
	at, value := root, root
	for name := range strings.SplitSeq(s.Path[1:], "/") {
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		next, inside := step(value, pointerUnescapes.Replace(name), s.Known)
		if next == nil {
			break
		}
		at, value = next, inside
	}
	return at
}

// step is where a part of n begins and the part itself; nil when there is none.
func step(n *yaml.Node, name string, known []string) (at, value *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			if key.Value == name || name == manifest.RedactedMember && len(known) > 0 && !slices.Contains(known, key.Value) {
				return n.Content[i], n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i]
		}
	}
	return nil, nil
}

// lineStarts is the offset of every line.
func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' || c == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// position is that of a node; what the library says about columns are characters.
func position(b []byte, lines []int, n *yaml.Node) manifest.Position {
	if n.Line < 1 || n.Line > len(lines) || n.Column < 1 {
		return manifest.Position{}
	}
	p := manifest.Position{Line: n.Line, Column: n.Column, UTF16: 1}
	rest := b[lines[n.Line-1]:]
	for range n.Column - 1 {
		c, size := utf8.DecodeRune(rest)
		p.UTF16 += max(1, utf16.RuneLen(c))
		rest = rest[size:]
	}
	return p
}
