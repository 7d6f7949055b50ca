package syntax

import "strings"

// TemplatePart is one piece of a string in template position: literal text, or a
// reference when Ref is set.
type TemplatePart struct {
	Literal string
	Ref     bool
	Path    []string // of a reference; never empty, Path[0] may be ""
	Source  string   // the piece as written, ${…} included
}

// ParseTemplate splits a string value at its ${…} tokens. Blanks around the path
// are dropped. A token is not checked here: its path may hold any text, and an
// empty token has the head "". A `${` that no `}` closes is plain text, and there
// is no escape. A string without tokens gives one literal part, "" gives none.
func ParseTemplate(value string) []TemplatePart {
	var parts []TemplatePart
	literal := func(s string) {
		if s != "" {
			parts = append(parts, TemplatePart{Literal: s, Source: s})
		}
	}
	for {
		open := strings.Index(value, "${")
		if open < 0 {
			break
		}
		length := strings.IndexByte(value[open:], '}')
		if length < 0 {
			break
		}
		literal(value[:open])
		token := value[open : open+length+1]
		path := strings.Split(strings.TrimSpace(token[2:len(token)-1]), ".")
		parts = append(parts, TemplatePart{Ref: true, Path: path, Source: token})
		value = value[open+length+1:]
	}
	literal(value)
	return parts
}

// SingleRef gives the path of a string that is exactly one token, which keeps the
// type of the value it refers to.
func SingleRef(parts []TemplatePart) ([]string, bool) {
	if len(parts) == 1 && parts[0].Ref {
		return parts[0].Path, true
	}
	return nil, false
}
