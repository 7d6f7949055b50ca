package render_test

import (
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/report"
	"terfyn/internal/golden"
)

// manifestSample has every shape a result may have.
func manifestSample() report.Envelope {
	return report.New(report.Outcome{
		Version: "1.2.3", Command: budget.Validate, Mode: manifest.DirectoryProject, Strict: true,
		Checks: report.Checks{Discovery: report.Passed, Schema: report.Passed, CoreProfile: report.Passed, Semantic: report.Failed, ExtensionProfiles: report.NotRun},
		Records: []manifest.Record{
			{
				Severity: manifest.Error, Code: code.RefDuplicateTarget, Layer: manifest.SemanticLayer, File: "flows/ä b:c.yaml", Kind: manifest.Workflow, Path: "/workflow/id",
				Message: "The id is declared a second time.", Related: []manifest.Place{{File: "a.yaml", Path: "/x"}, {File: manifest.Input}}, Suggestion: "Rename one.",
			},
			{Severity: manifest.Warning, Code: code.PolicyCapabilityDenied, Layer: manifest.SemanticLayer, File: "a.yaml", Path: "/b", Message: "Denied."},
			{Severity: manifest.Info, Code: code.CompatNoActorSet, Layer: manifest.SemanticLayer, File: "project.yaml", Kind: manifest.Project, Path: "", Message: "No actors."},
			{Severity: manifest.Error, Code: code.DiscoveryNoProject, Layer: manifest.DiscoveryLayer, File: manifest.Input, Message: "No Project."},
			{Severity: manifest.Error, Code: code.DiscoveryOutsideRoot, Layer: manifest.DiscoveryLayer, File: manifest.RedactedSource, Message: "Outside."},
			{Severity: manifest.Error, Code: code.CLIInternal, Message: "A fault."},
			{
				Severity: manifest.Error, Code: code.DiscoveryUnsafeSource, Layer: manifest.DiscoveryLayer, File: "b.yaml", Message: "A tab.", Suggestion: "Use blanks.",
				Line: 7,
			},
			{
				Severity: manifest.Error, Code: code.SchemaEnum, Layer: manifest.SchemaLayer, File: "a.yaml", Path: "/e", Keyword: "enum", Message: "No such word.",
				Details: manifest.Details{Allowed: []string{"allow", "deny"}}, Suggestion: "Decide.",
			},
		},
		Locate: func(_, _ string, sought []manifest.Sought) []manifest.Position {
			out := make([]manifest.Position, len(sought))
			for i, s := range sought {
				if len(s.Path) == 2 {
					out[i] = manifest.Position{Line: 3, Column: 4, UTF16: 5}
				}
			}
			return out
		},
	})
}

func TestManifestSarifConformsToTheStandard(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	for name, e := range map[string]report.Envelope{
		"every shape": manifestSample(), "nothing found": report.New(report.Outcome{Version: "1", Command: budget.Discover, Checks: report.NothingRun()}),
	} {
		for _, base := range []string{"", ".", "sub/dir"} {
			log := render.ManifestSarif(e, base).Encode()
			if err := conforms(schema, log); err != nil {
				t.Errorf("%s: %#v", name, err)
			}
			if _, err := sarif.FromBytes(log); err != nil {
				t.Errorf("%s cannot be read back: %v", name, err)
			}
		}
	}
}

// TestManifestSarifHasARuleForEveryCode of the catalogue.
func TestManifestSarifHasARuleForEveryCode(t *testing.T) {
	t.Parallel()
	var records []manifest.Record
	for _, c := range code.All() {
		records = append(records, manifest.Record{Severity: manifest.Error, Code: c.Code, File: "a.yaml", Layer: manifest.DiscoveryLayer, Message: c.Meaning})
	}
	log := render.ManifestSarif(report.New(report.Outcome{Records: records}), "").Encode()
	if err := conforms(sarifSchema(t), log); err != nil {
		t.Errorf("%#v", err)
	}
	if n := strings.Count(string(log), `"shortDescription"`); n != len(code.All()) {
		t.Errorf("%d rules", n)
	}
}

func TestManifestSarifLog(t *testing.T) {
	t.Parallel()
	golden.File(t, "testdata/manifests.sarif", []byte(render.Indented(render.ManifestSarif(manifestSample(), ""))+"\n"))
}

// TestManifestSarifBase: with a relative folder, files are named from where it begins.
func TestManifestSarifBase(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{"": `"uri":"a.yaml","uriBaseId":"ROOT"`, ".": `"uri":"a.yaml"}`, "sub/é dir": `"uri":"sub/%C3%A9%20dir/a.yaml"}`} {
		log := string(render.ManifestSarif(manifestSample(), base).Encode())
		if !strings.Contains(log, want) || (base == "") != strings.Contains(log, "originalUriBaseIds") {
			t.Errorf("%q: %s", base, log)
		}
	}
}
