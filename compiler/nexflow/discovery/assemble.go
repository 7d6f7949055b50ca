package discovery

import (
	"terfyn/compiler/nexflow/manifest"
)

// assemble is steps 7 to 9 of nexflow.md 4.2: one Project, documents that belong to
// it, and no two documents for one thing. The documents are ordered by file.
func (r *run) assemble(documents []*manifest.Document, absent func() manifest.Record) {
	byKind := map[manifest.Kind][]*manifest.Document{}
	for _, d := range documents {
		byKind[d.Kind] = append(byKind[d.Kind], d)
	}
	switch projects := byKind[manifest.Project]; len(projects) {
	case 0:
		r.report(absent())
	case 1:
		r.belong(documents, projects[0])
	default:
		r.report(severalProjects(projects))
	}
	for _, k := range manifest.Kinds() {
		same := byKind[k.Kind]
		if k.Many {
			r.workflows(same)
		} else if k.Kind != manifest.Project && len(same) > 1 {
			r.report(repeatedSingleton(same))
		}
	}
}

// belong compares the project that every document names with the one that the
// Project declares.
func (r *run) belong(documents []*manifest.Document, project *manifest.Document) {
	id := project.Root.At("project").Str("id")
	if id == "" {
		r.report(noProjectID(project))
		return
	}
	if own := association(project); own != id {
		r.report(projectDisagrees(project, id, own))
	}
	for _, d := range documents {
		if other := association(d); other != id {
			r.report(otherProject(d, id, other))
		}
	}
}

// association is the project that a document says it belongs to, "" for none.
func association(d *manifest.Document) string { return d.Root.At("metadata").Str("project") }

// workflows finds workflow documents of one id.
func (r *run) workflows(documents []*manifest.Document) {
	byID := make(map[string][]*manifest.Document, len(documents))
	var order []string
	for _, d := range documents {
		id := d.Root.At("workflow").Str("id")
		if id == "" {
			continue
		}
		if len(byID[id]) == 0 {
			order = append(order, id)
		}
		byID[id] = append(byID[id], d)
	}
	for _, id := range order {
		if same := byID[id]; len(same) > 1 {
			r.report(repeatedWorkflow(same, id))
		}
	}
}
