package native

import (
	"strings"

	"terfyn/compiler/resource"
)

// Captured gives the built-in schemas a project runs under, by SchemaPath: those of
// operations whose author gave none, listed in a closed manifest, or named in a
// grant or a call where the manifest is open. The tools themselves stay as their
// author wrote them, so a schema that a later version of terfyn changes shows in a
// plan as that schema.
func Captured(g resource.Graph) map[string][]byte {
	out := map[string][]byte{}
	add := func(t resource.Tool, o resource.Operation) {
		if path := ArgumentsSchema(t, o); IsSchemaPath(path) {
			found, _ := Of(t, o)
			out[path] = found.Schema.Encode()
		}
	}
	for _, t := range g.Tools {
		for _, o := range t.Operations {
			add(t, o)
		}
	}
	for _, capability := range named(g) {
		if t, o, ok := g.Operation(capability); ok {
			add(t, o)
		}
	}
	return out
}

// named lists the capabilities that grants and calls name.
func named(g resource.Graph) []string {
	var out []string
	for _, a := range g.Agents {
		out = append(out, a.Grants...)
	}
	for _, w := range g.Workflows {
		for _, c := range w.Calls {
			if c.Kind == "tool" {
				out = append(out, "tool."+strings.TrimPrefix(c.Name, "tool."))
			}
		}
	}
	return out
}
