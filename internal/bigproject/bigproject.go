// Package bigproject writes large projects for benchmarks and for tests that count
// work: the same mix of declarations at any size, so that a project of twice the
// declarations has twice of everything. It owns that text alone; it compiles,
// stores and measures nothing. Only tests import it.
//
// Names, effects and schemas are those of one invented trade. The number of
// distinct effects and schemas stays the same at every size, as it does in a
// company that adds projects: a bound lists every effect it does not reach, so
// effects that grew with the project would make the answer itself quadratic.
package bigproject

import (
	"fmt"
	"strings"
	"testing/fstest"
)

// GroupSize is how many declarations one group has: a policy, two tools, four
// agents and three workflows that use one another.
const GroupSize = 10

// groupsPerFile keeps files at about 25 kB.
const groupsPerFile = 5

// areas bound the number of distinct effects, types the number of schemas.
const (
	areas = 20
	types = 20
)

// Files is a project of that many declarations, rounded up to whole groups and
// spread over many files, about 500 bytes each. It compiles without an error.
func Files(declarations int) fstest.MapFS {
	files := fstest.MapFS{}
	for t := range types {
		files[fmt.Sprintf("schemas/T%d.json", t)] = &fstest.MapFile{Data: fmt.Appendf(nil, schema, t)}
	}
	groups := (declarations + GroupSize - 1) / GroupSize
	for first := 0; first < groups; first += groupsPerFile {
		file := first / groupsPerFile
		var b strings.Builder
		for g := first; g < min(first+groupsPerFile, groups); g++ {
			b.WriteString(Group(g))
		}
		files[fmt.Sprintf("floor%d/part%05d.agent", file%10, file)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	return files
}

const schema = `{
  "type": "object",
  "properties": {
    "kind": {"const": "t%d"},
    "id": {"type": "string", "minLength": 1},
    "ready": {"type": "boolean"},
    "total": {"type": "number", "minimum": 0},
    "items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}
  },
  "required": ["id", "ready", "items"]
}
`

// Group is the source of the n-th group of declarations. No name in it stands in
// another group.
func Group(n int) string {
	return strings.NewReplacer(
		"#A", fmt.Sprintf("area%d", n%areas),
		"#I", fmt.Sprintf("T%d", n%types),
		"#O", fmt.Sprintf("T%d", (n+7)%types),
		"#", fmt.Sprint(n),
	).Replace(group)
}
