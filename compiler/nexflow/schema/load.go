package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// library is the compiled schemas together with what they were compiled from.
type library struct {
	// mu guards the quota, which all compiled schemas share.
	mu    sync.Mutex
	quota *quota
	roots map[manifest.Kind]*jsonschema.Schema
	// documents is the schemas as written, by address.
	documents map[string]canon.Value
	// names is every member that a schema mentions: those that may be shown.
	names map[string]bool
}

// builtin is the library of the embedded schemas, made when it is first needed.
var builtin = sync.OnceValues(func() (*library, error) { return load(embedded()) })

var errForeign = errors.New("only the schemas of this program are read")

// load compiles the schemas that source has in the folder of the draft.
func load(source fs.FS) (*library, error) {
	l := &library{quota: &quota{}, roots: map[manifest.Kind]*jsonschema.Schema{}, documents: map[string]canon.Value{}, names: map[string]bool{}}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertFormat = true
	compiler.Formats["date"] = func(v any) bool { s, ok := v.(string); return !ok || isDate(s) }
	compiler.Formats["date-time"] = func(v any) bool { s, ok := v.(string); return !ok || isMoment(s) }
	compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errForeign }
	if err := l.register(compiler, source); err != nil {
		return nil, err
	}
	for _, info := range manifest.Kinds() {
		compiled, err := compiler.Compile(base + roots[info.Kind])
		if err != nil {
			return nil, fmt.Errorf("compile the schema of %s: %w", info.Kind, err)
		}
		l.quota.bound(compiled)
		l.roots[info.Kind] = compiled
	}
	return l, nil
}

// register reads every schema of source and gives it to the compiler under the
// address that the schema itself declares.
func (l *library) register(compiler *jsonschema.Compiler, source fs.FS) error {
	entries, err := fs.ReadDir(source, folder)
	if err != nil {
		return fmt.Errorf("list the schemas: %w", err)
	}
	for _, e := range entries {
		name := folder + "/" + e.Name()
		b, err := fs.ReadFile(source, name)
		if err != nil {
			return fmt.Errorf("read the schema %s: %w", name, err)
		}
		doc, err := canon.Parse(b)
		if err != nil {
			return fmt.Errorf("parse the schema %s: %w", name, err)
		}
		address := base + strings.TrimSuffix(e.Name(), suffix)
		if doc.Str("$id") != address {
			return fmt.Errorf("register the schema %s: its $id is not %s", name, address)
		}
		if err := compiler.AddResource(address, bytes.NewReader(b)); err != nil {
			return fmt.Errorf("register the schema %s: %w", name, err)
		}
		l.documents[address] = doc
		collectNames(doc, l.names)
	}
	return nil
}

// collectNames adds the members that a schema mentions.
func collectNames(v canon.Value, names map[string]bool) {
	for _, f := range v.Fields() {
		switch f.Name {
		case "properties", "dependentSchemas":
			for _, p := range f.Value.Fields() {
				names[p.Name] = true
			}
		case "required":
			for _, item := range f.Value.Items() {
				if s, ok := item.AsString(); ok {
					names[s] = true
				}
			}
		}
		collectNames(f.Value, names)
	}
	for _, item := range v.Items() {
		collectNames(item, names)
	}
}
