package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// flags are those that all commands share.
type flags struct {
	project, state, env, output string
	noColor, quiet, verbose     bool
	address, namespace, profile string
	taskQueue                   string
}

var outputs = []string{"table", "json", "yaml"}

// outputsOf is the annotation of a command that names outputs of its own, separated
// by commas.
const outputsOf = "outputs"

func outputsFor(cmd *cobra.Command) []string {
	if own := cmd.Annotations[outputsOf]; own != "" {
		return append(slices.Clone(outputs), strings.Split(own, ",")...)
	}
	return outputs
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "terfyn",
		Short:         "Agents on Temporal behind a capability boundary that can be reviewed as a diff",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.prefer(cmd)
			if known := outputsFor(cmd); !slices.Contains(known, a.flags.output) {
				last := len(known) - 1
				return usagef("-o %s is not an output of %s; use %s or %s", a.flags.output, cmd.CommandPath(), strings.Join(known[:last], ", "), known[last])
			}
			a.command, a.started = cmd.Name(), true
			return nil
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; %s --help lists its flags", err, cmd.CommandPath())
	})
	bindFlags(root, &a.flags)
	for name, complete := range map[string]cobra.CompletionFunc{"env": a.completeEnvironments, "output": a.completeOutputs} {
		if err := root.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic("cli: " + err.Error()) // the flag is bound above
		}
	}
	root.AddCommand(
		newInit(a), newNew(a), newFmt(a), newValidate(a), newExport(a), newMigrate(a), newNexflow(a), newInspect(a), newGraph(a), newCompile(a),
		newPlan(a), newApply(a), newDiff(a), newDrift(a), newRollback(a), newState(a), newStore(a),
		newDev(a), newWorker(a), newSetup(a),
		newRun(a), newAttach(a), newRuns(a), newStatus(a), newCancel(a),
		newApprovals(a), newApprove(a), newReject(a), newEdit(a), newConfirm(a),
		newLogs(a), newAudit(a), newExplain(a), newVersion(a),
	)
	strictHelp(root)
	return root
}

func bindFlags(root *cobra.Command, f *flags) {
	p := root.PersistentFlags()
	p.StringVar(&f.project, "project", ".", "folder of the project")
	p.StringVar(&f.state, "state", "", "state: path of a SQLite file or a postgres:// address (default TERFYN_STATE, else .agentic/state.db in the project)")
	p.StringVarP(&f.env, "env", "e", "", "environment (default local, which need not be declared)")
	p.StringVarP(&f.output, "output", "o", "table", "output: table, json or yaml")
	p.BoolVar(&f.noColor, "no-color", false, "plain ASCII without colours (also NO_COLOR)")
	p.BoolVarP(&f.quiet, "quiet", "q", false, "results, warnings and errors only")
	p.BoolVarP(&f.verbose, "verbose", "v", false, "more detail on stderr")
	p.StringVar(&f.address, "address", "", "address of the Temporal server (default TEMPORAL_ADDRESS, its profile, a running terfyn dev, 127.0.0.1:7233)")
	p.StringVar(&f.namespace, "namespace", "", "Temporal namespace (default TEMPORAL_NAMESPACE, its profile, default)")
	p.StringVar(&f.profile, "profile", "", "profile in Temporal's configuration file (default TEMPORAL_PROFILE)")
	p.StringVar(&f.taskQueue, "task-queue", "", "task queue of the workers (default terfyn)")
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			names := ""
			for i, sub := range commands {
				if i > 0 {
					names += ", "
				}
				names += sub.Name()
			}
			if len(args) > 0 {
				return usagef("%s has no command %q; it has: %s", cmd.CommandPath(), args[0], names)
			}
			return usagef("%s needs a command: %s", cmd.CommandPath(), names)
		},
	}
	c.AddCommand(commands...)
	return c
}
