package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/supervise"
	"terfyn/cmd/internal/wire"
	"terfyn/store/open"
	"terfyn/workflows/contract"
)

type devFlags struct {
	port      int
	readyFile string
}

func newDev(a *app) *cobra.Command {
	var f devFlags
	c := &cobra.Command{
		Use: "dev", Short: "Run a local Temporal server and a worker for the project until Ctrl-C", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			port, err := choosePort(f.port, cmd.Flags().Changed("port"))
			if err != nil {
				return err
			}
			return a.dev(cmd.Context(), port, f.readyFile)
		},
	}
	c.Flags().IntVar(&f.port, "port", 7233, "port of the Temporal server; when the default is taken, a free one")
	c.Flags().StringVar(&f.readyFile, "ready-file", "", "write the addresses here as JSON once everything runs")
	return c
}

// choosePort finds a port to listen on. One that was asked for must be free.
func choosePort(want int, asked bool) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(want)))
	if err != nil && asked {
		return 0, failf(ExitFailure, "port %d cannot be used: %w; choose another or leave --port out", want, err)
	}
	if err != nil {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return 0, failf(ExitFailure, "find a free port: %w", err)
		}
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

func (a *app) dev(ctx context.Context, port int, readyFile string) error {
	if f, running := wire.ReadDevFile(a.flags.project); running {
		return failf(ExitFailure, "terfyn dev runs for this project already (pid %d, Temporal at %s); stop it first", f.PID, f.Address)
	}
	d, err := a.newDevRun(ctx, port)
	if err != nil {
		return err
	}
	if readyFile != "" {
		d.paths = append(d.paths, readyFile)
	}
	if other := a.getenv("TEMPORAL_ADDRESS"); other != "" {
		a.warn("address_overridden", "temporal_address", "TEMPORAL_ADDRESS is set, so other commands go to %s and not to this server", other)
	}
	err = (&supervise.Group{Log: a.note, Started: d.started}).Run(ctx, d.parts(), d.ready)
	for _, p := range d.paths {
		err = errors.Join(err, wire.RemoveDevFile(p))
	}
	if err == nil {
		a.info("Stopped. Runs and state are kept; terfyn dev continues them.")
	}
	return err
}

// newDevRun finds the executables and makes what the parts would otherwise race
// for: the project's local folder and the state.
func (a *app) newDevRun(ctx context.Context, port int) (*devRun, error) {
	r, _, err := a.compile(true)
	if err != nil {
		return nil, err
	}
	if len(r.Sources) == 0 {
		return nil, usagef("there is no project in %s: no .agent file to work for; terfyn init starts a project, --project names another folder", a.flags.project)
	}
	project, err := filepath.Abs(a.flags.project)
	if err != nil {
		return nil, failf(ExitFailure, "find the project folder: %w", err)
	}
	server, err := wire.FindServer()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(project, wire.Folder), 0o755); err != nil {
		return nil, failf(ExitFailure, "create the project's local folder: %w", err)
	}
	s, err := a.writeState(ctx)
	if err != nil {
		return nil, err
	}
	place := s.Describe()
	if err := s.Close(); err != nil {
		return nil, err
	}
	state, err := a.stateAddress()
	return &devRun{
		app: a, project: project, server: server, state: state, paths: []string{wire.DevFilePath(project)},
		file: wire.DevFile{
			PID: os.Getpid(), Address: fmt.Sprintf("127.0.0.1:%d", port), State: place,
			Namespace: cmp.Or(a.flags.namespace, wire.DefaultNamespace), TaskQueue: cmp.Or(a.flags.taskQueue, contract.TaskQueue),
		},
	}, err
}

// stateAddress is the state in a form that means the same in every folder.
func (a *app) stateAddress() (string, error) {
	path := a.statePath()
	if open.IsPostgres(path) {
		return path, nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", failf(ExitFailure, "find the state: %w", err)
	}
	return abs, nil
}
