package nexflow

import (
	"errors"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/report"
	"terfyn/compiler/nexflow/starter"
	"terfyn/compiler/nexflow/view"
)

func (a *answer) discovered() {
	if set := a.discover(a.Source, ""); set != nil {
		a.result = listing(set)
	}
}

func (a *answer) validated() {
	set := a.discover(a.Source, "")
	if set == nil {
		return
	}
	a.result = listing(set)
	if a.Layer == ThroughDiscovery {
		return
	}
	if a.shape(set, "") && a.Layer != ThroughSchema {
		a.meaning(set)
	}
}

// declared is the index of a set that passed discovery and schema, nil when it did
// not. Inspect and graph look no further.
func (a *answer) declared(s Source, about string) *refs.Index {
	set := a.discover(s, about)
	if set == nil || !a.shape(set, about) {
		return nil
	}
	return refs.NewIndex(set)
}

// earlierSet begins messages about the set that inspect compares with.
const earlierSet = "In the earlier set"

func (a *answer) inspected() {
	x, earlier := a.compared()
	if x == nil {
		return
	}
	shown, err := view.Inspect(x)
	if err != nil {
		a.refused(err)
		return
	}
	result := Inspected{Listing: listing(x.Set()), Inspection: shown, Authority: view.NewAuthority(x)}
	if earlier != nil {
		changes := view.Compare(earlier, x)
		result.Changes = &changes
	}
	a.result = result
}

// compared is the set and, where there is one to compare with, the earlier one. Both
// are loaded before the schema layer looks at either, so that a layer is said to have
// passed only where it passed for both. Without both there is neither.
func (a *answer) compared() (x, earlier *refs.Index) {
	if a.Against == nil {
		return a.declared(a.Source, ""), nil
	}
	set, before := a.discover(a.Source, ""), a.discover(a.Against, earlierSet)
	if set == nil || before == nil {
		return nil, nil
	}
	shaped := a.shape(set, "")
	if a.checks.Schema == report.Unavailable {
		return nil, nil
	}
	if !a.shape(before, earlierSet) || !shaped {
		return nil, nil
	}
	return refs.NewIndex(set), refs.NewIndex(before)
}

func (a *answer) drawn() {
	x := a.declared(a.Source, "")
	if x == nil {
		return
	}
	shown, err := view.Inspect(x)
	if err != nil {
		a.refused(err)
		return
	}
	a.result = Drawn{Listing: listing(x.Set()), Graph: view.NewGraph(shown, x)}
}

// refused tells why there is nothing to show.
func (a *answer) refused(err error) {
	if !errors.Is(err, view.ErrLimit) {
		panic("nexflow: inspect: " + err.Error())
	}
	a.add(manifest.Record{
		Severity: manifest.Error, Code: code.CLIInspectionLimit,
		Message:    "The set declares more than 1000 resources, or makes more than 2000 references, which is more than inspect and graph show.",
		Suggestion: "Choose fewer documents with --file, or run validate, which has no such limit.",
	})
}

// started composes the documents of init, and makes those that are missing unless one
// of them is there with other content.
func (a *answer) started() {
	folder, err := a.Destination.Open()
	if err != nil {
		a.add(badDestination())
		return
	}
	defer func() { _ = folder.Close() }() // what was written is closed by then
	files := starter.Compose(a.ID, a.Name)
	found := make([]starter.Found, len(files))
	for i, f := range files {
		found[i] = folder.Look(f)
	}
	p := starter.NewPlan(files, found)
	for _, name := range p.Conflicts {
		a.add(conflict(name))
	}
	if len(p.Conflicts) > 0 {
		return
	}
	switch err := folder.Create(p); {
	case errors.Is(err, starter.ErrAppeared):
		a.add(conflict(""))
	case errors.Is(err, starter.ErrNotWritable):
		a.add(badDestination())
	case err != nil:
		a.add(report.Internal("The documents could not be written; those that were begun are removed as far as possible."))
	default:
		a.result = newStarted(files, found)
	}
}

func badDestination() manifest.Record {
	return manifest.Record{
		Severity: manifest.Error, Code: code.CLIInitDestination,
		Message:    "The destination is not an existing folder that takes new files; nothing was written.",
		Suggestion: "Make the folder first, and name it itself: a symbolic link to it is refused.",
	}
}

// conflict is about a document that is there already, or, without a name, about the
// folder as a whole.
func conflict(name string) manifest.Record {
	r := manifest.Record{
		Severity: manifest.Error, Code: code.CLIInitConflict, File: name,
		Message:    "The file is there with other content; nothing was written.",
		Suggestion: "Choose another folder, or move the file away; init never writes over a file.",
	}
	if name == "" {
		r.Message = "The folder changed while the documents were being written; those of this call are removed again."
		r.Suggestion = "Look at the folder, and run the command again."
	}
	return r
}
