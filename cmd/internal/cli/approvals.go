package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/internal/canon"
	"terfyn/store"
)

var approvalStatuses = []string{
	string(store.ApprovalOpen), string(store.ApprovalApproved), string(store.ApprovalRejected),
	string(store.ApprovalExpired), string(store.ApprovalSuperseded), string(store.ApprovalRevoked),
}

type approvalsFlags struct {
	run, status, after string
	all                bool
	limit              int
}

func newApprovals(a *app) *cobra.Command {
	var f approvalsFlags
	c := &cobra.Command{
		Use: "approvals", Short: "List the requests that wait for a person; approvals show ID shows one", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd.Context(), func(ctx context.Context, s store.Store) error { return a.approvals(ctx, s, f) })
		},
	}
	c.Flags().StringVar(&f.run, "run", "", "only requests of this run")
	c.Flags().StringVar(&f.status, "status", string(store.ApprovalOpen), "only requests that are "+strings.Join(approvalStatuses, ", "))
	c.Flags().BoolVar(&f.all, "all", false, "requests of every status")
	bindPage(c, &f.limit, &f.after)
	c.AddCommand(newApprovalShow(a))
	return c
}

func newApprovalShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show one request: what would be sent, under which rule, who decided", Args: arguments(1, 1, "the id of a request"),
		ValidArgsFunction: a.completeApprovals,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd.Context(), func(ctx context.Context, s store.Store) error { return a.approvalShow(ctx, s, args[0]) })
		},
	}
}

func (a *app) approvals(ctx context.Context, s store.Store, f approvalsFlags) error {
	if !slices.Contains(approvalStatuses, f.status) {
		return usagef("--status %s is not a status; use %s", f.status, strings.Join(approvalStatuses, ", "))
	}
	if err := checkLimit(f.limit); err != nil {
		return err
	}
	at, id, err := pageStart(f.after)
	if err != nil {
		return err
	}
	filter := store.ApprovalFilter{RunID: f.run, Status: store.ApprovalStatus(f.status), Before: store.ApprovalCursor{OpenedAt: at, ID: id}, Limit: f.limit}
	if f.all {
		filter.Status = ""
	}
	list, err := s.ListApprovals(ctx, filter)
	if err != nil {
		return err
	}
	next := ""
	if len(list) == f.limit {
		next = pageKey(list[len(list)-1].OpenedAt, list[len(list)-1].ID)
	}
	return a.show(func(w io.Writer) {
		if len(list) == 0 {
			say(w, "Nothing waits for a decision")
			return
		}
		render.ApprovalTable(w, list)
		more(w, next)
	}, canon.F("approvals", render.Approvals(list)), str("nextPage", next))
}

func (a *app) approvalShow(ctx context.Context, s store.Store, id string) error {
	req, err := s.Approval(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return failf(ExitFailure, "there is no approval request %s; terfyn approvals lists the open ones", id)
	}
	if err != nil {
		return err
	}
	decisions, err := s.Decisions(ctx, id)
	if err != nil {
		return err
	}
	return a.show(func(w io.Writer) { render.Approval(w, req, decisions, a.palette(w)) },
		canon.F("approval", canon.Object(render.ApprovalFields(req)...)), canon.F("decisions", render.Decisions(decisions)))
}
