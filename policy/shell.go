package policy

import (
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

// shellWords are the commands preset shell_safe runs unattended: they read and
// print, and take no argument that runs another program.
var shellWords = []string{"cat", "date", "echo", "head", "ls", "pwd", "tail", "wc", "whoami"}

// shellMeta are the characters that give a shell a second command, a second
// spelling of a word, or another place to read from and write to.
const shellMeta = ";|&$`\n\r<>(){}\\~"

// shell applies preset shell_safe to a shell operation: one plain word of the list
// with plain arguments below the working directory runs unattended, anything else
// asks.
func (e *evaluation) shell(p resource.Policy, c Call) {
	if why := shellAsks(c); why != "" {
		e.add(RequireApproval, ApprovalRequired, ExplicitRule, "policy "+p.Name+": shell_safe "+why)
	}
}

// shellAsks says why a command line needs a person, "" when it needs none. A
// command that is not known, as in a plan, needs one.
func shellAsks(c Call) string {
	command := c.Arguments.Str("command")
	words := strings.Fields(command)
	switch {
	case len(words) == 0:
		return "sees no command"
	case strings.ContainsAny(command, shellMeta):
		return "found a shell meta character"
	case !slices.Contains(shellWords, words[0]):
		return "does not list " + words[0]
	}
	for _, w := range words[1:] {
		if leaves(strings.NewReplacer(`"`, "", `'`, "").Replace(w)) {
			return "found an argument that may leave the working directory"
		}
	}
	return ""
}

// leaves reports whether an argument may name a file outside of the working
// directory: absolute, upwards, or hidden in an option.
func leaves(word string) bool {
	option := strings.HasPrefix(word, "-") && strings.Contains(word, "/")
	return strings.HasPrefix(word, "/") || strings.Contains(word, "..") || option
}

// readsOnly reports whether the preset of a policy lets a shell operation run
// without asking.
func readsOnly(p resource.Policy, tool resource.Tool, c Call) bool {
	return p.Preset == string(resource.ShellSafe) && resource.ShellOperation(tool, c.Operation) && shellAsks(c) == ""
}
