package render

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// markdown writes GitHub-flavoured Markdown. Whatever comes from a project goes
// through plain, code or fence, so that it can neither leave its place nor mention
// anybody.
type markdown struct {
	w     io.Writer
	blank bool // the last line was an empty one
}

func (m *markdown) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	m.blank = text == ""
	_, _ = io.WriteString(m.w, text+"\n")
}

// gap makes sure that an empty line stands before what follows.
func (m *markdown) gap() {
	if !m.blank {
		m.line("")
	}
}

func (m *markdown) heading(level int, text string) {
	m.gap()
	m.line("%s %s", strings.Repeat("#", level), text)
	m.line("")
}

// table writes rows of cells that are Markdown already.
func (m *markdown) table(heading []string, rows [][]string) {
	m.line("| %s |", strings.Join(heading, " | "))
	m.line("|%s", strings.Repeat(" --- |", len(heading)))
	for _, row := range rows {
		m.line("| %s |", strings.Join(row, " | "))
	}
}

// details writes a part that a reader opens; summary is HTML already.
func (m *markdown) details(summary string, body func()) {
	m.line("<details><summary>%s</summary>", summary)
	m.line("")
	body()
	m.gap()
	m.line("</details>")
	m.line("")
}

// fence writes a code block that its content cannot end.
func (m *markdown) fence(language string, lines []string) {
	mark := strings.Repeat("`", max(3, longestRun(lines)+1))
	m.line("%s%s", mark, language)
	for _, l := range lines {
		m.line("%s", oneLine(l))
	}
	m.line("%s", mark)
}

// longestRun is the length of the longest run of backticks.
func longestRun(lines []string) int {
	longest := 0
	for _, l := range lines {
		run := 0
		for _, r := range l {
			if r != '`' {
				run = 0
				continue
			}
			run++
			longest = max(longest, run)
		}
	}
	return longest
}

// code is text as a code span; it also fits a table cell.
func code(text string) string {
	if text == "" {
		return "-"
	}
	text = strings.ReplaceAll(oneLine(text), "|", `\|`)
	mark := strings.Repeat("`", longestRun([]string{text})+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return mark + text + mark
}

// special are the characters that mean something in Markdown text.
const special = "\\`*_{}[]()<>#+!|~&$"

// plain is text as it reads, with nothing in it meaning anything: markup, HTML,
// mentions and references to issues.
func plain(text string) string {
	var b strings.Builder
	for _, r := range oneLine(text) {
		switch {
		case r == '@':
			b.WriteString("@<!-- -->")
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '#':
			b.WriteString("\\#<!-- -->")
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// summary is text for an HTML element, as code so that nobody is mentioned.
func summary(text string) string {
	return "<code>" + html.EscapeString(oneLine(text)) + "</code>"
}

func oneLine(text string) string {
	return strings.ToValidUTF8(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text), "?")
}
