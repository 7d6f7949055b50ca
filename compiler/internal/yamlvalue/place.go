package yamlvalue

import (
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"terfyn/internal/canon"
)

// Place is a position in the document; line and column count from 1.
type Place struct{ Line, Col int }

// Member is where one member of a mapping stands.
type Member struct{ Key, Value Place }

// ParsePlaced is Parse that also tells where the members of mappings stand, by
// their keys from the root, joined with dots. What stands in lists is left out.
func ParsePlaced(b []byte) (canon.Value, map[string]Member, error) {
	v, err := Parse(b)
	if err != nil {
		return canon.Value{}, nil, err
	}
	places := map[string]Member{}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err == nil && len(doc.Content) == 1 {
		collect(doc.Content[0], "", places)
	}
	return v, places, nil
}

// collect ends: Parse has found that aliases do not contain themselves, and that
// they do not blow the document up.
func collect(n *yaml.Node, prefix string, places map[string]Member) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		path := prefix + key.Value
		places[path] = Member{Key: Place{key.Line, key.Column}, Value: Place{value.Line, value.Column}}
		collect(value, path+".", places)
	}
}

var lineForm = regexp.MustCompile(`^line (\d+): `)

// Line gives the line an error of this package names, 0 for none, and its text
// without that.
func Line(err error) (line int, text string) {
	text = err.Error()
	found := lineForm.FindStringSubmatch(text)
	if found == nil {
		return 0, text
	}
	line, _ = strconv.Atoi(found[1]) // digits only
	return line, text[len(found[0]):]
}
