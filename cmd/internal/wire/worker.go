package wire

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"terfyn/activities"
	"terfyn/activities/model"
	"terfyn/activities/model/open"
	"terfyn/activities/model/price"
	"terfyn/activities/tool"
	httptool "terfyn/activities/tool/http"
	mocktool "terfyn/activities/tool/mock"
	"terfyn/activities/tool/native"
	"terfyn/cmd/internal/buildinfo"
	"terfyn/compiler/resource"
	"terfyn/store"
)

// WorkerSettings are what a worker process is told.
type WorkerSettings struct {
	ProjectRoot string
	PricesFile  string // "" = the built-in table
	// Deployment and Build turn Worker Versioning on; both or none.
	Deployment, Build string
	// DrainTimeout is how long work in progress may take after a stop was asked.
	DrainTimeout time.Duration
	Logger       *slog.Logger
}

const (
	fewestPollers, firstPollers, mostPollers = 2, 8, 32
	// eagerReservations is the widest step whose activities start without a round
	// trip through the server.
	eagerReservations = 64
)

// Worker is a worker that is polling.
type Worker struct {
	worker   worker.Worker
	refusals context.CancelFunc
	written  chan struct{}
	// SearchAttributes: the namespace knows ours.
	SearchAttributes bool
	// Failed gives the error after which the worker does nothing any more.
	Failed <-chan error
}

// StartWorker begins to poll the connection's task queue.
func StartWorker(ctx context.Context, c *Connection, s store.Store, in WorkerSettings) (*Worker, error) {
	// A server that does not tell is treated as one that lacks them.
	registered, err := c.Registered(ctx)
	if err != nil {
		in.Logger.Warn("the search attributes could not be looked up", "namespace", c.Namespace, "error", err)
	}
	prices, err := price.Load(in.PricesFile)
	if err != nil {
		return nil, err
	}
	acts := activities.New(activities.Config{
		Store: s, ProjectRoot: in.ProjectRoot, SearchAttributes: registered, Tools: Tools(),
		Model: func(g *resource.Graph, ref string) (model.Provider, string, error) {
			return open.Model(ref, g.Providers, prices)
		},
	})
	refusals := activities.NewRefusals(acts, in.Logger)
	// The SDK would otherwise hash the executable on every start.
	worker.SetBinaryChecksum(buildinfo.Read().Version)
	failed := make(chan error, 1)
	opts := options(in, refusals)
	opts.OnFatalError = func(err error) {
		select {
		case failed <- err:
		default: // the first one is enough
		}
	}
	w := worker.New(c.Client, c.TaskQueue, opts)
	activities.Register(w, acts)
	if err := w.Start(); err != nil {
		return nil, fmt.Errorf("start a worker on task queue %s of namespace %s: %w", c.TaskQueue, c.Namespace, err)
	}
	noting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	out := &Worker{worker: w, refusals: cancel, written: make(chan struct{}), SearchAttributes: registered, Failed: failed}
	go func() {
		defer close(out.written)
		refusals.Run(noting)
	}()
	return out, nil
}

func options(in WorkerSettings, refusals interceptor.WorkerInterceptor) worker.Options {
	reservations := eagerReservations
	autoscale := func() worker.PollerBehavior {
		return worker.NewPollerBehaviorAutoscaling(worker.PollerBehaviorAutoscalingOptions{
			InitialNumberOfPollers: firstPollers, MinimumNumberOfPollers: fewestPollers, MaximumNumberOfPollers: mostPollers,
		})
	}
	o := worker.Options{
		WorkflowTaskPollerBehavior: autoscale(), ActivityTaskPollerBehavior: autoscale(),
		MaxEagerActivityReservationsPerWorkflowTask: &reservations,
		DisableRegistrationAliasing:                 true,
		WorkerStopTimeout:                           in.DrainTimeout,
		Interceptors:                                []interceptor.WorkerInterceptor{refusals},
	}
	if in.Deployment != "" {
		o.DeploymentOptions = worker.DeploymentOptions{
			UseVersioning:             true,
			Version:                   worker.WorkerDeploymentVersion{DeploymentName: in.Deployment, BuildID: in.Build},
			DefaultVersioningBehavior: workflow.VersioningBehaviorPinned,
		}
	}
	return o
}

// Stop drains the worker: no new work, work in progress may end within the
// drain timeout.
func (w *Worker) Stop() {
	w.worker.Stop()
	w.refusals()
	<-w.written
}

// Tools are the transports of this release by tool type.
func Tools() tool.Registry {
	return tool.NewRegistry(map[string]tool.Transport{
		"native": native.Transport{}, "http": httptool.Transport{}, "mock": mocktool.Transport{},
	})
}
