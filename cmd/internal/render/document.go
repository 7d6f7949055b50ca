package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"terfyn/internal/canon"
)

// SchemaVersion is the version of the documents that commands print.
const SchemaVersion = 1

// Warning is something the reader has to know and that stopped nothing.
type Warning struct {
	Class   string // stable word
	Reason  string // stable word, narrower than Class
	Message string // one sentence
}

func (w Warning) value() canon.Value {
	return canon.Object(canon.F("class", canon.String(w.Class)), canon.F("reason", canon.String(w.Reason)), canon.F("message", canon.String(w.Message)))
}

// Document is the one object a command prints: schemaVersion, warnings (always
// there) and the payload.
func Document(warnings []Warning, payload ...canon.Field) canon.Value {
	ws := make([]canon.Value, len(warnings))
	for i, w := range warnings {
		ws[i] = w.value()
	}
	return canon.Object(append([]canon.Field{
		canon.F("schemaVersion", canon.Int(SchemaVersion)), canon.F("warnings", canon.List(ws...)),
	}, payload...)...)
}

// JSON writes v indented, with a final newline. Numbers keep every digit.
func JSON(w io.Writer, v canon.Value) error {
	_, err := io.WriteString(w, Indented(v)+"\n")
	return err
}

// Indented is v as JSON for people.
func Indented(v canon.Value) string {
	var b bytes.Buffer
	if err := json.Indent(&b, v.Encode(), "", "  "); err != nil {
		panic(fmt.Sprintf("render: a value has invalid JSON: %v", err))
	}
	return b.String()
}

// YAML writes v as one YAML document. Numbers keep every digit.
func YAML(w io.Writer, v canon.Value) error {
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	if err := enc.Encode(node(v)); err != nil {
		return fmt.Errorf("write YAML: %w", err)
	}
	return enc.Close()
}

func node(v canon.Value) *yaml.Node {
	switch v.Kind() {
	case canon.KindObject:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range v.Fields() {
			n.Content = append(n.Content, text(f.Name), node(f.Value))
		}
		return n
	case canon.KindList:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v.Items() {
			n.Content = append(n.Content, node(item))
		}
		return n
	case canon.KindString:
		s, _ := v.AsString()
		return text(s)
	case canon.KindNumber:
		spelling, _ := v.NumberText()
		return &yaml.Node{Kind: yaml.ScalarNode, Value: spelling}
	case canon.KindBool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: v.JSON()}
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
}

func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	if slices.Contains(oldBooleans, strings.ToLower(s)) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// oldBooleans are words that readers of YAML 1.1 take for true and false.
var oldBooleans = []string{"y", "n", "yes", "no", "on", "off"}
