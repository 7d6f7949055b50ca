package diff

import (
	"slices"
	"strings"
)

// LineKind says what happened to a line.
type LineKind string

// The kinds of lines; Gap stands for lines left out that are on both sides.
const (
	LineSame    LineKind = "same"
	LineAdded   LineKind = "added"
	LineRemoved LineKind = "removed"
	LineGap     LineKind = "gap"
)

// Line is one line of a difference between two texts.
type Line struct {
	Kind LineKind `json:"kind"`
	Text string   `json:"text,omitempty"` // without the line break; empty for a gap
}

// context is how many unchanged lines stand around a change.
const context = 2

// maxCells bounds the table of the comparison. Larger texts are shown as replaced
// as a whole between their common start and end, which is right and less nice.
const maxCells = 4 << 20

// Lines compares two texts line by line and keeps what is near a change. Texts of
// equal lines give nothing.
func Lines(before, after string) []Line {
	if before == after {
		return nil
	}
	return near(compare(split(before), split(after)))
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// compare lists all lines of both sides.
func compare(a, b []string) []Line {
	var head, tail []Line
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, Line{LineSame, a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, Line{LineSame, a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	out := append(head, middle(a, b)...)
	for i := len(tail) - 1; i >= 0; i-- {
		out = append(out, tail[i])
	}
	return out
}

// middle aligns two texts along their longest common subsequence of lines.
func middle(a, b []string) []Line {
	var out []Line
	if len(a)*len(b) <= maxCells {
		common := suffixes(a, b)
		for len(a) > 0 && len(b) > 0 {
			row, width := len(a), len(b)
			switch {
			case a[0] == b[0]:
				out = append(out, Line{LineSame, a[0]})
				a, b = a[1:], b[1:]
			case common[row-1][width] >= common[row][width-1]:
				out = append(out, Line{LineRemoved, a[0]})
				a = a[1:]
			default:
				out = append(out, Line{LineAdded, b[0]})
				b = b[1:]
			}
		}
	}
	for _, text := range a {
		out = append(out, Line{LineRemoved, text})
	}
	for _, text := range b {
		out = append(out, Line{LineAdded, text})
	}
	return out
}

// suffixes holds the length of the longest common subsequence of the last i lines
// of a and the last j of b.
func suffixes(a, b []string) [][]int32 {
	table := make([][]int32, len(a)+1)
	for i := range table {
		table[i] = make([]int32, len(b)+1)
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			if a[len(a)-i] == b[len(b)-j] {
				table[i][j] = table[i-1][j-1] + 1
			} else {
				table[i][j] = max(table[i-1][j], table[i][j-1])
			}
		}
	}
	return table
}

// near leaves out unchanged lines that are far from every change.
func near(all []Line) []Line {
	keep := make([]bool, len(all))
	for i, l := range all {
		if l.Kind == LineSame {
			continue
		}
		for j := max(0, i-context); j <= min(len(all)-1, i+context); j++ {
			keep[j] = true
		}
	}
	if !slices.Contains(keep, true) {
		return nil
	}
	var out []Line
	for i, l := range all {
		switch {
		case keep[i]:
			out = append(out, l)
		case len(out) == 0 || out[len(out)-1].Kind != LineGap:
			out = append(out, Line{Kind: LineGap})
		}
	}
	return out
}
