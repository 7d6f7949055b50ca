package rules

import (
	"slices"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// Check applies every rule and gives the findings in no particular order.
func Check(x *refs.Index) []manifest.Record {
	return newChecker(x, mostSteps, mostPairs).check()
}

func newChecker(x *refs.Index, mostSteps, mostPairs int) *checker {
	return &checker{set: x.Set(), index: x, team: team.New(x), mostSteps: mostSteps, mostPairs: mostPairs}
}

func (c *checker) check() []manifest.Record {
	for _, rule := range all {
		rule(c)
	}
	return c.found.Records()
}

// all is every rule; the files of this package follow the parts of section 7.
var all = slices.Concat(participantRules, policyRules, gateRules, workRules, definitionRules, selectionRules, knowledgeRules, networkRules)

// checker is what rules see and where they report.
type checker struct {
	set   *manifest.Set
	index *refs.Index
	team  *team.Team
	found manifest.Findings
	// mostSteps is what one rule may spend, efforts what each did; mostPairs is how
	// many pairs of a step and a task are compared.
	mostSteps, mostPairs int
	efforts              []*effort
}

// finding is what a rule says beside where.
type finding struct {
	severity   manifest.Severity
	code       code.Code
	message    string
	suggestion string
	related    []manifest.Node
	places     []manifest.Place // related too, where many findings share them
	details    manifest.Details
}

// report files a finding at a node, which may be one that does not exist: then its
// path says where the value is missing.
func (c *checker) report(at manifest.Node, f finding) {
	r := manifest.Record{
		Severity: f.severity, Code: f.code, Layer: manifest.SemanticLayer,
		File: at.File(), Kind: at.Document().Kind, Path: at.Path(),
		Message: f.message, Suggestion: f.suggestion, Details: f.details,
	}
	r.Related = f.places
	for _, n := range f.related {
		r.Related = append(r.Related, n.Place())
	}
	c.found.Add(r)
}

// gravity is the severity of findings that are errors in active definitions and
// warnings in others.
func gravity(definition manifest.Node) manifest.Severity {
	if isActive(definition) {
		return manifest.Error
	}
	return manifest.Warning
}

func isActive(n manifest.Node) bool { return n.Get("status").Is("active") }
