package nexflow

import (
	"strings"

	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/budget"
)

// Words offers what may stand next on a line, for completion by a shell: a command,
// the options of the one that was given, or the values of an option with fixed ones.
// Files says that a path may stand there.
func Words(args []string, next string) (offered []string, files bool) {
	s := scan(args)
	var c budget.Command
	if len(s.words) > 0 {
		c = budget.Command(s.words[0])
	}
	if n := len(s.options); n > 0 {
		if g := s.options[n-1]; g.value && !g.valued {
			return valuesOf(g.name, c)
		}
	}
	switch {
	case strings.HasPrefix(next, "-"):
		for _, name := range optionsOf(c) {
			if o, _ := find(name); o.many || !s.has(name) {
				offered = append(offered, name)
			}
		}
	case c == "":
		offered = names(commands)
	}
	return offered, false
}

func valuesOf(option string, c budget.Command) (offered []string, files bool) {
	switch option {
	case "--format":
		return names(formatsOf(c)), false
	case "--layer":
		return names(nexflow.Layers()), false
	case "--root", "--against", "--project", "--file":
		return nil, true
	}
	return nil, false
}
