package diag

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"terfyn/compiler/source"
	"terfyn/internal/conceal"
)

// Style says how parts of a rendered diagnostic are shown; a nil function leaves
// its part as it is.
type Style struct {
	Text  func(string) string           // all text, before anything is measured
	Place func(string) string           // file:line:col
	Grave func(Severity, string) string // the words that tell how grave it is, and the mark
	Fix   func(string) string           // the word before a fix
}

// Plain renders one diagnostic on one line: file:line:col: message [CODE], with
// the word "warning:" before the message of a warning. Without a place the
// position is left out; a place without a position is its File alone.
func Plain(d Diagnostic) string { return Style{}.line(d) }

// Snippet renders a diagnostic as Plain does, followed by the source line with a
// mark under the span, the related places and the fix. lookup returns the bytes of
// a file of the project, nil when it has none; the mark is then left out.
func Snippet(d Diagnostic, lookup func(path string) []byte) string { return Style{}.Snippet(d, lookup) }

// Snippet is the function of this name in a style.
func (s Style) Snippet(d Diagnostic, lookup func(path string) []byte) string {
	out := s.line(d) + "\n" + s.quote(d, d.At, lookup)
	for _, r := range d.Related {
		out += "  " + s.place(r.At) + s.text(r.Note) + "\n" + s.quote(d, r.At, lookup)
	}
	if d.Fix != nil {
		out += "  " + apply(s.Fix, "fix:") + " " + s.text(d.Fix.Title) + "\n"
	}
	return out
}

func (s Style) line(d Diagnostic) string {
	severity := ""
	if d.Severity == Warning {
		severity = s.grave(d, "warning:") + " "
	}
	message := s.text(strings.ReplaceAll(d.Message(), "\n", " "))
	return s.place(d.At) + severity + message + " " + s.grave(d, "["+string(d.Code)+"]")
}

func (s Style) place(at source.Span) string {
	if at.File == "" {
		return ""
	}
	return apply(s.Place, s.text(at.String())+":") + " "
}

func (s Style) text(t string) string { return apply(s.Text, Printable(t)) }

func (s Style) grave(d Diagnostic, t string) string {
	if s.Grave == nil {
		return t
	}
	return s.Grave(d.Severity, t)
}

func apply(f func(string) string, t string) string {
	if f == nil {
		return t
	}
	return f(t)
}

// guarded are the complaints about lines that may hold a secret in clear.
var guarded = []Code{LiteralSecret, BadSecretReference}

// maxQuote is how much of a line is shown, in characters.
const maxQuote = 160

// ellipsis stands for what was cut off a long line.
const ellipsis = "..."

// quote gives the line of a place of d and a mark under it. Tabs stay tabs in both,
// so that the mark lines up; secrets in the line are stars. It is empty when there is nothing to show: no place, no
// such file, an empty line, or one that may hold a secret.
func (s Style) quote(d Diagnostic, at source.Span, lookup func(path string) []byte) string {
	if at.IsZero() || lookup == nil || slices.Contains(guarded, d.Code) {
		return ""
	}
	data := lookup(at.File)
	if data == nil {
		return ""
	}
	raw := []byte(conceal.Line(string(source.NewFile(at.File, data).Line(at.Start.Line))))
	if strings.TrimSpace(string(raw)) == "" {
		return ""
	}
	before := min(at.Start.Col-1, len(raw))
	end := len(raw)
	if at.End.Line == at.Start.Line {
		end = max(before, min(at.End.Col-1, len(raw)))
	}
	left, marked, right := window(s.runes(raw[:before]), s.runes(raw[before:end]), s.runes(raw[end:]))
	mark := s.grave(d, "^"+strings.Repeat("~", max(0, len(marked)-1)))
	return "    " + string(left) + string(marked) + string(right) + "\n    " + blank(left) + mark + "\n"
}

func (s Style) runes(b []byte) []rune { return []rune(s.text(string(b))) }

// window cuts a long line around its marked part.
func window(left, marked, right []rune) (l, m, r []rune) {
	if len(left)+len(marked)+len(right) <= maxQuote {
		return left, marked, right
	}
	if cut := len(left) - maxQuote/2; cut > 0 {
		left = append([]rune(ellipsis), left[cut:]...)
	}
	if room := maxQuote - len(left); len(marked) > room {
		return left, append(slices.Clone(marked[:room]), []rune(ellipsis)...), nil
	}
	if room := maxQuote - len(left) - len(marked); len(right) > room {
		right = append(slices.Clone(right[:room]), []rune(ellipsis)...)
	}
	return left, marked, right
}

// blank is as wide as the text.
func blank(text []rune) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Printable replaces what would steer a terminal or reorder the text around it:
// control characters other than tab and newline, formatting characters, and bytes
// that are not UTF-8.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return utf8.RuneError
		}
		return r
	}, s)
}
