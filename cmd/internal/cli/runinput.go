package cli

import (
	"context"
	"strings"

	"terfyn/internal/canon"
)

// runInput builds the input document: the file's members, with the single values
// laid over them. Values of --input are strings, byte for byte.
func (a *app) runInput(ctx context.Context, values []string, file string) (canon.Value, error) {
	doc := canon.Object()
	if file != "" {
		var err error
		if doc, err = a.inputFile(ctx, file); err != nil {
			return canon.Value{}, err
		}
	}
	for _, v := range values {
		name, text, ok := strings.Cut(v, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return canon.Value{}, usagef("--input %q is not NAME=VALUE", v)
		}
		doc = doc.With(name, canon.String(text))
	}
	return doc, nil
}

func (a *app) inputFile(ctx context.Context, file string) (canon.Value, error) {
	b, err := a.readInput(ctx, file)
	if err != nil {
		return canon.Value{}, usagef("read --input-file %s: %w", file, err)
	}
	doc, err := canon.Parse(b)
	if err != nil {
		return canon.Value{}, usagef("--input-file %s holds no JSON: %w", file, err)
	}
	if doc.Kind() != canon.KindObject {
		return canon.Value{}, usagef("--input-file %s holds %s; the input of a run is a JSON object", file, doc.Kind())
	}
	return doc, nil
}

func (a *app) readInput(ctx context.Context, file string) ([]byte, error) {
	if file == "-" {
		return readStdin(ctx, a.in, maxInputBytes)
	}
	return readFile(file, maxInputBytes)
}
