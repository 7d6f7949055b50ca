package yamlprofile

import (
	"go.yaml.in/yaml/v3"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// The bounds of a document.
const (
	maxDepth   = 256
	maxAliases = 100
	maxValues  = 1 << 20
	maxText    = 1 << 25 // bytes
)

// walker turns nodes into values. It visits every node once: the value of an alias
// is the one that was made where the anchor stands, which is always earlier.
type walker struct {
	text    text
	aliases int
	// anchored is what the nodes with an anchor came to; an entry that is not done
	// belongs to an ancestor of the node at hand.
	anchored map[*yaml.Node]*measured
}

// measured is a value with what it costs to write it out with all aliases expanded.
type measured struct {
	value canon.Value
	// values counts the value and all inside; text is the bytes of names, strings
	// and numbers; height is 0 for scalars.
	values, text, height int
	done                 bool
}

// add counts m as a part of the whole.
func (t *measured) add(m measured) {
	t.values += m.values
	t.text += m.text
	t.height = max(t.height, m.height+1)
}

// node reads n, which stands depth levels deep; the root is at 1.
func (w *walker) node(n *yaml.Node, depth int) (measured, *Refusal) {
	if n.Kind == yaml.AliasNode {
		return w.alias(n, depth)
	}
	if n.Anchor == "" {
		return w.content(n, depth)
	}
	if w.anchored == nil {
		w.anchored = map[*yaml.Node]*measured{}
	}
	kept := &measured{}
	w.anchored[n] = kept
	m, r := w.content(n, depth)
	*kept = m
	kept.done = true
	return m, r
}

func (w *walker) alias(n *yaml.Node, depth int) (measured, *Refusal) {
	if w.aliases++; w.aliases > maxAliases {
		return measured{}, refuse(manifest.ReasonAliasLimit, n.Line)
	}
	m, known := w.anchored[n.Alias]
	if !known || !m.done {
		return measured{}, refuse(manifest.ReasonCycle, n.Line)
	}
	if m.height > 0 && depth+m.height-1 > maxDepth {
		return measured{}, malformed(FaultDepth, n.Line)
	}
	return *m, nil
}

func (w *walker) content(n *yaml.Node, depth int) (measured, *Refusal) {
	if n.Kind == yaml.ScalarNode {
		v, reason := scalar(n, w.text.lonelyTag(n))
		if reason != "" {
			return measured{}, refuse(reason, n.Line)
		}
		return measured{value: v, values: 1, text: len(n.Value)}, nil
	}
	if depth > maxDepth {
		return measured{}, malformed(FaultDepth, n.Line)
	}
	if n.Kind == yaml.SequenceNode {
		return w.sequence(n, depth)
	}
	return w.mapping(n, depth)
}

func (w *walker) sequence(n *yaml.Node, depth int) (measured, *Refusal) {
	if n.Tag != "!!seq" {
		return measured{}, refuse(manifest.ReasonTag, n.Line)
	}
	total := measured{values: 1, height: 1}
	items := make([]canon.Value, len(n.Content))
	for i, c := range n.Content {
		m, r := w.node(c, depth+1)
		if r != nil {
			return measured{}, r
		}
		items[i] = m.value
		if total.add(m); w.tooMuch(total) {
			return measured{}, refuse(manifest.ReasonAliasLimit, c.Line)
		}
	}
	total.value = canon.List(items...)
	return total, nil
}

func (w *walker) mapping(n *yaml.Node, depth int) (measured, *Refusal) {
	if n.Tag != "!!map" {
		return measured{}, refuse(manifest.ReasonTag, n.Line)
	}
	total := measured{values: 1, height: 1}
	fields := make([]canon.Field, 0, len(n.Content)/2)
	seen := newNames(len(n.Content) / 2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		name, r := w.key(key, depth+1)
		if r != nil {
			return measured{}, r
		}
		if seen.has(name, fields) {
			return measured{}, refuse(manifest.ReasonDuplicateKey, key.Line)
		}
		m, r := w.node(n.Content[i+1], depth+1)
		if r != nil {
			return measured{}, r
		}
		fields = append(fields, canon.F(name, m.value))
		m.text += len(name)
		if total.add(m); w.tooMuch(total) {
			return measured{}, refuse(manifest.ReasonAliasLimit, key.Line)
		}
	}
	total.value = canon.Adopt(fields)
	return total, nil
}

// key reads the name of a member; it may be an alias of a string.
func (w *walker) key(n *yaml.Node, depth int) (string, *Refusal) {
	if n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode {
		return "", refuse(manifest.ReasonKeyType, n.Line)
	}
	m, r := w.node(n, depth)
	if r != nil && r.Reason != manifest.ReasonNonFinite {
		return "", r
	}
	name, isString := m.value.AsString()
	if !isString {
		return "", refuse(manifest.ReasonKeyType, n.Line)
	}
	return name, nil
}

// tooMuch reports whether aliases blow the document up.
func (w *walker) tooMuch(m measured) bool {
	return w.aliases > 0 && (m.values > maxValues || m.text > maxText)
}

// names finds repeated names in one mapping: by looking through few, by a table
// among many.
type names struct{ table map[string]struct{} }

const fewNames = 16

func newNames(count int) names {
	if count <= fewNames {
		return names{}
	}
	return names{table: make(map[string]struct{}, count)}
}

// has reports whether name is one of the fields before it and keeps it.
func (s names) has(name string, before []canon.Field) bool {
	if s.table == nil {
		for _, f := range before {
			if f.Name == name {
				return true
			}
		}
		return false
	}
	if _, known := s.table[name]; known {
		return true
	}
	s.table[name] = struct{}{}
	return false
}
