package nexflow

import (
	"slices"
	"strings"

	"terfyn/compiler/nexflow/budget"
)

// option is one option of the group.
type option struct {
	name string
	// short is one more spelling, "" for none.
	short string
	// value is set for options that take one, many for those that may come again.
	value, many bool
	// of is the commands that have the option, nil for all.
	of []budget.Command
}

var (
	readers = []budget.Command{budget.Discover, budget.Validate, budget.Inspect, budget.Graph}
	// commands are those that a person calls by a word and that do something.
	commands = append(slices.Clone(readers), budget.Init)
)

var options = []option{
	{name: "--root", value: true, of: commands},
	{name: "--project", value: true, of: readers},
	{name: "--file", value: true, many: true, of: readers},
	{name: "--layer", value: true, of: []budget.Command{budget.Validate}},
	{name: "--strict", of: []budget.Command{budget.Validate}},
	{name: "--against", value: true, of: []budget.Command{budget.Inspect}},
	{name: "--id", value: true, of: []budget.Command{budget.Init}},
	{name: "--name", value: true, of: []budget.Command{budget.Init}},
	{name: "--format", short: "-o", value: true},
	{name: "--help", short: "-h"},
	{name: "--version"},
}

// given is an option as it stands on the command line.
type given struct {
	option
	spelling string // as known, "" for an unknown option
	text     string // the value
	valued   bool   // a value was given
}

// scanned is a command line in its parts, before anything is asked of them.
type scanned struct {
	words   []string
	options []given
	unknown []string // options that the group does not have
	// doubtful is set when an unknown option stands before the first word, which may
	// then be its value.
	doubtful bool
}

// scan takes the line apart. An option that takes a value takes what comes next,
// whatever that looks like; after -- everything is a word.
func scan(args []string) scanned {
	var s scanned
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			s.words = append(s.words, args[i+1:]...)
			return s
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			s.words = append(s.words, arg)
			continue
		}
		spelling, text, valued := strings.Cut(arg, "=")
		o, known := find(spelling)
		if !known {
			s.unknown = append(s.unknown, spelling)
			s.doubtful = s.doubtful || len(s.words) == 0
			continue
		}
		if o.value && !valued && i+1 < len(args) {
			i++
			text, valued = args[i], true
		}
		s.options = append(s.options, given{o, spelling, text, valued})
	}
	return s
}

func find(spelling string) (option, bool) {
	i := slices.IndexFunc(options, func(o option) bool { return spelling == o.name || o.short != "" && spelling == o.short })
	if i < 0 {
		return option{}, false
	}
	return options[i], true
}

// asksJSON reports whether JSON was recognisably asked for, also on a line that is
// otherwise wrong.
func (s scanned) asksJSON() bool {
	return slices.ContainsFunc(s.options, func(g given) bool { return g.name == "--format" && g.text == string(formatJSON) })
}

// all is every occurrence of an option.
func (s scanned) all(name string) []given {
	var out []given
	for _, g := range s.options {
		if g.name == name {
			out = append(out, g)
		}
	}
	return out
}

// text is the value of an option, "" when it was not given.
func (s scanned) text(name string) string {
	if all := s.all(name); len(all) > 0 {
		return all[0].text
	}
	return ""
}

func (s scanned) has(name string) bool { return len(s.all(name)) > 0 }
