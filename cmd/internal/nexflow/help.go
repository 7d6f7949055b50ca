package nexflow

import (
	"strings"

	"terfyn/compiler/nexflow/budget"
)

// helpOf is the help of a command, of the group for "".
func helpOf(c budget.Command) string {
	text, ok := helps[c]
	if !ok {
		return groupHelp
	}
	return strings.Replace(strings.Replace(text, "{sources}\n", sources, 1), "{common}\n", common, 1)
}

const groupHelp = `Read NexFlow manifest sets: documents that say who takes part in a project, what
each may do, who must agree first, and in which order work passes on. Nothing is
executed, and nothing in a set is permission by being there.

Usage:
  terfyn nexflow discover --root DIR [--project FILE | --file FILE ...]
  terfyn nexflow validate --root DIR [--project FILE | --file FILE ...] [--layer LAYER] [--strict]
  terfyn nexflow inspect  --root DIR [--project FILE | --file FILE ...] [--against DIR]
  terfyn nexflow graph    --root DIR [--project FILE | --file FILE ...]
  terfyn nexflow init     --root DIR --id PROJECT-ID [--name TEXT]

Commands:
  discover  list the documents that a call reads
  validate  check the set, layer by layer
  inspect   list what is declared and who may do what
  graph     draw what refers to what
  init      write three starter documents into an existing folder, never over others

terfyn nexflow COMMAND --help has the options of a command. --version prints the
version. Other flags of terfyn, its configuration and the environment mean nothing
here. Exit codes: 0 done, 1 errors, 2 usage, 3 a version, kind or hint that NexFlow
0.1 does not have, 4 a fault of terfyn.
`

const sources = `  --root DIR      the folder of the set (required); --root . is the current one
  --project FILE  the Project to start from, relative to the root; without it
                  project.yaml or project.yml in the root
  --file FILE     a document, relative to the root; can be repeated, and then just
                  these are read, whatever the Project names
`

const common = `  -h, --help      this help
`

var helps = map[budget.Command]string{
	budget.Discover: `List the documents that a call reads: the Project and what its manifests name.

Usage:
  terfyn nexflow discover --root DIR [--project FILE | --file FILE ...]

Options:
{sources}
  --format F      text, json or sarif; -o json and -o table are the same option
{common}
`,
	budget.Validate: `Check a manifest set: which documents it has, whether each has the shape of its kind,
and what they mean together. Findings go to stderr as CODE file path: message;
terfyn explain CODE tells what a code means.

Usage:
  terfyn nexflow validate --root DIR [--project FILE | --file FILE ...] [--layer LAYER] [--strict]

Options:
{sources}
  --layer LAYER   stop after discovery or schema; semantic, the default, runs all
  --strict        warnings count as errors for the exit code
  --format F      text, json or sarif; -o json and -o table are the same option
{common}
`,
	budget.Inspect: `List what a set declares and who may do what. References are shown as they are
written; validate tells whether they lead somewhere.

Usage:
  terfyn nexflow inspect --root DIR [--project FILE | --file FILE ...] [--against DIR]

Options:
{sources}
  --against DIR   the folder of an earlier set; shows only what changed since: in
                  authority, in behaviour, and in texts that have to be read
  --format F      text or json; -o json and -o table are the same option
{common}
`,
	budget.Graph: `Draw what a set declares and what refers to what. References that lead nowhere are
shown as such.

Usage:
  terfyn nexflow graph --root DIR [--project FILE | --file FILE ...]

Options:
{sources}
  --format F      text, json, mermaid or dot; -o json and -o table are the same option
{common}
`,
	budget.Init: `Write project.yaml, actors.yaml and agents.yaml for a team of one person and one
agent into an existing folder. Files that are there with the same content are left
alone; with other content nothing is written. What is written allows nothing.

Usage:
  terfyn nexflow init --root DIR --id PROJECT-ID [--name TEXT]

Options:
  --root DIR      the existing folder (required), no symbolic link
  --id ID         the id of the project (required), such as my-project
  --name TEXT     its name for people; without it made from the id
  --format F      text or json; -o json and -o table are the same option
{common}
`,
}
