package nexflow

import (
	"fmt"
	"io"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/report"
	"terfyn/compiler/nexflow/starter"
	"terfyn/compiler/nexflow/view"
)

// Document is a document of a set, without its content.
type Document struct {
	File string        `json:"file"`
	Kind manifest.Kind `json:"kind"`
}

// Listing is the result of discover and validate: the documents, ordered by file.
type Listing struct {
	DocumentCount int        `json:"documentCount"`
	Documents     []Document `json:"documents"`
}

func listing(set *manifest.Set) Listing {
	l := Listing{DocumentCount: len(set.Documents), Documents: make([]Document, len(set.Documents))}
	for i, d := range set.Documents {
		l.Documents[i] = Document{d.File, d.Kind}
	}
	return l
}

// Summary counts the documents.
func (l Listing) Summary() string { return report.Count(l.DocumentCount, "document") }

// WriteText lists the documents, one per line.
func (l Listing) WriteText(w io.Writer) {
	width := 0
	for _, d := range l.Documents {
		width = max(width, len(report.Word(d.File)))
	}
	for _, d := range l.Documents {
		fmt.Fprintf(w, "  %-*s  %s\n", width, report.Word(d.File), d.Kind)
	}
}

// Inspected is the result of inspect. Changes is there only when it was asked to
// compare.
type Inspected struct {
	Listing
	Inspection view.Inspection `json:"inspection"`
	Authority  view.Authority  `json:"authority"`
	Changes    *view.Changes   `json:"changes,omitempty"`
}

// Summary counts documents and what they declare.
func (i Inspected) Summary() string {
	return i.Listing.Summary() + ", " + report.Count(len(i.Inspection.Resources), "resource") + ", " + report.Count(len(i.Inspection.References), "reference")
}

// WriteText writes what changed where that was asked for, otherwise what is declared
// and who may do what.
func (i Inspected) WriteText(w io.Writer) {
	if i.Changes != nil {
		i.Changes.WriteText(w)
		return
	}
	i.Inspection.WriteText(w)
	i.Authority.WriteText(w)
}

// Drawn is the result of graph.
type Drawn struct {
	Listing
	Graph view.Graph `json:"graph"`
}

// Summary counts documents, nodes and edges.
func (d Drawn) Summary() string {
	return d.Listing.Summary() + ", " + report.Count(d.Graph.NodeCount, "node") + ", " + report.Count(d.Graph.EdgeCount, "edge")
}

// WriteText draws the graph with characters.
func (d Drawn) WriteText(w io.Writer) { d.Graph.WriteText(w) }

// Started is the result of init.
type Started struct {
	Template       StartedTemplate `json:"template"`
	Files          []StartedFile   `json:"files"`
	ReviewRequired bool            `json:"reviewRequired"` // always: the documents are a proposal
}

// StartedTemplate names what the documents were made from.
type StartedTemplate struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	SpecVersion string `json:"specVersion"`
}

// StartedFile is one of the documents.
type StartedFile struct {
	File   string         `json:"file"`
	Status starter.Status `json:"status"`
}

func newStarted(files []starter.File, found []starter.Found) Started {
	s := Started{Template: StartedTemplate{starter.Template, starter.TemplateVersion, manifest.SpecVersion}, ReviewRequired: true}
	for i, f := range files {
		status := starter.Created
		if found[i] == starter.Identical {
			status = starter.Skipped
		}
		s.Files = append(s.Files, StartedFile{f.Name, status})
	}
	return s
}

// Summary counts the files.
func (s Started) Summary() string {
	created := 0
	for _, f := range s.Files {
		if f.Status == starter.Created {
			created++
		}
	}
	return fmt.Sprintf("%s created, %d skipped", report.Count(created, "file"), len(s.Files)-created)
}

// WriteText lists the files and what to do with them.
func (s Started) WriteText(w io.Writer) {
	for _, f := range s.Files {
		fmt.Fprintf(w, "  %-7s  %s\n", f.Status, f.File)
	}
	fmt.Fprintln(w, "The files are a proposal: read them, then run terfyn nexflow validate with the same --root.")
}

// Told is the result of help and version.
type Told struct {
	Text string `json:"text"`
}

// Summary is nothing: the text says it all.
func (Told) Summary() string { return "" }

// WriteText writes the text.
func (t Told) WriteText(w io.Writer) { fmt.Fprintln(w, strings.TrimSuffix(t.Text, "\n")) }
