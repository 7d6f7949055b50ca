package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

// told is a result of one member.
type told struct {
	Text string `json:"text"`
}

func (t told) Summary() string       { return "1 text" }
func (t told) WriteText(w io.Writer) { fmt.Fprintln(w, t.Text) }

func passed() Checks { return Checks{Passed, Passed, Passed, Passed, NotRun} }

func sample() Outcome {
	return Outcome{
		Version: "1.2.3", Command: budget.Validate, Mode: manifest.DirectoryProject, Checks: passed(), Strict: true,
		Records: []manifest.Record{
			{
				Severity: manifest.Warning, Code: code.GateUnused, Layer: manifest.SemanticLayer, File: "b é.yaml", Kind: manifest.Project, Path: "",
				Message: "Näme <a> & 😀\x7f.", Related: []manifest.Place{{File: "z.yaml", Path: "/z"}, {File: "a.yaml"}},
				Details: manifest.Details{Reference: "x"}, Suggestion: "Do less.",
			},
			{Severity: manifest.Info, Code: code.ExtInert, Layer: manifest.SchemaLayer, File: "a.yaml", Path: "/a", Keyword: "type", Message: "M."},
			{Severity: manifest.Info, Code: code.CLIInitConflict, Message: "N."},
			{Severity: manifest.Info, Code: code.DiscoveryNoProject, Layer: manifest.DiscoveryLayer, File: manifest.Input, Message: "D.", Related: []manifest.Place{{File: "r.yaml"}}},
		},
		Result: told{"never shown"},
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	want := `{"schemaVersion":"terfyn.nexflow/v1","tool":{"name":"terfyn","version":"1.2.3"},"supportedSpecVersions":["0.1"],"command":"validate",` +
		`"success":false,"exitCode":1,"inputMode":"directory-project",` +
		`"checks":{"discovery":"passed","schema":"passed","coreProfile":"passed","semantic":"passed","extensionProfiles":"not-run"},` +
		`"executionAuthorized":false,"diagnostics":[` +
		`{"severity":"info","code":"TERFYN-CLI-INIT-CONFLICT","layer":null,"file":null,"kind":null,"path":null,"keyword":null,"message":"N.","related":[]},` +
		`{"severity":"info","code":"NF-DISCOVERY-NO-PROJECT","layer":"discovery","file":"<input>","kind":null,"path":null,"keyword":null,"message":"D.","related":[{"file":"r.yaml"}]},` +
		`{"severity":"info","code":"TERFYN-EXT-INERT","layer":"schema","file":"a.yaml","kind":null,"path":"/a","keyword":"type","message":"M.","related":[]},` +
		`{"severity":"warning","effectiveSeverity":"error","code":"TERFYN-GATE-UNUSED","layer":"semantic","file":"b \u00e9.yaml","kind":"Project","path":"","keyword":null,` +
		`"message":"N\u00e4me <a> & \ud83d\ude00\u007f.","related":[{"file":"a.yaml","path":""},{"file":"z.yaml","path":"/z"}],"details":{"reference":"x"},"suggestion":"Do less."}` +
		`],"truncated":false,"warnings":[],"result":null}` + "\n"
	o := sample()
	got := string(New(o).JSON())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if o.Records[0].Code != code.GateUnused || o.Records[0].Related[0].File != "z.yaml" {
		t.Error("the records of the caller were sorted")
	}
}

func TestUsageHasNoCommand(t *testing.T) {
	t.Parallel()
	want := `{"schemaVersion":"terfyn.nexflow/v1","tool":{"name":"terfyn","version":"v"},"supportedSpecVersions":["0.1"],"command":null,` +
		`"success":false,"exitCode":2,"inputMode":null,` +
		`"checks":{"discovery":"not-run","schema":"not-run","coreProfile":"not-run","semantic":"not-run","extensionProfiles":"not-run"},` +
		`"executionAuthorized":false,"diagnostics":[` +
		`{"severity":"error","code":"TERFYN-CLI-USAGE","layer":null,"file":null,"kind":null,"path":null,"keyword":null,"message":"M.","related":[],"suggestion":"S."}` +
		`],"truncated":false,"warnings":[],"result":null}` + "\n"
	e := Usage("v", "M.", "S.")
	if diff := cmp.Diff(want, string(e.JSON())); diff != "" {
		t.Error(diff)
	}
	out, errs := e.Text()
	if len(out) > 0 || string(errs) != "TERFYN-CLI-USAGE: M.\n  S.\n" {
		t.Errorf("%q %q", out, errs)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	out, errs := New(sample()).Text()
	wantOut := "validate failed: 0 errors, 1 warning, 3 infos (with --strict, warnings count as errors)\n" +
		"layers: discovery passed, schema passed, coreProfile passed, semantic passed\n" +
		"Not run: extensionProfiles. Nothing is authorised to execute.\n"
	wantErrs := "TERFYN-CLI-INIT-CONFLICT: info: N.\n" +
		"NF-DISCOVERY-NO-PROJECT <input>: info: D.\n  see r.yaml\n" +
		"TERFYN-EXT-INERT a.yaml /a [type]: info: M.\n" +
		`TERFYN-GATE-UNUSED "b \u00e9.yaml": warning: N\u00e4me <a> & \ud83d\ude00\u007f.` + "\n  see a.yaml, z.yaml /z\n  Do less.\n"
	if diff := cmp.Diff(wantOut, string(out)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantErrs, string(errs)); diff != "" {
		t.Error(diff)
	}
	o := sample()
	o.Strict, o.Records = false, o.Records[:1]
	out, errs = New(o).Text()
	if want := "validate: 1 text; 0 errors, 1 warning, 0 infos\n" +
		"layers: discovery passed, schema passed, coreProfile passed, semantic passed\n" +
		"never shown\nNot run: extensionProfiles. Nothing is authorised to execute.\n"; string(out) != want || len(errs) == 0 {
		t.Errorf("%s%s", out, errs)
	}
}

func TestAnErrorHasNoSeverityInText(t *testing.T) {
	t.Parallel()
	_, errs := New(Outcome{Command: budget.Discover, Checks: NothingRun(), Records: []manifest.Record{
		{Severity: manifest.Error, Code: code.SchemaType, Layer: manifest.SchemaLayer, File: "a.yaml", Path: "/a", Keyword: "type", Message: "M."},
	}}).Text()
	if want := "NF-SCHEMA-TYPE a.yaml /a [type]: M.\n"; string(errs) != want {
		t.Errorf("%q", errs)
	}
}

func TestClaimNamesWhatWasCut(t *testing.T) {
	t.Parallel()
	e := New(Outcome{Checks: Checks{Passed, Passed, Failed, Unavailable, NotRun}})
	if want := "Not run: extensionProfiles. Not finished: semantic. Nothing is authorised to execute."; e.Claim() != want {
		t.Error(e.Claim())
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	finding := func(s manifest.Severity, c code.Code) manifest.Record { return manifest.Record{Severity: s, Code: c} }
	failed := finding(manifest.Error, code.RefUnresolved)
	for _, c := range []struct {
		name    string
		strict  bool
		records []manifest.Record
		want    int
	}{
		{"nothing", true, nil, 0},
		{"info, strict", true, []manifest.Record{finding(manifest.Info, code.ExtInert)}, 0},
		{"warning", false, []manifest.Record{finding(manifest.Warning, code.GateNoApprover)}, 0},
		{"warning, strict", true, []manifest.Record{finding(manifest.Warning, code.GateNoApprover)}, 1},
		{"error", false, []manifest.Record{failed}, 1},
		{"conflict", false, []manifest.Record{finding(manifest.Error, code.CLIInitConflict)}, 1},
		{"version", false, []manifest.Record{finding(manifest.Error, code.DiscoveryUnsupportedVersion), failed}, 3},
		{"kind", false, []manifest.Record{failed, finding(manifest.Error, code.DiscoveryUnsupportedKind)}, 3},
		{"hint", false, []manifest.Record{finding(manifest.Error, code.DiscoveryUnsupportedHint)}, 3},
		{"internal", false, []manifest.Record{finding(manifest.Error, code.DiscoveryUnsupportedHint), Internal("M.")}, 4},
		{"schema", false, []manifest.Record{finding(manifest.Error, code.SchemaUnavailable)}, 4},
		{"usage", false, []manifest.Record{finding(manifest.Error, code.CLIUsage)}, 2},
	} {
		e := New(Outcome{Command: budget.Validate, Strict: c.strict, Records: c.records, Result: told{}})
		if e.ExitCode != c.want || e.Success != (c.want == 0) || (e.Result != nil) != e.Success {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}

// TestTruncation: 200 are printed, the exit code counts the others too.
func TestTruncation(t *testing.T) {
	t.Parallel()
	o := Outcome{Command: budget.Validate, Checks: passed(), Result: told{}}
	for i := range MaxShown {
		o.Records = append(o.Records, manifest.Record{Severity: manifest.Info, Code: code.ExtInert, File: fmt.Sprintf("a%03d.yaml", i), Message: "M."})
	}
	if e := New(o); e.Truncated || len(e.Warnings) > 0 || len(e.Diagnostics) != MaxShown || e.ExitCode != 0 {
		t.Errorf("%d: %v", len(e.Diagnostics), e.Truncated)
	}
	o.Records = append(o.Records, manifest.Record{Severity: manifest.Error, Code: code.RefUnresolved, File: "z.yaml", Message: "M."})
	e := New(o)
	if !e.Truncated || len(e.Diagnostics) != MaxShown || e.ExitCode != 1 {
		t.Errorf("%d: %v %d", len(e.Diagnostics), e.Truncated, e.ExitCode)
	}
	want := []Receipt{{"diagnostics_truncated", "limit", "200 of 201 diagnostics are shown; the exit code counts all of them."}}
	if diff := cmp.Diff(want, e.Warnings); diff != "" {
		t.Error(diff)
	}
	out, errs := e.Text()
	if !strings.Contains(string(out), "1 error, 0 warnings, 200 infos") || !strings.HasSuffix(string(errs), "counts all of them.\n") {
		t.Errorf("%s%s", out, errs)
	}
}

func TestLongPathsAreRedacted(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{511: "/" + strings.Repeat("é", 511), 512: redactedField} {
		long := "/" + strings.Repeat("é", n)
		e := New(Outcome{Records: []manifest.Record{{
			Severity: manifest.Error, Code: code.RefUnresolved, Layer: manifest.SemanticLayer, File: "a", Path: long, Related: []manifest.Place{{File: "a", Path: long}},
		}}})
		if *e.Diagnostics[0].Path != want || *e.Diagnostics[0].Related[0].Path != want {
			t.Errorf("%d: %s", n, *e.Diagnostics[0].Path)
		}
	}
}

// TestAFindingAboutNoFileHasNoPath: a schema that does not load stands in no document.
func TestAFindingAboutNoFileHasNoPath(t *testing.T) {
	t.Parallel()
	e := New(Outcome{Records: []manifest.Record{{Severity: manifest.Error, Code: code.SchemaUnavailable, Layer: manifest.SchemaLayer}}})
	if d := e.Diagnostics[0]; d.Path != nil || d.File != nil || *d.Layer != manifest.SchemaLayer {
		t.Errorf("%+v", d)
	}
}

func TestASCII(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain\n": "plain\n", "é": `\u00e9`, "\u2028": `\u2028`, "😀": `\ud83d\ude00`, "\x7f": `\u007f`, "\x1b[0m": `\u001b[0m`, "\xff": `\ufffd`, "\uffff": `\uffff`, "\U00010000": `\ud800\udc00`,
	} {
		if got := string(ASCII([]byte(in))); got != want {
			t.Errorf("%q: %s", in, got)
		}
	}
}

func FuzzJSONIsASCII(f *testing.F) {
	f.Add("a", "b", "/c")
	f.Add("é😀\x7f\x00\xff", "\u2028<&>", "~")
	f.Fuzz(func(t *testing.T, message, file, path string) {
		b := New(Outcome{Command: budget.Validate, Records: []manifest.Record{
			{Severity: manifest.Error, Code: code.RefUnresolved, Layer: manifest.SemanticLayer, File: file, Path: path, Message: message},
		}}).JSON()
		for _, c := range b[:len(b)-1] {
			if c < ' ' || c >= 0x7f {
				t.Fatalf("%q", b)
			}
		}
		if b[len(b)-1] != '\n' || !json.Valid(b) {
			t.Fatalf("%q", b)
		}
	})
}
