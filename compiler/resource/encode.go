package resource

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"terfyn/internal/canon"
)

// ErrFormat marks a serialised graph of a version this package does not read.
var ErrFormat = errors.New("unknown graph format version")

// formatField carries the version in the serialised form.
const formatField = "formatVersion"

// Encode returns the canonical bytes of the normalized graph with its format
// version. Graphs that differ only in the order of declarations or of set
// elements have the same bytes.
func Encode(g Graph) []byte {
	return value(Normalize(g)).With(formatField, canon.Int(GraphFormat)).Encode()
}

// Decode reads what Encode wrote. Another format version is an error for which
// errors.Is(err, ErrFormat) holds; an unknown field is an error as well, so that
// a newer graph is never run with half of its meaning.
func Decode(b []byte) (Graph, error) {
	doc, err := canon.Parse(b)
	if err != nil {
		return Graph{}, fmt.Errorf("read resource graph: %w", err)
	}
	found := doc.At(formatField)
	if version, ok := found.AsInt(); !ok || version != GraphFormat {
		return Graph{}, fmt.Errorf("read resource graph: %w %s; this build reads version %d", ErrFormat, found.JSON(), GraphFormat)
	}
	return FromValue(doc.Without(formatField))
}

// FromValue is Decode for a document without its format version, which must be
// that of this build.
func FromValue(doc canon.Value) (Graph, error) {
	d := json.NewDecoder(bytes.NewReader(doc.Encode()))
	d.DisallowUnknownFields()
	var g Graph
	if err := d.Decode(&g); err != nil {
		return Graph{}, fmt.Errorf("read resource graph: %w", err)
	}
	return Normalize(g), nil
}

// value is the canonical value of a plain resource type.
func value(v any) canon.Value {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("resource: %T has no JSON form: %v", v, err)) // the types hold only strings, numbers and flags
	}
	out, err := canon.Parse(b)
	if err != nil {
		panic(fmt.Sprintf("resource: %T encodes to invalid JSON: %v", v, err))
	}
	return out
}
