package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/deploy"
	"terfyn/internal/canon"
	"terfyn/store"
)

func newDrift(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "drift",
		Short: "Compare what is applied with the stored rows and with what the project declares",
		Args:  arguments(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.drift(cmd.Context()) },
	}
}

// liveNotChecked is what lives outside of the state and this version does not look
// at.
var liveNotChecked = []string{
	"schedules: this version creates none", "what MCP servers list: this version does not connect to them",
	"the release of the running workers",
}

func (a *app) drift(ctx context.Context) error {
	findings, err := a.storedDrift(ctx)
	if errors.Is(err, store.ErrNotFound) {
		return &coded{code: ExitConflict, cause: err}
	}
	if err != nil {
		return err
	}
	notChecked := liveNotChecked
	if a.hasSources() {
		content, err := a.content(false)
		if err != nil {
			return err
		}
		plan, err := a.prepare(ctx, content, "")
		if err != nil {
			return err
		}
		findings = append(findings, deploy.ProjectDrift(plan)...)
	} else {
		notChecked = append([]string{"the project: there are no sources in " + a.flags.project}, notChecked...)
	}
	if err := a.showDrift(findings, notChecked); err != nil {
		return err
	}
	if len(findings) > 0 {
		return exit(ExitConflict)
	}
	return nil
}

func (a *app) storedDrift(ctx context.Context) (findings []deploy.Finding, err error) {
	err = a.readingApplied(ctx, func(ctx context.Context, s store.Store) error {
		findings, err = deploy.StoredDrift(ctx, s, a.environment())
		return err
	})
	return findings, err
}

func (a *app) showDrift(findings []deploy.Finding, notChecked []string) error {
	list, cells := make([]canon.Value, len(findings)), make([][]string, len(findings))
	for i, f := range findings {
		list[i] = canon.Object(str("source", f.Source), str("target", f.Target), str("reason", f.Reason), str("message", f.Message))
		cells[i] = []string{f.Source, f.Target, f.Reason, f.Message}
	}
	return a.show(func(w io.Writer) {
		if len(cells) == 0 {
			say(w, "No drift in environment %s.", a.environment())
		} else {
			render.Table(w, []string{"WHERE", "TARGET", "DRIFT", "MEANING"}, cells)
		}
		for _, what := range notChecked {
			say(w, "Not checked: %s", what)
		}
	}, str("environment", a.environment()), canon.F("drifted", canon.Bool(len(findings) > 0)), canon.F("findings", canon.List(list...)), canon.F("notChecked", canon.Strings(notChecked)))
}

// liveDrift asks the Temporal server what plan --refresh lists.
func (a *app) liveDrift(ctx context.Context) (*render.Live, error) {
	c, err := a.connect(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	polling, err := c.Polling(ctx)
	if err != nil {
		return nil, err
	}
	live := &render.Live{Checked: []string{"workers of task queue " + c.TaskQueue + " in namespace " + c.Namespace}, NotChecked: liveNotChecked}
	if !polling {
		a.warn("worker_not_running", "no_poller", "no worker polls task queue %s of namespace %s", c.TaskQueue, c.Namespace)
		live.Findings = append(live.Findings, render.LiveFinding{Reason: "worker_not_running", Message: "no worker polls task queue " + c.TaskQueue})
	}
	return live, nil
}
