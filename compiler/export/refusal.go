package export

import (
	"fmt"
	"strings"

	"terfyn/compiler/resource"
)

// Refusal is one thing that the language cannot say.
type Refusal struct {
	Kind   resource.Kind
	Name   string
	Field  string // path inside the resource, "" for the whole of it
	Reason string // a sentence without its end
}

// String is the refusal as one line.
func (r Refusal) String() string {
	at := string(r.Kind) + "/" + r.Name
	if r.Field != "" {
		at += ", " + r.Field
	}
	return at + ": " + r.Reason
}

// RefusedError lists why a graph was not exported. Nothing was left out quietly.
type RefusedError struct{ Refusals []Refusal }

func (e *RefusedError) Error() string {
	lines := make([]string, len(e.Refusals))
	for i, r := range e.Refusals {
		lines[i] = r.String()
	}
	return "the project cannot be written as .agent text: " + strings.Join(lines, "; ")
}

// writer builds the tree of one resource and collects what cannot be said.
type writer struct {
	kind     resource.Kind
	name     string
	refusals *[]Refusal
}

func (w writer) refuse(field, format string, args ...any) {
	*w.refusals = append(*w.refusals, Refusal{Kind: w.kind, Name: w.name, Field: field, Reason: fmt.Sprintf(format, args...)})
}
