package report

import (
	"io"
	"slices"
	"strconv"

	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

// SchemaVersion names the form of the envelope.
const SchemaVersion = "terfyn.nexflow/v1"

// MaxShown is how many findings an envelope prints. All of them count.
const MaxShown = 200

// The exit codes of the group (nexflow.md 10.2).
const (
	ExitDone        = 0
	ExitFailed      = 1 // an error, a conflict or a limit; with --strict also a warning
	ExitUsage       = 2
	ExitUnsupported = 3 // a version, kind or hint that draft 0.1 does not have
	ExitInternal    = 4 // a fault of terfyn; no result is claimed
)

// Status is what became of a layer.
type Status string

// The states of a layer. Unavailable is one that began and could not finish.
const (
	NotRun      Status = "not-run"
	Passed      Status = "passed"
	Failed      Status = "failed"
	Unavailable Status = "unavailable"
)

// Checks is the state of every layer.
type Checks struct {
	Discovery         Status `json:"discovery"`
	Schema            Status `json:"schema"`
	CoreProfile       Status `json:"coreProfile"`
	Semantic          Status `json:"semantic"`
	ExtensionProfiles Status `json:"extensionProfiles"`
}

// NothingRun is the state before the first layer.
func NothingRun() Checks { return Checks{NotRun, NotRun, NotRun, NotRun, NotRun} }

// Result is what a command found out. It also marshals to the member result.
type Result interface {
	// Summary is one line without a full stop, such as "17 documents".
	Summary() string
	// WriteText writes the result for people.
	WriteText(w io.Writer)
}

// Outcome is what an envelope is made of.
type Outcome struct {
	Version string // of this program
	Command budget.Command
	Mode    manifest.Mode // "" before discovery
	Checks  Checks
	Records []manifest.Record
	Strict  bool   // warnings count as errors
	Result  Result // left out unless the command is done
	Locate  Locate // nil where no texts are at hand
}

// Tool is the program that answers.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Receipt says what an envelope leaves out.
type Receipt struct {
	Class   string `json:"class"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// never is false, whatever is put into it: no answer authorises anything.
type never struct{}

// MarshalJSON writes false.
func (never) MarshalJSON() ([]byte, error) { return []byte("false"), nil }

// Envelope is an answer. Its members are always all there, in this order.
type Envelope struct {
	SchemaVersion         string         `json:"schemaVersion"`
	Tool                  Tool           `json:"tool"`
	SupportedSpecVersions []string       `json:"supportedSpecVersions"`
	Command               *string        `json:"command"` // nil on a usage error
	Success               bool           `json:"success"`
	ExitCode              int            `json:"exitCode"`
	InputMode             *manifest.Mode `json:"inputMode"`
	Checks                Checks         `json:"checks"`
	ExecutionAuthorized   never          `json:"executionAuthorized"`
	Diagnostics           []Diagnostic   `json:"diagnostics"`
	Truncated             bool           `json:"truncated"`
	Warnings              []Receipt      `json:"warnings"`
	Result                Result         `json:"result"`

	records []manifest.Record // all findings in order
	strict  bool
	locate  Locate
}

// New makes the envelope of an outcome: it orders the findings, decides success and
// exit code over all of them, and keeps the result only when the command is done.
func New(o Outcome) Envelope {
	records := slices.Clone(o.Records)
	for i := range records {
		records[i].Related = slices.Clone(records[i].Related)
		records[i].Path = shownPath(records[i].Path)
		for j, p := range records[i].Related {
			records[i].Related[j].Path = shownPath(p.Path)
		}
	}
	manifest.Sort(records)
	e := Envelope{
		SchemaVersion: SchemaVersion, Tool: Tool{"terfyn", o.Version}, SupportedSpecVersions: []string{manifest.SpecVersion},
		Command: present(string(o.Command)), InputMode: present(o.Mode), Checks: o.Checks,
		ExitCode: exitCode(records, o.Strict), Warnings: []Receipt{}, records: records, strict: o.Strict, locate: o.Locate,
	}
	if e.Success = e.ExitCode == ExitDone; e.Success {
		e.Result = o.Result
	}
	shown := records[:min(len(records), MaxShown)]
	e.Diagnostics = make([]Diagnostic, len(shown))
	for i, r := range shown {
		e.Diagnostics[i] = diagnostic(r, o.Strict)
	}
	if e.Truncated = len(shown) < len(records); e.Truncated {
		of := " of "
		if len(records) >= manifest.MaxHeld {
			of = " of at least "
		}
		e.Warnings = append(e.Warnings, Receipt{"diagnostics_truncated", "limit",
			strconv.Itoa(len(shown)) + of + strconv.Itoa(len(records)) + " diagnostics are shown; the exit code counts all of them."})
	}
	return e
}

// Usage is the answer to a command line that the group does not have. message and
// suggestion repeat nothing of the line.
func Usage(version, message, suggestion string) Envelope {
	return New(Outcome{Version: version, Checks: NothingRun(), Records: []manifest.Record{{
		Severity: manifest.Error, Code: code.CLIUsage, Message: message, Suggestion: suggestion,
	}}})
}

// Internal is the finding that terfyn itself is at fault.
func Internal(message string) manifest.Record {
	return manifest.Record{Severity: manifest.Error, Code: code.CLIInternal, Message: message}
}

// exitCode is decided by the gravest kind of finding.
func exitCode(records []manifest.Record, strict bool) int {
	out := ExitDone
	for _, r := range records {
		switch {
		case r.Code == code.CLIInternal || r.Code == code.SchemaUnavailable:
			return ExitInternal
		case r.Code == code.CLIUsage:
			out = max(out, ExitUsage)
		case r.Code == code.DiscoveryUnsupportedVersion, r.Code == code.DiscoveryUnsupportedKind, r.Code == code.DiscoveryUnsupportedHint:
			out = max(out, ExitUnsupported)
		case r.Severity == manifest.Error, strict && r.Severity == manifest.Warning:
			out = max(out, ExitFailed)
		}
	}
	return out
}

// present is nil for the zero text, which stands for null.
func present[T ~string](s T) *T {
	if s == "" {
		return nil
	}
	return &s
}
