package policy

import (
	"slices"
	"time"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// Kind is what an approval request is about.
type Kind string

// The kinds of requests.
const (
	KindGate           Kind = "gate"            // a policy or safety rule gates a tool call
	KindStatement      Kind = "approval"        // an approval statement
	KindEscalation     Kind = "escalation"      // an agent says it cannot do its task
	KindUnknownOutcome Kind = "unknown_outcome" // nobody knows whether an effect happened
)

// The decisions.
const (
	Approve          = "approve"
	Reject           = "reject"
	Edit             = "edit"
	Switch           = "switch"
	Answered         = "answer"
	ConfirmSent      = "confirm-sent"
	ConfirmNotSent   = "confirm-not-sent"
	MaxEditBytes     = 1 << 20 // edited arguments, language of behaviours 96
	OnTimeoutApprove = "approve"
)

// Gate is an approval request as workflow code and the sender know it.
type Gate struct {
	ID          string       `json:"id"`
	Site        string       `json:"site"`
	Kind        Kind         `json:"kind"`
	Tool        string       `json:"tool"`
	Operation   string       `json:"operation"`
	Description string       `json:"description,omitempty"`
	Rule        string       `json:"rule,omitempty"`
	Revision    canon.Digest `json:"revision"`
	Allowed     []string     `json:"allowed"`
	Edits       EditRule     `json:"edits"`
	RedactKeys  []string     `json:"redactKeys,omitempty"`
	Deciders    Deciders     `json:"deciders"`
	Submitter   string       `json:"submitter,omitempty"`
	// Timeout after which OnTimeout applies; 0 keeps waiting.
	Timeout   time.Duration `json:"timeout,omitempty"`
	OnTimeout string        `json:"onTimeout,omitempty"`
}

// EditRule bounds what an edit may touch: top-level argument names. Present
// lists every name of the pending call; Allowed empty means all of them.
type EditRule struct {
	Present []string `json:"present,omitempty"`
	Allowed []string `json:"allowed,omitempty"`
	Denied  []string `json:"denied,omitempty"`
}

// Deciders says who may decide. No Names means anybody who can reach the run:
// single-operator mode, which the trace says.
type Deciders struct {
	Names           []string `json:"names,omitempty"` // persons; groups are resolved
	MinApprovals    int      `json:"minApprovals,omitempty"`
	ForbidSubmitter bool     `json:"forbidSubmitter,omitempty"`
}

// Anybody reports whether d leaves the decision to whoever can reach the run.
func (d Deciders) Anybody() bool {
	return d.Names == nil && d.MinApprovals <= 1 && !d.ForbidSubmitter
}

// Decision is a person's answer to a Gate.
type Decision struct {
	ApprovalID string       `json:"approvalId"`
	Revision   canon.Digest `json:"revision"`
	Decision   string       `json:"decision"`
	Actor      string       `json:"actor"`
	Reason     string       `json:"reason,omitempty"`
	Edit       canon.Value  `json:"edit,omitzero"`
	Answer     canon.Value  `json:"answer,omitzero"`
	ProviderID string       `json:"providerId,omitempty"`
	Signature  string       `json:"signature,omitempty"`
}

// IsZero reports whether d is empty.
func (d Decision) IsZero() bool { return d.ApprovalID == "" && d.Decision == "" }

// Revision is the digest a decision binds to (execution.md section 6).
func Revision(tool, operation string, args canon.Value, site string, snapshot canon.Digest) canon.Digest {
	return canon.Object(
		canon.F("arguments", args), canon.F("callSite", canon.String(site)), canon.F("operation", canon.String(operation)),
		canon.F("snapshot", canon.String(string(snapshot))), canon.F("tool", canon.String(tool)),
	).Digest()
}

// ApprovalID names a request: the same call site, revision and round of one run
// always give the same id.
func ApprovalID(runID, firstExecID, site string, kind Kind, revision canon.Digest, round int) string {
	d := canon.List(canon.String(runID), canon.String(firstExecID), canon.String(site), canon.String(string(kind)),
		canon.String(string(revision)), canon.Int(int64(round))).Digest()
	return "apr-" + d.Short()
}

// OperationID names one side effect of a run, whatever attempt sends it.
func OperationID(runID, firstExecID, site string) string {
	return "op-" + string(canon.List(canon.String(runID), canon.String(firstExecID), canon.String(site)).Digest()[len("sha256:"):][:32])
}

// DecidersFor resolves the approvers of the policies that govern a call, with
// groups looked up in the environment. Approvers of two policies intersect.
func DecidersFor(g *resource.Graph, environment string, c Call) Deciders {
	var d Deciders
	policies, _ := governing(g, c)
	for _, p := range policies {
		d.MinApprovals = max(d.MinApprovals, int(p.Approvals.MinApprovals))
		d.ForbidSubmitter = d.ForbidSubmitter || p.Approvals.ForbidSubmitter
		names := Approvers(g, environment, p)
		if names == nil {
			continue
		}
		if d.Names != nil {
			names = slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(d.Names, n) })
		}
		d.Names = names
	}
	return d
}

// Approvers lists who may decide under p in an environment, as DecidersFor finds
// them: sorted, and nil where p leaves that to anybody.
func Approvers(g *resource.Graph, environment string, p resource.Policy) []string {
	if len(p.Approvals.Approvers) == 0 {
		return nil
	}
	return persons(g, environment, p.Approvals.Approvers)
}

// persons expands group:NAME entries; the result is sorted and never nil, so that
// an empty group admits nobody instead of everybody.
func persons(g *resource.Graph, environment string, approvers []string) []string {
	out := []string{}
	for _, a := range approvers {
		group, isGroup := cutGroup(a)
		if !isGroup {
			out = append(out, a)
			continue
		}
		for _, e := range g.Environments {
			if e.Name == environment {
				out = append(out, e.Groups[group]...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func cutGroup(a string) (string, bool) {
	const prefix = "group:"
	if len(a) > len(prefix) && a[:len(prefix)] == prefix {
		return a[len(prefix):], true
	}
	return "", false
}

// PolicyDigest identifies the rules that govern a call, for records and messages.
func PolicyDigest(g *resource.Graph, c Call) canon.Digest {
	policies, missing := governing(g, c)
	parts := []canon.Value{canon.Strings(missing)}
	for _, p := range policies {
		parts = append(parts, canon.String(p.Name))
		for _, r := range resource.Resources(*g) {
			if r.Kind == resource.KindPolicy && r.Name == p.Name {
				parts = append(parts, r.Spec)
			}
		}
	}
	return canon.List(parts...).Digest()
}
