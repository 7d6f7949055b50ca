package schema

import (
	"errors"
	"fmt"
	"math"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// MaxRecords is how many records are enough: after the document that reaches it no
// further document is looked into. The set is refused anyway, and the order of
// documents is that of the report, so that what is shown does not change.
const MaxRecords = 10_000

// Check holds every document of the set against the schema of its kind and gives
// the findings, the same ones in the same order every time. All of them are errors.
// See MaxFaulty and MaxRecords for sets with thousands of faults. An error means that
// a schema of this program does not load; there are no findings then.
func Check(set *manifest.Set) ([]manifest.Record, error) {
	l, err := builtin()
	if err != nil {
		return nil, err
	}
	return l.check(set)
}

func (l *library) check(set *manifest.Set) ([]manifest.Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []manifest.Record
	for _, doc := range set.Documents {
		records, err := l.checkDocument(doc)
		if err != nil {
			return nil, fmt.Errorf("check a document of kind %s: %w", doc.Kind, err)
		}
		if found = append(found, records...); len(found) >= MaxRecords {
			break
		}
	}
	return found, nil
}

func (l *library) checkDocument(doc *manifest.Document) ([]manifest.Record, error) {
	root, known := l.roots[doc.Kind]
	if !known {
		return nil, errors.New("there is no schema for the kind")
	}
	fault, err := l.validate(root, doc.Root)
	if fault == nil || err != nil {
		return nil, err
	}
	f := finder{library: l, doc: doc, rules: map[string]rule{}, places: map[spot]int{}}
	f.collect(fault)
	return f.found, nil
}

// validate gives the library's account of what is wrong, nil when nothing is.
func (l *library) validate(root *jsonschema.Schema, v canon.Value) (*jsonschema.ValidationError, error) {
	value := toLibrary(v)
	l.quota.left = MaxFaulty
	err := root.Validate(value)
	if err == nil && l.quota.spent() {
		// Faults were found, but only in alternatives that need not hold: what was left
		// out may be wrong.
		l.quota.left = math.MaxInt
		err = root.Validate(value)
	}
	var fault *jsonschema.ValidationError
	if err == nil || errors.As(err, &fault) {
		return fault, nil
	}
	return nil, err
}
