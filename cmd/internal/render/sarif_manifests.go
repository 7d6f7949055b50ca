package render

import (
	"path"
	"strings"

	nexcode "terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/report"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// manifestBase stands for the folder of a manifest set where it has no relative path:
// absolute ones are in no output.
const manifestBase = "ROOT"

// ManifestSarif is the SARIF 2.1.0 log of an answer about a manifest set. Places are
// files with the JSON Pointer as logical location and the line where it is known. base
// is the folder of the set relative to where the reader resolves paths, with slashes;
// "" when it does not lie below.
func ManifestSarif(e report.Envelope, base string) canon.Value {
	rules := map[nexcode.Code]int{}
	for _, d := range e.Diagnostics {
		rules[d.Code] = 0
	}
	listed := make([]canon.Value, 0, len(rules))
	for i, c := range ordered.Keys(rules) {
		rules[c] = i
		listed = append(listed, manifestRule(c))
	}
	results := make([]canon.Value, len(e.Diagnostics))
	for i, f := range e.Findings() {
		results[i] = manifestResult(f, rules[f.Code], base)
	}
	run := object(
		"tool", object("driver", object("name", canon.String(e.Tool.Name), "version", canon.String(e.Tool.Version), "rules", canon.List(listed...))),
		"invocations", canon.List(object("executionSuccessful", canon.Bool(e.ExitCode != report.ExitInternal), "exitCode", canon.Int(int64(e.ExitCode)))),
		"columnKind", canon.String("utf16CodeUnits"),
		"results", canon.List(results...),
		"properties", object("checks", manifestChecks(e.Checks), "executionAuthorized", canon.Bool(false),
			"truncated", canon.Bool(e.Truncated), "claim", canon.String(e.Claim())),
	)
	if base == "" {
		root := object("description", message("the folder of the manifest set, as --root names it"))
		run = run.With("originalUriBaseIds", object(manifestBase, root))
	}
	return object("$schema", canon.String(sarifSchema), "version", canon.String("2.1.0"), "runs", canon.List(run))
}

func manifestChecks(c report.Checks) canon.Value {
	return object(
		"discovery", canon.String(string(c.Discovery)), "schema", canon.String(string(c.Schema)), "coreProfile", canon.String(string(c.CoreProfile)),
		"semantic", canon.String(string(c.Semantic)), "extensionProfiles", canon.String(string(c.ExtensionProfiles)),
	)
}

func manifestRule(c nexcode.Code) canon.Value {
	entry, known := nexcode.Lookup(c)
	if !known {
		panic("render: a finding has the code " + string(c) + ", which is not in the catalogue")
	}
	first, _, _ := strings.Cut(entry.Severity, " ")
	command := "terfyn explain " + string(c)
	return object(
		"id", canon.String(string(c)),
		"shortDescription", message(entry.Meaning),
		"help", object("text", canon.String(command+" shows what the code means.")),
		"defaultConfiguration", object("level", canon.String(manifestLevel(manifest.Severity(strings.TrimSuffix(first, ","))))),
	)
}

// manifestLevel is SARIF's word for a severity.
func manifestLevel(s manifest.Severity) string {
	if s == manifest.Info {
		return "note"
	}
	return string(s)
}

func manifestResult(d report.Finding, rule int, base string) canon.Value {
	level, text := d.Severity, strings.Join(append([]string{d.Message}, d.Advice...), " ")
	if d.EffectiveSeverity != "" {
		level = d.EffectiveSeverity
	}
	fields := []canon.Field{
		canon.F("ruleId", canon.String(string(d.Code))), canon.F("ruleIndex", canon.Int(int64(rule))),
		canon.F("level", canon.String(manifestLevel(level))), canon.F("message", message(text)),
	}
	locations := []canon.Value{}
	if d.File != nil && !stands(*d.File) {
		locations = append(locations, canon.Object(manifestPlace(base, *d.File, d.Path, d.At)...))
	}
	fields = append(fields, canon.F("locations", canon.List(locations...)))
	var related []canon.Value
	for i, r := range d.Related {
		if !stands(r.File) {
			related = append(related, canon.Object(append(manifestPlace(base, r.File, r.Path, d.RelatedAt[i]), canon.F("id", canon.Int(int64(i+1))))...))
		}
	}
	if len(related) > 0 {
		fields = append(fields, canon.F("relatedLocations", canon.List(related...)))
	}
	return canon.Object(fields...)
}

// stands reports whether a name only stands for a file.
func stands(file string) bool { return file == manifest.Input || file == manifest.RedactedSource }

func manifestPlace(base, file string, pointer *string, at manifest.Position) []canon.Field {
	artifact := object("uri", canon.String(relativeURI(path.Join(base, file))))
	if base == "" {
		artifact = object("uri", canon.String(relativeURI(file)), "uriBaseId", canon.String(manifestBase))
	}
	place := []canon.Field{canon.F("artifactLocation", artifact)}
	if at.Known() {
		place = append(place, canon.F("region", manifestRegion(at)))
	}
	fields := []canon.Field{canon.F("physicalLocation", canon.Object(place...))}
	if pointer != nil && *pointer != "" {
		fields = append(fields, canon.F("logicalLocations", canon.List(object("fullyQualifiedName", canon.String(*pointer)))))
	}
	return fields
}

// manifestRegion is where a place begins; without a column the whole line is meant.
func manifestRegion(at manifest.Position) canon.Value {
	if at.UTF16 == 0 {
		return object("startLine", canon.Int(int64(at.Line)))
	}
	return object("startLine", canon.Int(int64(at.Line)), "startColumn", canon.Int(int64(at.UTF16)))
}
