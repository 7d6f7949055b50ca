package discovery

import (
	"errors"
	"slices"
	"strings"

	"terfyn/compiler/internal/cores"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/yamlprofile"
	"terfyn/internal/canon"
)

// load reads the sources in the order of their locators and returns the documents
// that take part in what follows: those of a supported version and kind.
func (r *run) load(sources []source) []*manifest.Document {
	sources = slices.SortedFunc(slices.Values(sources), func(a, b source) int { return strings.Compare(a.clean, b.clean) })
	texts := make([]text, 0, len(sources))
	for _, s := range sources {
		if b, read := r.read(s); read {
			texts = append(texts, text{source: s, bytes: b})
		}
	}
	var out []*manifest.Document
	for len(texts) > 0 {
		batch := texts[:min(len(texts), atOnce)]
		texts = texts[len(batch):]
		cores.Each(len(batch), func(i int) { batch[i].root, batch[i].refusal = yamlprofile.Parse(batch[i].bytes) })
		for _, t := range batch {
			if t.refusal != nil {
				r.report(refused(t.source, t.refusal))
				continue
			}
			if r.values += count(t.root); r.values > r.limits.Values {
				r.report(tooManyValues(t.source, r.limits.Values))
				return out
			}
			if d := r.document(t.source, t.root); d != nil {
				d.Text = t.bytes
				out = append(out, d)
			}
		}
	}
	return out
}

// atOnce is how many documents are parsed before their values are counted, so that a
// call holds no more than these beyond the limit.
const atOnce = 8

// count is the number of values in v and below, what aliases repeat included.
func count(v canon.Value) int {
	n := 1
	for _, item := range v.Items() {
		n += count(item)
	}
	for _, f := range v.Fields() {
		n += count(f.Value)
	}
	return n
}

// text is what was read from a source, and what became of it.
type text struct {
	source
	bytes   []byte
	root    canon.Value
	refusal *yamlprofile.Refusal
}

// read is step 5 of nexflow.md 4.2, as far as the bytes.
func (r *run) read(s source) ([]byte, bool) {
	switch s.judge() {
	case outside:
		r.report(outsideRoot(s))
	case unspeakable:
		r.report(unsafe(s, manifest.ReasonLocator))
	case notYAML:
		r.report(unsafe(s, manifest.ReasonExtension))
	default:
		return r.open(s)
	}
	return nil, false
}

func (r *run) open(s source) ([]byte, bool) {
	b, err := r.files.Read(s.clean, r.limits.Bytes)
	var why *Refused
	switch {
	case errors.As(err, &why) && why.Reason == manifest.ReasonSize, err == nil && int64(len(b)) > r.limits.Bytes:
		r.report(tooLarge(s, r.limits.Bytes))
		return nil, false
	case errors.As(err, &why):
		r.report(unsafe(s, why.Reason))
		return nil, false
	case err != nil:
		r.report(unsafe(s, manifest.ReasonUnreadable))
		return nil, false
	}
	return b, true
}

// document is step 6: version, kind, expected kind. A document of another kind than
// expected still takes part.
func (r *run) document(s source, root canon.Value) *manifest.Document {
	version, _ := root.Get("specVersion")
	if v, ok := version.AsString(); !ok || v != manifest.SpecVersion {
		r.report(unsupportedVersion(s, version))
		return nil
	}
	word, _ := root.Get("kind")
	text, _ := word.AsString()
	kind := manifest.Kind(text)
	if _, known := kind.Info(); !known {
		r.report(unsupportedKind(s, text))
		return nil
	}
	if s.expected != "" && s.expected != kind {
		r.report(kindMismatch(s, kind, s.expected))
	}
	return &manifest.Document{File: s.file(), Kind: kind, Root: root}
}
