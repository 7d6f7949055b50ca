package nexflow

import (
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/budget"
)

// misuse is what is wrong with a command line. The texts are fixed for what was
// wrong: they name options and commands of the group, never what was written.
type misuse struct{ message, suggestion string }

// runtimeWords are what people call commands that run, serve or install something.
// None of them exists here, so that none is offered as a near miss either.
var runtimeWords = []string{
	"run", "execute", "exec", "preflight", "start", "serve", "server", "watch", "deploy", "apply", "provider", "providers", "mcp", "a2a",
	"install", "update", "upgrade", "login", "logout", "auth", "stop", "restart", "invoke", "launch", "dev", "worker",
}

func noCommand() *misuse { return &misuse{"No command was given.", theCommands()} }

func manyWords() *misuse {
	return &misuse{"More than one word was given.", "Give one command; folders and files are named by options: --root DIR, --project FILE, --file FILE."}
}

func unknownCommand(word string) *misuse {
	if slices.Contains(runtimeWords, strings.ToLower(word)) {
		return &misuse{"There is no such command: this group reads, checks and draws manifest sets, and executes nothing.", theCommands()}
	}
	if near := diag.Near(word, names(commands)); near != "" {
		return &misuse{"There is no such command.", "Did you mean " + near + "? " + theCommands()}
	}
	return &misuse{"There is no such command.", theCommands()}
}

func theCommands() string { return "The commands are " + listed(names(commands), "and") + "." }

func helpAndVersion() *misuse {
	return &misuse{"--help and --version were asked for together.", "Ask for one of them."}
}

func besideHelp(o option) *misuse {
	return &misuse{o.name + " stands beside help or version, which read nothing.", "Leave out " + o.name + ", or --help or --version."}
}

func unknownOption(c budget.Command, spelling string) *misuse {
	own := optionsOf(c)
	of := ""
	if c != "" {
		of = " of " + string(c)
	}
	suggestion := "The options" + of + " are " + listed(own, "and") + "; options of other terfyn commands are not among them."
	if near := diag.Near(spelling, own); near != "" {
		suggestion = "Did you mean " + near + "? " + suggestion
	}
	return &misuse{"An option was given that there is not.", suggestion}
}

func twice(o option) *misuse {
	return &misuse{o.name + " was given twice.", "Give it once; only --file can be repeated."}
}

func ofOthers(o option) *misuse {
	return &misuse{o.name + " is no option of this command.", "It belongs to " + listed(names(o.of), "and") + "."}
}

func takesNone(o option) *misuse {
	return &misuse{o.name + " takes no value.", "Write " + o.name + " alone."}
}

func needsValue(g given) *misuse {
	return &misuse{g.spelling + " lacks its value.", "Write the value behind it."}
}

func blankValue(g given) *misuse {
	return &misuse{"The value of " + g.spelling + " is blank.", "Write a value behind it."}
}

func unknownFormat(c budget.Command, known []format) *misuse {
	return &misuse{"The format is not one of " + string(c) + ".", "Use --format " + listed(names(known), "or") + "; -o takes table for text."}
}

func noRoot(c budget.Command) *misuse {
	if c == budget.Init {
		return &misuse{"--root is missing.", "Write --root DIR for the existing folder that the files go to; --root . is the current one."}
	}
	return &misuse{"--root is missing.", "Write --root DIR for the folder of the set; --root . is the current one."}
}

func projectAndFile() *misuse {
	return &misuse{"--project and --file were given together.", "Use --project for one Project and the documents it names, or --file for each document."}
}

func unknownLayer() *misuse {
	return &misuse{"There is no such layer to stop after.", "Use --layer " + listed(names(nexflow.Layers()), "or") + "."}
}

func noID() *misuse {
	return &misuse{"--id is missing.", "Write --id with the id of the new project, such as my-project."}
}

func badID() *misuse {
	return &misuse{"The value of --id does not have the form of an id.",
		"Use lower-case letters and digits that begin with a letter, in groups joined by single hyphens or underscores, at most 128 characters, such as my-project."}
}

func badName() *misuse {
	return &misuse{"The value of --name cannot be a name.",
		"Use 1 to 128 characters without blanks at the ends, without line breaks, control characters and characters that turn the direction of writing."}
}

// optionsOf is the options of a command as they are written.
func optionsOf(c budget.Command) []string {
	var out []string
	for _, o := range options {
		if o.of == nil || c == "" || slices.Contains(o.of, c) {
			out = append(out, o.name)
		}
	}
	return out
}

func names[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// listed joins words with commas and a last word before the last.
func listed(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
