package docs

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/golden"
	"terfyn/workflows/contract"
)

const (
	commandsFrom = "<!-- commands -->\n"
	commandsTo   = "<!-- end of commands -->\n"
)

var helpLine = regexp.MustCompile(`(?m)^  ([a-z]+) +(\S.*)$`)

// TestCommandsAreThoseOfTheProgram keeps the table of cli.md equal to --help;
// UPDATE_GOLDEN=1 rewrites it.
func TestCommandsAreThoseOfTheProgram(t *testing.T) {
	t.Parallel()
	help, err := exec.CommandContext(t.Context(), "go", "run", "terfyn/cmd/terfyn", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(help), "Available Commands:\n")
	list, _, ended := strings.Cut(list, "\n\n")
	if !found || !ended {
		t.Fatalf("no list of commands in:\n%s", help)
	}
	table := "| command | does |\n|---|---|\n"
	for _, m := range helpLine.FindAllStringSubmatch(list, -1) {
		if m[1] != "help" {
			table += fmt.Sprintf("| `%s` | %s |\n", m[1], m[2])
		}
	}
	b, err := os.ReadFile("cli.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(b), commandsFrom)
	_, after, ended := strings.Cut(rest, commandsTo)
	if !found || !ended {
		t.Fatal("cli.md lacks the marks of its table")
	}
	golden.File(t, "cli.md", []byte(before+commandsFrom+table+commandsTo+after))
}

// TestRefusalsAreDocumented compares the table of refused decisions with the
// codes of the policy, and looks for the names that decisions are sent to.
func TestRefusalsAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Decisions without terfyn\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, name := range []string{"`" + contract.UpdateDecide + "`", "`" + contract.SignalDecision + "`"} {
		if !strings.Contains(section, name) {
			t.Errorf("cli.md does not name %s", name)
		}
	}
	source, err := os.ReadFile("../policy/decide.go")
	if err != nil {
		t.Fatal(err)
	}
	var declared, documented []string
	for _, m := range refusalConstant.FindAllStringSubmatch(string(source), -1) {
		declared = append(declared, m[1])
	}
	for _, m := range refusalRow.FindAllStringSubmatch(section, -1) {
		documented = append(documented, m[1])
	}
	slices.Sort(declared)
	slices.Sort(documented)
	if diff := cmp.Diff(declared, documented); diff != "" {
		t.Errorf("refusals (-code +cli.md):\n%s", diff)
	}
}

var (
	refusalConstant = regexp.MustCompile(`(?m)^\tRefused[A-Za-z]+ +RefusalCode = "([a-z_]+)"`)
	refusalRow      = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| \\d \\|")
)

var exitConstant = regexp.MustCompile(`(?m)^\tExit[A-Za-z]+ +Exit = (\d+)`)

// TestExitCodesAreDocumented compares the table of exit codes with the constants.
func TestExitCodesAreDocumented(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../cmd/internal/cli/exit.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Exit codes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var documented, declared []string
	for line := range strings.Lines(section) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		for code := range strings.SplitSeq(first, ", ") {
			if _, err := strconv.Atoi(code); err == nil {
				documented = append(documented, code)
			}
		}
	}
	for _, m := range exitConstant.FindAllStringSubmatch(string(source), -1) {
		declared = append(declared, m[1])
	}
	if diff := cmp.Diff(declared, documented); diff != "" {
		t.Errorf("exit codes (-code +cli.md):\n%s", diff)
	}
}
