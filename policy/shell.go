package policy

import (
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

// shellWords are the commands preset shell_safe runs unattended: they read and
// print, and take no argument that runs another program.
var shellWords = []string{"cat", "date", "echo", "head", "ls", "pwd", "tail", "wc", "whoami"}

// shellMeta are the characters that give a shell a second command.
const shellMeta = ";|&$`\n\r<>()"

// shell applies preset shell_safe to a shell operation: one plain word of
// the list with plain arguments runs unattended, anything else asks.
func (e *evaluation) shell(p resource.Policy, c Call) {
	command := c.Arguments.Str("command")
	words := strings.Fields(command)
	switch {
	case len(words) == 0:
		e.add(RequireApproval, ApprovalRequired, ExplicitRule, "policy "+p.Name+": shell_safe sees no command")
	case strings.ContainsAny(command, shellMeta):
		e.add(RequireApproval, ApprovalRequired, ExplicitRule, "policy "+p.Name+": shell_safe found a shell meta character")
	case !slices.Contains(shellWords, words[0]):
		e.add(RequireApproval, ApprovalRequired, ExplicitRule, "policy "+p.Name+": shell_safe does not list "+words[0])
	}
}
