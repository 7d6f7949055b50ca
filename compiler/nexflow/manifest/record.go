package manifest

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/nexflow/code"
)

// Severity is how grave a finding is. Flags never change it.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

func (s Severity) rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	default:
		return 2
	}
}

// Layer is the check that found something.
type Layer string

// The layers that find something; usage errors, internal errors and findings of
// init have none.
const (
	NoLayer        Layer = ""
	DiscoveryLayer Layer = "discovery"
	SchemaLayer    Layer = "schema"
	ProfileLayer   Layer = "coreProfile"
	SemanticLayer  Layer = "semantic"
)

// Files that stand for no file.
const (
	// Input is used when the choice of documents is meant, not one of them.
	Input = "<input>"
	// RedactedSource stands for a locator that must not be repeated.
	RedactedSource = "<redacted-source>"
)

// Place is a value in a document. Path is a JSON Pointer.
type Place struct{ File, Path string }

// Details are structured values of a finding. What is empty is left out.
type Details struct {
	TargetKind string   `json:"targetKind,omitempty"`
	Reference  string   `json:"reference,omitempty"`
	Reason     Reason   `json:"reason,omitempty"`
	Members    []string `json:"members,omitempty"`
	Family     string   `json:"family,omitempty"`
	Allowed    []string `json:"allowed,omitempty"`
}

func (d Details) empty() bool {
	return d.TargetKind == "" && d.Reference == "" && d.Reason == "" && len(d.Members) == 0 && d.Family == "" && len(d.Allowed) == 0
}

// Present returns the details, nil when there are none.
func (d Details) Present() *Details {
	if d.empty() {
		return nil
	}
	return &d
}

// Record is one finding (nexflow.md 9.1). It repeats nothing of a manifest but
// declared ids, kinds and words of closed sets.
type Record struct {
	Severity Severity
	Code     code.Code
	Layer    Layer
	// File is relative to the root, or Input, or RedactedSource; "" when no file is
	// concerned.
	File string
	// Kind is the kind of the document, "" when unknown or not supported.
	Kind Kind
	// Path is the JSON Pointer; it means nothing in the discovery layer and without
	// a layer.
	Path string
	// Keyword is the schema keyword, in the schema layer only.
	Keyword string
	// Message is one sentence with the observed condition: fixed wording for the
	// code, plus declared ids.
	Message string
	// Related are other places that matter; in discovery only their files count.
	Related []Place
	Details Details
	// Suggestion is the smallest safe step, "" for none. It never proposes more
	// authority, fewer gates or laxer values.
	Suggestion string

	// Line is where in the text of the file, from 1, for findings without a path; 0 when
	// it is not known.
	Line int
	// About tells the set in which File is from the one that an answer is about, for
	// which it is "".
	About string
}

// HasPath reports whether Path is meant.
func (r Record) HasPath() bool { return r.Layer != NoLayer && r.Layer != DiscoveryLayer }

// Sort puts records in the order of nexflow.md 9.1 and their related places in
// theirs.
func Sort(records []Record) {
	for i := range records {
		slices.SortFunc(records[i].Related, comparePlaces)
	}
	slices.SortStableFunc(records, compareRecords)
}

func compareRecords(a, b Record) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		strings.Compare(a.Path, b.Path),
		cmp.Compare(a.Severity.rank(), b.Severity.rank()),
		strings.Compare(string(a.Code), string(b.Code)),
		strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.Keyword, b.Keyword),
		strings.Compare(a.Message, b.Message),
		slices.CompareFunc(a.Related, b.Related, comparePlaces),
	)
}

func comparePlaces(a, b Place) int {
	return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Path, b.Path))
}

// HasErrors reports whether one of the records is an error.
func HasErrors(records []Record) bool {
	return slices.ContainsFunc(records, func(r Record) bool { return r.Severity == Error })
}
