package report

import (
	"slices"
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/manifest"
)

// Locate finds places in the text of a document of the set that about names, "" for
// the one that the answer is about. What is not found has an unknown position.
type Locate func(about, file string, sought []manifest.Sought) []manifest.Position

// Finding is a diagnostic with what people and editors see beside it.
type Finding struct {
	Diagnostic
	// At is where it is, unknown where no place in a file is meant.
	At manifest.Position
	// RelatedAt is where the related places are, in their order.
	RelatedAt []manifest.Position
	// Advice is the sentences on what to do: the suggestion, and words and fields that
	// the details list.
	Advice []string
}

// Findings is the diagnostics with their positions. Texts are looked through for that,
// each once, and only when this is called.
func (e Envelope) Findings() []Finding {
	out := make([]Finding, len(e.Diagnostics))
	var l locator
	for i, d := range e.Diagnostics {
		r := e.records[i]
		out[i] = Finding{Diagnostic: d, RelatedAt: make([]manifest.Position, len(r.Related)), Advice: advice(r)}
		if !r.HasPath() {
			out[i].At.Line = r.Line
			continue
		}
		l.seek(r.About, r.File, sought(r), &out[i].At)
		for j, p := range r.Related {
			l.seek(r.About, p.File, manifest.Sought{Path: p.Path}, &out[i].RelatedAt[j])
		}
	}
	l.find(e.locate)
	return out
}

func sought(r manifest.Record) manifest.Sought {
	s := manifest.Sought{Path: r.Path}
	if r.Keyword == additional {
		s.Known = r.Details.Allowed
	}
	return s
}

// additional is the keyword of closed objects.
const additional = "additionalProperties"

// text is one file of one set.
type text struct{ about, file string }

// locator collects what is to be found in each file.
type locator struct {
	files  []text
	sought map[text][]manifest.Sought
	to     map[text][]*manifest.Position
}

func (l *locator) seek(about, file string, s manifest.Sought, to *manifest.Position) {
	if l.sought == nil {
		l.sought, l.to = map[text][]manifest.Sought{}, map[text][]*manifest.Position{}
	}
	t := text{about, file}
	if l.to[t] == nil {
		l.files = append(l.files, t)
	}
	l.sought[t], l.to[t] = append(l.sought[t], s), append(l.to[t], to)
}

func (l *locator) find(locate Locate) {
	if locate == nil {
		return
	}
	for _, t := range l.files {
		for i, p := range locate(t.about, t.file, l.sought[t]) {
			*l.to[t][i] = p
		}
	}
}

// maxListed is how many words or fields one sentence lists.
const maxListed = 20

func advice(r manifest.Record) []string {
	var out []string
	if r.Suggestion != "" {
		out = append(out, r.Suggestion)
	}
	said := r.Message + " " + r.Suggestion
	switch allowed := r.Details.Allowed; {
	case r.Keyword == additional && len(allowed) > 0:
		out = append(out, "Its fields: "+listed(allowed)+".")
	case len(allowed) > 1:
		out = append(out, "One of: "+listed(allowed)+".")
	case len(allowed) == 1 && !mentions(said, allowed):
		out = append(out, "Only: "+allowed[0]+".")
	}
	if members := r.Details.Members; len(members) > 0 && !mentions(said, members) {
		out = append(out, "Concerned: "+listed(members)+".")
	}
	return out
}

// mentions reports whether a text has all of the words.
func mentions(said string, words []string) bool {
	has := strings.FieldsFunc(said, func(r rune) bool { return strings.ContainsRune(" .,;:()\"", r) })
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(has, w) && !strings.Contains(said, "\""+w+"\"") })
}

func listed(words []string) string {
	if n := len(words) - maxListed; n > 0 {
		return strings.Join(words[:maxListed], ", ") + " and " + strconv.Itoa(n) + " more"
	}
	return strings.Join(words, ", ")
}
