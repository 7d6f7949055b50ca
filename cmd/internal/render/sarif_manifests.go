package render

import (
	"strings"

	nexcode "terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/report"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// manifestBase stands for the folder of a manifest set, whose absolute path is in no
// output.
const manifestBase = "ROOT"

// ManifestSarif is the SARIF 2.1.0 log of an answer about a manifest set. Places are
// files below the root with the JSON Pointer as logical location; lines are not known.
func ManifestSarif(e report.Envelope) canon.Value {
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
	for i, d := range e.Diagnostics {
		results[i] = manifestResult(d, rules[d.Code])
	}
	base := object("description", message("the folder of the manifest set, as --root names it"))
	run := object(
		"tool", object("driver", object("name", canon.String(e.Tool.Name), "version", canon.String(e.Tool.Version), "rules", canon.List(listed...))),
		"invocations", canon.List(object("executionSuccessful", canon.Bool(e.ExitCode != report.ExitInternal), "exitCode", canon.Int(int64(e.ExitCode)))),
		"originalUriBaseIds", object(manifestBase, base),
		"columnKind", canon.String("utf16CodeUnits"),
		"results", canon.List(results...),
		"properties", object("checks", manifestChecks(e.Checks), "executionAuthorized", canon.Bool(false),
			"truncated", canon.Bool(e.Truncated), "claim", canon.String(e.Claim())),
	)
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

func manifestResult(d report.Diagnostic, rule int) canon.Value {
	level, text := d.Severity, d.Message
	if d.EffectiveSeverity != "" {
		level = d.EffectiveSeverity
	}
	if d.Suggestion != "" {
		text += " " + d.Suggestion
	}
	fields := []canon.Field{
		canon.F("ruleId", canon.String(string(d.Code))), canon.F("ruleIndex", canon.Int(int64(rule))),
		canon.F("level", canon.String(manifestLevel(level))), canon.F("message", message(text)),
	}
	locations := []canon.Value{}
	if d.File != nil && !stands(*d.File) {
		locations = append(locations, canon.Object(manifestPlace(*d.File, d.Path)...))
	}
	fields = append(fields, canon.F("locations", canon.List(locations...)))
	var related []canon.Value
	for i, r := range d.Related {
		if !stands(r.File) {
			related = append(related, canon.Object(append(manifestPlace(r.File, r.Path), canon.F("id", canon.Int(int64(i+1))))...))
		}
	}
	if len(related) > 0 {
		fields = append(fields, canon.F("relatedLocations", canon.List(related...)))
	}
	return canon.Object(fields...)
}

// stands reports whether a name only stands for a file.
func stands(file string) bool { return file == manifest.Input || file == manifest.RedactedSource }

func manifestPlace(file string, path *string) []canon.Field {
	artifact := object("uri", canon.String(relativeURI(file)), "uriBaseId", canon.String(manifestBase))
	fields := []canon.Field{canon.F("physicalLocation", object("artifactLocation", artifact))}
	if path != nil && *path != "" {
		fields = append(fields, canon.F("logicalLocations", canon.List(object("fullyQualifiedName", canon.String(*path)))))
	}
	return fields
}
