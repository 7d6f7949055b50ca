package types

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/internal/canon"
)

// SyntaxError says where a schema document is no JSON. Lines and columns count from
// 1, columns in bytes.
type SyntaxError struct {
	Offset, Line, Col int
	Reason            string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("no JSON at line %d, column %d: %s", e.Line, e.Col, e.Reason)
}

// inLines gives the place of a syntax error as an editor shows it.
func inLines(b []byte, err error) error {
	var syntax *canon.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := b[:min(syntax.Offset, len(b))]
	return &SyntaxError{
		Offset: len(before),
		Line:   1 + bytes.Count(before, []byte{'\n'}),
		Col:    len(before) - bytes.LastIndexByte(before, '\n'),
		Reason: syntax.Reason,
	}
}

// schemaTypes are the types of JSON Schema.
var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// inWords says what is wrong with a schema document. The library words a wrong type
// as a choice that failed.
func inWords(doc canon.Value, leaf *jsonschema.ValidationError) error {
	at := pointer(leaf.InstanceLocation)
	if !strings.HasSuffix(leaf.InstanceLocation, "/type") || !isChoice(lastKeyword(leaf)) {
		return fmt.Errorf("at %s: %s", at, leaf.Message)
	}
	value, known := locate(doc, leaf.InstanceLocation), strings.Join(schemaTypes, ", ")
	if name, ok := value.AsString(); ok {
		return fmt.Errorf("at %s: %q is no JSON Schema type; one of %s", at, name, known)
	}
	for i, item := range value.Items() {
		if name, ok := item.AsString(); !ok || !slices.Contains(schemaTypes, name) {
			return fmt.Errorf("at %s/%d: %s is no JSON Schema type; one of %s", at, i, item.JSON(), known)
		}
	}
	return fmt.Errorf("at %s: a type is one of %s, or a list of different ones", at, known)
}

// locate finds the value a JSON pointer of the library leads to, null where there is
// none.
func locate(doc canon.Value, pointer string) canon.Value {
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		step = unescapeToken(unescapePercent(step))
		if items := doc.Items(); items != nil {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(items) {
				return canon.Value{}
			}
			doc = items[i]
			continue
		}
		doc, _ = doc.Get(step)
	}
	return doc
}
