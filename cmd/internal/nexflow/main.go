package nexflow

import (
	"bytes"
	"io"
	"path/filepath"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/report"
)

// Main runs a command line of the group and returns its exit code. args is what stands
// behind the word nexflow, and before it.
func Main(args []string, out, errs io.Writer, version string) int {
	l, wrong, asksJSON := parse(args)
	if wrong != nil {
		l.format = formatText
		if asksJSON {
			l.format = formatJSON
		}
		return show(report.Usage(version, wrong.message, wrong.suggestion), l, out, errs)
	}
	return show(nexflow.Run(request(l, version)), l, out, errs)
}

func request(l line, version string) nexflow.Request {
	r := nexflow.Request{
		Version: version, Command: l.command, Layer: l.layer, Strict: l.strict,
		Selection: discovery.Selection{Project: l.project, Files: l.files},
	}
	switch l.command {
	case budget.Help:
		r.Text = helpOf(l.about)
	case budget.Version:
		r.Text = "terfyn " + version
	case budget.Init:
		r.Destination, r.ID, r.Name = folder(l.root), l.id, l.name
	default:
		r.Source = root(l.root)
	}
	if l.against != "" {
		r.Against = root(l.against)
	}
	return r
}

// show prints an answer. An answer that cannot be printed is none, be it that the
// reader is gone or that a fault of ours shows only now.
func show(e report.Envelope, l line, out, errs io.Writer) (exit int) {
	defer func() {
		if recover() != nil {
			exit = unwritten(l, errs)
		}
	}()
	result, findings := printed(e, l)
	_, err := out.Write(result)
	if len(findings) > 0 {
		_, _ = errs.Write(findings)
	}
	if err != nil {
		return unwritten(l, errs)
	}
	return e.ExitCode
}

func unwritten(l line, errs io.Writer) int {
	message := "The answer could not be written; nothing is claimed."
	if l.command == budget.Init {
		message = "The answer could not be written; files that init has made stay."
	}
	broken := report.New(report.Outcome{Records: []manifest.Record{report.Internal(message)}})
	_, text := broken.Text()
	_, _ = errs.Write(text)
	return broken.ExitCode
}

// printed is what goes to stdout and to stderr. Where there is nothing to draw stdout
// stays empty, and people are told on stderr.
func printed(e report.Envelope, l line) (result, findings []byte) {
	f := l.format
	switch {
	case f == formatJSON:
		return e.JSON(), nil
	case f == formatSARIF && e.Command != nil:
		return report.ASCII([]byte(render.Indented(render.ManifestSarif(e, base(l.root))) + "\n")), nil
	}
	text, findings := e.Text()
	drawn, isDrawn := e.Result.(nexflow.Drawn)
	switch {
	case f == formatMermaid && isDrawn:
		return drawing(e, drawn.Graph.WriteMermaid, "%% "), findings
	case f == formatDot && isDrawn:
		return drawing(e, drawn.Graph.WriteDot, "// "), findings
	case f == formatMermaid, f == formatDot:
		return nil, append(findings, text...)
	}
	return text, findings
}

// base is the root relative to the working directory, with slashes; "" when it is not
// given in that way.
func base(root string) string {
	if root = filepath.Clean(root); !filepath.IsLocal(root) {
		return ""
	}
	return filepath.ToSlash(root)
}

// drawing ends with the bounds of its claim, as a comment of its language.
func drawing(e report.Envelope, write func(io.Writer), comment string) []byte {
	var b bytes.Buffer
	write(&b)
	b.WriteString(comment + e.Claim() + "\n")
	return report.ASCII(b.Bytes())
}
