// Package docs owns the pages about diagnostic codes as the program carries them,
// and the tests that keep all documentation true. It leaves out every other page:
// these are read where they lie.
package docs

import "embed"

//go:embed diagnostics/TF*.md
var pages embed.FS

// Page gives the page of a diagnostic code as Markdown; ok is false when there is none.
func Page(code string) (text string, ok bool) {
	b, err := pages.ReadFile("diagnostics/" + code + ".md")
	return string(b), err == nil
}
