package nexflow

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/budget"
)

var long = strings.Repeat("a", 129)

func TestLinesThatAreUnderstood(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args string
		want line
	}{
		{"discover --root .", line{command: budget.Discover, format: formatText, root: "."}},
		{"--root . discover", line{command: budget.Discover, format: formatText, root: "."}},
		{"--root=. discover -o json", line{command: budget.Discover, format: formatJSON, root: "."}},
		{"--root . -- graph", line{command: budget.Graph, format: formatText, root: "."}},
		{"validate --root . -o table --strict --layer schema", line{command: budget.Validate, format: formatText, root: ".", strict: true, layer: nexflow.ThroughSchema}},
		{"validate --root . --layer semantic --format sarif", line{command: budget.Validate, format: formatSARIF, root: ".", layer: nexflow.ThroughSemantic}},
		{"validate --root . --project a/b.yaml", line{command: budget.Validate, format: formatText, root: ".", project: "a/b.yaml"}},
		{"validate --root . --file b --file a --file b", line{command: budget.Validate, format: formatText, root: ".", files: []string{"b", "a", "b"}}},
		{"validate --root . --file --format", line{command: budget.Validate, format: formatText, root: ".", files: []string{"--format"}}},
		{"inspect --root . --against ../before --format json", line{command: budget.Inspect, format: formatJSON, root: ".", against: "../before"}},
		{"graph --root . --format mermaid", line{command: budget.Graph, format: formatMermaid, root: "."}},
		{"graph --root . --format dot", line{command: budget.Graph, format: formatDot, root: "."}},
		{"init --root . --id my-project", line{command: budget.Init, format: formatText, root: ".", id: "my-project", name: "My Project"}},
		{"init --root . --id a --name=Zoë's", line{command: budget.Init, format: formatText, root: ".", id: "a", name: "Zoë's"}},
		{"init --root . --id " + long[1:] + " --name " + long[1:], line{command: budget.Init, format: formatText, root: ".", id: long[1:], name: long[1:]}},
		{"--help", line{command: budget.Help, format: formatText}},
		{"-h --format json", line{command: budget.Help, format: formatJSON}},
		{"help", line{command: budget.Help, format: formatText}},
		{"help --help", line{command: budget.Help, format: formatText}},
		{"graph --help", line{command: budget.Help, about: budget.Graph, format: formatText}},
		{"--version", line{command: budget.Version, format: formatText}},
		{"version -o json", line{command: budget.Version, format: formatJSON}},
		{"validate --version", line{command: budget.Version, format: formatText}},
	} {
		got, wrong, _ := parse(strings.Fields(c.args))
		if wrong != nil {
			t.Errorf("%s: %s", c.args, wrong.message)
			continue
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(line{})); diff != "" {
			t.Errorf("%s: %s", c.args, diff)
		}
	}
}

// misused is command lines that are none, each with the message it gets. The value
// SECRET must not come back.
var misused = []struct {
	args    []string
	message string
}{
	{nil, "No command was given."},
	{words("--root SECRET"), "No command was given."},
	{words("SECRET"), "There is no such command."},
	{words("-"), "There is no such command."},
	{words("Discover --root ."), "There is no such command."},
	{words("discover SECRET --root ."), "More than one word was given."},
	{words("discover validate --root ."), "More than one word was given."},
	{words("discover --root . -- SECRET"), "More than one word was given."},
	{words("help discover"), "More than one word was given."},
	{words("discover --root . --SECRET"), "An option was given that there is not."},
	{words("discover --root . --SECRET=SECRET"), "An option was given that there is not."},
	{words("discover --root . -x"), "An option was given that there is not."},
	{words("discover --root . -ojson"), "An option was given that there is not."},
	{words("discover --root . --output json"), "An option was given that there is not."},
	{words("validate --root . --state SECRET"), "An option was given that there is not."},
	{words("--state SECRET validate --root ."), "An option was given that there is not."},
	{words("deploy --env SECRET"), "There is no such command: this group reads, checks and draws manifest sets, and executes nothing."},
	{words("--state=SECRET validate --root ."), "An option was given that there is not."},
	{words("validate --root . -e"), "An option was given that there is not."},
	{words("validate --root . -q"), "An option was given that there is not."},
	{words("validate --root . --no-color"), "An option was given that there is not."},
	{words("validate --root SECRET --root SECRET"), "--root was given twice."},
	{words("validate --root . --project SECRET --project SECRET"), "--project was given twice."},
	{words("validate --root . --strict --strict"), "--strict was given twice."},
	{words("validate --root . --layer schema --layer schema"), "--layer was given twice."},
	{words("init --root . --id a --id b"), "--id was given twice."},
	{words("init --root . --id a --name a --name b"), "--name was given twice."},
	{words("inspect --root . --against a --against b"), "--against was given twice."},
	{words("validate --root . --format json --format text"), "--format was given twice."},
	{words("validate --root . --format json -o table"), "--format was given twice."},
	{words("--help -h"), "--help was given twice."},
	{words("--version --version"), "--version was given twice."},
	{[]string{"validate", "--root", ""}, "The value of --root is blank."},
	{[]string{"validate", "--root", " \t"}, "The value of --root is blank."},
	{[]string{"validate", "--root="}, "The value of --root is blank."},
	{[]string{"validate", "--root", ".", "--project", ""}, "The value of --project is blank."},
	{[]string{"validate", "--root", ".", "--file", " "}, "The value of --file is blank."},
	{[]string{"validate", "--root", ".", "--format", ""}, "The value of --format is blank."},
	{[]string{"validate", "--root", ".", "-o", ""}, "The value of -o is blank."},
	{[]string{"validate", "--root", ".", "--layer", ""}, "The value of --layer is blank."},
	{[]string{"inspect", "--root", ".", "--against", ""}, "The value of --against is blank."},
	{[]string{"init", "--root", ".", "--id", ""}, "The value of --id is blank."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", ""}, "The value of --name is blank."},
	{words("validate --root"), "--root lacks its value."},
	{words("validate --root . --format"), "--format lacks its value."},
	{words("validate --root . -o"), "-o lacks its value."},
	{words("discover"), "--root is missing."},
	{words("validate --strict"), "--root is missing."},
	{words("inspect --format json"), "--root is missing."},
	{words("graph"), "--root is missing."},
	{words("init --id a"), "--root is missing."},
	{words("validate --root . --project SECRET --file SECRET"), "--project and --file were given together."},
	{words("discover --root . --strict"), "--strict is no option of this command."},
	{words("graph --root . --layer schema"), "--layer is no option of this command."},
	{words("validate --root . --against SECRET"), "--against is no option of this command."},
	{words("validate --root . --id SECRET"), "--id is no option of this command."},
	{words("discover --root . --name SECRET"), "--name is no option of this command."},
	{words("init --root . --id a --project SECRET"), "--project is no option of this command."},
	{words("init --root . --id a --file SECRET"), "--file is no option of this command."},
	{words("validate --root . --strict=true"), "--strict takes no value."},
	{words("--help=SECRET"), "--help takes no value."},
	{words("--help --version"), "--help and --version were asked for together."},
	{words("help --version"), "--help and --version were asked for together."},
	{words("version --help"), "--help and --version were asked for together."},
	{words("--help --root SECRET"), "--root stands beside help or version, which read nothing."},
	{words("validate --help --strict"), "--strict stands beside help or version, which read nothing."},
	{words("--version --file SECRET"), "--file stands beside help or version, which read nothing."},
	{words("version --root ."), "--root stands beside help or version, which read nothing."},
	{words("validate --root . --format yaml"), "The format is not one of validate."},
	{words("validate --root . --format JSON"), "The format is not one of validate."},
	{words("validate --root . --format mermaid"), "The format is not one of validate."},
	{words("validate --root . --format table"), "The format is not one of validate."},
	{words("validate --root . -o text"), "The format is not one of validate."},
	{words("validate --root . -o yaml"), "The format is not one of validate."},
	{words("inspect --root . --format sarif"), "The format is not one of inspect."},
	{words("graph --root . --format sarif"), "The format is not one of graph."},
	{words("init --root . --id a --format dot"), "The format is not one of init."},
	{words("--help --format sarif"), "The format is not one of help."},
	{words("validate --root . --layer coreProfile"), "There is no such layer to stop after."},
	{words("validate --root . --layer SECRET"), "There is no such layer to stop after."},
	{words("init --root ."), "--id is missing."},
	{words("init --root . --id My-Project"), "The value of --id does not have the form of an id."},
	{words("init --root . --id a--b"), "The value of --id does not have the form of an id."},
	{words("init --root . --id " + long), "The value of --id does not have the form of an id."},
	{[]string{"init", "--root", ".", "--id", "a b"}, "The value of --id does not have the form of an id."},
	{[]string{"init", "--root", ".", "--id", "a\n"}, "The value of --id does not have the form of an id."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", " SECRET"}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", "SECRET\u00a0"}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", strings.Repeat("é", 129)}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", "SEC\u202eRET"}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", "SEC\u2066RET"}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", "SEC\nRET"}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", "SEC\u2028RET"}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", "SEC\x7fRET"}, "The value of --name cannot be a name."},
	{[]string{"init", "--root", ".", "--id", "a", "--name", "SEC\xffRET"}, "The value of --name cannot be a name."},
}

func words(s string) []string { return strings.Fields(s) }

func TestMisuse(t *testing.T) {
	t.Parallel()
	for _, c := range misused {
		_, wrong, _ := parse(c.args)
		if wrong == nil {
			t.Errorf("%q is understood", c.args)
			continue
		}
		if wrong.message != c.message || wrong.suggestion == "" || strings.Contains(wrong.suggestion, "SECRET") {
			t.Errorf("%q: %s %s", c.args, wrong.message, wrong.suggestion)
		}
	}
}

// TestNoRunCommand: words that would run something are refused, and no suggestion
// offers one.
func TestNoRunCommand(t *testing.T) {
	t.Parallel()
	for _, word := range append(words("run execute preflight start serve watch deploy provider mcp a2a install update login auth"), "RUN", "inti", "graf", "runn") {
		_, wrong, _ := parse([]string{word, "--root", "."})
		if wrong == nil || !strings.HasPrefix(wrong.message, "There is no such command") {
			t.Errorf("%s: %+v", word, wrong)
			continue
		}
		for said := range strings.FieldsFuncSeq(wrong.suggestion, func(r rune) bool { return r < 'a' || r > 'z' }) {
			if slices.Contains(runtimeWords, said) {
				t.Errorf("%s: %s", word, wrong.suggestion)
			}
		}
	}
	for word, want := range map[string]string{"valdate": "validate", "VALIDATE": "validate", "grahp": "graph", "discovery": "discover"} {
		if _, wrong, _ := parse([]string{word}); !strings.HasPrefix(wrong.suggestion, "Did you mean "+want+"? ") {
			t.Errorf("%s: %s", word, wrong.suggestion)
		}
	}
	if _, wrong, _ := parse(words("validate --root . --stirct")); !strings.HasPrefix(wrong.suggestion, "Did you mean --strict? ") {
		t.Error(wrong.suggestion)
	}
}

func TestWhatAsksForJSON(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]bool{
		"--format json": true, "--format=json": true, "-o json": true, "-o=json": true, "nothing --nope --format json": true, "--format json --format text": true,
		"--format yaml --format json": true, "validate -o table -o json": true,
		"": false, "--format": false, "--format yaml": false, "--format JSON": false, "--file --format json": false, "--root --format json validate": false,
		"-- --format json": false, "--file -o json": false, "json": false, "--id=--format json": false, "--file=--format=json": false,
	} {
		if _, _, json := parse(words(args)); json != want {
			t.Errorf("%s: %v", args, json)
		}
	}
}

// TestEveryOptionIsInTheHelp of the commands that have it, and no other.
func TestEveryOptionIsInTheHelp(t *testing.T) {
	t.Parallel()
	for _, c := range commands {
		text := helpOf(c)
		for _, o := range options {
			if has := strings.Contains(text, "  "+o.name+" ") || strings.Contains(text, ", "+o.name+" "); has != (slices.Contains(optionsOf(c), o.name) && o.name != "--version") {
				t.Errorf("%s --help and %s: %v", c, o.name, has)
			}
		}
		for _, f := range formatsOf(c) {
			if !strings.Contains(text, string(f)) {
				t.Errorf("%s --help does not name the format %s", c, f)
			}
		}
		if !strings.Contains(groupHelp, "\n  "+string(c)+" ") || strings.Contains(text, "{") {
			t.Errorf("the help of %s is not complete:\n%s", c, text)
		}
	}
	if helpOf("") != groupHelp {
		t.Error("the group has no help")
	}
}
