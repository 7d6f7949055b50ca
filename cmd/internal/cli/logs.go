package cli

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

type logsFlags struct {
	run, workflow, event, after string
	follow                      bool
	limit                       int
	afterSeq                    int64 // after, read as the key of a page of events
}

func newLogs(a *app) *cobra.Command {
	var f logsFlags
	c := &cobra.Command{
		Use: "logs", Short: "Show the recorded events of a run, or list the runs that have some", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if f.run != "" {
				if err := f.page(cmd.Flags().Changed("limit")); err != nil {
					return err
				}
			}
			return a.reading(cmd.Context(), func(ctx context.Context, s store.Store) error {
				switch {
				case f.run == "":
					return a.runs(ctx, s, runsFlags{workflow: f.workflow, limit: f.limit, after: f.after})
				case f.follow:
					return a.logsFollow(ctx, s, f)
				}
				return a.logs(ctx, s, f)
			})
		},
	}
	c.Flags().StringVar(&f.run, "run", "", "events of this run")
	c.Flags().StringVar(&f.workflow, "workflow", "", "list the runs of this workflow")
	c.Flags().StringVar(&f.event, "event", "", "with --run: only events of this type")
	c.Flags().BoolVarP(&f.follow, "follow", "f", false, "with --run: go on until the run closes")
	bindPage(c, &f.limit, &f.after)
	c.Flags().Lookup("limit").Usage += "; with --run every event unless given"
	return c
}

func (f logsFlags) check() error {
	if f.run != "" && f.workflow != "" {
		return usagef("--run and --workflow exclude each other; --run shows events, --workflow lists runs")
	}
	if err := checkEventType(f.event); err != nil {
		return err
	}
	if f.run == "" && (f.follow || f.event != "") {
		return usagef("--event and --follow go with --run ID; terfyn runs lists the ids")
	}
	return nil
}

// page reads the part of a run's events that is asked for: without --limit all
// of them, from --page on.
func (f *logsFlags) page(limited bool) error {
	if f.follow && (limited || f.after != "") {
		return usagef("--follow shows every event until the run closes, so --limit and --page do not go with it")
	}
	if !limited {
		f.limit = 0
	} else if err := checkLimit(f.limit); err != nil {
		return err
	}
	if f.after == "" {
		return nil
	}
	seq, err := strconv.ParseInt(f.after, 10, 64)
	if err != nil || seq < 0 {
		return usagef("--page %q is no page key; with --run it is the SEQ of the last event of the page before", f.after)
	}
	f.afterSeq = seq
	return nil
}

// checkEventType refuses names outside the closed vocabulary; "" is no filter.
func checkEventType(name string) error {
	var names []string
	for _, t := range contract.EventTypes() {
		if name == "" || string(t) == name {
			return nil
		}
		names = append(names, string(t))
	}
	return usagef("--event %s is not an event type; the types are %s", name, strings.Join(names, ", "))
}

// eventPage is how many events are read at a time.
const eventPage = 1000

func (a *app) logs(ctx context.Context, s store.Store, f logsFlags) error {
	run, err := findRun(ctx, s, f.run)
	if err != nil {
		return err
	}
	events, next, err := eventsOf(ctx, s, f)
	if err != nil {
		return err
	}
	superseded, err := (&currents{store: s}).superseded(ctx, run)
	if err != nil {
		return err
	}
	rows, cells := make([]canon.Value, len(events)), make([][]string, len(events))
	for i, e := range events {
		rows[i], cells[i] = render.EventRow(e), eventCells(e)
	}
	return a.show(func(w io.Writer) {
		if len(cells) == 0 {
			say(w, "No events")
			return
		}
		render.Table(w, []string{"SEQ", "TIME", "EVENT", "STEP", "ACTOR TYPE", "ACTOR", "DATA"}, cells)
		more(w, next)
	}, str("runId", run.RunID), str("workflow", run.Workflow), str("status", string(run.Status)),
		canon.F("superseded", canon.Bool(superseded)), canon.F("events", canon.List(rows...)), str("nextPage", next))
}

// eventsOf reads one page of a run's events, or all when there is no limit. next
// is the key of the page after it, "" at the end.
func eventsOf(ctx context.Context, s store.Store, f logsFlags) (events []store.Event, next string, err error) {
	limit := cmp.Or(f.limit, eventPage)
	for after := f.afterSeq; ; {
		page, err := s.Events(ctx, store.EventFilter{RunID: f.run, Type: f.event, AfterSeq: after, Limit: limit})
		if err != nil {
			return nil, "", err
		}
		events = append(events, page...)
		if len(page) < limit {
			return events, "", nil
		}
		after = page[len(page)-1].Seq
		if f.limit > 0 {
			return events, canon.Int(after).JSON(), nil
		}
	}
}

func eventCells(e store.Event) []string {
	return []string{canon.Int(e.Seq).JSON(), render.Time(e.At), e.Type, e.CallSite, e.ActorType, e.ActorID, string(e.Data)}
}

// logsPoll is how often a followed run is looked at.
const logsPoll = 200 * time.Millisecond

// logsFollow writes each event as it is recorded, one line or one JSON document
// each, until the run closes.
func (a *app) logsFollow(ctx context.Context, s store.Store, f logsFlags) error {
	t := time.NewTicker(logsPoll)
	defer t.Stop()
	for after := int64(0); ; {
		run, err := findRun(ctx, s, f.run)
		if err != nil {
			return err
		}
		page, err := s.Events(ctx, store.EventFilter{RunID: f.run, Type: f.event, AfterSeq: after, Limit: eventPage})
		if err != nil {
			return err
		}
		for _, e := range page {
			a.logLine(e)
			after = e.Seq
		}
		if run.Status.Closed() && len(page) < eventPage {
			return nil
		}
		if len(page) == eventPage {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

func (a *app) logLine(e store.Event) {
	if a.machine() {
		say(a.out, "%s", render.Document(nil, canon.F("event", render.EventRow(e))).JSON())
		return
	}
	text := render.Event(e)
	if a.plain() {
		text = render.ASCII(text)
	}
	say(a.out, "%s", text)
}
