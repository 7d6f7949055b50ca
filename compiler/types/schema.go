package types

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// baseURL is the address every schema is compiled under. It names no place:
// a relative reference resolves against it and is then refused by the loader.
const baseURL = "terfyn:///schema"

// MaxDepth is how deep objects and lists of a schema document may be nested: the work
// of compiling one grows with the square of it.
const MaxDepth = 200

var errDeep = fmt.Errorf("it is nested deeper than %d levels", MaxDepth)

// Schema is one compiled schema document. It is immutable and safe for
// concurrent use.
type Schema struct {
	path     string
	doc      canon.Value
	compiled *jsonschema.Schema
}

// ErrExternal marks a schema that refers to another document.
var ErrExternal = errors.New("schema refers to another document")

// Load compiles the schema document b. path is only its name in messages. The
// dialect is draft 2020-12 unless the document declares an older one; true and
// false are schemas too. A reference to another document is an error for which
// errors.Is(err, ErrExternal) holds.
func Load(path string, b []byte) (*Schema, error) {
	doc, err := canon.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("read schema %s: %w", path, inLines(b, err))
	}
	if deeper(doc, MaxDepth) {
		return nil, fmt.Errorf("compile schema %s: %w", path, errDeep)
	}
	compiled, err := compile(doc)
	if err != nil {
		return nil, fmt.Errorf("compile schema %s: %w", path, err)
	}
	return &Schema{path: path, doc: doc, compiled: compiled}, nil
}

// deeper reports whether objects and lists of v stand in each other more than levels
// times.
func deeper(v canon.Value, levels int) bool {
	if v.Kind() != canon.KindObject && v.Kind() != canon.KindList {
		return false
	}
	if levels == 0 {
		return true
	}
	for _, item := range v.Items() {
		if deeper(item, levels-1) {
			return true
		}
	}
	for _, f := range v.Fields() {
		if deeper(f.Value, levels-1) {
			return true
		}
	}
	return false
}

func compile(doc canon.Value) (s *jsonschema.Schema, err error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.ExtractAnnotations = true
	c.LoadURL = func(ref string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%w: %q; only references inside the document (#/$defs/…) are supported", ErrExternal, strings.TrimPrefix(ref, "terfyn:///"))
	}
	defer func() {
		// The library panics on some malformed documents that pass its
		// meta-schema; for the author that is a broken schema as well.
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("the document is not a usable schema: %v", r)
		}
	}()
	if err := c.AddResource(baseURL, bytes.NewReader(doc.Encode())); err != nil {
		return nil, plain(doc, err)
	}
	s, err = c.Compile(baseURL)
	return s, plain(doc, err)
}

// plain reduces a library error to one sentence that names neither the
// artificial address nor the library.
func plain(doc canon.Value, err error) error {
	if err == nil || errors.Is(err, ErrExternal) {
		return unwrapExternal(err)
	}
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return inWords(doc, firstLeaf(invalid))
	}
	var wrapped *jsonschema.SchemaError
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return errors.New(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "jsonschema: "), baseURL, ""))
}

func unwrapExternal(err error) error {
	var wrapped *jsonschema.SchemaError
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// firstLeaf picks the same leaf whatever order the library visited members in.
func firstLeaf(err *jsonschema.ValidationError) *jsonschema.ValidationError {
	leaves := collectLeaves(err, nil)
	return leaves[0]
}

// Path is the name the schema was loaded under.
func (s *Schema) Path() string { return s.path }

// Document is the schema as a value.
func (s *Schema) Document() canon.Value { return s.doc }

// Digest is the digest of the canonical document; layout does not change it.
func (s *Schema) Digest() canon.Digest { return s.doc.Digest() }

// ReadOnlyFields lists, sorted, the root properties marked readOnly: directly,
// through a root reference, or through allOf (language.md 14.4).
func (s *Schema) ReadOnlyFields() []string {
	marked := map[string]bool{}
	for _, part := range conjuncts(s.compiled) {
		for _, name := range ordered.Keys(part.Properties) {
			for _, p := range conjuncts(part.Properties[name]) {
				marked[name] = marked[name] || p.ReadOnly
			}
		}
	}
	var names []string
	for _, name := range ordered.Keys(marked) {
		if marked[name] {
			names = append(names, name)
		}
	}
	return names
}

// conjuncts lists the schemas that all hold where s holds: s itself, what it
// refers to, and its allOf members, each once.
func conjuncts(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	seen := map[*jsonschema.Schema]bool{}
	var walk func(*jsonschema.Schema)
	walk = func(s *jsonschema.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		out = append(out, s)
		walk(s.Ref)
		for _, part := range s.AllOf {
			walk(part)
		}
	}
	walk(s)
	return out
}
