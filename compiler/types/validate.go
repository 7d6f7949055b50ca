package types

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/internal/canon"
)

// shownProblems bounds how many problems one error text lists.
const shownProblems = 5

// Problem is one place where a value does not fit.
type Problem struct {
	At      string // JSON pointer into the value, "" for the whole value
	Message string // what was expected; never a value found there
}

// InvalidError says why a value does not fit a schema. Problems are sorted by
// place, at least one.
type InvalidError struct {
	Schema   string
	Problems []Problem
}

// Error lists the first problems with their places.
func (e *InvalidError) Error() string {
	var b strings.Builder
	b.WriteString("value does not fit " + e.Schema)
	for i, p := range e.Problems {
		if i == shownProblems {
			fmt.Fprintf(&b, "; and %d more", len(e.Problems)-i)
			break
		}
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString("at " + pointer(p.At) + ": " + p.Message)
	}
	return b.String()
}

// Validate checks v. Numbers are compared exactly, so an integer of any size is
// an integer. A mismatch is an *InvalidError; other errors mean the schema
// cannot decide, for example because its references loop.
func (s *Schema) Validate(v canon.Value) error {
	err := s.compiled.Validate(toLibrary(v))
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return fmt.Errorf("validate against %s: %w", s.path, err)
	}
	return &InvalidError{Schema: s.path, Problems: s.problems(invalid)}
}

func (s *Schema) problems(err *jsonschema.ValidationError) []Problem {
	leaves := collectLeaves(err, nil)
	out := make([]Problem, len(leaves))
	for i, leaf := range leaves {
		out[i] = Problem{At: unescapePercent(leaf.InstanceLocation), Message: s.message(leaf)}
	}
	return slices.Compact(out)
}

// collectLeaves gathers the errors that explain themselves, in one order
// whatever order the library visited members in. The branches of a failed
// choice are left out: the choice itself is the explanation.
func collectLeaves(err *jsonschema.ValidationError, into []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(err.Causes) == 0 || isChoice(lastKeyword(err)) {
		return append(into, err)
	}
	for _, cause := range err.Causes {
		into = collectLeaves(cause, into)
	}
	slices.SortStableFunc(into, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(cmp.Compare(a.InstanceLocation, b.InstanceLocation), cmp.Compare(a.KeywordLocation, b.KeywordLocation), cmp.Compare(a.Message, b.Message))
	})
	return into
}

func isChoice(keyword string) bool {
	return keyword == "anyOf" || keyword == "oneOf" || keyword == "minContains"
}

func lastKeyword(err *jsonschema.ValidationError) string {
	return err.KeywordLocation[strings.LastIndexByte(err.KeywordLocation, '/')+1:]
}

// message words a leaf without any value of the instance. The library's own
// text is used only for keywords where it speaks of the schema alone.
func (s *Schema) message(leaf *jsonschema.ValidationError) string {
	limit := s.keywordValue(leaf.AbsoluteKeywordLocation)
	switch lastKeyword(leaf) {
	case "minimum":
		return "must be at least " + limit
	case "maximum":
		return "must be at most " + limit
	case "exclusiveMinimum":
		return "must be greater than " + limit
	case "exclusiveMaximum":
		return "must be less than " + limit
	case "multipleOf":
		return "must be a multiple of " + limit
	case "format":
		return "must have the format " + limit
	case "const":
		return "must be " + limit
	case "enum":
		return "must be one of " + limit
	case "anyOf", "oneOf":
		if len(leaf.Causes) > 0 {
			return "fits none of the alternatives"
		}
		return "fits more than one of the alternatives"
	case "additionalProperties":
		return "has members the schema does not allow: " + sortedNames(leaf.Message)
	default:
		return leaf.Message
	}
}

// keywordValue reads the value of a keyword in the document, so that limits are
// shown with all their digits.
func (s *Schema) keywordValue(location string) string {
	_, fragment, _ := strings.Cut(location, "#")
	v := s.doc
	for segment := range strings.SplitSeq(strings.TrimPrefix(unescapePercent(fragment), "/"), "/") {
		segment = unescapeToken(segment)
		if i, err := strconv.Atoi(segment); err == nil && i >= 0 && i < len(v.Items()) {
			v = v.Items()[i]
			continue
		}
		v = v.At(segment)
	}
	return v.JSON()
}

// sortedNames puts the names of "additionalProperties 'b', 'a' not allowed" in order.
func sortedNames(message string) string {
	list := strings.TrimSuffix(strings.TrimPrefix(message, "additionalProperties "), " not allowed")
	names := strings.Split(list, ", ")
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func pointer(at string) string {
	if at == "" {
		return "the root"
	}
	return at
}

// unescapePercent gives the plain JSON pointer of a library location.
func unescapePercent(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

func unescapeToken(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}

// toLibrary converts to the forms the library reads; numbers keep their spelling.
func toLibrary(v canon.Value) any {
	switch v.Kind() {
	case canon.KindBool:
		b, _ := v.AsBool()
		return b
	case canon.KindNumber:
		text, _ := v.NumberText()
		return json.Number(text)
	case canon.KindString:
		text, _ := v.AsString()
		return text
	case canon.KindList:
		list := make([]any, len(v.Items()))
		for i, item := range v.Items() {
			list[i] = toLibrary(item)
		}
		return list
	case canon.KindObject:
		object := make(map[string]any, len(v.Fields()))
		for _, f := range v.Fields() {
			object[f.Name] = toLibrary(f.Value)
		}
		return object
	default:
		return nil
	}
}
