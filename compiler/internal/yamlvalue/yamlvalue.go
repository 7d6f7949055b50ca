// Package yamlvalue reads one YAML document into a canon.Value.
//
// Only what JSON can say is accepted: mappings with distinct keys, sequences and
// the scalars of the core schema. Numbers stay exact. Aliases are expanded within
// a budget, so that a small file cannot become a large value; merge keys and own
// tags are refused. The package leaves out what the value means.
package yamlvalue

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"go.yaml.in/yaml/v3"

	"terfyn/internal/canon"
)

const (
	maxNodes = 200_000 // of the expanded document
	maxDepth = 200
)

// Parse reads b. Errors name the line where there is one.
func Parse(b []byte) (canon.Value, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return canon.Value{}, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind == 0 {
		return canon.Null(), nil // an empty document
	}
	if len(doc.Content) != 1 {
		return canon.Value{}, errors.New("expected one document")
	}
	r := reader{}
	return r.value(doc.Content[0], 0)
}

type reader struct {
	nodes int
	open  []*yaml.Node // aliases being expanded
}

func fail(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", n.Line, fmt.Sprintf(format, args...))
}

func (r *reader) value(n *yaml.Node, depth int) (canon.Value, error) {
	if r.nodes++; r.nodes > maxNodes {
		return canon.Value{}, fail(n, "the document has more than %d values after its aliases are expanded", maxNodes)
	}
	if depth > maxDepth {
		return canon.Value{}, fail(n, "nesting is deeper than %d levels", maxDepth)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return r.mapping(n, depth)
	case yaml.SequenceNode:
		items := make([]canon.Value, len(n.Content))
		for i, c := range n.Content {
			v, err := r.value(c, depth+1)
			if err != nil {
				return canon.Value{}, err
			}
			items[i] = v
		}
		return canon.List(items...), nil
	case yaml.AliasNode:
		return r.alias(n, depth)
	default:
		return scalar(n)
	}
}

func (r *reader) alias(n *yaml.Node, depth int) (canon.Value, error) {
	for _, o := range r.open {
		if o == n.Alias {
			return canon.Value{}, fail(n, "the alias *%s contains itself", n.Value)
		}
	}
	r.open = append(r.open, n.Alias)
	v, err := r.value(n.Alias, depth+1)
	r.open = r.open[:len(r.open)-1]
	return v, err
}

func (r *reader) mapping(n *yaml.Node, depth int) (canon.Value, error) {
	fields := make([]canon.Field, 0, len(n.Content)/2)
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return canon.Value{}, fail(key, "a key must be a plain word or string")
		case key.ShortTag() == "!!merge":
			return canon.Value{}, fail(key, "merge keys are not read; write the fields out")
		case seen[key.Value]:
			return canon.Value{}, fail(key, "the key %q stands twice", key.Value)
		}
		seen[key.Value] = true
		v, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return canon.Value{}, err
		}
		fields = append(fields, canon.F(key.Value, v))
	}
	return canon.Object(fields...), nil
}

func scalar(n *yaml.Node) (canon.Value, error) {
	switch tag := n.ShortTag(); tag {
	case "!!str", "!!timestamp":
		return canon.String(n.Value), nil
	case "!!null":
		return canon.Null(), nil
	case "!!bool":
		return canon.Bool(strings.EqualFold(n.Value, "true")), nil
	case "!!int", "!!float":
		v, err := number(n.Value, tag == "!!int")
		if err != nil {
			return canon.Value{}, fail(n, "%v", err)
		}
		return v, nil
	default:
		return canon.Value{}, fail(n, "a value of the kind %s has no JSON form", tag)
	}
}

// number reads the spellings JSON does not have, such as 0x1F, 1_000 and .5,
// without passing integers through a double.
func number(text string, integer bool) (canon.Value, error) {
	if v, err := canon.Number(text); err == nil {
		return v, nil
	}
	plain := strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+")
	if integer {
		i, ok := new(big.Int).SetString(plain, 0)
		if !ok {
			return canon.Value{}, fmt.Errorf("%q is no integer", text)
		}
		return canon.Number(i.String())
	}
	sign := ""
	if rest, negative := strings.CutPrefix(plain, "-"); negative {
		sign, plain = "-", rest
	}
	if strings.HasPrefix(plain, ".") {
		plain = "0" + plain
	}
	whole, exponent, hasExponent := strings.Cut(strings.ToLower(plain), "e")
	if strings.HasSuffix(whole, ".") {
		whole += "0"
	}
	if hasExponent {
		whole += "e" + exponent
	}
	v, err := canon.Number(sign + whole)
	if err != nil {
		return canon.Value{}, fmt.Errorf("%q has no JSON form", text)
	}
	return v, nil
}
