package discovery

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// The two keys of the one kind that a set may have several documents of.
const (
	oneWorkflow   = "workflow"
	manyWorkflows = "workflows"
)

// hintKinds tells the kind that each key leads to.
func hintKinds() map[string]manifest.Kind {
	kinds := map[string]manifest.Kind{manyWorkflows: manifest.Workflow}
	for _, k := range manifest.Kinds() {
		if k.Hint != "" {
			kinds[k.Hint] = k.Kind
		}
	}
	return kinds
}

// hintKeys are the supported keys in order.
func hintKeys() []string {
	keys := []string{manyWorkflows}
	for _, k := range manifest.Kinds() {
		if k.Hint != "" {
			keys = append(keys, k.Hint)
		}
	}
	slices.Sort(keys)
	return keys
}

// hints are the sources that a Project names, in the order of their keys.
func hints(project *manifest.Document) ([]source, []manifest.Record) {
	manifests, present := project.Root.Get("manifests")
	if !present {
		return nil, nil
	}
	if manifests.Kind() != canon.KindObject {
		return nil, []manifest.Record{hintsNoMapping()}
	}
	kinds := hintKinds()
	_, one := manifests.Get(oneWorkflow)
	_, many := manifests.Get(manyWorkflows)
	both := one && many
	var sources []source
	var found []manifest.Record
	if both {
		found = append(found, bothWorkflowHints())
	}
	for _, f := range manifests.Fields() {
		kind, supported := kinds[f.Name]
		switch {
		case !supported:
			found = append(found, unsupportedHint(f.Name))
		case kind == manifest.Workflow && both:
		case f.Name == manyWorkflows:
			sources, found = listHint(f, sources, found)
		default:
			locator, isText := f.Value.AsString()
			if !isText {
				found = append(found, hintNoPath(f.Name))
				continue
			}
			sources = append(sources, hintedSource(f.Name, locator, kind))
		}
	}
	return sources, found
}

// listHint adds the sources of the key that takes a list.
func listHint(f canon.Field, sources []source, found []manifest.Record) ([]source, []manifest.Record) {
	items := f.Value.Items()
	if len(items) == 0 {
		return sources, append(found, hintNoList())
	}
	for _, item := range items {
		locator, isText := item.AsString()
		if !isText {
			return sources, append(found, hintNoList())
		}
		sources = append(sources, hintedSource(f.Name, locator, manifest.Workflow))
	}
	return sources, found
}
