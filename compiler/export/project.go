package export

import (
	"io/fs"
	"path"
	"strings"

	"terfyn/compiler/format"
	"terfyn/compiler/ir"
	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// SourceFile is the one source file of an exported project.
const SourceFile = "project.agent"

// Compiled is what is exported.
type Compiled struct {
	Graph    resource.Graph
	Programs []ir.Program
	Schemas  map[string][]byte // by project-relative path
}

// Files are the files of a project by slash-separated path relative to its root.
type Files map[string][]byte

// Project writes c as a project that can be loaded: SourceFile, instructions that
// read better in files of their own, the captured schemas at their places and the captured mock scripts. The files have been
// compiled, and gave the same graph and programs as c has; when that is not so,
// or c has something the language cannot say, the error is a *RefusedError.
func Project(c Compiled) (Files, error) {
	c.Graph = resource.Normalize(c.Graph)
	files := Files{}
	text, err := source(c.Graph, c.Programs, c.Schemas, promptFiles(c.Graph, files))
	if err != nil {
		return nil, err
	}
	var refusals []Refusal
	files[SourceFile] = text
	schemaFiles(c, files, &refusals)
	mockFiles(c.Graph, files, &refusals)
	if len(refusals) > 0 {
		return nil, &RefusedError{refusals}
	}
	files[SourceFile] = append(header(files), text...)
	if different := verify(c, files); len(different) > 0 {
		return nil, &RefusedError{different}
	}
	return files, nil
}

// promptFiles puts instructions of several lines that cannot stand raw in the source,
// such as those that end with a line break, into files and gives these by agent.
func promptFiles(g resource.Graph, files Files) map[string]string {
	out := map[string]string{}
	for _, a := range g.Agents {
		if strings.Contains(a.Instructions, "\n") && !format.Raw(a.Instructions) && isName(a.Name) {
			out[a.Name] = "prompts/" + a.Name + ".md"
			files[out[a.Name]] = []byte(a.Instructions)
		}
	}
	return out
}

// schemaFiles puts every captured schema at its path.
func schemaFiles(c Compiled, files Files, refusals *[]Refusal) {
	project := writer{resource.KindProject, c.Graph.Project, refusals}
	for _, name := range ordered.Keys(c.Schemas) {
		clean := path.Clean(name)
		switch {
		case native.IsSchemaPath(name): // captured again wherever the project is compiled
		case !fs.ValidPath(clean) || clean == "." || strings.Contains(name, `\`):
			project.refuse("schemas", "the schema %q stands outside of the project", name)
		case strings.HasSuffix(clean, ".agent") || clean == "project.yaml" || clean == "project.yml":
			project.refuse("schemas", "the schema %q has the name of a source file", name)
		default:
			files[clean] = c.Schemas[name]
		}
	}
}
