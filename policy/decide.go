package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// RefusalCode classes a refused decision; it is the error type clients see.
type RefusalCode string

// The refusal codes.
const (
	RefusedUnknown    RefusalCode = "unknown_approval"
	RefusedStale      RefusalCode = "stale_revision"
	RefusedNotAllowed RefusalCode = "decision_not_allowed"
	RefusedEdit       RefusalCode = "edit_not_allowed"
	RefusedActor      RefusalCode = "actor_not_authorised"
	RefusedDecided    RefusalCode = "already_decided"
	RefusedLate       RefusalCode = "approval_closed"
	RefusedMalformed  RefusalCode = "malformed_decision"
)

// Refusal says why a decision was not taken. It is an error value.
type Refusal struct {
	Code    RefusalCode
	Message string
}

// Error is the message with its code.
func (r *Refusal) Error() string { return string(r.Code) + ": " + r.Message }

func refuse(code RefusalCode, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// CheckDecision judges d against the open request g: revision, kind of decision,
// authority of the decider, and the extent of an edit. Whether g is still open is
// the caller's to know. A nil result accepts.
func CheckDecision(g Gate, d Decision) *Refusal {
	switch {
	case !plain(d.ApprovalID) || !plain(d.Actor) || !plain(d.ProviderID) || !plain(d.Signature):
		return refuse(RefusedMalformed, "approvalId, actor, providerId and signature are texts of at most %d bytes without control characters", maxWord)
	case d.Actor == "":
		return refuse(RefusedMalformed, "the decision names no actor; say who decides")
	case d.Revision == "":
		return refuse(RefusedMalformed, "the decision names no revision; %s shows revision %s", g.ID, g.Revision)
	case d.Revision != g.Revision:
		return refuse(RefusedStale, "the decision is about revision %s, but %s now shows %s; look at it again and decide on that", d.Revision, g.ID, g.Revision)
	case !slices.Contains(g.Allowed, d.Decision):
		return refuse(RefusedNotAllowed, "%q is not a decision for %s; allowed: %s", d.Decision, g.ID, strings.Join(g.Allowed, ", "))
	}
	if r := g.Deciders.check(g, d.Actor); r != nil {
		return r
	}
	if d.Decision == Edit {
		return g.checkEdit(d.Edit)
	}
	if !d.Edit.IsNull() {
		return refuse(RefusedEdit, "edited arguments came with decision %q; only edit takes them", d.Decision)
	}
	return nil
}

// maxWord bounds the single words of a decision, in bytes; a signature is the longest.
const maxWord = 4096

// plain reports whether s can be stored and shown as a word.
func plain(s string) bool {
	return len(s) <= maxWord && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' })
}

func (d Deciders) check(g Gate, actor string) *Refusal {
	if d.ForbidSubmitter && actor == g.Submitter {
		return refuse(RefusedActor, "%s submitted this run and the policy forbids submitters to decide", actor)
	}
	if d.Names != nil && !slices.Contains(d.Names, actor) {
		return refuse(RefusedActor, "%s is not an approver here; approvers: %s", actor, strings.Join(d.Names, ", "))
	}
	return nil
}

// checkEdit also refuses null where a statement asks: it has no schema that could
// allow it, and no answer is not an answer.
func (g Gate) checkEdit(edit canon.Value) *Refusal {
	if r := g.Edits.check(edit); r != nil || g.Kind != KindStatement {
		return r
	}
	for _, f := range edit.Fields() {
		if f.Value.IsNull() {
			return refuse(RefusedEdit, "%q is null, which answers nothing; false, 0 and an empty string are answers", f.Name)
		}
	}
	return nil
}

// check accepts an object that only touches arguments the rule opens. Arguments
// the pending call does not have cannot be added, the operation cannot be changed.
func (e EditRule) check(edit canon.Value) *Refusal {
	if edit.Kind() != canon.KindObject || len(edit.Fields()) == 0 {
		return refuse(RefusedEdit, "an edit is an object of changed arguments, got %s", edit.Kind())
	}
	if n := len(edit.Encode()); n > MaxEditBytes {
		return refuse(RefusedEdit, "the edit has %d bytes, at most %d are accepted", n, MaxEditBytes)
	}
	for _, f := range edit.Fields() {
		switch {
		case !slices.Contains(e.Present, f.Name):
			return refuse(RefusedEdit, "the pending call has no argument %q; it has: %s", f.Name, strings.Join(e.Present, ", "))
		case !e.Open(f.Name):
			return refuse(RefusedEdit, "argument %q may not be edited here", f.Name)
		}
	}
	return nil
}

// Open reports whether the rule lets an edit touch the argument name.
func (e EditRule) Open(name string) bool {
	return !slices.Contains(e.Denied, name) && (len(e.Allowed) == 0 || slices.Contains(e.Allowed, name))
}

// ApplyEdit returns the arguments that result from an accepted edit.
func ApplyEdit(args, edit canon.Value) canon.Value {
	for _, f := range edit.Fields() {
		args = args.With(f.Name, f.Value)
	}
	return args
}

// Review is how a gated call is presented, from hitl of the governing policies.
type Review struct {
	Allowed     []string
	Edits       EditRule
	RedactKeys  []string
	Description string
}

// ReviewFor merges the review options of the governing policies: interrupt keys
// and redactions unite, decisions and allowed edits intersect, denied edits unite
// (behaviours 103). The sources are not changed.
func ReviewFor(g *resource.Graph, c Call) Review {
	r := Review{Allowed: []string{Approve, Reject}}
	for _, f := range c.Arguments.Fields() {
		r.Edits.Present = append(r.Edits.Present, f.Name)
	}
	first := true
	policies, _ := governing(g, c)
	for _, p := range policies {
		r.RedactKeys = union(r.RedactKeys, p.Hitl.RedactKeys)
		if p.Hitl.DescriptionPrefix != "" && r.Description == "" {
			r.Description = p.Hitl.DescriptionPrefix
		}
		review, ok := p.Hitl.InterruptOn[c.Tool]
		if !ok {
			continue
		}
		r.merge(review, c, first)
		first = false
	}
	r.Allowed = slices.DeleteFunc(r.Allowed, func(d string) bool { return d == Switch }) // nothing carries one out yet
	if len(r.Allowed) == 0 {
		r.Allowed = []string{Reject} // policies that agree on nothing must not leave a request nobody can answer
	}
	return r
}

func (r *Review) merge(review resource.Review, c Call, first bool) {
	allowed := review.AllowedDecisions
	if len(allowed) == 0 {
		allowed = []string{Approve, Reject}
	}
	edits := union(review.AllowedEditArgs, review.AllowedEditPaths)
	if first {
		r.Allowed, r.Edits.Allowed = slices.Clone(allowed), edits
	} else {
		r.Allowed = intersect(r.Allowed, allowed)
		r.Edits.intersect(edits)
	}
	r.Edits.Denied = union(r.Edits.Denied, union(review.DeniedEditArgs, review.DeniedEditPaths))
	r.RedactKeys = union(r.RedactKeys, review.RedactKeys)
	if review.Description != "" {
		text := strings.ReplaceAll(review.Description, "${uses}", c.Capability())
		r.Description = strings.TrimSpace(r.Description + " " + text)
	}
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func intersect(a, b []string) []string {
	var out []string
	for _, s := range a {
		if slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

// intersect leaves open what both lists do, where an empty list opens everything.
// Nothing in common closes every argument: an empty result would open them all.
func (e *EditRule) intersect(allowed []string) {
	switch {
	case len(e.Allowed) == 0:
		e.Allowed = allowed
	case len(allowed) > 0:
		if e.Allowed = intersect(e.Allowed, allowed); len(e.Allowed) == 0 {
			e.Denied = union(e.Denied, e.Present)
		}
	}
}
