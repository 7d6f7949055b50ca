package export

import (
	"path"
	"strconv"
	"strings"

	"terfyn/compiler/syntax"
)

// The spellers give the syntax of a value, nil for the value that stands for an
// absent field.

func text(s string) *syntax.Text {
	if s == "" {
		return nil
	}
	return &syntax.Text{Value: s}
}

func texts(ss []string) *syntax.StringList {
	if len(ss) == 0 {
		return nil
	}
	out := &syntax.StringList{}
	for _, s := range ss {
		out.Items = append(out.Items, syntax.Text{Value: s})
	}
	return out
}

func whole(n int64) *syntax.Number {
	if n == 0 {
		return nil
	}
	return &syntax.Number{Spelling: strconv.FormatInt(n, 10)}
}

func decimal(spelling string) *syntax.Number {
	if spelling == "" {
		return nil
	}
	return &syntax.Number{Spelling: spelling}
}

func flag(b *bool) *syntax.Flag {
	if b == nil {
		return nil
	}
	return &syntax.Flag{Value: *b}
}

func set(b bool) *syntax.Flag {
	if !b {
		return nil
	}
	return &syntax.Flag{Value: true}
}

func exclusive(b bool) *syntax.Ident {
	if !b {
		return nil
	}
	return &syntax.Ident{Name: "exclusive"}
}

// word spells a name; what is none is refused.
func (w writer) word(field, s string) *syntax.Ident {
	if s == "" {
		return nil
	}
	i := w.ident(field, s)
	return &i
}

func (w writer) ident(field, s string) syntax.Ident {
	if !isName(s) {
		w.refuse(field, "%q is not a name of the language; names are letters, digits, _ and -, and none of the reserved words", s)
	}
	return syntax.Ident{Name: s}
}

func (w writer) path(field, dotted string) syntax.Path {
	var out syntax.Path
	for _, part := range strings.Split(dotted, ".") {
		out.Parts = append(out.Parts, w.ident(field, part))
	}
	return out
}

func (w writer) optionalPath(field, dotted string) *syntax.Path {
	if dotted == "" {
		return nil
	}
	p := w.path(field, dotted)
	return &p
}

func (w writer) effects(field string, names []string, present bool) *syntax.EffectSet {
	if !present && len(names) == 0 {
		return nil
	}
	out := &syntax.EffectSet{}
	for _, n := range names {
		out.Items = append(out.Items, w.path(field, n))
	}
	return out
}

func (w writer) capabilities(field string, names []string, present bool) *syntax.CapabilitySet {
	if !present && len(names) == 0 {
		return nil
	}
	out := &syntax.CapabilitySet{}
	for _, n := range names {
		c := syntax.Capability{Path: syntax.Path{Parts: []syntax.Ident{}}}
		parts := strings.Split(n, ".")
		switch {
		case parts[0] == "tool" && len(parts) >= 3:
			c.Kind = syntax.ToolCapability
		case parts[0] == "agent" && len(parts) == 2:
			c.Kind = syntax.AgentCapability
		case parts[0] == "workflow" && len(parts) == 2:
			c.Kind = syntax.WorkflowCapability
		default:
			w.refuse(field, "%q is not a capability; write tool.NAME.OPERATION, agent.NAME or workflow.NAME", n)
			continue
		}
		c.Path.Parts = append(c.Path.Parts, syntax.Ident{Name: parts[0]})
		for _, part := range parts[1:] {
			c.Path.Parts = append(c.Path.Parts, w.ident(field, part))
		}
		out.Items = append(out.Items, c)
	}
	return out
}

func (w writer) model(field, ref string) *syntax.ModelRef {
	if ref == "" {
		return nil
	}
	provider, id, ok := strings.Cut(ref, "/")
	if !ok || !isModelID(id) {
		w.refuse(field, "%q is not a model of the form provider/id with letters, digits, '.', '_', ':' and '-'", ref)
	}
	return &syntax.ModelRef{Provider: w.ident(field, provider), ID: syntax.Ident{Name: id}}
}

// typeName is the name whose schema is schemas/<name>.json.
func (w writer) typeName(field, schema string) *syntax.Ident {
	if schema == "" {
		return nil
	}
	name := strings.TrimSuffix(path.Base(schema), ".json")
	if schema != "schemas/"+name+".json" || !isName(name) {
		w.refuse(field, "the schema %q is not of the form schemas/<Name>.json, which is where the schema of a type stands; move the file there", schema)
	}
	return &syntax.Ident{Name: name}
}

func isName(s string) bool {
	switch s {
	case "agent", "workflow", "parallel", "return":
		return false
	}
	return isWord(s)
}

// isBindable tells whether a body may bind the name.
func isBindable(s string) bool {
	switch s {
	case "if", "else", "for", "while", "true", "false":
		return false
	}
	return isName(s)
}

func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

func isModelID(s string) bool {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == ':' }) {
		if !isWord("x" + part) {
			return false
		}
	}
	return s != ""
}
