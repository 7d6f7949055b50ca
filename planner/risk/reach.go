package risk

import (
	"fmt"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/planner/authority"
)

// authority reports each kind of authority that widened, once, by the first
// path that shows it.
func (a *assessment) authority() {
	states := a.Delta.States
	if states.Autonomous == authority.Widened {
		a.widened("AUTONOMOUS authority WIDENED", High, authority.Autonomous)
	}
	if states.Static == authority.Widened {
		a.widened("Static authority widened", Medium, authority.Static)
	}
}

func (a *assessment) widened(headline string, s Severity, reachability string) {
	target, detail, more := "", "", 0
	var witness []effects.Hop
	for _, g := range a.Delta.Gains {
		if g.Reachability != reachability {
			continue
		}
		if target != "" {
			more++
			continue
		}
		target, witness = g.Root, g.Witness
		detail = describe(g)
	}
	for _, e := range a.Delta.Effects {
		if target != "" || e.Reachability != reachability || e.Change == authority.EffectRemoved {
			continue
		}
		target, witness = e.Root, e.Witness
		detail = fmt.Sprintf("%s now reaches %s", e.Root, e.Label())
	}
	for _, c := range a.Delta.Capability {
		if target == "" && reachability == authority.Autonomous && len(c.Added) > 0 {
			target = id(resource.KindAgent, c.Agent)
			detail = fmt.Sprintf("%s is granted %s", target, c.Added[0])
			witness = a.grantPath(c.Agent, c.Added[0])
		}
	}
	if more > 0 {
		detail += fmt.Sprintf(", and %d more", more)
	}
	a.items = append(a.items, Item{AuthorityWidening, s, headline + ": " + detail + ".", target, witness})
}

func describe(g authority.Gain) string {
	if g.Reachability == authority.Autonomous {
		return fmt.Sprintf("%s may select %s", g.Root, g.Capability)
	}
	return fmt.Sprintf("%s calls %s", g.Root, g.Capability)
}

// effects reports effects that entered a bound or became selectable, and grants
// that are new, also where they bring no new effect.
func (a *assessment) effects() {
	for _, e := range a.Delta.Effects {
		switch {
		case e.Change == authority.EffectPromoted:
			a.effect(High, e, "%s: %s was reached by written calls alone and may now be selected by an agent.", e.Root, e.Label())
		case e.Change == authority.EffectAdded && e.Reachability == authority.Autonomous:
			a.effect(High, e, "%s: %s is new and an agent may select it.", e.Root, e.Label())
		case e.Change == authority.EffectAdded:
			a.effect(Medium, e, "%s: %s is new by a written call.", e.Root, e.Label())
		}
	}
	for _, c := range a.Delta.Capability {
		for _, grant := range c.Added {
			target := id(resource.KindAgent, c.Agent)
			a.items = append(a.items, Item{
				Category: CapabilityDelta, Severity: Medium, Target: target,
				Reason:  fmt.Sprintf("%s is granted %s.", target, grant),
				Witness: a.grantPath(c.Agent, grant),
			})
			if t, o, ok := a.After.Operation(grant); ok && t.HasSideEffects(o.Name) {
				a.items = append(a.items, Item{
					Category: ToolSurfaceChange, Severity: High, Target: target,
					Reason: fmt.Sprintf("%s gains %s, which has side effects.", target, grant), Witness: a.grantPath(c.Agent, grant),
				})
			}
		}
	}
}

// grantPath is the path from an agent to what it is granted: an operation, another
// agent or a workflow.
func (a *assessment) grantPath(agent, grant string) []effects.Hop {
	kind, name, _ := strings.Cut(grant, ".")
	hop := func(kind effects.HopKind, name string) effects.Hop {
		return effects.Hop{Kind: kind, Name: name, ID: name, Reachability: effects.Autonomous}
	}
	from := effects.Hop{Kind: effects.HopAgent, Name: agent, ID: agent, Reachability: effects.Static}
	switch kind {
	case "agent":
		return []effects.Hop{from, hop(effects.HopAgent, name)}
	case "workflow":
		return []effects.Hop{from, hop(effects.HopWorkflow, name)}
	}
	b, _ := a.AfterBounds.Agent(agent)
	o, _ := b.Operation(grant)
	return o.Witness
}

func (a *assessment) effect(s Severity, e authority.EffectChange, format string, args ...any) {
	a.items = append(a.items, Item{EffectDelta, s, fmt.Sprintf(format, args...), e.Root, e.Witness})
}
