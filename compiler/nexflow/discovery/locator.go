package discovery

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"terfyn/compiler/nexflow/manifest"
)

// maxLocator is the greatest length of a locator, in bytes.
const maxLocator = 512

// source is a document to load.
type source struct {
	// written is the locator as it was given, clean the path that it means.
	written, clean string
	// expected is the kind that the hint promises, "" where none does.
	expected manifest.Kind
	// hint is the key of the Project's manifests that names it, "" where none does.
	hint string
}

func newSource(locator string, expected manifest.Kind) source {
	return source{written: locator, clean: path.Clean(locator), expected: expected}
}

func hintedSource(hint, locator string, expected manifest.Kind) source {
	s := newSource(locator, expected)
	s.hint = hint
	return s
}

var (
	unhinted = strings.NewReplacer("FILE", "the file", "PATH", "the path", "LOCATOR", "a locator")
	byHint   = strings.NewReplacer("FILE", "the file that the hint HINT names", "PATH", "the path of the hint HINT", "LOCATOR", "the locator of the hint HINT")
)

// subject puts the source into a sentence, by the hint that leads to it.
func (s source) subject(sentence string) string {
	if s.hint == "" {
		sentence = unhinted.Replace(sentence)
	} else {
		sentence = strings.ReplaceAll(byHint.Replace(sentence), "HINT", s.hint)
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// verdict is what a locator alone gives away.
type verdict uint8

const (
	fine verdict = iota
	outside
	unspeakable
	notYAML
)

// judge looks at the locator without looking at any file.
func (s source) judge() verdict {
	switch {
	case strings.TrimSpace(s.written) == "":
		return unspeakable
	case leavesRoot(s.written, s.clean):
		return outside
	case len(s.written) > maxLocator || !printable(s.written):
		return unspeakable
	}
	switch strings.ToLower(path.Ext(s.written)) {
	case ".yaml", ".yml":
		return fine
	}
	return notYAML
}

// shown is the locator as records may repeat it.
func (s source) shown(locator string) string {
	if v := s.judge(); v == outside || v == unspeakable {
		return manifest.RedactedSource
	}
	return locator
}

// file is the name of the document in records and results.
func (s source) file() string { return s.shown(s.clean) }

// leavesRoot reports whether a locator is absolute, remote-like or climbing.
func leavesRoot(written, clean string) bool {
	return strings.HasPrefix(written, "/") || strings.Contains(written, `\`) || hasScheme(written) || strings.HasPrefix(clean, "..")
}

// hasScheme reports whether s begins as a URL or with a drive letter.
func hasScheme(s string) bool {
	scheme, _, found := strings.Cut(s, ":")
	if !found || scheme == "" {
		return false
	}
	for i, c := range []byte(scheme) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && !strings.ContainsRune("+-.", rune(c))) {
			return false
		}
	}
	return true
}

// printable reports whether s has neither control characters nor those that change
// the direction of what follows or end a line.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029', r == '\ufeff':
			return false
		}
	}
	return true
}
