package view

import (
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// AgentChange is an agent whose definitions changed.
type AgentChange struct {
	Agent string `json:"agent"`
	// ActiveFrom and ActiveTo are the definitions in force, "" where none is: no one is
	// active, or more than one.
	ActiveFrom    string             `json:"activeFrom"`
	ActiveTo      string             `json:"activeTo"`
	ActiveChanged bool               `json:"activeChanged"`
	Definitions   []DefinitionChange `json:"definitions"`
}

// DefinitionChange is a definition that came, went, or has another version or
// status. Versions have no order: there is no older one.
type DefinitionChange struct {
	ID          string `json:"id"`
	Class       Class  `json:"class"` // added, removed or changed
	VersionFrom string `json:"versionFrom"`
	VersionTo   string `json:"versionTo"`
	StatusFrom  string `json:"statusFrom"`
	StatusTo    string `json:"statusTo"`
}

type agentVersions struct {
	order []string
	byID  map[string]manifest.Node
}

// versionsByAgent groups the definitions of a set by agent, in order.
func versionsByAgent(x *refs.Index) (agents []string, of map[string]*agentVersions) {
	of = map[string]*agentVersions{}
	for _, d := range firstsOf(refs.AgentDefinition)(x) {
		agent := d.Node.Get("agentRef").Text()
		if of[agent] == nil {
			of[agent] = &agentVersions{byID: map[string]manifest.Node{}}
			agents = append(agents, agent)
		}
		of[agent].order = append(of[agent].order, d.ID)
		of[agent].byID[d.ID] = d.Node
	}
	return agents, of
}

func (v *agentVersions) active() string {
	found := ""
	for _, id := range v.order {
		if !v.byID[id].Get("status").Is("active") {
			continue
		}
		if found != "" {
			return ""
		}
		found = id
	}
	return found
}

func (c *comparison) definitions() []AgentChange {
	out := []AgentChange{}
	agents, after := versionsByAgent(c.later)
	earlier, before := versionsByAgent(c.earlier)
	for _, a := range earlier {
		if after[a] == nil {
			agents = append(agents, a)
		}
	}
	for _, a := range agents {
		was, is := before[a], after[a]
		if was == nil {
			was = &agentVersions{}
		}
		if is == nil {
			is = &agentVersions{}
		}
		x := AgentChange{Agent: manifest.Shown(a), Definitions: definitionChanges(was, is)}
		x.ActiveChanged = was.active() != is.active()
		if id := was.active(); id != "" {
			x.ActiveFrom = manifest.Shown(id)
		}
		if id := is.active(); id != "" {
			x.ActiveTo = manifest.Shown(id)
		}
		if x.ActiveChanged || len(x.Definitions) > 0 {
			out = append(out, x)
		}
	}
	return out
}

func definitionChanges(was, is *agentVersions) []DefinitionChange {
	out := []DefinitionChange{}
	for _, id := range is.order {
		e, both := was.byID[id]
		l := is.byID[id]
		d := DefinitionChange{
			ID: manifest.Shown(id), Class: Changed, VersionFrom: versionOf(e), VersionTo: versionOf(l), StatusFrom: shown(e.Get("status")), StatusTo: shown(l.Get("status")),
		}
		if !both {
			d.Class = Added
		}
		if !both || !same(e.Get("definitionVersion"), l.Get("definitionVersion")) || d.StatusFrom != d.StatusTo {
			out = append(out, d)
		}
	}
	for _, id := range was.order {
		if _, kept := is.byID[id]; !kept {
			e := was.byID[id]
			out = append(out, DefinitionChange{ID: manifest.Shown(id), Class: Removed, VersionFrom: versionOf(e), StatusFrom: shown(e.Get("status"))})
		}
	}
	return out
}

func versionOf(definition manifest.Node) string {
	return version(definition.Get("definitionVersion").Text())
}
