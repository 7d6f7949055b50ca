package diag

import "strings"

// maxNear is the longest name for which a near one is looked for; the search
// takes time in proportion to the product of both lengths.
const maxNear = 64

// Near picks the candidate that was most likely meant, "" when none is close.
// Candidates come in order, the first of equally close ones wins.
func Near(name string, candidates []string) string {
	return nearWithin(name, candidates, 1+(len(name)+1)/3)
}

// NearEdits is Near for at most that many slips, whatever the length of the name.
func NearEdits(name string, candidates []string, most int) string {
	return nearWithin(name, candidates, min(most+1, 1+(len(name)+1)/3))
}

func nearWithin(name string, candidates []string, limit int) string {
	if len(name) > maxNear {
		return ""
	}
	best, distance := "", limit
	for _, c := range candidates {
		if c == name {
			continue
		}
		if strings.EqualFold(c, name) {
			return c
		}
		if d := edits(name, c, distance); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// edits counts insertions, deletions, replacements and swaps of neighbours between
// a and b; it gives limit when there are that many or more.
func edits(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row := rows[(i+1)%3], rows[(i+2)%3], rows[i%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := above[j-1]
			if a[i-1] != b[j-1] {
				cost++
			}
			row[j] = min(cost, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return min(rows[len(a)%3][len(b)], limit)
}
