package cli

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/deploy"
	"terfyn/internal/canon"
	"terfyn/store"
)

type rollbackFlags struct {
	to, page string
	list     bool
	limit    int
	applyFlags
}

func newRollback(a *app) *cobra.Command {
	var f rollbackFlags
	c := &cobra.Command{
		Use:   "rollback",
		Short: "Apply an earlier snapshot again, or list what was applied",
		Args:  arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case f.list == (f.to != ""):
				return usagef("terfyn rollback needs either --to DIGEST or --list")
			case f.list:
				return a.history(cmd.Context(), f.limit, f.page)
			}
			return a.rollback(cmd.Context(), f)
		},
	}
	c.Flags().StringVar(&f.to, "to", "", "digest of the snapshot to return to, or as much of its start as tells it apart")
	c.Flags().BoolVar(&f.list, "list", false, "list the applies of the environment, newest first")
	c.Flags().BoolVar(&f.autoApprove, "auto-approve", false, "apply without asking (also TERFYN_AUTO_APPROVE=1)")
	c.Flags().BoolVar(&f.requireEvidence, "require-evidence", false, "refuse without current acceptance evidence")
	bindPage(c, &f.limit, &f.page)
	return c
}

func (a *app) rollback(ctx context.Context, f rollbackFlags) error {
	earlier, err := a.earlier(ctx, f.to)
	if err != nil {
		return err
	}
	plan, err := a.prepare(ctx, earlier.Content, "")
	if err != nil {
		return err
	}
	err = a.review(ctx, change{plan: plan, content: earlier.Content, compiler: earlier.CompilerVersion, rollback: true}, f.applyFlags)
	if err == nil && !plan.Empty() && a.hasSources() {
		a.info("The project still declares what it did; the next terfyn apply brings that back.")
	}
	return err
}

// earlier finds and reads the snapshot to return to.
func (a *app) earlier(ctx context.Context, to string) (e deploy.Earlier, err error) {
	err = a.readingApplied(ctx, func(ctx context.Context, s store.Store) error {
		digest, err := deploy.FindSnapshot(ctx, s, a.environment(), to)
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, deploy.ErrAmbiguous) {
			return &coded{code: ExitInvalid, cause: err}
		}
		if err != nil {
			return err
		}
		e, err = deploy.LoadEarlier(ctx, s, a.environment(), digest)
		return err
	})
	return e, err
}

// history lists what was applied.
func (a *app) history(ctx context.Context, limit int, page string) error {
	if err := checkLimit(limit); err != nil {
		return err
	}
	before, _, err := pageStart(page)
	if err != nil {
		return err
	}
	var applies []store.Apply
	var current store.Current
	newer := 0
	err = a.readingApplied(ctx, func(ctx context.Context, s store.Store) (err error) {
		if current, err = s.Current(ctx, a.environment()); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if newer, err = deploy.AppliesSince(ctx, s, a.environment(), before); err != nil {
			return err
		}
		applies, err = s.Applies(ctx, a.environment(), before, limit)
		return err
	})
	if err != nil {
		return err
	}
	next := ""
	if len(applies) == limit {
		last := applies[len(applies)-1]
		next = pageKey(last.At, last.ID)
	}
	return a.showHistory(applies, current.Version, current.Version-int64(newer), next)
}

// showHistory shows applies, the first of which reached the version first. Each apply
// reaches the next version.
func (a *app) showHistory(applies []store.Apply, current, first int64, next string) error {
	list, cells := make([]canon.Value, len(applies)), make([][]string, len(applies))
	for i, p := range applies {
		mark, version := "", first-int64(i)
		if version == current {
			mark = "current"
		}
		list[i] = canon.Object(
			str("applyId", p.ID), str("project", p.Project), str("actor", p.Actor), str("appliedAt", render.Stamp(p.At)), str("planDigest", string(p.PlanDigest)),
			str("snapshotBefore", string(p.SnapshotBefore)), str("snapshotAfter", string(p.SnapshotAfter)), canon.F("version", canon.Int(version)), canon.F("current", canon.Bool(mark != "")),
		)
		cells[i] = []string{strconv.FormatInt(version, 10), string(p.SnapshotAfter), render.Time(p.At), p.Actor, p.Project, mark}
	}
	return a.show(func(w io.Writer) {
		if len(cells) == 0 {
			say(w, "Nothing was applied to environment %s", a.environment())
			return
		}
		render.Table(w, []string{"VERSION", "SNAPSHOT", "APPLIED", "ACTOR", "PROJECT", "CURRENT"}, cells)
		more(w, next)
	}, str("environment", a.environment()), canon.F("applies", canon.List(list...)), str("nextPage", next))
}
