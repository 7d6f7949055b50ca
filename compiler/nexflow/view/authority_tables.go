package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func (a Authority) writeGrants(s *sheet) {
	fmt.Fprintln(s.w, "Who may do what (what is not listed is not permitted)")
	fmt.Fprintln(s.w)
	for _, p := range marked(a.Participants, Participant.marks) {
		if len(p.Grants) == 0 {
			s.table(p.ID + " (" + kindText(p) + "): named by no permission")
			s.end()
			continue
		}
		s.table(p.ID+" ("+kindText(p)+")", "EFFECT", "CAPABILITY", "RISK", "BY PERMISSION", "AFTER GATE", "")
		for _, g := range marked(p.Grants, func(g Grant) []Mark { return g.Marks }) {
			notes := markWords(g.Marks)
			if g.Conditions {
				notes = strings.TrimPrefix(notes+", conditions present", ", ")
			}
			s.row(g.Marks, g.Effect, g.Capability.text(), orDash(g.Risk), namesOf(g.Permissions), gateNames(g.Gates), notes)
		}
		s.end()
	}
	if a.Truncated {
		fmt.Fprintf(s.w, "  Only the first %d pairs are listed.\n\n", MaxGrants)
	}
}

// marks is those of the grants.
func (p Participant) marks() []Mark {
	var out []Mark
	for _, g := range p.Grants {
		out = append(out, g.Marks...)
	}
	return out
}

func kindText(p Participant) string {
	if p.Kind == "legacy" && p.NonHuman {
		return "legacy, no human"
	}
	if behind := p.Behind.text(); behind != "" {
		return p.Kind + ", " + behind
	}
	return p.Kind
}

func (a Authority) writeAgents(s *sheet) {
	for _, agent := range a.Agents {
		state := "active: " + agent.Active
		switch {
		case len(agent.Definitions) == 0:
			state = "no definition"
		case slices.Contains(agent.Marks, MarkAmbiguous):
			state = "more than one active, so none in force"
		case agent.Active == "":
			state = "none active"
		}
		heading := fmt.Sprintf("Agent %s (%s; acts as %s)", agent.Agent.text(), state, agent.Participant.orDash())
		if len(agent.Definitions) == 0 {
			s.table(heading)
			s.end()
			continue
		}
		s.table(heading, "DEFINITION", "VERSION", "STATUS", "AUTONOMY", "OWNER", "REVIEWED BY", "")
		if len(agent.Marks) > 0 {
			s.row(agent.Marks, "-", "-", "-", "-", "-", "-", markWords(agent.Marks))
		}
		for _, d := range agent.Definitions {
			s.row(d.Marks, d.ID, strconv.Quote(d.Version), d.Status, d.Autonomy, d.Owner.orDash(), joinedUpTo(mostNamed, d.Reviewers), markWords(d.Marks))
		}
		s.end()
		for _, d := range agent.Definitions {
			d.write(s)
		}
	}
}

// write lists what a definition asks for.
func (d Definition) write(s *sheet) {
	s.table("  "+d.ID+" asks for", "KIND", "WHAT", "ANSWER")
	s.row(nil, "model profile", d.Model.orDash())
	s.row(nil, "prompt set", d.Prompts.orDash())
	s.row(nil, "retrieval profile", d.Retrieval.orDash())
	for _, r := range d.Requests {
		s.row(nil, "capability", r.Capability.text(), orDash(r.Effect))
	}
	for _, r := range d.Context {
		answer, marks := "may read", []Mark(nil)
		if !r.MayRead {
			answer, marks = "may not read: "+r.Why, []Mark{MarkUnreadable}
		}
		s.row(marks, "context source", r.Source.text(), answer)
	}
	for _, r := range d.Memory {
		answer := "reads " + yesNo(r.Reads) + ", writes " + yesNo(r.Writes)
		if r.UpdateMode != "" {
			answer += ", " + r.UpdateMode
		}
		if len(r.Gates) > 0 {
			answer += ", gate " + gateNames(r.Gates)
		}
		s.row(nil, "memory scope", r.Scope.text(), answer)
	}
	for _, r := range d.Extensions {
		s.row(nil, "extension", r.Extension.text(), r.Effect)
	}
	s.end()
}

func (a Authority) writeGates(s *sheet) {
	if s.none("Gates", len(a.Gates)) {
		return
	}
	s.table("Gates", "GATE", "ALL OF THESE MUST AGREE", "")
	for _, g := range marked(a.Gates, func(g Gate) []Mark { return g.Marks }) {
		s.row(g.Marks, g.ID, agreement(g), markWords(g.Marks))
	}
	s.end()
}

func (a Authority) writeContext(s *sheet) {
	if s.none("Context sources", len(a.ContextSources)) {
		return
	}
	s.table("Context sources", "SOURCE", "TYPE", "CLASS", "DEFAULT", "ALLOWED", "DENIED", "GATES", "MCP", "DOMAINS", "")
	for _, c := range marked(a.ContextSources, func(c ContextSource) []Mark { return c.Marks }) {
		allowed := "everyone"
		if c.Listed {
			allowed = joinedUpTo(mostNamed, c.Allowed)
		}
		mcp := "-"
		if len(c.Exposes) > 0 {
			mcp = fmt.Sprintf("%s; %d tools", shortList(c.Exposes), c.Tools)
		}
		domains := "-"
		if c.AllowedDomains+c.DeniedDomains > 0 {
			domains = fmt.Sprintf("%d allowed, %d denied", c.AllowedDomains, c.DeniedDomains)
		}
		s.row(c.Marks, c.ID, c.Type, c.Classification, c.Default, allowed, namesOf(c.Denied), gateNames(c.Gates), mcp, domains, markWords(c.Marks))
	}
	s.end()
}

func (a Authority) writeMemory(s *sheet) {
	if s.none("Memory scopes", len(a.MemoryScopes)) {
		return
	}
	s.table("Memory scopes", "SCOPE", "CLASS", "UPDATES", "READ BY", "WRITTEN BY", "FROM", "GATES", "")
	for _, m := range marked(a.MemoryScopes, func(m MemoryScope) []Mark { return m.Marks }) {
		s.row(m.Marks, m.Scope, m.Sensitivity, orDash(m.UpdateMode), joinedUpTo(mostNamed, m.Consumers), joinedUpTo(mostNamed, m.Writers), namesOf(m.Sources), gateNames(m.Gates), markWords(m.Marks))
	}
	s.end()
}

func (a Authority) writeOverride(s *sheet) {
	o := a.Override
	if !o.Declared {
		s.table("Human override: not declared")
		s.end()
		return
	}
	s.table("Human override")
	s.row(o.Marks, "authorities", joined(o.Authorities))
	s.row(nil, "operations", strings.Join(o.Operations, ", "))
	s.row(nil, "running actions", orDash(o.InFlight))
	s.row(nil, "resumed after", gateNames(o.ResumeGates))
	s.row(nil, "recorded as", joined(o.AuditEvents))
	s.end()
}

func (a Authority) writeExtensions(s *sheet) {
	if len(a.Extensions) == 0 {
		return
	}
	s.table("Extensions", "EXTENSION", "LIFECYCLE", "EFFECT")
	for _, e := range a.Extensions {
		s.row(nil, e.ID, e.Lifecycle, e.Effect)
	}
	s.end()
}
