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
func object(properties ...property) canon.Value {
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

// text is a required argument.
func text(name, description string) property { return property{name, "string", description, true} }

func numbered() property {
	return property{"number", "integer", "Number of the issue or pull request.", true}
}

// repository is object with the repository before the other arguments.
func repository(properties ...property) canon.Value {
	return object(append([]property{text("owner", "Owner of the repository."), text("repo", "Name of the repository.")}, properties...)...)
}

func readSchema() canon.Value {
	return object(
		path(true, "File or directory, relative to the workspace."),
		property{"offset", "integer", "First line, counted from 1.", false},
		property{"limit", "integer", "Number of lines.", false},
	)
}

func writeSchema() canon.Value {
	return object(
		path(true, "File, relative to the workspace."),
		property{"content", "string", "The whole new content.", true},
	)
}

func editSchema() canon.Value {
	return object(
		path(true, "File, relative to the workspace."),
		property{"old_string", "string", "Text that occurs exactly once in the file.", true},
		property{"new_string", "string", "Text to put in its place; empty deletes it.", true},
	)
}

func listSchema() canon.Value {
	return object(path(false, "Directory, relative to the workspace; the workspace itself when absent."))
}

func globSchema() canon.Value {
	return object(
		property{"pattern", "string", "Pattern such as **/*_test.go.", true},
		path(false, "Directory to start from."),
	)
}

func grepSchema() canon.Value {
	return object(
		property{"pattern", "string", "Regular expression in RE2 syntax.", true},
		path(false, "File or directory to search."),
		property{"glob", "string", "Only files that match this pattern.", false},
	)
}
