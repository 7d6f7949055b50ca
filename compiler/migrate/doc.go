// Package migrate converts a project of the old YAML form (a project.yaml manifest
// with the files it imports) to .agent text.
//
// It reads through an fs.FS and gives text and diagnostics; it writes nothing. A
// field the old form had and nothing honours any more is left out with a warning,
// an unknown field is an error at its place, and what the language cannot say is
// refused. The text it returns has been compiled with the rest of the project.
//
// It leaves out where the text goes (cmd/internal/cli), and it is no second way to
// load a project: every other command refuses the old form.
package migrate
