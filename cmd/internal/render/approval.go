package render

import (
	"io"
	"strings"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
)

// Subject is what a request is about.
func Subject(a store.Approval) string {
	if a.Tool == "" {
		return a.CallSite
	}
	return a.Tool + "." + a.Operation
}

// Command is how to take a decision from a shell.
func Command(id, decision string) string {
	switch decision {
	case policy.Edit:
		return "terfyn edit " + id + " --set NAME=JSON"
	case policy.ConfirmSent:
		return "terfyn confirm " + id + " --sent"
	case policy.ConfirmNotSent:
		return "terfyn confirm " + id + " --not-sent"
	case policy.Reject:
		return "terfyn reject " + id + " --reason TEXT"
	}
	return "terfyn " + decision + " " + id
}

// Approvals is a list of requests in documents.
func Approvals(list []store.Approval) canon.Value {
	out := make([]canon.Value, len(list))
	for i, a := range list {
		out[i] = canon.Object(ApprovalFields(a)...)
	}
	return canon.List(out...)
}

// ApprovalFields is one request in documents.
func ApprovalFields(a store.Approval) []canon.Field {
	return []canon.Field{
		str("id", a.ID), str("runId", a.RunID), str("callSite", a.CallSite), str("kind", a.Kind), str("tool", a.Tool), str("operation", a.Operation),
		str("description", a.Description), canon.F("payload", parsed(a.Payload)), str("revision", string(a.Revision)),
		str("granted", string(a.Granted)), str("snapshot", string(a.Snapshot)), str("policyDigest", string(a.PolicyDigest)), str("rule", a.Rule),
		canon.F("allowedDecisions", canon.Strings(a.Allowed)), canon.F("editableArguments", canon.Strings(a.EditPaths)),
		canon.F("approvers", canon.Strings(a.Approvers)), canon.F("minApprovals", canon.Int(int64(a.MinApprovals))),
		str("submitter", a.Submitter), str("status", string(a.Status)),
		str("openedAt", Stamp(a.OpenedAt)), str("expiresAt", Stamp(a.ExpiresAt)), str("closedAt", Stamp(a.ClosedAt)),
	}
}

// Decisions is a history of decisions in documents.
func Decisions(list []store.Decision) canon.Value {
	out := make([]canon.Value, len(list))
	for i, d := range list {
		out[i] = canon.Object(
			canon.F("n", canon.Int(int64(d.N))), str("decision", d.Decision), str("revision", string(d.Revision)), str("granted", string(d.Granted)),
			str("actor", d.Actor), canon.F("verified", canon.Bool(d.Verified)), str("reason", d.Reason), canon.F("edit", parsed(d.Edit)), str("at", Stamp(d.At)),
		)
	}
	return canon.List(out...)
}

func parsed(b []byte) canon.Value {
	v, err := canon.Parse(b)
	if err != nil {
		return canon.Null()
	}
	return v
}

// ApprovalTable lists requests for people.
func ApprovalTable(w io.Writer, list []store.Approval) {
	rows := make([][]string, len(list))
	for i, a := range list {
		rows[i] = []string{a.ID, a.RunID, Subject(a), a.Kind, string(a.Status), strings.Join(a.Allowed, ","), Time(a.OpenedAt), Time(a.ExpiresAt)}
	}
	Table(w, []string{"APPROVAL", "RUN", "SUBJECT", "KIND", "STATUS", "DECISIONS", "OPENED", "EXPIRES"}, rows)
}

// Approval writes one request as its decider needs it: what would be sent, under
// which rule, and how to answer.
func Approval(w io.Writer, a store.Approval, decisions []store.Decision, c Palette) {
	line(w, "Approval:   %s", a.ID)
	line(w, "Status:     %s", c.Careful(string(a.Status)))
	line(w, "Subject:    %s", c.Strong(Subject(a)))
	line(w, "Kind:       %s", a.Kind)
	if a.Description != "" {
		line(w, "About:      %s", a.Description)
	}
	line(w, "Run:        %s at %s", a.RunID, a.CallSite)
	line(w, "Rule:       %s", Cell(a.Rule))
	line(w, "Revision:   %s", a.Revision)
	line(w, "Snapshot:   %s", a.Snapshot)
	line(w, "Policy:     %s", a.PolicyDigest)
	line(w, "Submitter:  %s", Cell(a.Submitter))
	line(w, "Approvers:  %s", approvers(a))
	line(w, "Opened:     %s", Time(a.OpenedAt))
	line(w, "Expires:    %s", expires(a))
	line(w, "Payload:")
	line(w, "%s", indent(Indented(parsed(a.Payload))))
	if len(a.EditPaths) > 0 {
		line(w, "Editable:   %s", strings.Join(a.EditPaths, ", "))
	}
	for _, d := range decisions {
		line(w, "Decision %d: %s by %s at %s%s", d.N, d.Decision, d.Actor, Time(d.At), because(d))
	}
	if a.Status != store.ApprovalOpen {
		return
	}
	line(w, "Decide:")
	for _, d := range a.Allowed {
		line(w, "  %s", Command(a.ID, d))
	}
}

func approvers(a store.Approval) string {
	who := "anybody who can reach the run (single-operator mode)"
	if a.Approvers != nil {
		who = strings.Join(a.Approvers, ", ")
	}
	if a.MinApprovals > 1 {
		who += ", " + canon.Int(int64(a.MinApprovals)).JSON() + " needed"
	}
	return who
}

func expires(a store.Approval) string {
	if a.ExpiresAt.IsZero() {
		return "never"
	}
	return Time(a.ExpiresAt)
}

func because(d store.Decision) string {
	text := ""
	if !d.Verified {
		text = " (actor as claimed)"
	}
	if d.Reason != "" {
		text += ": " + Cell(d.Reason)
	}
	return text
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
