package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/digraph"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// successions are the namespaces whose declarations name what they replace.
var successions = []struct {
	space refs.Space
	field []string
}{
	{refs.AgentDefinition, []string{"replaces"}},
	{refs.PromptSet, []string{"compatibility", "replaces"}},
	{refs.RetrievalProfile, []string{"compatibility", "replaces"}},
}

func circularReplacements(c *checker) {
	for _, s := range successions {
		g := digraph.New()
		declared := c.firsts(s.space)
		for _, d := range declared {
			g.Node(d.ID)
		}
		for _, d := range declared {
			if replaced := d.Node.At(s.field...); replaced.Exists() {
				g.Arc(d.ID, replaced.Text())
			}
		}
		for _, members := range g.Cycles() {
			d, ok := c.index.Find(s.space, members[0])
			if !ok {
				continue
			}
			c.report(d.Node.At(s.field...), finding{
				severity: manifest.Error, code: code.DefinitionReplacesCycle,
				message:    "The " + string(s.space) + " " + manifest.Shown(members[0]) + " replaces itself, directly or through others.",
				suggestion: "Let each version replace an earlier one.",
				details:    manifest.Details{Members: shownAll(members)},
			})
		}
	}
}

func shownAll(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = manifest.Shown(id)
	}
	return out
}
