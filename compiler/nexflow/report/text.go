package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/manifest"
)

// Text is the answer for people: out says what was done and ends with what was not
// checked, errs has the findings.
func (e Envelope) Text() (out, errs []byte) {
	var o, x bytes.Buffer
	for i, f := range e.Findings() {
		writeRecord(&x, e.records[i], f)
	}
	for _, w := range e.Warnings {
		fmt.Fprintln(&x, w.Message)
	}
	if e.Command != nil {
		e.writeSummary(&o)
		if e.Result != nil {
			e.Result.WriteText(&o)
		}
		fmt.Fprintln(&o, e.Claim())
	}
	return ASCII(o.Bytes()), ASCII(x.Bytes())
}

// Claim is the sentence that bounds what an answer says: which layers did not run,
// and that nothing may be executed because of it.
func (e Envelope) Claim() string {
	var not, cut []string
	for _, c := range e.Checks.list() {
		switch c.status {
		case NotRun:
			not = append(not, c.name)
		case Unavailable:
			cut = append(cut, c.name)
		}
	}
	text := "Not run: " + strings.Join(not, ", ") + ". "
	if len(cut) > 0 {
		text += "Not finished: " + strings.Join(cut, ", ") + ". "
	}
	return text + "Nothing is authorised to execute."
}

type check struct {
	name   string
	status Status
}

func (c Checks) list() []check {
	return []check{
		{"discovery", c.Discovery}, {"schema", c.Schema}, {"coreProfile", c.CoreProfile}, {"semantic", c.Semantic},
		{"extensionProfiles", c.ExtensionProfiles},
	}
}

// writeSummary says what was done, what was found and which layers ran. Help and
// version have nothing to sum up.
func (e Envelope) writeSummary(w io.Writer) {
	what := ""
	if e.Result != nil {
		what = e.Result.Summary()
	}
	switch {
	case e.Success && what == "":
		return
	case e.Success:
		fmt.Fprintf(w, "%s: %s; %s\n", *e.Command, what, e.counts())
	default:
		fmt.Fprintf(w, "%s failed: %s\n", *e.Command, e.counts())
	}
	var ran []string
	for _, c := range e.Checks.list() {
		if c.status != NotRun {
			ran = append(ran, c.name+" "+string(c.status))
		}
	}
	if len(ran) > 0 {
		fmt.Fprintf(w, "layers: %s\n", strings.Join(ran, ", "))
	}
}

// counts is over all findings, also those that are not shown.
func (e Envelope) counts() string {
	n := map[manifest.Severity]int{}
	for _, r := range e.records {
		n[r.Severity]++
	}
	text := Count(n[manifest.Error], "error") + ", " + Count(n[manifest.Warning], "warning") + ", " + Count(n[manifest.Info], "info")
	if e.strict && n[manifest.Warning] > 0 {
		text += " (with --strict, warnings count as errors)"
	}
	return text
}

// writeRecord is CODE file path [keyword]: message, with the severity of what is no
// error, and below it the other places, and the position with the advice.
func writeRecord(w io.Writer, r manifest.Record, f Finding) {
	place := string(r.Code)
	if r.File != "" {
		place += " " + Word(r.File)
	}
	if r.HasPath() && r.Path != "" {
		place += " " + Word(r.Path)
	}
	if r.Keyword != "" {
		place += " [" + r.Keyword + "]"
	}
	severity := ""
	if r.Severity != manifest.Error {
		severity = string(r.Severity) + ": "
	}
	fmt.Fprintf(w, "%s: %s%s\n", place, severity, r.Message)
	if len(r.Related) > 0 {
		fmt.Fprintf(w, "  see %s\n", strings.Join(related(r, f), ", "))
	}
	below := f.Advice
	if f.At.Known() && (!r.HasPath() || r.Path != "") {
		below = append([]string{lineOf(f.At) + "."}, below...)
	}
	if len(below) > 0 {
		fmt.Fprintf(w, "  %s\n", strings.Join(below, " "))
	}
}

func lineOf(p manifest.Position) string {
	text := "line " + strconv.Itoa(p.Line)
	if p.Column > 0 {
		text += ", column " + strconv.Itoa(p.Column)
	}
	return text
}

func related(r manifest.Record, f Finding) []string {
	out := make([]string, len(r.Related))
	for i, p := range r.Related {
		out[i] = Word(p.File)
		if r.HasPath() && p.Path != "" {
			out[i] += " " + Word(p.Path)
			if at := f.RelatedAt[i]; at.Known() {
				out[i] += " (" + lineOf(at) + ")"
			}
		}
	}
	return out
}

// Word is s as it stands in a line of text: quoted, in ASCII, where a blank, a quote,
// a backslash, a control or another character beyond ASCII would mislead.
func Word(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' || r == '\\' }) {
		return strconv.QuoteToASCII(s)
	}
	return s
}

// Count is a number of things, such as "1 error" or "2 errors".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
