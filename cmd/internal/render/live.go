package render

import (
	"fmt"
	"io"

	"terfyn/internal/canon"
)

// Live is what was found outside of the state, and what nobody looked at. A nil
// Live shows nothing.
type Live struct {
	Findings   []LiveFinding
	Checked    []string
	NotChecked []string
}

// LiveFinding is one thing that is not as it should be.
type LiveFinding struct {
	Reason  string // stable word
	Message string // one sentence
}

const headLive = "Live drift"

// Value is l for documents.
func (l *Live) Value() canon.Value {
	findings := make([]canon.Value, len(l.Findings))
	for i, f := range l.Findings {
		findings[i] = canon.Object(canon.F("reason", canon.String(f.Reason)), canon.F("message", canon.String(f.Message)))
	}
	return canon.Object(
		canon.F("findings", canon.List(findings...)),
		canon.F("checked", canon.Strings(l.Checked)), canon.F("notChecked", canon.Strings(l.NotChecked)),
	)
}

func (l *Live) lines() []string {
	var lines []string
	for _, f := range l.Findings {
		lines = append(lines, f.Reason+": "+f.Message)
	}
	for _, what := range l.Checked {
		lines = append(lines, "checked: "+what)
	}
	for _, what := range l.NotChecked {
		lines = append(lines, "not checked: "+what)
	}
	return lines
}

// Text writes l for a terminal.
func (l *Live) Text(w io.Writer) {
	if l == nil {
		return
	}
	_, _ = fmt.Fprintf(w, "\n%s\n", headLive)
	for _, line := range l.lines() {
		_, _ = fmt.Fprintf(w, "  %s\n", line)
	}
}

// Markdown writes l for a pull request.
func (l *Live) Markdown(w io.Writer) {
	if l == nil {
		return
	}
	m := &markdown{w: w}
	m.heading(3, headLive)
	for _, line := range l.lines() {
		m.line("- %s", plain(line))
	}
}
