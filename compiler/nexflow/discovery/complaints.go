package discovery

import (
	"fmt"

	"terfyn/compiler/diag"
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// maxSlips is how many letters a word may differ in from one that is suggested.
const maxSlips = 2

// complaint is an error of this layer.
func complaint(c code.Code, file, message, suggestion string) manifest.Record {
	return manifest.Record{
		Severity: manifest.Error, Code: c, Layer: manifest.DiscoveryLayer,
		File: file, Message: message, Suggestion: suggestion,
	}
}

func with(r manifest.Record, d manifest.Details) manifest.Record {
	r.Details = d
	return r
}

// about is the complaint about the first of documents, with the others as related.
func about(c code.Code, documents []*manifest.Document, message, suggestion string) manifest.Record {
	r := complaint(c, documents[0].File, message, suggestion)
	r.Kind = documents[0].Kind
	for _, d := range documents[1:] {
		r.Related = append(r.Related, manifest.Place{File: d.File})
	}
	return r
}

// RootRefused is the complaint about a root that is no local directory.
func RootRefused() manifest.Record {
	return with(complaint(code.DiscoveryUnsafeSource, manifest.Input,
		"The root is not an existing local directory that can be read.",
		"Give the directory that holds the Project document."),
		manifest.Details{Reason: manifest.ReasonRoot})
}

func noProjectEntry() manifest.Record {
	return complaint(code.DiscoveryNoProject, manifest.Input,
		"Neither project.yaml nor project.yml stands directly in the root.",
		"Name the Project document with --project, or start a set with terfyn nexflow init.")
}

func noProjectInEntry() manifest.Record {
	return complaint(code.DiscoveryNoProject, manifest.Input,
		"The Project entry is not a Project document of a supported version.", "")
}

func noProjectListed() manifest.Record {
	return complaint(code.DiscoveryNoProject, manifest.Input,
		"None of the listed documents is a Project document of a supported version.",
		"List the Project document as well.")
}

func twoProjectEntries() manifest.Record {
	r := complaint(code.DiscoveryMultipleProjects, projectYAML,
		"Both project.yaml and project.yml stand in the root.",
		"Name the one that is meant with --project.")
	r.Related = []manifest.Place{{File: projectYML}}
	return r
}

func severalProjects(documents []*manifest.Document) manifest.Record {
	return about(code.DiscoveryMultipleProjects, documents,
		"More than one of the documents is a Project.", "Choose the documents of one Project.")
}

func noProjectID(d *manifest.Document) manifest.Record {
	return about(code.DiscoveryProjectMismatch, []*manifest.Document{d},
		"The Project declares no project.id that documents could belong to.",
		"Write the id of the project as a string in project.id.")
}

func projectDisagrees(d *manifest.Document, id, own string) manifest.Record {
	message := fmt.Sprintf("The Project declares the id %s and names %s in its own metadata.project.", manifest.Shown(id), manifest.Shown(own))
	if own == "" {
		message = fmt.Sprintf("The Project declares the id %s and names no project in its own metadata.project.", manifest.Shown(id))
	}
	return about(code.DiscoveryProjectMismatch, []*manifest.Document{d}, message, "Write the same id in project.id and metadata.project.")
}

func otherProject(d *manifest.Document, id, other string) manifest.Record {
	message := fmt.Sprintf("The document belongs to the project %s, and the Project of the set is %s.", manifest.Shown(other), manifest.Shown(id))
	if other == "" {
		message = fmt.Sprintf("The document names no project in metadata.project, and the Project of the set is %s.", manifest.Shown(id))
	}
	return about(code.DiscoveryProjectMismatch, []*manifest.Document{d}, message, "Check that the document belongs here, and name the project in its metadata.project.")
}

func unsupportedVersion(s source, version canon.Value) manifest.Record {
	message, suggestion := "FILE is not of the supported version.", ""
	switch number, isNumber := version.NumberText(); {
	case isNumber && number == manifest.SpecVersion:
		message, suggestion = "FILE has a number as specVersion, where a string is expected.", `Write specVersion: "0.1" with the quotes.`
	case version.IsNull():
		message, suggestion = "FILE states no specVersion.", `Write specVersion: "0.1" if the document is of that version.`
	}
	return with(complaint(code.DiscoveryUnsupportedVersion, s.file(), s.subject(message), suggestion), manifest.Details{Allowed: []string{manifest.SpecVersion}})
}

func unsupportedKind(s source, word string) manifest.Record {
	var words []string
	for _, k := range manifest.Kinds() {
		words = append(words, string(k.Kind))
	}
	message, suggestion := "FILE has a kind that is not one of draft 0.1.", ""
	if word == "" {
		message = "FILE states no kind."
	}
	if w := diag.NearEdits(word, words, maxSlips); w != "" {
		suggestion = fmt.Sprintf("Check the spelling: a kind with a name like this is %s.", w)
	}
	return with(complaint(code.DiscoveryUnsupportedKind, s.file(), s.subject(message), suggestion), manifest.Details{Allowed: words})
}

func kindMismatch(s source, kind, expected manifest.Kind) manifest.Record {
	message := fmt.Sprintf("The hint %s expects a document of the kind %s, and this one is of the kind %s.", s.hint, expected, kind)
	suggestion := "Point the hint to the document that is meant."
	if expected == manifest.Project {
		message = fmt.Sprintf("A Project is expected as the entry, and this document is of the kind %s.", kind)
		suggestion = "Name the Project document."
	}
	r := complaint(code.DiscoveryKindMismatch, s.file(), message, suggestion)
	r.Kind = kind
	return with(r, manifest.Details{Allowed: []string{string(expected)}})
}

func repeatedSource(later, earlier source) manifest.Record {
	message, suggestion := "The path is listed more than once.", "List it once."
	if later.hint != "" {
		message, suggestion = fmt.Sprintf("The hint %s names a path that is chosen already.", later.hint), "Name each document once."
	}
	r := complaint(code.DiscoveryDuplicateSource, later.shown(later.written), message, suggestion)
	r.Related = []manifest.Place{{File: earlier.shown(earlier.written)}}
	return r
}

func repeatedSingleton(documents []*manifest.Document) manifest.Record {
	return about(code.DiscoveryDuplicateSingleton, documents,
		fmt.Sprintf("A set has one document of the kind %s, and here are %d.", documents[0].Kind, len(documents)),
		"Put the declarations into one document.")
}

func repeatedWorkflow(documents []*manifest.Document, id string) manifest.Record {
	return about(code.DiscoveryDuplicateWorkflow, documents,
		fmt.Sprintf("More than one workflow has the id %s.", manifest.Shown(id)), "Give each workflow an id of its own.")
}

func outsideRoot(s source) manifest.Record {
	return complaint(code.DiscoveryOutsideRoot, manifest.RedactedSource,
		s.subject("LOCATOR is absolute, names another place, or leads out of the root."),
		"Keep the document below the root and name it by its path from there, with forward slashes.")
}

func tooManyDocuments(limit int) manifest.Record {
	return with(complaint(code.DiscoveryLimitExceeded, manifest.Input,
		fmt.Sprintf("More than %d documents are chosen.", limit), ""),
		manifest.Details{Reason: manifest.ReasonDocuments})
}

func tooLarge(s source, limit int64) manifest.Record {
	return with(complaint(code.DiscoveryLimitExceeded, s.file(),
		s.subject(fmt.Sprintf("FILE has more than %d bytes.", limit)), "Shorten the document."),
		manifest.Details{Reason: manifest.ReasonSize})
}

func tooManyValues(s source, limit int) manifest.Record {
	return with(complaint(code.DiscoveryLimitExceeded, s.file(),
		s.subject(fmt.Sprintf("With FILE the documents have more than %d values together.", limit)), "Shorten the documents."),
		manifest.Details{Reason: manifest.ReasonSize})
}

func unsupportedHint(key string) manifest.Record {
	suggestion := ""
	if w := diag.NearEdits(key, hintKeys(), maxSlips); w != "" {
		suggestion = fmt.Sprintf("Check the spelling: a key with a name like this is %s.", w)
	}
	return with(complaint(code.DiscoveryUnsupportedHint, manifest.Input,
		"The manifests of the Project have a key that no kind of document has.", suggestion),
		manifest.Details{Allowed: hintKeys()})
}

func bothWorkflowHints() manifest.Record {
	return complaint(code.DiscoveryDuplicateSource, manifest.Input,
		"The manifests of the Project have both workflow and workflows.", "List all workflows under workflows.")
}

func badHint(message, suggestion string) manifest.Record {
	return with(complaint(code.DiscoveryUnsafeSource, manifest.Input, message, suggestion), manifest.Details{Reason: manifest.ReasonHintShape})
}

func hintsNoMapping() manifest.Record {
	return badHint("The manifests of the Project are not a mapping.", "Write each as a key and a path.")
}

func hintNoList() manifest.Record {
	return badHint("The hint workflows is not a list of paths with at least one.", "List the paths of the workflow documents, or leave the key out.")
}

// hintNoPath is about a supported key, which may be repeated.
func hintNoPath(key string) manifest.Record {
	return badHint(fmt.Sprintf("The hint %s is not a path.", key), "Write the path of one document, from the root.")
}
