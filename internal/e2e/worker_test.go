package e2e

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"testing"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"terfyn/activities"
	"terfyn/activities/model"
	openmodel "terfyn/activities/model/open"
	"terfyn/activities/model/price"
	"terfyn/activities/payload"
	"terfyn/activities/tool"
	toolhttp "terfyn/activities/tool/http"
	toolmock "terfyn/activities/tool/mock"
	"terfyn/activities/tool/native"
	"terfyn/compiler/resource"
	"terfyn/store"
	"terfyn/store/open"
)

// The variables that make the test binary a worker.
const (
	workerEnv = "TERFYN_E2E_WORKER_ADDRESS"
	stateEnv  = "TERFYN_E2E_WORKER_STATE"
	rootEnv   = "TERFYN_E2E_WORKER_ROOT"
	queueEnv  = "TERFYN_E2E_WORKER_QUEUE"
)

func quiet() sdklog.Logger {
	if os.Getenv("TERFYN_E2E_LOG") != "" {
		return sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	}
	return sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))
}

func dial(address string, s store.Store) (client.Client, error) {
	return client.NewLazyClient(client.Options{
		HostPort: address, Namespace: namespace, Logger: quiet(),
		DataConverter: payload.Converter(), ExternalStorage: payload.Storage(s),
	})
}

// newWorker builds a worker the way the command line does.
func newWorker(c client.Client, s store.Store, root, queue string, tools tool.Transport, rollover int) (worker.Worker, *activities.Refusals) {
	if tools == nil {
		tools = tool.NewRegistry(map[string]tool.Transport{"native": native.Transport{}, "http": toolhttp.Transport{}, "mock": toolmock.Transport{}})
	}
	a := activities.New(activities.Config{
		Store: s, Tools: tools, ProjectRoot: root, SearchAttributes: true, RolloverEvents: rollover,
		Model: func(g *resource.Graph, ref string) (model.Provider, string, error) {
			return openmodel.Model(ref, g.Providers, price.Default())
		},
	})
	refusals := activities.NewRefusals(a, slog.New(slog.NewTextHandler(io.Discard, nil)))
	w := worker.New(c, queue, worker.Options{
		DisableRegistrationAliasing: true, Interceptors: []interceptor.WorkerInterceptor{refusals},
		MaxConcurrentWorkflowTaskPollers: 8, MaxConcurrentActivityTaskPollers: 8,
	})
	activities.Register(w, a)
	return w, refusals
}

func workerMain() int {
	ctx := context.Background()
	worker.SetBinaryChecksum("e2e")
	s, err := open.Open(ctx, os.Getenv(stateEnv), open.Migrate)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer s.Close()
	c, err := dial(os.Getenv(workerEnv), s)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer c.Close()
	w, refusals := newWorker(c, s, os.Getenv(rootEnv), os.Getenv(queueEnv), nil, 0)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go refusals.Run(ctx)
	if err := w.Run(worker.InterruptCh()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// process is a worker in a process of its own.
type process struct {
	t   testing.TB
	cmd *exec.Cmd
}

func (w *world) startProcess() *process {
	w.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	p := &process{t: w.t, cmd: exec.Command(exe)}
	p.cmd.Env = append(os.Environ(), workerEnv+"="+w.server.address(), stateEnv+"="+w.dsn, rootEnv+"="+w.root, queueEnv+"="+w.queue)
	p.cmd.Stderr = os.Stderr
	if err := p.cmd.Start(); err != nil {
		w.t.Fatalf("start a worker process: %v", err)
	}
	w.t.Cleanup(func() { p.kill() })
	return p
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}
