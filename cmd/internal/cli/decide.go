package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/cmd/internal/wire"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// decideTimeout is how long a decision waits for the run's answer.
const decideTimeout = 15 * time.Second

type decideFlags struct {
	reason, revision string
	timeout          time.Duration
	sets             []string
	editJSON         string
	sent, notSent    bool
	providerID       string
}

func newApprove(a *app) *cobra.Command {
	return a.decisionCommand("approve ID", "Approve a request: exactly what it shows may be sent", nil,
		func(*decideFlags) (contract.Decision, error) { return contract.Decision{Decision: policy.Approve}, nil })
}

func newReject(a *app) *cobra.Command {
	return a.decisionCommand("reject ID", "Reject a request", nil,
		func(*decideFlags) (contract.Decision, error) { return contract.Decision{Decision: policy.Reject}, nil })
}

func newEdit(a *app) *cobra.Command {
	flags := func(c *cobra.Command, f *decideFlags) {
		c.Flags().StringArrayVar(&f.sets, "set", nil, "NAME=JSON, one changed argument (repeatable); text that does not start like JSON is a string")
		c.Flags().StringVar(&f.editJSON, "edit-json", "", "JSON object of changed arguments")
	}
	return a.decisionCommand("edit ID", "Approve a request with changed arguments", flags, func(f *decideFlags) (contract.Decision, error) {
		edit, err := editDocument(f.sets, f.editJSON)
		return contract.Decision{Decision: policy.Edit, Edit: edit}, err
	})
}

func newConfirm(a *app) *cobra.Command {
	flags := func(c *cobra.Command, f *decideFlags) {
		c.Flags().BoolVar(&f.sent, "sent", false, "the effect did happen")
		c.Flags().BoolVar(&f.notSent, "not-sent", false, "the effect did not happen; it may be sent again")
		c.Flags().StringVar(&f.providerID, "provider-id", "", "with --sent: the other side's id of what happened")
	}
	return a.decisionCommand("confirm ID", "Tell what became of an effect whose outcome is unknown", flags, func(f *decideFlags) (contract.Decision, error) {
		switch {
		case f.sent == f.notSent:
			return contract.Decision{}, usagef("say either --sent or --not-sent")
		case f.sent:
			return contract.Decision{Decision: policy.ConfirmSent, ProviderID: f.providerID}, nil
		case f.providerID != "":
			return contract.Decision{}, usagef("--provider-id goes with --sent")
		}
		return contract.Decision{Decision: policy.ConfirmNotSent}, nil
	})
}

// decisionCommand builds a command that takes one decision on one request.
func (a *app) decisionCommand(use, short string, more func(*cobra.Command, *decideFlags), build func(*decideFlags) (contract.Decision, error)) *cobra.Command {
	var f decideFlags
	c := &cobra.Command{
		Use: use, Short: short, Args: arguments(1, 1, "the id of a request"),
		ValidArgsFunction: a.completeApprovals,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := build(&f)
			if err != nil {
				return err
			}
			d.ApprovalID, d.Revision, d.Reason = args[0], canon.Digest(f.revision), f.reason
			return a.takeDecision(cmd.Context(), d, f.timeout)
		},
	}
	c.Flags().StringVar(&f.reason, "reason", "", "why; recorded, and shown to an agent whose call is rejected")
	c.Flags().StringVar(&f.revision, "revision", "", "the revision that was looked at (default: the one the request shows now)")
	c.Flags().DurationVar(&f.timeout, "timeout", decideTimeout, "how long to wait for the run's answer")
	if more != nil {
		more(c, &f)
	}
	return c
}

// editDocument builds the object of changed arguments.
func editDocument(sets []string, text string) (canon.Value, error) {
	doc := canon.Object()
	if text != "" {
		var err error
		if doc, err = canon.Parse([]byte(text)); err != nil {
			return canon.Value{}, usagef("the edit is no JSON: %w", err)
		}
		if doc.Kind() != canon.KindObject {
			return canon.Value{}, usagef("the edit must be a JSON object of changed arguments, not %s", doc.Kind())
		}
	}
	for _, s := range sets {
		name, value, ok := strings.Cut(s, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return canon.Value{}, usagef("--set %q is not NAME=JSON", s)
		}
		v, err := canon.Parse([]byte(value))
		switch {
		case err == nil:
		case startsLikeJSON(value):
			return canon.Value{}, usagef("--set %s: %q starts like JSON and is none: %w; a text that starts so is written as a JSON string, in double quotes", name, value, err)
		default:
			v = canon.String(value)
		}
		doc = doc.With(name, v)
	}
	if len(doc.Fields()) == 0 {
		return canon.Value{}, usagef("an edit changes at least one argument; name it with --set NAME=JSON or --edit-json (--decision-edit-json with run)")
	}
	return doc, nil
}

// startsLikeJSON tells a slip in a number, string, list or object from a text.
func startsLikeJSON(value string) bool {
	value = strings.TrimLeft(value, " \t\r\n")
	return value != "" && strings.ContainsRune(`-0123456789"[{`, rune(value[0]))
}

func (a *app) takeDecision(ctx context.Context, d contract.Decision, timeout time.Duration) (err error) {
	s, err := a.existingState(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	req, err := s.Approval(ctx, d.ApprovalID)
	if errors.Is(err, store.ErrNotFound) {
		return failf(ExitFailure, "there is no approval request %s; terfyn approvals lists the open ones", d.ApprovalID)
	}
	if err != nil {
		return err
	}
	if d.Revision == "" {
		d.Revision = req.Revision
	}
	c, err := a.connect(ctx, s)
	if err != nil {
		return err
	}
	defer c.Close()
	v, err := a.decide(ctx, c, s, req.RunID, d, timeout)
	if err != nil {
		return err
	}
	return a.show(func(w io.Writer) {
		say(w, "%s: %s by %s", v.ApprovalID, v.Decision, v.By)
		say(w, "Status: %s", v.Status)
		say(w, "On: %s, revision %s", render.Subject(req), d.Revision)
		say(w, "Follow the run with: terfyn attach %s", req.RunID)
	},
		str("approvalId", v.ApprovalID), str("runId", req.RunID), str("decision", v.Decision), str("status", v.Status),
		str("revision", string(d.Revision)), str("granted", string(v.Granted)), str("by", v.By), str("at", render.Stamp(v.At)))
}

// decider takes decisions; a connection is one.
type decider interface {
	Decide(ctx context.Context, runID string, d contract.Decision, timeout time.Duration) (contract.Verdict, error)
}

// decide hands a decision over and words what can come back.
func (a *app) decide(ctx context.Context, c decider, s store.Store, runID string, d contract.Decision, timeout time.Duration) (contract.Verdict, error) {
	d.Actor = a.decidingActor()
	v, err := c.Decide(ctx, runID, d, timeout)
	var refused *policy.Refusal
	switch {
	case err == nil:
		return v, nil
	case errors.As(err, &refused) && refused.Code == policy.RefusedActor:
		return v, failf(refusalCode(refused.Code), "%w; set TERFYN_HITL_ACTOR to decide as somebody else", refused)
	case errors.As(err, &refused):
		return v, &coded{code: refusalCode(refused.Code), cause: refused}
	case errors.Is(err, wire.ErrUndecided):
		return v, failf(ExitFailure, "unknown whether the decision on %s was taken: nobody answered within %s; it may still be applied when a worker runs, so ask again with the same command (it is never applied twice), or look with terfyn approvals show %s", d.ApprovalID, timeout, d.ApprovalID)
	case errors.Is(err, wire.ErrRunGone):
		return v, closedRequest(ctx, s, d)
	}
	return v, err
}

// decidingActor is who decides from this process.
func (a *app) decidingActor() string {
	if actor := a.getenv("TERFYN_HITL_ACTOR"); actor != "" {
		return actor
	}
	return a.userName()
}

// closedRequest tells how a request ended whose run takes no decisions any more.
func closedRequest(ctx context.Context, s store.Store, d contract.Decision) error {
	req, err := s.Approval(ctx, d.ApprovalID)
	if err != nil {
		return err
	}
	decisions, err := s.Decisions(ctx, d.ApprovalID)
	if err != nil {
		return err
	}
	end := fmt.Sprintf("it is %s and its run is closed", req.Status)
	code := policy.RefusedLate
	if n := len(decisions); n > 0 {
		last := decisions[n-1]
		end, code = fmt.Sprintf("%s by %s at %s", last.Decision, last.Actor, render.Time(last.At)), policy.RefusedDecided
	}
	refusal := &policy.Refusal{Code: code, Message: fmt.Sprintf("%s takes no decision any more: %s", d.ApprovalID, end)}
	return &coded{code: refusalCode(code), cause: refusal}
}
