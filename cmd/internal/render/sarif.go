package render

import (
	"net/url"
	"path"
	"strings"
	"unicode/utf16"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// sarifSchema is the address by which readers know the format; nothing is fetched.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Sarif is what a SARIF 2.1.0 log of one validation is made of.
type Sarif struct {
	Version string // of this program
	// Base is the project's folder relative to where the reader resolves paths, with
	// slashes; "" or "." when they are the same.
	Base   string
	List   diag.List
	Lookup func(path string) []byte // bytes of a source file, nil when there is none
	Layers []compiler.Layer
}

// Log gives the document.
func (s Sarif) Log() canon.Value {
	w := &sarifWriter{Sarif: s, files: map[string]*source.File{}, rules: map[string]int{}}
	for _, d := range s.List {
		w.rules[string(d.Code)] = 0
	}
	for i, code := range ordered.Keys(w.rules) {
		w.rules[code] = i
	}
	return object("$schema", canon.String(sarifSchema), "version", canon.String("2.1.0"), "runs", canon.List(w.run()))
}

// sarifWriter holds what more than one result needs.
type sarifWriter struct {
	Sarif
	files map[string]*source.File // nil for a file that cannot be had
	rules map[string]int          // index by code
}

func (w *sarifWriter) run() canon.Value {
	rules := make([]canon.Value, 0, len(w.rules))
	for _, code := range ordered.Keys(w.rules) {
		rules = append(rules, w.rule(diag.Code(code)))
	}
	results := make([]canon.Value, len(w.List))
	ran := true
	for i, d := range w.List {
		results[i] = w.result(d)
		ran = ran && d.Code != diag.Internal
	}
	driver := object("name", canon.String("terfyn"), "version", canon.String(w.Version), "rules", canon.List(rules...))
	return object(
		"tool", object("driver", driver),
		"invocations", canon.List(object("executionSuccessful", canon.Bool(ran))),
		"columnKind", canon.String("utf16CodeUnits"),
		"results", canon.List(results...),
		"properties", object("layers", LayerList(w.Layers)),
	)
}

// rule describes a code. The command that prints its page is named in the help, since
// a helpUri has to be absolute and the page is part of the program.
func (w *sarifWriter) rule(code diag.Code) canon.Value {
	summary, _ := diag.SummaryOf(code)
	level := diag.Warning
	for _, d := range w.List {
		if d.Code == code && d.Severity == diag.Error {
			level = diag.Error
		}
	}
	command := "terfyn explain " + string(code)
	return object(
		"id", canon.String(string(code)),
		"shortDescription", message(summary),
		"help", object("text", canon.String(command+" shows an example and its repair."),
			"markdown", canon.String("`"+command+"` shows an example and its repair.")),
		"defaultConfiguration", object("level", canon.String(level.String())),
	)
}

func (w *sarifWriter) result(d diag.Diagnostic) canon.Value {
	fields := []canon.Field{
		canon.F("ruleId", canon.String(string(d.Code))), canon.F("ruleIndex", canon.Int(int64(w.rules[string(d.Code)]))),
		canon.F("level", canon.String(d.Severity.String())), canon.F("message", message(d.Message())),
		canon.F("locations", canon.List(w.location(d.At))),
	}
	var related []canon.Value
	for i, r := range d.Related {
		if !r.At.IsZero() {
			related = append(related, object("id", canon.Int(int64(i+1)),
				"physicalLocation", w.physical(r.At), "message", message(r.Note)))
		}
	}
	if len(related) > 0 {
		fields = append(fields, canon.F("relatedLocations", canon.List(related...)))
	}
	if d.Fix != nil {
		fields = append(fields, canon.F("fixes", canon.List(w.fix(*d.Fix))))
	}
	return canon.Object(fields...)
}

func (w *sarifWriter) fix(f diag.Fix) canon.Value {
	replacement := object("deletedRegion", w.region(f.At), "insertedContent", message(f.Text))
	change := object("artifactLocation", w.artifact(f.At.File), "replacements", canon.List(replacement))
	return object("description", message(f.Title), "artifactChanges", canon.List(change))
}

// location is the place, or the folder of the project for what has none: readers
// refuse results without a location.
func (w *sarifWriter) location(at source.Span) canon.Value {
	if at.IsZero() {
		return object("physicalLocation", object("artifactLocation", w.artifact(".")))
	}
	return object("physicalLocation", w.physical(at))
}

func (w *sarifWriter) physical(at source.Span) canon.Value {
	return object("artifactLocation", w.artifact(at.File), "region", w.region(at))
}

func (w *sarifWriter) artifact(file string) canon.Value {
	return object("uri", canon.String(relativeURI(path.Join(w.Base, file))))
}

// relativeURI escapes a path with slashes. A colon would make its first segment look
// like a scheme.
func relativeURI(file string) string {
	segments := strings.Split(file, "/")
	for i, s := range segments {
		segments[i] = strings.ReplaceAll(url.PathEscape(s), ":", "%3A")
	}
	return strings.Join(segments, "/")
}

func (w *sarifWriter) region(at source.Span) canon.Value {
	return object(
		"startLine", canon.Int(int64(at.Start.Line)), "startColumn", w.column(at.File, at.Start),
		"endLine", canon.Int(int64(at.End.Line)), "endColumn", w.column(at.File, at.End),
	)
}

// column counts UTF-16 code units, as editors do.
func (w *sarifWriter) column(file string, p source.Pos) canon.Value {
	f, known := w.files[file]
	if !known {
		if b := w.Lookup(file); b != nil {
			f = source.NewFile(file, b)
		}
		w.files[file] = f
	}
	if f == nil {
		return canon.Int(int64(p.Col))
	}
	line := f.Line(p.Line)
	before := string(line[:min(p.Col-1, len(line))])
	return canon.Int(int64(1 + len(utf16.Encode([]rune(before)))))
}

func message(s string) canon.Value { return object("text", canon.String(s)) }

// object builds an object of names and values in turn.
func object(pairs ...any) canon.Value {
	fields := make([]canon.Field, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		fields = append(fields, canon.F(pairs[i].(string), pairs[i+1].(canon.Value)))
	}
	return canon.Object(fields...)
}
