package deploy

import (
	"context"
	"fmt"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/planner"
	"terfyn/store"
)

// previous reads the applied programs of the workflows whose program is another
// one now, or which are gone. A snapshot that cannot be read keeps nobody from applying over it: the
// plan says why the programs are not compared.
func previous(ctx context.Context, s snapshot.Source, in planner.In) (programs []ir.Program, unreadable string) {
	now := map[string]string{}
	for _, w := range in.Desired.Workflows {
		now[w.Name] = w.ProgramDigest
	}
	for _, p := range in.Programs {
		if digest, declared := now[p.Workflow]; declared && digest == "" { // not pinned
			now[p.Workflow] = string(p.Digest())
		}
	}
	changed := map[string]bool{}
	for _, r := range in.Applied {
		digest, still := now[r.Name]
		if r.Kind == string(resource.KindWorkflow) && (!still || digest != r.Spec.Str("programDigest")) {
			changed[r.Name] = true
		}
	}
	if len(changed) == 0 {
		return nil, ""
	}
	all, err := snapshot.LoadPrograms(ctx, s, in.Baseline.Snapshot)
	if err != nil {
		return nil, err.Error()
	}
	for _, p := range all {
		if changed[p.Workflow] {
			programs = append(programs, p)
		}
	}
	return programs, ""
}

// maxOpenRuns is how many open runs of each state a plan looks at.
const maxOpenRuns = 500

// openRuns lists what runs or waits in an environment, newest first. A plan against
// another environment is not applied and touches nothing.
func openRuns(ctx context.Context, s Reader, environment, from string) (planner.OpenRuns, error) {
	var out planner.OpenRuns
	if from != environment {
		out.NotChecked = "the plan compares two environments"
		return out, nil
	}
	for _, status := range []store.RunStatus{store.RunRunning, store.RunInterrupted} {
		runs, err := s.ListRuns(ctx, store.RunFilter{Environment: environment, Status: string(status), Limit: maxOpenRuns})
		if err != nil {
			return out, fmt.Errorf("list the open runs: %w", err)
		}
		out.More = out.More || len(runs) == maxOpenRuns
		for _, r := range runs {
			out.Runs = append(out.Runs, planner.OpenRun{RunID: r.RunID, Workflow: r.Workflow, Status: string(r.Status), Snapshot: r.Snapshot, StartedAt: r.StartedAt.UTC()})
		}
	}
	return out, nil
}
