package native

import "terfyn/internal/canon"

// property is one argument of an operation.
type property struct {
	name, kind, description string
	required                bool
}

func open() canon.Value {
	return canon.Object(canon.F("type", canon.String("object")))
}

// object builds a closed object schema.
func object(properties []property) canon.Value {
	var required []string
	var fields []canon.Field
	for _, p := range properties {
		v := canon.Object(canon.F("type", canon.String(p.kind)), canon.F("description", canon.String(p.description)))
		if p.kind == "integer" {
			v = v.With("minimum", canon.Int(1))
		}
		fields = append(fields, canon.F(p.name, v))
		if p.required {
			required = append(required, p.name)
		}
	}
	return canon.Object(
		canon.F("type", canon.String("object")),
		canon.F("properties", canon.Object(fields...)),
		canon.F("required", canon.Strings(required)),
		canon.F("additionalProperties", canon.Bool(false)),
	)
}

func path(required bool, description string) property {
	return property{"path", "string", description, required}
}

func readSchema() canon.Value {
	return object([]property{
		path(true, "File or directory, relative to the workspace."),
		{"offset", "integer", "First line, counted from 1.", false},
		{"limit", "integer", "Number of lines.", false},
	})
}

func writeSchema() canon.Value {
	return object([]property{
		path(true, "File, relative to the workspace."),
		{"content", "string", "The whole new content.", true},
	})
}

func editSchema() canon.Value {
	return object([]property{
		path(true, "File, relative to the workspace."),
		{"old_string", "string", "Text that occurs exactly once in the file.", true},
		{"new_string", "string", "Text to put in its place; empty deletes it.", true},
	})
}

func listSchema() canon.Value {
	return object([]property{path(false, "Directory, relative to the workspace; the workspace itself when absent.")})
}

func globSchema() canon.Value {
	return object([]property{
		{"pattern", "string", "Pattern such as **/*_test.go.", true},
		path(false, "Directory to start from."),
	})
}

func grepSchema() canon.Value {
	return object([]property{
		{"pattern", "string", "Regular expression in RE2 syntax.", true},
		path(false, "File or directory to search."),
		{"glob", "string", "Only files that match this pattern.", false},
	})
}
