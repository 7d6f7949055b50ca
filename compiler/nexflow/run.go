package nexflow

import (
	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/report"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/schema"
	"terfyn/compiler/nexflow/yamlprofile"
)

// Run answers a request.
func Run(r Request) report.Envelope { return run(r, layersOfThisBuild()) }

// layers are the parts that can fail through no fault of the set; tests put others in
// their place.
type layers struct {
	allow  func(budget.Command) error
	schema func(*manifest.Set) ([]manifest.Record, error)
}

func layersOfThisBuild() layers { return layers{allow: budget.Check, schema: schema.Check} }

func run(r Request, l layers) (answered report.Envelope) {
	a := &answer{Request: r, layers: l, checks: report.NothingRun()}
	defer func() {
		if recover() != nil {
			answered = a.broken()
		}
	}()
	if err := l.allow(r.Command); err != nil {
		a.add(report.Internal("The effect budget of the command does not stand as it must; nothing was read."))
		return a.envelope()
	}
	switch r.Command {
	case budget.Discover:
		a.discovered()
	case budget.Validate:
		a.validated()
	case budget.Inspect:
		a.inspected()
	case budget.Graph:
		a.drawn()
	case budget.Init:
		a.started()
	case budget.Help, budget.Version:
		a.result = Told{Text: r.Text}
	}
	return a.envelope()
}

// answer is a request on its way.
type answer struct {
	Request
	layers
	mode    manifest.Mode
	checks  report.Checks
	running []*report.Status // of layers that have begun and not ended
	records []manifest.Record
	result  report.Result
	sets    map[string]*manifest.Set // by what they are called in findings
}

func (a *answer) add(records ...manifest.Record) { a.records = append(a.records, records...) }

func (a *answer) envelope() report.Envelope {
	return report.New(report.Outcome{
		Version: a.Version, Command: a.Command, Mode: a.mode, Checks: a.checks, Records: a.records, Strict: a.Strict, Result: a.result, Locate: a.locate,
	})
}

// broken is the answer after a panic: what was found so far is not claimed.
func (a *answer) broken() report.Envelope {
	for _, status := range a.running {
		*status = report.Unavailable
	}
	a.result, a.records = nil, []manifest.Record{report.Internal("A fault of terfyn ended the command; no result is claimed.")}
	return a.envelope()
}

func (a *answer) begin(status ...*report.Status) { a.running = status }

// end settles the layers that are running. A layer that has failed for one set does
// not pass for another.
func (a *answer) end(found []manifest.Record) {
	for _, status := range a.running {
		if manifest.HasErrors(found) {
			*status = report.Failed
		} else if *status == report.NotRun {
			*status = report.Passed
		}
	}
	a.running = nil
}

// discover loads the set of a source, nil when that fails. The name tells an earlier
// set from the one that the answer is about.
func (a *answer) discover(s Source, about string) *manifest.Set {
	a.mode = a.Selection.Mode()
	a.begin(&a.checks.Discovery)
	set, found := a.load(s)
	a.add(named(found, about)...)
	a.end(found)
	if set != nil {
		if a.sets == nil {
			a.sets = map[string]*manifest.Set{}
		}
		a.sets[about] = set
	}
	return set
}

// locate finds places in the text of a document.
func (a *answer) locate(about, file string, sought []manifest.Sought) []manifest.Position {
	if set := a.sets[about]; set != nil {
		for _, d := range set.Documents {
			if d.File == file {
				return yamlprofile.Places(d.Text, sought)
			}
		}
	}
	return nil
}

func (a *answer) load(s Source) (*manifest.Set, []manifest.Record) {
	files, done, err := s.Open()
	if err != nil {
		return nil, []manifest.Record{discovery.RootRefused()}
	}
	defer func() { _ = done() }() // it was only read from
	limits := a.Limits
	if limits == (discovery.Limits{}) {
		limits = discovery.DefaultLimits
	}
	return discovery.Discover(files, a.Selection, limits)
}

// shape runs the schema layer and reports whether the set passed.
func (a *answer) shape(set *manifest.Set, about string) bool {
	a.begin(&a.checks.Schema)
	found, err := a.schema(set)
	if err != nil {
		a.checks.Schema, a.running = report.Unavailable, nil
		a.add(manifest.Record{
			Severity: manifest.Error, Code: code.SchemaUnavailable, Layer: manifest.SchemaLayer,
			Message: "A schema of this build does not load; no result is claimed.",
		})
		return false
	}
	a.add(named(found, about)...)
	a.end(found)
	return !manifest.HasErrors(found)
}

// meaning runs the core profile and the semantic layer, which share one pass: both
// report together. What is missing for the core profile counts as not declared, so
// that the semantic layer has then not been asked all it would be.
func (a *answer) meaning(set *manifest.Set) {
	a.begin(&a.checks.CoreProfile, &a.checks.Semantic)
	x := refs.NewIndex(set)
	profile, semantic := refs.Resolve(x)
	semantic = append(semantic, rules.Check(x)...)
	a.add(profile...)
	a.add(semantic...)
	if manifest.HasErrors(profile) {
		a.checks.CoreProfile, a.checks.Semantic, a.running = report.Failed, report.Unavailable, nil
		return
	}
	a.checks.CoreProfile = report.Passed
	a.begin(&a.checks.Semantic)
	a.end(semantic)
}

// named says in the messages which set they are about.
func named(found []manifest.Record, about string) []manifest.Record {
	if about == "" {
		return found
	}
	out := make([]manifest.Record, len(found))
	for i, r := range found {
		r.Message, r.About = about+": "+r.Message, about
		out[i] = r
	}
	return out
}
