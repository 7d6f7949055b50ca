package snapshot

import (
	"fmt"

	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// SchemasFormat is the version of the serialised schema bundle.
const SchemasFormat = 1

// ParseSchemas reads captured schema files, by path. Only the JSON document
// counts from here on: the layout of the file is no part of identity.
func ParseSchemas(files map[string][]byte) (map[string]canon.Value, error) {
	docs := make(map[string]canon.Value, len(files))
	for _, path := range ordered.Keys(files) {
		doc, err := canon.Parse(files[path])
		if err != nil {
			return nil, fmt.Errorf("read schema %s: %w", path, err)
		}
		docs[path] = doc
	}
	return docs, nil
}

func encodeSchemas(docs map[string]canon.Value) []byte {
	fields := make([]canon.Field, 0, len(docs))
	for _, path := range ordered.Keys(docs) {
		fields = append(fields, canon.F(path, docs[path]))
	}
	return canon.Object(
		canon.F("formatVersion", canon.Int(SchemasFormat)),
		canon.F("schemas", canon.Object(fields...)),
	).Encode()
}

// decodeSchemas returns the canonical bytes of each captured document.
func decodeSchemas(b []byte) (map[string][]byte, error) {
	v, err := canon.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("read the schema bundle: %w", err)
	}
	if err := checkFormat("schema bundle", v, SchemasFormat); err != nil {
		return nil, err
	}
	docs, ok := v.Get("schemas")
	if !ok || docs.Kind() != canon.KindObject {
		return nil, fmt.Errorf("read the schema bundle: it holds no schemas object")
	}
	schemas := map[string][]byte{}
	for _, f := range docs.Fields() {
		schemas[f.Name] = f.Value.Encode()
	}
	return schemas, nil
}
