package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// What stands in paths for what must not be repeated (nexflow.md 9.1).
const (
	redacted      = manifest.RedactedMember
	redactedField = "<redacted-field>"
	maxPath       = 512
	// maxIndex is the greatest number of digits of an index: no file has more elements.
	maxIndex = 7
)

const family = "NF-SCHEMA"

// finder turns the library's account of one document into records.
type finder struct {
	*library
	doc *manifest.Document
	// rules is the rules that were broken, by location.
	rules map[string]rule
	found []manifest.Record
	// places is where in found each record is.
	places map[spot]int
}

// spot is what makes records the same. The branches of a choice often say one thing
// several times, and differ only in the words or fields that they list.
type spot struct{ path, keyword, message, suggestion string }

// rule is one keyword of one schema.
type rule struct {
	keyword string
	value   canon.Value
	// schema is the schema that has the keyword.
	schema canon.Value
}

// collect adds the records of a fault. Where others caused it, only those are
// findings, except that a choice without a fitting branch is one itself; of its
// branches the one counts that the value means, where it tells which.
func (f *finder) collect(fault *jsonschema.ValidationError) {
	causes := fault.Causes
	if strings.HasSuffix(fault.AbsoluteKeywordLocation, "/oneOf") && len(causes) > 0 {
		names := segments(fault.InstanceLocation)
		said, branch := f.meant(fault, follow(f.doc.Root, names))
		f.record(names, f.rule(fault.AbsoluteKeywordLocation), complaint{message: forkSentences[said]})
		switch {
		case said == unnamed:
			return
		case branch != nil:
			f.collect(branch)
			return
		}
	} else if len(causes) == 0 || isAnyOf(fault) {
		f.add(fault, nil)
	}
	for _, cause := range causes {
		if isAnyOf(fault) && len(cause.Causes) == 0 {
			f.add(cause, fault)
		} else {
			f.collect(cause)
		}
	}
}

func isAnyOf(fault *jsonschema.ValidationError) bool {
	return strings.HasSuffix(fault.AbsoluteKeywordLocation, "/anyOf")
}

// add adds the record of a fault; choice is the anyOf that the fault is a branch of.
func (f *finder) add(fault, choice *jsonschema.ValidationError) {
	r := f.rule(fault.AbsoluteKeywordLocation)
	names := segments(fault.InstanceLocation)
	value := follow(f.doc.Root, names)
	switch r.keyword {
	case "required":
		for _, field := range missing(r.value, value) {
			f.record(append(slices.Clone(names), field), r, requirement(field, choice != nil))
		}
	case "additionalProperties":
		said := r.complaint(value)
		said.allowed = f.members(r)
		f.record(append(names, redacted), r, said)
	case "not":
		// What is no object breaks the rule that an object lacks a field. That it is none
		// is reported beside it.
		if len(r.value.Fields()) > 0 && value.Kind() != canon.KindObject {
			return
		}
		f.record(names, r, r.complaint(value))
	default:
		said := r.complaint(value)
		if s := suggest(r, names, value); s != "" {
			said.suggestion = s
		}
		f.record(names, r, said)
	}
}

// members is the fields of a closed object.
func (f *finder) members(r rule) []string {
	var out []string
	for _, field := range r.schema.At("properties").Fields() {
		out = append(out, field.Name)
	}
	slices.Sort(out)
	return out
}

func (f *finder) record(names []string, r rule, said complaint) {
	at := spot{path: f.path(names), keyword: r.keyword, message: said.message, suggestion: said.suggestion}
	if i, again := f.places[at]; again {
		d := &f.found[i].Details
		d.Allowed, d.Members = union(d.Allowed, said.allowed), union(d.Members, said.members)
		return
	}
	f.places[at] = len(f.found)
	f.found = append(f.found, manifest.Record{
		Severity: manifest.Error, Code: r.code(), Layer: manifest.SchemaLayer,
		File: f.doc.File, Kind: f.doc.Kind, Path: at.path, Keyword: at.keyword,
		Message: at.message, Suggestion: at.suggestion,
		Details: manifest.Details{Family: family, Allowed: said.allowed, Members: said.members},
	})
}

// rule finds the keyword that the library names, in the schema as written.
func (f *finder) rule(location string) rule {
	if r, known := f.rules[location]; known {
		return r
	}
	address, fragment, _ := strings.Cut(location, "#")
	names := segments(fragment)
	r := rule{keyword: names[len(names)-1]}
	r.schema = follow(f.documents[address], names[:len(names)-1])
	r.value = r.schema.At(r.keyword)
	f.rules[location] = r
	return r
}

// path writes names as a JSON Pointer. It shows no member that the schemas do not
// know, wherever the library says that a fault is.
func (f *finder) path(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if !f.names[name] && !isIndex(name) {
			name = redacted
		}
		b.WriteString("/" + manifest.Escape(name))
	}
	if b.Len() > maxPath {
		return redactedField
	}
	return b.String()
}

func isIndex(name string) bool {
	n, err := strconv.Atoi(name)
	return err == nil && len(name) <= maxIndex && n >= 0 && strconv.Itoa(n) == name
}

// missing is the fields of a list of required ones that value does not have.
func missing(required, value canon.Value) []string {
	var out []string
	for _, item := range required.Items() {
		name, _ := item.AsString()
		if _, present := value.Get(name); !present {
			out = append(out, name)
		}
	}
	return out
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// code is the code of a broken rule (nexflow.md section 5).
func (r rule) code() code.Code {
	switch r.keyword {
	case "required":
		return code.SchemaRequired
	case "type":
		return code.SchemaType
	case "enum", "const":
		return code.SchemaEnum
	case "pattern":
		return code.SchemaPattern
	case "format":
		return code.SchemaFormat
	case "additionalProperties":
		return code.SchemaAdditionalProperty
	default:
		return code.SchemaConstraint
	}
}
