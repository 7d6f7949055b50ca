package starter

import (
	"fmt"
	"strings"
	"unicode"
)

// The names of the template, as results give them.
const (
	Template        = "minimal-team"
	TemplateVersion = "0.1-draft"
)

// File is one document to write.
type File struct {
	Name string
	Text []byte
}

// Compose gives the three documents, ordered by name. id has the form of an id; name
// is any text that may stand in a document.
func Compose(id, name string) []File {
	fill := strings.NewReplacer("{id}", id, "{name}", quoted(name))
	files := []File{{Name: "actors.yaml", Text: []byte(actors)}, {Name: "agents.yaml", Text: []byte(agents)}, {Name: "project.yaml", Text: []byte(project)}}
	for i := range files {
		files[i].Text = []byte(fill.Replace(string(files[i].Text)))
	}
	return files
}

// NameOf is the name of a project that was given none: the groups of its id,
// capitalised and joined by blanks.
func NameOf(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '-' || r == '_' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// quoted is s as a double-quoted scalar. What cannot be seen is written as an escape,
// which also covers what YAML refuses to read.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

const project = `specVersion: "0.1"
kind: Project
metadata:
  project: {id}
  name: {name}
project:
  id: {id}
  displayName: {name}
  description: A small team of one person and one agent. Say here what the project is for.
  maintainers:
    - id: human-maintainer
      name: Human Maintainer
      role: maintainer
  defaultAutonomy: suggest_only
  policies:
    requireReview: true
manifests:
  actors: actors.yaml
  agents: agents.yaml
`

const actors = `specVersion: "0.1"
kind: ActorSet
metadata:
  project: {id}
actors:
  - id: human-maintainer
    kind: human
    displayName: Human Maintainer
    description: Answers for the project and decides about every change.
    roles:
      - maintainer
    responsibilities:
      - Review what the agent proposes.
    skills:
      - project_review
  - id: developer-agent
    kind: agent
    displayName: Developer Agent
    description: Proposes changes for review.
    roles:
      - developer
    responsibilities:
      - Propose changes that can be reviewed.
    skills:
      - software_development
    agentRef:
      kind: agent
      id: developer-agent
`

const agents = `specVersion: "0.1"
kind: AgentSet
metadata:
  project: {id}
agents:
  - id: developer-agent
    displayName: Developer Agent
    role: developer
    description: Proposes changes for review.
    responsibilities:
      - Propose changes that can be reviewed.
    skills:
      - software_development
`
