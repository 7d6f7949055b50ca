package rules

import (
	"slices"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// definitionRules are those of nexflow.md 7.3 about an agent's definitions: which
// of them is in force, whether its agent may have what it asks for, how versions
// follow each other, and autonomy that nothing bounds.
var definitionRules = []func(*checker){
	oneActiveDefinition, eligibleComponents, readableContext, consumableMemory, livingExtensions, retrievalWithinRequest,
	reusedVersions, replacedDefinitions, circularReplacements, elevatedAutonomy,
}

// firsts is the declarations of a namespace without later ones of the same id,
// which have been reported and stand for nothing.
func (c *checker) firsts(s refs.Space) []refs.Declaration {
	all := c.index.All(s)
	seen := make(map[[2]string]bool, len(all))
	out := make([]refs.Declaration, 0, len(all))
	for _, d := range all {
		if k := [2]string{d.Scope, d.ID}; !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	return out
}

// target is what a reference leads to.
func (c *checker) target(s refs.Space, ref manifest.Node) (manifest.Node, bool) {
	d, ok := c.index.Find(s, ref.Text())
	return d.Node, ok && ref.Exists()
}

// agentsDefinitions is the definitions of every declared agent that has some, in
// the order of their first ones.
func (c *checker) agentsDefinitions() [][]manifest.Node {
	var out [][]manifest.Node
	at := map[string]int{}
	for _, d := range c.firsts(refs.AgentDefinition) {
		agent := d.Node.Get("agentRef")
		if _, ok := c.target(refs.Agent, agent); !ok {
			continue
		}
		i, known := at[agent.Text()]
		if !known {
			i = len(out)
			at[agent.Text()] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], d.Node)
	}
	return out
}

// participant is who acts with a definition, false where its agent, or the actor
// that stands for it, is not declared.
func (c *checker) participant(definition manifest.Node) (string, bool) {
	if _, ok := c.target(refs.Agent, definition.Get("agentRef")); !ok {
		return "", false
	}
	return c.team.ParticipantOf(definition)
}

func shownID(n manifest.Node) string { return manifest.Shown(n.Get("id").Text()) }

func oneActiveDefinition(c *checker) {
	for _, definitions := range c.agentsDefinitions() {
		var active []manifest.Node
		for _, d := range definitions {
			if isActive(d) {
				active = append(active, d.Get("status"))
			}
		}
		agent := manifest.Shown(definitions[0].Get("agentRef").Text())
		switch {
		case len(active) == 0:
			c.report(definitions[0].Get("agentRef"), finding{
				severity: manifest.Info, code: code.EffectiveConfigNoActiveDefinition,
				message: "The agent " + agent + " has definitions and none of them is active, so the set does not compile.",
			})
		case len(active) > 1:
			c.report(active[1], finding{
				severity: manifest.Error, code: code.EffectiveConfigAmbiguousDefinition,
				message:    "The agent " + agent + " has more than one active definition, and nothing decides between them.",
				suggestion: "Leave one of them active.",
				related:    slices.Delete(slices.Clone(active), 1, 2),
			})
		}
	}
}

func eligibleComponents(c *checker) {
	for _, d := range c.firsts(refs.AgentDefinition) {
		if !isActive(d.Node) {
			continue
		}
		components := d.Node.Get("components")
		if set, ok := c.target(refs.PromptSet, components.Get("promptSetRef")); ok {
			switch review := set.Get("review"); {
			case !isActive(set):
				c.ineligible(d, components.Get("promptSetRef"), "prompt set "+shownID(set)+" is not active")
			case review.Get("required").True() && !review.Get("safetyReviewStatus").Is("approved"):
				c.ineligible(d, components.Get("promptSetRef"), "prompt set "+shownID(set)+" lacks its required safety approval")
			}
		}
		if profile, ok := c.target(refs.RetrievalProfile, components.Get("retrievalProfileRef")); ok && !isActive(profile) {
			c.ineligible(d, components.Get("retrievalProfileRef"), "retrieval profile "+shownID(profile)+" is not active")
		}
	}
}

func (c *checker) ineligible(d refs.Declaration, at manifest.Node, why string) {
	c.report(at, finding{
		severity: manifest.Error, code: code.EffectiveConfigIneligibleDefinition,
		message:    "The definition " + shownID(d.Node) + " is active and its " + why + ".",
		suggestion: "Keep the definition in draft until the component is reviewed and active.",
	})
}

// refusals explains in words why a source is not read.
var refusals = map[team.Refusal]string{
	team.ActorIsDenied:   "the source denies it",
	team.DefaultIsNone:   "the default access of the source is none",
	team.ActorNotAllowed: "it is not among those whom the source allows",
}

func readableContext(c *checker) {
	readers := map[string]team.Readers{}
	for _, d := range c.firsts(refs.AgentDefinition) {
		who, ok := c.participant(d.Node)
		if !ok {
			continue
		}
		for _, ref := range d.Node.At("components", "contextSourceRefs").Items() {
			source, ok := c.target(refs.ContextSource, ref)
			if !ok {
				continue
			}
			r, known := readers[ref.Text()]
			if !known {
				r = team.ReadersOf(source)
				readers[ref.Text()] = r
			}
			if why := r.Refuses(who); why != team.NotRefused {
				c.report(ref, finding{
					severity: gravity(d.Node), code: code.EffectiveConfigContextDenied,
					message: "The definition " + shownID(d.Node) + " asks for the context source " + shownID(source) +
						", which " + manifest.Shown(who) + " may not read: " + refusals[why] + ".",
					suggestion: "Drop the source from the definition.",
				})
			}
		}
	}
}

func consumableMemory(c *checker) {
	consumers := map[string]map[string]bool{}
	for _, d := range c.firsts(refs.MemoryScope) {
		consumers[d.ID] = d.Node.Get("allowedConsumers").TextSet()
	}
	for _, d := range c.firsts(refs.AgentDefinition) {
		who, ok := c.participant(d.Node)
		if !ok {
			continue
		}
		for _, ref := range d.Node.At("components", "memoryScopes").Items() {
			allowed, ok := consumers[ref.Text()]
			if ok && !allowed[who] {
				c.report(ref, finding{
					severity: gravity(d.Node), code: code.EffectiveConfigMemoryDenied,
					message: "The definition " + shownID(d.Node) + " asks for the memory scope " + manifest.Shown(ref.Text()) +
						", whose consumers do not include " + manifest.Shown(who) + ".",
					suggestion: "Drop the scope from the definition.",
				})
			}
		}
	}
}

func livingExtensions(c *checker) {
	for _, d := range c.firsts(refs.AgentDefinition) {
		for _, ref := range d.Node.At("components", "extensionRefs").Items() {
			extension, ok := c.target(refs.Extension, ref)
			lifecycle := extension.Get("lifecycle")
			removed := lifecycle.Is("removed")
			if !ok || !removed && !lifecycle.Is("deprecated") {
				continue
			}
			severity := manifest.Warning
			if removed {
				severity = gravity(d.Node)
			}
			c.report(ref, finding{
				severity: severity, code: code.ExtLifecycle,
				message:    "The definition " + shownID(d.Node) + " uses the extension " + shownID(extension) + ", which is " + lifecycle.Text() + ".",
				suggestion: "Drop the extension from the definition.",
			})
		}
	}
}

// mostMembers is how many members details name.
const mostMembers = 20

func retrievalWithinRequest(c *checker) {
	profiles := map[string][2][]string{}
	for _, d := range c.firsts(refs.RetrievalProfile) {
		profiles[d.ID] = c.retrievalSources(d.Node)
	}
	for _, d := range c.firsts(refs.AgentDefinition) {
		components := d.Node.Get("components")
		at := components.Get("retrievalProfileRef")
		sources, ok := profiles[at.Text()]
		if !ok || !at.Exists() {
			continue
		}
		requested := components.Get("contextSourceRefs").TextSet()
		required := lacking(sources[0], requested, mostMembers)
		missing := append(required, lacking(sources[1], requested, mostMembers-len(required))...)
		profile, definition := manifest.Shown(at.Text()), shownID(d.Node)
		f := finding{code: code.RetrievalNarrowed, details: manifest.Details{Members: missing}}
		switch {
		case len(required) > 0:
			f.severity = gravity(d.Node)
			f.message = "The retrieval profile " + profile + " requires sources that the definition " + definition + " does not ask for and therefore does not get."
			f.suggestion = "Use a retrieval profile that gets by with the sources of the definition."
		case len(missing) > 0:
			f.severity = manifest.Info
			f.message = "The retrieval profile " + profile + " has sources that the definition " + definition + " does not ask for and therefore does not get."
		default:
			continue
		}
		c.report(at, f)
	}
}

// retrievalSources is the context sources of a profile that are declared, each
// once: the required ones and the others.
func (c *checker) retrievalSources(profile manifest.Node) (out [2][]string) {
	seen := map[string]bool{}
	for list, required := range []bool{true, false} {
		for _, s := range profile.Get("sources").Items() {
			ref := s.Get("contextSourceRef")
			if _, ok := c.target(refs.ContextSource, ref); ok && s.Get("required").True() == required && !seen[ref.Text()] {
				seen[ref.Text()] = true
				out[list] = append(out[list], ref.Text())
			}
		}
	}
	return out
}

// lacking is the first ids that are not requested, at most so many.
func lacking(ids []string, requested map[string]bool, most int) []string {
	var out []string
	for _, id := range ids {
		if len(out) == most {
			break
		}
		if !requested[id] {
			out = append(out, manifest.Shown(id))
		}
	}
	return out
}
