package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/wire"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

type runFlags struct {
	inputs                       []string
	inputFile, id                string
	detach, autoApprove          bool
	interactive                  bool
	approve                      []string
	tenant, thread, actor        string
	resume, decision, decideEdit string
	timeout                      time.Duration
}

func newRun(a *app) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:               "run workflow/NAME | run --resume ID",
		Short:             "Start a run and follow it, or continue to follow one",
		Args:              arguments(0, 1, "one workflow"),
		ValidArgsFunction: a.completeWorkflows,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := workflowName(args, f)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("id") {
				if err := checkRunID(f.id); err != nil {
					return err
				}
			}
			return nothingApplied(a.startOrResume(cmd.Context(), name, f))
		},
	}
	p := c.Flags()
	p.StringArrayVar(&f.inputs, "input", nil, "NAME=VALUE, a string member of the input (repeatable)")
	p.StringVar(&f.inputFile, "input-file", "", "JSON object with the input; - reads stdin")
	p.StringVar(&f.id, "id", "", "id of the run, its idempotency key (default: a new one)")
	p.BoolVar(&f.detach, "detach", false, "start and do not follow")
	p.StringArrayVar(&f.approve, "approve", nil, "approve a capability in advance, such as tool.mail.send (repeatable)")
	p.BoolVar(&f.autoApprove, "auto-approve", false, "approve every gate in advance (also TERFYN_AUTO_APPROVE=1)")
	p.StringVar(&f.tenant, "tenant-id", "tenant-1", "tenant the run is recorded for")
	p.StringVar(&f.thread, "thread-id", "thread-1", "thread the run is recorded for")
	p.StringVar(&f.actor, "actor-id", "user-1", "who submits the run")
	p.StringVar(&f.resume, "resume", "", "follow this run instead of starting one")
	p.StringVar(&f.decision, "decision", "", "with --resume: approve, reject or edit what the run waits for")
	p.StringVar(&f.decideEdit, "decision-edit-json", "", "with --decision edit: JSON object of changed arguments")
	bindInteractive(c, &f.interactive)
	p.DurationVar(&f.timeout, "timeout", decideTimeout, "with --decision: how long to wait for the answer")
	return c
}

func (a *app) startOrResume(ctx context.Context, name string, f runFlags) error {
	if f.resume != "" {
		return a.resume(ctx, name, f)
	}
	in, err := a.runRequest(ctx, name, f)
	if err != nil {
		return err
	}
	return a.start(ctx, in, f)
}

// nothingApplied gives a missing state the code of a missing deployment: for run
// the two are one.
func nothingApplied(err error) error {
	if errors.Is(err, store.ErrMissing) {
		return &coded{code: ExitConflict, cause: err}
	}
	return err
}

// maxRunID is the longest id of a run that can be asked for, in bytes.
const maxRunID = 200

// checkRunID refuses ids that are mistyped more easily than found again.
func checkRunID(id string) error {
	switch {
	case id == "":
		return usagef("--id is empty; name the run, or leave --id out for a new id")
	case len(id) > maxRunID:
		return usagef("--id has %d bytes; the id of a run has at most %d", len(id), maxRunID)
	case !utf8.ValidString(id) || strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return usagef("--id %q holds white space, a control character or what is not UTF-8; use letters, digits and marks such as - and _", id)
	case store.IsApplyChain(id):
		return usagef("--id %q is kept for the record of applies; name the run otherwise", id)
	}
	return nil
}

// workflowName checks the shape of the command line.
func workflowName(args []string, f runFlags) (string, error) {
	if f.resume == "" && (f.decision != "" || f.decideEdit != "") {
		return "", usagef("--decision goes with --resume ID; approve a capability in advance with --approve")
	}
	if f.resume != "" && (len(f.inputs)+len(f.approve) > 0 || f.inputFile != "" || f.id != "" || f.detach || f.autoApprove) {
		return "", usagef("--resume continues a run as it was started; leave --input, --input-file, --id, --detach, --approve and --auto-approve out")
	}
	if f.detach && f.interactive {
		return "", usagef("--detach leaves the run alone, so --interactive does not go with it")
	}
	if f.interactive && f.inputFile == "-" {
		return "", usagef("stdin holds either the input or the answers; give the input by --input-file FILE")
	}
	if len(args) == 0 {
		if f.resume == "" {
			return "", usagef("say what to run: terfyn run workflow/NAME")
		}
		return "", nil
	}
	kind, name, err := target(args[0])
	if err != nil || !strings.EqualFold(kind, "workflow") {
		return "", usagef("%q does not name a workflow; write workflow/NAME", args[0])
	}
	return name, nil
}

func (a *app) runRequest(ctx context.Context, name string, f runFlags) (contract.RunIn, error) {
	input, err := a.runInput(ctx, f.inputs, f.inputFile)
	if err != nil {
		return contract.RunIn{}, err
	}
	for _, c := range f.approve {
		if _, _, ok := resource.SplitCapability(c); !ok {
			return contract.RunIn{}, usagef("--approve %q is no capability; write tool.NAME.OPERATION", c)
		}
	}
	return contract.RunIn{
		Workflow: name, Input: input, Environment: a.environment(), Actor: f.actor, Tenant: f.tenant, Thread: f.thread,
		Approve: f.approve, AutoApprove: f.autoApprove || a.getenv("TERFYN_AUTO_APPROVE") == "1",
	}, nil
}

// start starts a run of what is deployed and follows it.
func (a *app) start(ctx context.Context, in contract.RunIn, f runFlags) (err error) {
	project, err := a.projectHere()
	if err != nil {
		return err
	}
	s, err := a.existingState(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := a.checkDeployed(ctx, s, project); err != nil {
		return err
	}
	if err := a.checkStart(ctx, s, in); err != nil {
		return err
	}
	c, err := a.connect(ctx, s)
	if err != nil {
		return err
	}
	defer c.Close()
	id := f.id
	if id == "" {
		id = newRunID(a.now())
	}
	a.warnWithoutWorker(ctx, c)
	run, err := c.Start(ctx, id, in)
	if errors.Is(err, wire.ErrRunTaken) {
		return failf(ExitFailure, "run %s exists already; follow it with `terfyn attach %s`, or start another with a new --id", id, id)
	}
	if err != nil {
		return err
	}
	if f.detach {
		return a.showStarted(id, in)
	}
	a.info("Run %s started", id)
	return a.follow(ctx, c, s, followed{id: id, firstExec: run.GetRunID(), answers: a.answers(f.interactive)})
}

// projectHere compiles the project of the folder, nil when there is none.
func (a *app) projectHere() (*snapshot.Content, error) {
	if !a.hasSources() {
		return nil, nil
	}
	c, err := a.content(true)
	return &c, err
}

// checkDeployed refuses when nothing is applied, or when the project here is not
// what is applied.
func (a *app) checkDeployed(ctx context.Context, s store.Store, project *snapshot.Content) error {
	current, err := s.Current(ctx, a.environment())
	if errors.Is(err, store.ErrNotFound) {
		return failf(ExitConflict, "nothing is applied to environment %s yet; run terfyn apply first", a.environment())
	}
	if err != nil {
		return fmt.Errorf("look up what is applied to environment %s: %w", a.environment(), err)
	}
	if project == nil {
		return nil
	}
	same, err := deployed(ctx, s, *project, current.Snapshot)
	if err != nil || same {
		return err
	}
	return failf(ExitConflict, "the project is not what is applied to environment %s; look at the difference with terfyn plan, then terfyn apply", a.environment())
}

// checkStart asks what the worker will ask first, so that a wrong name or input
// takes no run id. What is applied may change until the worker looks; it decides.
func (a *app) checkStart(ctx context.Context, s store.Store, in contract.RunIn) error {
	current, err := s.Current(ctx, in.Environment)
	if err != nil {
		return fmt.Errorf("look up what is applied to environment %s: %w", in.Environment, err)
	}
	l, err := snapshot.Load(ctx, s, current.Snapshot)
	if err != nil {
		return err
	}
	if f := wire.RefuseStart(l, in, in.Environment); f != nil {
		return failf(faultCode(f.Type), "%s", f.Message)
	}
	return nil
}

// warnWithoutWorker says at once that nobody will take the run up.
func (a *app) warnWithoutWorker(ctx context.Context, c *wire.Connection) {
	if polling, err := c.Polling(ctx); err != nil || polling {
		return // a server that does not tell is no reason to worry anybody
	}
	a.warn("worker_not_running", "no_poller", "no worker polls task queue %s of namespace %s; the run is kept and goes on once one does, start it with `terfyn worker` or `terfyn dev`", c.TaskQueue, c.Namespace)
}

func (a *app) showStarted(id string, in contract.RunIn) error {
	return a.show(startedText(id), str("runId", id), str("workflow", in.Workflow), str("environment", in.Environment),
		str("status", "started"), canon.F("detached", canon.Bool(true)))
}

// newRunID is unique and sorts by time.
func newRunID(now time.Time) string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails, it would end the process
	return fmt.Sprintf("run-%011x%s", now.UnixMilli(), hex.EncodeToString(b))
}
