package check

import (
	"errors"
	"io/fs"
	"path"

	"terfyn/compiler/internal/rootfs"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
	"terfyn/internal/ordered"
)

// documents reads the schemas of a project, each once.
type documents struct {
	files  fs.FS
	loaded map[string]document
	names  []string // what the schemas folder holds, once listed
	listed bool
}

type document struct {
	bytes  []byte
	schema *types.Schema
	absent bool
	err    error
}

// typePath is where the schema of a type name stands: always under the root.
func typePath(typeName string) string { return "schemas/" + typeName + ".json" }

func (d *documents) load(name string) document {
	if doc, ok := d.loaded[name]; ok {
		return doc
	}
	doc := d.read(name)
	d.loaded[name] = doc
	return doc
}

func (d *documents) read(name string) document {
	b, err := rootfs.Read(d.files, name)
	if err != nil {
		return document{absent: errors.Is(err, fs.ErrNotExist), err: err}
	}
	schema, err := types.Load(name, b)
	if err != nil {
		err = errors.Unwrap(err) // who reports it names the file
	}
	return document{bytes: b, schema: schema, err: err}
}

// brokenSchema notes that a schema with an error is referred to at a place. It is
// reported once, where it is first used.
func (c *checker) brokenSchema(file string, at source.Span) {
	if first, noted := c.broken[file]; !noted || at.Before(first) {
		c.broken[file] = at
	}
}

func (c *checker) brokenSchemas() {
	for _, file := range ordered.Keys(c.broken) {
		c.add(brokenSchema(c.broken[file], file, c.project.docs.loaded[file].err))
	}
}

// instructions is the text of a system prompt. A file stands relative to the
// directory of the source file and is taken byte for byte.
func (c *checker) instructions(in *syntax.Instructions) string {
	if !in.File {
		return in.Text.Value
	}
	name := in.Text.Value
	if !path.IsAbs(name) {
		name = path.Join(path.Dir(in.At.File), name)
	}
	b, err := rootfs.Read(c.in.Files, name)
	if err != nil {
		c.add(unreadableInstructions(in.At, in.Text.Value, err))
		return ""
	}
	if bad := invalidUTF8(b); bad >= 0 {
		c.add(instructionsNotText(in.At, in.Text.Value, bad))
		return ""
	}
	return string(b)
}
