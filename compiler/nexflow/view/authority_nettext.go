package view

import (
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/team"
)

func (a Authority) writeNetwork(s *sheet) {
	n := a.Network
	switch n.Mode {
	case NetworkSilent:
		s.table("Network: nothing said, so nothing is bounded")
		s.row(n.Marks, markWords(n.Marks))
		s.end()
		return
	case NetworkText:
		s.table("Network: text only, bounds nothing")
		s.row(n.Marks, markWords(n.Marks))
		s.end()
		return
	}
	s.table("Network: default " + n.Default)
	for _, t := range n.Transport.rows() {
		s.row(t.marks(n.Relaxed), t.name, t.value)
	}
	s.row(nil, "recorded as", joined(n.AuditEvents))
	s.end()
	for _, r := range marked(n.Rules, func(r NetworkRule) []Mark { return r.Marks }) {
		r.write(s)
	}
}

type transportRow struct{ name, value string }

func (t Transport) rows() []transportRow {
	return []transportRow{
		{"requireTls", yesNo(t.RequireTLS)}, {"allowPrivateNetworks", yesNo(t.PrivateAllow)}, {"allowLoopback", yesNo(t.LoopbackAllow)},
		{"followRedirects", yesNo(t.Redirects)}, {"maxRedirects", strconv.FormatInt(t.MaxRedirects, 10)},
	}
}

func (t transportRow) marks(relaxed []string) []Mark {
	for _, field := range relaxed {
		if field == t.name {
			return []Mark{MarkRelaxed}
		}
	}
	return nil
}

func (r NetworkRule) write(s *sheet) {
	s.table("  Rule " + r.ID)
	s.row(r.Marks, "effect", strings.TrimSuffix(r.Effect+", "+markWords(r.Marks), ", "))
	s.row(nil, "who", joined(r.Actors))
	for _, line := range r.useLines() {
		s.row(nil, accessNetwork, line)
	}
	if len(r.Capabilities) > 0 {
		s.row(nil, "capabilities", joined(r.Capabilities))
	}
	s.row(nil, "purposes", strings.Join(r.Purposes, ", "))
	if r.Domains > 0 {
		s.row(nil, "domains", strconv.Itoa(r.Domains))
	}
	for _, to := range []struct {
		what string
		ids  []Named
	}{{"context sources", r.Sources}, {"providers", r.Providers}, {"extensions", r.Extensions}} {
		if len(to.ids) > 0 {
			s.row(nil, to.what, joined(to.ids))
		}
	}
	s.row(nil, "schemes", orUnlimited(r.Schemes))
	s.row(nil, "ports", orUnlimited(numbers(r.Ports)))
	s.row(nil, "data up to", orDash(r.Classification))
	s.row(nil, "after gate", gateNames(r.Gates))
	s.end()
}

// useLines is what permissions say of the actors of a rule, those together of whom
// they say the same.
func (r NetworkRule) useLines() []string {
	var answers []string
	of := map[string][]Named{}
	for _, u := range r.Uses {
		answer := u.answer()
		if of[answer] == nil {
			answers = append(answers, answer)
		}
		of[answer] = append(of[answer], u.Actor)
	}
	for i, answer := range answers {
		answers[i] = joinedUpTo(mostNamed, of[answer]) + ": " + answer
	}
	return answers
}

func (u NetworkUse) answer() string {
	switch {
	case len(u.Gates) > 0:
		return u.Effect + ", held by gate " + gateNames(u.Gates)
	case u.ungated():
		return u.Effect + ", held by no gate"
	case u.Effect == string(team.None):
		return u.Effect + ", which is no permission"
	}
	return u.Effect
}

func orUnlimited(words []string) string {
	if len(words) == 0 {
		return "not limited"
	}
	return strings.Join(words, ", ")
}

func numbers(all []int64) []string {
	var out []string
	for _, n := range all {
		out = append(out, strconv.FormatInt(n, 10))
	}
	return out
}
