// Package diag owns what the compiler says about a user's input: diagnostics,
// their stable codes, their text form, the search for the name that was meant, and
// the changes that may be offered.
//
// It leaves out colours (a Style names the parts that can have some), JSON and
// SARIF, exit codes and the decision whether a warning matters; those belong to the
// commands that show a List.
package diag

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/source"
)

// Severity says whether a diagnostic stops the program from being used.
// The zero value is invalid on purpose.
type Severity uint8

// The severities.
const (
	Error Severity = iota + 1
	Warning
)

// String gives the word shown to people.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "invalid severity"
	}
}

// Code is the stable name of one kind of complaint, TF and four digits.
type Code string

// Related is another place that matters for a diagnostic.
type Related struct {
	At   source.Span
	Note string
}

// Diagnostic is one complaint about the input.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Summary  string      // fixed per code, no user text inside
	Detail   string      // what, why it matters, what to do
	At       source.Span // zero when there is no place in the input
	Related  []Related
	Fix      *Fix // nil when no change is safe to offer
}

// Errorf builds an error. The code must be in the registry: an unknown one is a
// bug and panics.
func Errorf(code Code, at source.Span, format string, args ...any) Diagnostic {
	return build(code, Error, at, format, args...)
}

// Warnf builds a warning under the same rules as Errorf.
func Warnf(code Code, at source.Span, format string, args ...any) Diagnostic {
	return build(code, Warning, at, format, args...)
}

func build(code Code, sev Severity, at source.Span, format string, args ...any) Diagnostic {
	summary, ok := SummaryOf(code)
	if !ok {
		panic(fmt.Sprintf("diag: code %q is not registered", string(code)))
	}
	return Diagnostic{Code: code, Severity: sev, Summary: summary, Detail: fmt.Sprintf(format, args...), At: at}
}

// With adds a related place and returns the diagnostic, for use in expressions.
func (d Diagnostic) With(at source.Span, format string, args ...any) Diagnostic {
	d.Related = append(slices.Clone(d.Related), Related{At: at, Note: fmt.Sprintf(format, args...)})
	return d
}

// Message is the detail, or the summary when there is no detail.
func (d Diagnostic) Message() string {
	if d.Detail != "" {
		return d.Detail
	}
	return d.Summary
}

// List collects diagnostics in the order they were found. Call Sort before showing it.
type List []Diagnostic

// Add appends diagnostics.
func (l *List) Add(ds ...Diagnostic) { *l = append(*l, ds...) }

// HasErrors reports whether at least one diagnostic is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort orders the list by file, line and column and keeps exact duplicates
// (same position, code and message) once. Diagnostics of one place keep the
// order in which they were found.
func (l *List) Sort() {
	type key struct {
		at   source.Span
		code Code
		text string
	}
	seen := make(map[key]bool, len(*l))
	kept := make(List, 0, len(*l))
	for _, d := range *l {
		k := key{d.At, d.Code, d.Message()}
		if !seen[k] {
			seen[k] = true
			kept = append(kept, d)
		}
	}
	slices.SortStableFunc(kept, func(a, b Diagnostic) int {
		switch {
		case a.At.Before(b.At):
			return -1
		case b.At.Before(a.At):
			return 1
		default:
			return 0
		}
	})
	*l = kept
}

// Limit keeps at most n errors and n warnings, in order; what is left out of a
// severity is counted by one diagnostic of it at the end. n <= 0 keeps all.
func (l List) Limit(n int) List {
	if n <= 0 {
		return l
	}
	var out List
	seen, first := map[Severity]int{}, map[Severity]source.Span{}
	for _, d := range l {
		if seen[d.Severity]++; seen[d.Severity] == n+1 {
			first[d.Severity] = d.At
		}
		if seen[d.Severity] <= n {
			out = append(out, d)
		}
	}
	if more := seen[Error] - n; more > 0 {
		out.Add(Errorf(TooManyErrors, first[Error], "too many errors: %d more are not shown; fix the ones above first", more))
	}
	if more := seen[Warning] - n; more > 0 {
		out.Add(Warnf(TooManyErrors, first[Warning], "too many warnings: %d more are not shown", more))
	}
	return out
}

// Strings gives the plain form of every diagnostic, one per element.
func (l List) Strings() []string {
	out := make([]string, len(l))
	for i, d := range l {
		out[i] = Plain(d)
	}
	return out
}

// String gives the plain form of the list, one diagnostic per line.
func (l List) String() string { return strings.Join(l.Strings(), "\n") }
