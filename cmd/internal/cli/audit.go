package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/audit"
)

func newAudit(a *app) *cobra.Command {
	var run string
	var limit int
	verify := &cobra.Command{
		Use: "verify", Short: "Check the event chains of runs, and that runs, requests, decisions and effects agree with them", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkLimit(limit); err != nil {
				return err
			}
			return a.reading(cmd.Context(), func(ctx context.Context, s store.Store) error { return a.auditVerify(ctx, s, run, limit) })
		},
	}
	verify.Flags().StringVar(&run, "run", "", "check this run (default: the newest runs)")
	verify.Flags().IntVar(&limit, "limit", defaultLimit, "how many of the newest runs to check, at most 500")
	return group("audit", "The tamper-evident records of runs", verify)
}

func (a *app) auditVerify(ctx context.Context, s store.Store, run string, limit int) error {
	ids := []string{run}
	if run == "" {
		runs, err := s.ListRuns(ctx, store.RunFilter{Environment: a.flags.env, Limit: limit})
		if err != nil {
			return err
		}
		ids = ids[:0]
		for _, r := range runs {
			ids = append(ids, r.RunID)
		}
	}
	intact := true
	rows, cells := make([]canon.Value, 0, len(ids)), make([][]string, 0, len(ids))
	for _, id := range ids {
		r, err := verifyRun(ctx, s, id)
		if err != nil {
			return err
		}
		mismatches, err := audit.CrossCheck(ctx, s, id)
		if err != nil {
			return err
		}
		intact = intact && r.Intact() && len(mismatches) == 0
		row, line := auditRow(r, mismatches)
		rows, cells = append(rows, row), append(cells, line)
	}
	applies := auditedApplies{intact: true, value: canon.Null()}
	if run == "" {
		var err error
		if applies, err = a.auditApplies(ctx, s); err != nil {
			return err
		}
		intact = intact && applies.intact
	}
	err := a.show(func(w io.Writer) { auditText(w, cells, applies.line, intact) },
		canon.F("intact", canon.Bool(intact)), canon.F("checked", canon.Int(int64(len(rows)))), canon.F("runs", canon.List(rows...)),
		canon.F("applies", applies.value),
		canon.F("notChecked", canon.Strings([]string{
			"runs deleted together with their recorded heads", "step rows, costs and stored inputs and outputs", "who wrote the chain: it has no signature yet",
		})))
	if err != nil || intact {
		return err
	}
	return exit(ExitFailure)
}

// verifyRun checks one chain. A recorded run without any event is damage; an id
// nobody knows is an error.
func verifyRun(ctx context.Context, s store.Store, id string) (audit.Report, error) {
	r, err := audit.Verify(ctx, s, id)
	if !errors.Is(err, store.ErrNotFound) {
		return r, err
	}
	if _, err := findRun(ctx, s, id); err != nil {
		return r, err
	}
	r.RunID = id
	r.Problem = &audit.Problem{Seq: 1, Kind: audit.Missing, Text: "the run is recorded and has no events at all"}
	return r, nil
}

func auditRow(r audit.Report, mismatches []audit.Mismatch) (canon.Value, []string) {
	problem, text := canon.Null(), "intact"
	if r.Problem != nil {
		problem = canon.Object(canon.F("seq", canon.Int(r.Problem.Seq)), str("kind", string(r.Problem.Kind)), str("message", r.Problem.Text))
		text = string(r.Problem.Kind) + ": " + r.Problem.Text
	} else if len(mismatches) > 0 {
		text = mismatches[0].Table + " " + mismatches[0].Key + ": " + mismatches[0].Text
	}
	rows := make([]canon.Value, len(mismatches))
	for i, m := range mismatches {
		rows[i] = canon.Object(str("table", m.Table), str("key", m.Key), str("message", m.Text))
	}
	row := canon.Object(str("runId", r.RunID), canon.F("events", canon.Int(r.Count)), str("head", string(r.Head)),
		canon.F("intact", canon.Bool(r.Intact() && len(mismatches) == 0)), canon.F("problem", problem), canon.F("mismatches", canon.List(rows...)))
	return row, []string{r.RunID, canon.Int(r.Count).JSON(), r.Head.Short(), text}
}

func auditText(w io.Writer, cells [][]string, applies string, intact bool) {
	if applies != "" {
		say(w, "%s", applies)
	}
	if len(cells) == 0 && intact {
		say(w, "No runs to check")
		return
	}
	if len(cells) > 0 {
		render.Table(w, []string{"RUN", "EVENTS", "HEAD", "RESULT"}, cells)
	}
	if intact {
		say(w, "%s intact.", count(len(cells), "chain is", "chains are"))
		return
	}
	say(w, "At least one chain or record is damaged.")
}
