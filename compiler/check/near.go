package check

import (
	"io/fs"
	"path"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/syntax"
)

// plainTypes are names that authors write for values without a schema.
var plainTypes = []string{"any", "array", "boolean", "integer", "json", "list", "null", "number", "object", "string"}

// nearType warns about a type name without a schema when the project has one whose
// name is at most two slips away: a type that is misspelt would go unchecked.
func (c *checker) nearType(name syntax.Ident) {
	for _, plain := range plainTypes {
		if name.Name == plain {
			return
		}
	}
	known := c.project.docs.types()
	if near := diag.NearEdits(name.Name, known, 2); near != "" {
		c.add(nearSchema(name, near, known))
	}
}

// types lists the type names that have a schema file, sorted; it reads the folder
// once.
func (d *documents) types() []string {
	if d.files == nil || d.listed {
		return d.names
	}
	d.listed = true
	entries, err := fs.ReadDir(d.files, "schemas")
	if err != nil {
		return nil // a project without schemas
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(path.Base(e.Name()), ".json"); ok && !e.IsDir() {
			d.names = append(d.names, name)
		}
	}
	return d.names
}
