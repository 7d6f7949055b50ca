package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// runID is the id the run is started with.
const runID = "reply-T-1001"

// status is what the demonstration reads of `terfyn status`.
type status struct {
	Status        string
	Output        struct{ Ticket, Mail string }
	AwaitingHuman []request
}

// request is an open approval request.
type request struct {
	ID, Kind, Tool, Operation, Revision string
	Payload                             struct{ To, Subject, Body string }
}

// play is the story. Every part fails when what it tells did not happen.
func (s *stage) play(ctx context.Context) error {
	for _, part := range []func(context.Context) error{s.deploy, s.begin, s.readDraft, s.crash, s.releaseMail, s.verify} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) deploy(ctx context.Context) error {
	s.say("The example in a folder of its own; a Temporal server at %s (pid %d), a mail sink at %s (pid %d)",
		s.address, s.children[1].pid(), s.sink, s.children[0].pid())
	for _, command := range []string{"setup", "validate", "plan"} {
		if err := s.show(ctx, command); err != nil {
			return err
		}
	}
	// It shows the plan once more.
	if err := s.showFrom(ctx, "Apply complete", "apply", "--auto-approve"); err != nil {
		return err
	}
	var valid struct{ Valid bool }
	if err := s.ask(ctx, &valid, "validate"); err != nil {
		return err
	}
	var state struct {
		AppliedProject struct {
			Snapshot string
			Version  int
		}
	}
	if err := s.ask(ctx, &state, "state", "list"); err != nil {
		return err
	}
	if !valid.Valid || state.AppliedProject.Snapshot == "" || state.AppliedProject.Version != 1 {
		return fmt.Errorf("the project is not applied: valid %t, state %+v", valid.Valid, state.AppliedProject)
	}
	return nil
}

func (s *stage) begin(ctx context.Context) error {
	if err := s.hire(ctx); err != nil {
		return err
	}
	s.say("A worker polls (pid %d). A ticket comes in", s.worker.pid())
	if err := s.show(ctx, "run", "workflow/reply", "--input-file", "ticket.json", "--id", runID, "--detach"); err != nil {
		return err
	}
	_, err := s.waiting(ctx, "approval", "")
	return err
}

// readDraft shows the run at its first stop.
func (s *stage) readDraft(ctx context.Context) error {
	r, err := s.waiting(ctx, "approval", "")
	if err != nil {
		return err
	}
	s.say("The reviewer refused the first draft and agreed with the second. The run waits for a person")
	if err := s.show(ctx, "status", runID); err != nil {
		return err
	}
	if err := s.show(ctx, "approvals", "show", r.ID); err != nil {
		return err
	}
	if r.Payload.Subject == "" || r.Payload.Body == "" {
		return fmt.Errorf("request %s shows no draft", r.ID)
	}
	return nil
}

// crash kills the worker while the run waits, and decides with another one.
func (s *stage) crash(ctx context.Context) error {
	before, err := s.waiting(ctx, "approval", "")
	if err != nil {
		return err
	}
	killed := s.worker.pid()
	if err := s.worker.kill(); err != nil {
		return err
	}
	after, err := s.waiting(ctx, "approval", before.ID)
	if err != nil {
		return err
	}
	if after.Revision != before.Revision {
		return fmt.Errorf("request %s was about revision %s and is about %s", before.ID, before.Revision, after.Revision)
	}
	if err := s.hire(ctx); err != nil {
		return err
	}
	s.say("The worker (pid %d) was killed with SIGKILL. The request still waits; another worker polls (pid %d)", killed, s.worker.pid())
	return s.approve(ctx, before, "reads well")
}

// approve decides on what was shown, and on nothing else.
func (s *stage) approve(ctx context.Context, r request, reason string) error {
	return s.show(ctx, "approve", r.ID, "--revision", r.Revision, "--reason", reason, "--timeout", "30s")
}

// releaseMail shows the run at its second stop, the gate before the effect.
func (s *stage) releaseMail(ctx context.Context) error {
	r, err := s.waiting(ctx, "gate", "")
	if err != nil {
		return err
	}
	s.say("The text is approved, sending it is not: policy puts the exact call before a person")
	if err := s.show(ctx, "approvals", "show", r.ID); err != nil {
		return err
	}
	sent, err := s.mails(ctx)
	if err != nil {
		return err
	}
	if len(sent) != 0 || r.Tool != "mail" || r.Operation != "send" {
		return fmt.Errorf("%d mails were sent before the gate, which asks for %s.%s", len(sent), r.Tool, r.Operation)
	}
	if err := s.approve(ctx, r, "send it"); err != nil {
		return err
	}
	if err := s.show(ctx, "attach", runID); err != nil {
		return err
	}
	return s.sentOnce(ctx, r)
}

// sentOnce compares the mail in the sink with what was approved.
func (s *stage) sentOnce(ctx context.Context, approved request) error {
	var st status
	if err := s.ask(ctx, &st, "status", runID); err != nil {
		return err
	}
	sent, err := s.mails(ctx)
	if err != nil {
		return err
	}
	if st.Status != "succeeded" || len(sent) != 1 {
		return fmt.Errorf("the run is %s and the sink has %d mails", st.Status, len(sent))
	}
	m := sent[0]
	if m.Mail != approved.Payload || m.OperationID == "" || st.Output.Mail != m.ID {
		return fmt.Errorf("mail %+v is not what was approved, %+v, or not what the run tells, %+v", m, approved.Payload, st.Output)
	}
	answer := "answered"
	if !m.Answered {
		answer = "its answer was lost, so the run looked it up"
	}
	s.say("The mail sink has exactly one mail, %s, to %s: %q (%s)", m.ID, m.Mail.To, m.Mail.Subject, answer)
	return nil
}

func (s *stage) verify(ctx context.Context) error {
	s.say("What happened is recorded in a chain")
	if err := s.show(ctx, "audit", "verify", "--run", runID); err != nil {
		return err
	}
	var chain struct {
		Intact bool
		Runs   []struct{ Events int }
	}
	if err := s.ask(ctx, &chain, "audit", "verify", "--run", runID); err != nil {
		return err
	}
	if !chain.Intact || len(chain.Runs) != 1 || chain.Runs[0].Events == 0 {
		return fmt.Errorf("the chain is not intact: %+v", chain)
	}
	s.say("All of it was observed; the processes are stopped and the folder is removed. Where to look next:")
	fmt.Fprint(s.out, `
   examples/support-reply/README.md   the example, and how to run it by hand
   make dev                           a server and a worker that stay
   make demo LOSE=1                   the same, with the answer to the mail lost on the way
   docs/architecture.md               how it works
`)
	return nil
}

// waiting waits until the run waits for a request of that kind, and of that id
// unless it is "".
func (s *stage) waiting(ctx context.Context, kind, id string) (request, error) {
	var found request
	what := "the run waits for a request of kind " + strconv.Quote(kind)
	err := until(ctx, what, func() (bool, error) {
		var list struct{ Runs []struct{ RunID string } }
		if err := s.ask(ctx, &list, "runs"); err != nil {
			return false, err
		}
		if len(list.Runs) == 0 {
			return false, nil // no worker has taken it up yet
		}
		var st status
		if err := s.ask(ctx, &st, "status", runID); err != nil {
			return false, err
		}
		if st.Status != "running" && st.Status != "interrupted" {
			return false, fmt.Errorf("the run is %s", st.Status)
		}
		i := slices.IndexFunc(st.AwaitingHuman, func(r request) bool { return r.Kind == kind && (id == "" || r.ID == id) })
		if st.Status != "interrupted" || i < 0 {
			return false, nil
		}
		found = st.AwaitingHuman[i]
		return true, nil
	})
	return found, err
}
