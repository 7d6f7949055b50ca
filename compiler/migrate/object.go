package migrate

import (
	"cmp"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/diag"
	"terfyn/compiler/internal/yamlvalue"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
)

// object reads the fields of one mapping. Every field that is asked for counts as
// known; done complains about the others.
type object struct {
	c        *conversion
	file     *source.File
	node     *yaml.Node
	path     string // of the mapping inside its resource, with a dot at its end
	resource string // KIND/NAME, "" for the envelope
	keys     []*yaml.Node
	values   map[string]*yaml.Node
	known    map[string]bool
}

// object is nil, after a complaint, when n is no mapping.
func (c *conversion) object(f *source.File, n *yaml.Node, path string) *object {
	n = resolve(n)
	o := &object{c: c, file: f, node: n, path: path, values: map[string]*yaml.Node{}, known: map[string]bool{}}
	if n.Kind != yaml.MappingNode {
		o.fail(n, "%s is to be a mapping", cmp.Or(strings.TrimSuffix(path, "."), "a document"))
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge":
			o.fail(key, "keys are plain words here; merge keys are not read")
		case o.values[key.Value] != nil:
			o.fail(key, "the key %q stands twice", key.Value)
		default:
			o.keys = append(o.keys, key)
			o.values[key.Value] = resolve(n.Content[i+1])
		}
	}
	return o
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func (o *object) fail(n *yaml.Node, format string, args ...any) {
	o.c.ds.Add(diag.Errorf(diag.OldForm, span(o.file, n), "%s", o.subject(fmt.Sprintf(format, args...))))
}

func (o *object) subject(message string) string {
	if o.resource == "" {
		return message
	}
	return o.resource + ": " + message
}

func (o *object) failAt(field, format string, args ...any) {
	n := o.values[field]
	if n == nil {
		n = o.node
	}
	o.fail(n, format, args...)
}

// at is the place of a field's value, or of the mapping.
func (o *object) at(field string) source.Span {
	if n := o.values[field]; n != nil {
		return span(o.file, n)
	}
	return span(o.file, o.node)
}

// get gives the value of a field, nil when it is absent or null.
func (o *object) get(field string) *yaml.Node {
	o.known[field] = true
	n := o.values[field]
	if n == nil || n.ShortTag() == "!!null" {
		return nil
	}
	return n
}

// has reports whether the field is written, be it as null.
func (o *object) has(field string) bool {
	o.known[field] = true
	return o.values[field] != nil
}

func (o *object) child(field string) *object {
	n := o.get(field)
	if n == nil {
		return nil
	}
	c := o.c.object(o.file, n, o.path+field+".")
	if c != nil {
		c.resource = o.resource
	}
	return c
}

func (o *object) text(field string) string {
	n := o.get(field)
	if n == nil {
		return ""
	}
	return o.scalar(n, field)
}

func (o *object) scalar(n *yaml.Node, field string) string {
	if n.Kind != yaml.ScalarNode {
		o.fail(n, "%s is to be a text", o.path+field)
		return ""
	}
	return n.Value
}

func (o *object) texts(field string) []string {
	n := o.get(field)
	if n == nil {
		return nil
	}
	var out []string
	for _, item := range o.items(n, field) {
		out = append(out, o.scalar(item, field))
	}
	return out
}

func (o *object) items(n *yaml.Node, field string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		o.fail(n, "%s is to be a list", o.path+field)
		return nil
	}
	out := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		out[i] = resolve(item)
	}
	return out
}

func (o *object) flag(field string) *bool {
	n := o.get(field)
	if n == nil {
		return nil
	}
	if n.ShortTag() != "!!bool" {
		o.fail(n, "%s is to be true or false", o.path+field)
		return nil
	}
	b := strings.EqualFold(n.Value, "true")
	return &b
}

// decimal is the canonical spelling of a number, "" when it is absent.
func (o *object) decimal(field string) string {
	n := o.get(field)
	if n == nil {
		return ""
	}
	v, err := number(n)
	if err != nil {
		o.fail(n, "%s is to be a number", o.path+field)
	}
	return v.JSON()
}

func (o *object) whole(field string) int64 {
	n := o.get(field)
	if n == nil {
		return 0
	}
	v, err := number(n)
	i, ok := v.AsInt()
	if err != nil || !ok || i < 0 {
		o.fail(n, "%s is to be a whole number and not negative", o.path+field)
	}
	return i
}

func number(n *yaml.Node) (canon.Value, error) {
	if tag := n.ShortTag(); tag != "!!int" && tag != "!!float" {
		return canon.Value{}, fmt.Errorf("%q is no number", n.Value)
	}
	v, err := yamlvalue.Parse([]byte(n.Value))
	if err != nil || v.Kind() != canon.KindNumber {
		return canon.Value{}, fmt.Errorf("%q is no number", n.Value)
	}
	return v, nil
}

// dropped leaves a field out with a warning that says why.
func (o *object) dropped(field, why string) {
	if o.get(field) == nil {
		return
	}
	o.c.ds.Add(diag.Warnf(diag.OldFieldLeftOut, o.at(field), "%s", o.subject(o.path+field+" is left out: "+why)))
}

// droppedUnlessEmpty is dropped for a field that says nothing when it is empty.
func (o *object) droppedUnlessEmpty(field, why string) {
	if n := o.get(field); n != nil && len(n.Content) > 0 {
		o.dropped(field, why)
	}
}

// done complains about every field nobody asked for.
func (o *object) done() {
	for _, key := range o.keys {
		if !o.known[key.Value] {
			o.c.ds.Add(diag.Errorf(diag.UnknownField, span(o.file, key), "%s",
				o.subject(fmt.Sprintf("the old form has no field %s; remove it or correct its spelling", o.path+key.Value))))
		}
	}
}
