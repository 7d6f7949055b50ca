package discovery

import (
	"errors"
	"slices"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/yamlprofile"
	"terfyn/internal/canon"
)

// load reads the sources in the order of their locators and returns the documents
// that take part in what follows: those of a supported version and kind.
func (r *run) load(sources []source) []*manifest.Document {
	sources = slices.SortedFunc(slices.Values(sources), func(a, b source) int { return strings.Compare(a.clean, b.clean) })
	var out []*manifest.Document
	for _, s := range sources {
		if root, read := r.read(s); read {
			if d := r.document(s, root); d != nil {
				out = append(out, d)
			}
		}
	}
	return out
}

// read is step 5 of nexflow.md 4.2.
func (r *run) read(s source) (canon.Value, bool) {
	switch s.judge() {
	case outside:
		r.report(outsideRoot())
	case unspeakable:
		r.report(unsafe(manifest.RedactedSource, manifest.ReasonLocator, 0))
	case notYAML:
		r.report(unsafe(s.file(), manifest.ReasonExtension, 0))
	default:
		return r.parse(s)
	}
	return canon.Value{}, false
}

func (r *run) parse(s source) (canon.Value, bool) {
	b, err := r.files.Read(s.clean, r.limits.Bytes)
	var refused *Refused
	switch {
	case errors.As(err, &refused) && refused.Reason == manifest.ReasonSize, err == nil && int64(len(b)) > r.limits.Bytes:
		r.report(tooLarge(s.file(), r.limits.Bytes))
		return canon.Value{}, false
	case errors.As(err, &refused):
		r.report(unsafe(s.file(), refused.Reason, 0))
		return canon.Value{}, false
	case err != nil:
		r.report(unsafe(s.file(), manifest.ReasonUnreadable, 0))
		return canon.Value{}, false
	}
	root, refusal := yamlprofile.Parse(b)
	if refusal != nil {
		r.report(unsafe(s.file(), refusal.Reason, refusal.Line))
		return canon.Value{}, false
	}
	return root, true
}

// document is step 6: version, kind, expected kind. A document of another kind than
// expected still takes part.
func (r *run) document(s source, root canon.Value) *manifest.Document {
	version, _ := root.Get("specVersion")
	if v, ok := version.AsString(); !ok || v != manifest.SpecVersion {
		r.report(unsupportedVersion(s.file(), version))
		return nil
	}
	word, _ := root.Get("kind")
	text, _ := word.AsString()
	kind := manifest.Kind(text)
	if _, known := kind.Info(); !known {
		r.report(unsupportedKind(s.file(), text))
		return nil
	}
	if s.expected != "" && s.expected != kind {
		r.report(kindMismatch(s.file(), kind, s.expected))
	}
	return &manifest.Document{File: s.file(), Kind: kind, Root: root}
}
