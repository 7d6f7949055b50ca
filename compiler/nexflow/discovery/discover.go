package discovery

import (
	"slices"
	"strings"

	"terfyn/compiler/nexflow/manifest"
)

// The names of the Project in a directory.
const (
	projectYAML = "project.yaml"
	projectYML  = "project.yml"
)

// Discover loads the chosen documents. The records are in their final order; the
// set is nil exactly when one of them is an error.
func Discover(files Files, s Selection, l Limits) (*manifest.Set, []manifest.Record) {
	r := &run{files: files, limits: l.orDefault()}
	var documents []*manifest.Document
	switch s.Mode() {
	case manifest.ExplicitFileList:
		documents = r.listed(s.Files)
	case manifest.ProjectSourceHints:
		documents = r.hinted(s.Project)
	default:
		if entry, found := r.entry(); found {
			documents = r.hinted(entry)
		}
	}
	manifest.Sort(r.records)
	if manifest.HasErrors(r.records) {
		return nil, r.records
	}
	return manifest.NewSet(documents), r.records
}

// run is one call.
type run struct {
	files   Files
	limits  Limits
	records []manifest.Record
	values  int // of the documents so far
}

func (r *run) report(records ...manifest.Record) { r.records = append(r.records, records...) }

// entry finds the name of the Project in the root.
func (r *run) entry() (string, bool) {
	long, errLong := r.files.Look(projectYAML)
	short, errShort := r.files.Look(projectYML)
	switch {
	case errLong != nil || errShort != nil:
		r.report(RootRefused())
		return "", false
	case long == Absent && short == Absent:
		r.report(noProjectEntry())
		return "", false
	case long != Absent && short != Absent:
		r.report(twoProjectEntries())
		return "", false
	case long != Absent:
		return projectYAML, true
	}
	return projectYML, true
}

// hinted loads a Project alone, and then what its hints lead to.
func (r *run) hinted(project string) []*manifest.Document {
	first := newSource(project, manifest.Project)
	alone := r.load([]source{first})
	r.assemble(alone, noProjectInEntry)
	if len(r.records) > 0 {
		return nil
	}
	hinted, found := hints(alone[0])
	if r.report(found...); len(found) > 0 {
		return nil
	}
	rest, within := r.distinct(append([]source{first}, hinted...))
	if !within {
		return nil
	}
	return r.complete(alone, rest[1:], noProjectInEntry)
}

// listed loads documents without following hints.
func (r *run) listed(locators []string) []*manifest.Document {
	sources := make([]source, len(locators))
	for i, l := range locators {
		sources[i] = newSource(l, "")
	}
	sources, within := r.distinct(sources)
	if !within {
		return nil
	}
	return r.complete(nil, sources, noProjectListed)
}

// distinct drops repeated paths. It reports whether there are few enough sources to
// go on.
func (r *run) distinct(sources []source) ([]source, bool) {
	if len(sources) > r.limits.Documents {
		r.report(tooManyDocuments(r.limits.Documents))
		return nil, false
	}
	first := make(map[string]source, len(sources))
	kept := make([]source, 0, len(sources))
	for _, s := range sources {
		if earlier, repeated := first[s.clean]; repeated {
			r.report(repeatedSource(s, earlier))
			continue
		}
		first[s.clean] = s
		kept = append(kept, s)
	}
	return kept, true
}

// complete loads sources, puts them beside what is loaded, and looks at them
// together.
func (r *run) complete(loaded []*manifest.Document, sources []source, absent func() manifest.Record) []*manifest.Document {
	documents := slices.Concat(loaded, r.load(sources))
	slices.SortFunc(documents, func(a, b *manifest.Document) int { return strings.Compare(a.File, b.File) })
	r.assemble(documents, absent)
	return documents
}
