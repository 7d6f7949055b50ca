package nexflow

import (
	"slices"

	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/starter"
)

// format is how an answer is printed.
type format string

const (
	formatText    format = "text"
	formatJSON    format = "json"
	formatSARIF   format = "sarif"
	formatMermaid format = "mermaid"
	formatDot     format = "dot"
)

func formatsOf(c budget.Command) []format {
	switch c {
	case budget.Discover, budget.Validate:
		return []format{formatText, formatJSON, formatSARIF}
	case budget.Graph:
		return []format{formatText, formatJSON, formatMermaid, formatDot}
	}
	return []format{formatText, formatJSON}
}

// line is a command line that the group understands.
type line struct {
	command budget.Command
	// about is the command whose help is asked for, "" for the group.
	about  budget.Command
	format format

	root, project string
	files         []string
	layer         nexflow.Layer
	strict        bool
	against       string
	id, name      string
}

// parse understands a command line or says what is wrong with it. json tells how the
// complaint is to be printed. Nothing is opened.
func parse(args []string) (l line, wrong *misuse, json bool) {
	s := scan(args)
	json = s.asksJSON()
	l, wrong = s.line()
	return l, wrong, json
}

func (s scanned) line() (line, *misuse) {
	var l line
	for _, check := range []func(*line) *misuse{s.takeCommand, s.checkOptions, s.takeFormat, s.takeSources, s.takeChecks, s.takeStart} {
		if wrong := check(&l); wrong != nil {
			return line{}, wrong
		}
	}
	return l, nil
}

// takeCommand decides which command the one word, or --help or --version, means.
func (s scanned) takeCommand(l *line) *misuse {
	help, version := s.has("--help"), s.has("--version")
	if s.doubtful {
		return unknownOption("", s.unknown[0])
	}
	if len(s.words) > 0 {
		l.command = budget.Command(s.words[0])
		if !slices.Contains(commands, l.command) && l.command != budget.Help && l.command != budget.Version {
			return unknownCommand(s.words[0])
		}
	}
	switch {
	case len(s.unknown) > 0: // before the words, since one may be its value
		return unknownOption(l.command, s.unknown[0])
	case len(s.words) > 1:
		return manyWords()
	case help && version:
		return helpAndVersion()
	case len(s.words) == 0 && !help && !version:
		return noCommand()
	}
	switch {
	case help && l.command != budget.Version:
		l.command, l.about = budget.Help, l.command
	case help:
		return helpAndVersion()
	case version && l.command == budget.Help:
		return helpAndVersion()
	case version:
		l.command = budget.Version
	}
	if l.about == budget.Help {
		l.about = ""
	}
	return nil
}

// checkOptions looks at what all options have in common.
func (s scanned) checkOptions(l *line) *misuse {
	seen := map[string]bool{}
	for _, g := range s.options {
		switch {
		case seen[g.name] && !g.many:
			return twice(g.option)
		case g.of != nil && (l.command == budget.Help || l.command == budget.Version):
			return besideHelp(g.option)
		case g.of != nil && !slices.Contains(g.of, l.command):
			return ofOthers(g.option)
		case !g.value && g.valued:
			return takesNone(g.option)
		case g.value && !g.valued:
			return needsValue(g)
		case g.value && blank(g.text):
			return blankValue(g)
		}
		seen[g.name] = true
	}
	return nil
}

// takeFormat reads --format, and -o with terfyn's own word for text.
func (s scanned) takeFormat(l *line) *misuse {
	l.format = formatText
	known := formatsOf(l.command)
	for _, g := range s.all("--format") {
		l.format = format(g.text)
		if g.spelling == g.short {
			switch g.text {
			case "table":
				l.format = formatText
			case string(formatText):
				return unknownFormat(l.command, known)
			}
		}
		if !slices.Contains(known, l.format) {
			return unknownFormat(l.command, known)
		}
	}
	return nil
}

func (s scanned) takeSources(l *line) *misuse {
	if !slices.Contains(commands, l.command) {
		return nil
	}
	if !s.has("--root") {
		return noRoot(l.command)
	}
	if s.has("--project") && s.has("--file") {
		return projectAndFile()
	}
	l.root, l.project, l.against = s.text("--root"), s.text("--project"), s.text("--against")
	for _, g := range s.all("--file") {
		l.files = append(l.files, g.text)
	}
	return nil
}

func (s scanned) takeChecks(l *line) *misuse {
	l.strict = s.has("--strict")
	if !s.has("--layer") {
		return nil
	}
	l.layer = nexflow.Layer(s.text("--layer"))
	if !slices.Contains(nexflow.Layers(), l.layer) {
		return unknownLayer()
	}
	return nil
}

func (s scanned) takeStart(l *line) *misuse {
	if l.command != budget.Init {
		return nil
	}
	l.id, l.name = s.text("--id"), s.text("--name")
	switch {
	case !s.has("--id"):
		return noID()
	case !isID(l.id):
		return badID()
	case s.has("--name") && !isName(l.name):
		return badName()
	case !s.has("--name"):
		l.name = starter.NameOf(l.id)
	}
	return nil
}
