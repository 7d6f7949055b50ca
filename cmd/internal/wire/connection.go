package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	sdklog "go.temporal.io/sdk/log"

	"terfyn/activities/payload"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// DefaultAddress is asked when nothing else is known.
const DefaultAddress = "127.0.0.1:7233"

// DefaultNamespace is the namespace when nothing names one.
const DefaultNamespace = "default"

// dialTimeout bounds the wait for a server that does not answer.
const dialTimeout = 4 * time.Second

// Target says where to find Temporal. Empty fields are filled from Temporal's own
// environment variables and configuration file, then from a running `terfyn dev`
// of the project.
type Target struct {
	Project                                string
	Address, Namespace, Profile, TaskQueue string
	// Logger takes what the SDK logs; nil drops it: what matters to a command
	// reaches its user as an error or a warning.
	Logger *slog.Logger
	// Local: Address is a server that terfyn dev runs. Settings meant for other
	// servers are left out, and a refused connection is tried again within the same
	// bound, since dev starts an ended server again.
	Local bool
}

// Connection is an open client and what it was resolved to.
type Connection struct {
	client.Client
	Address, Namespace, TaskQueue string
}

// UnreachableError says that no server answered.
type UnreachableError struct {
	Address, Namespace string
	Cause              error
}

// Error is one line with a way out.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("no Temporal server answers at %s; start one with `terfyn dev`, or name yours with --address or TEMPORAL_ADDRESS", e.Address)
}

// Unwrap is the cause.
func (e *UnreachableError) Unwrap() error { return e.Cause }

// Dial connects to Temporal, within five seconds or not at all. Payloads too large
// for history are kept in s.
func Dial(ctx context.Context, t Target, s store.Deployments) (*Connection, error) {
	r, err := resolve(t)
	if err != nil {
		return nil, err
	}
	opts := r.options
	opts.Logger = logger(t)
	opts.DataConverter = payload.Converter()
	if s != nil {
		opts.ExternalStorage = payload.Storage(s)
	}
	opts.ConnectionOptions.GetSystemInfoTimeout = dialTimeout
	c, err := r.dial(ctx, opts)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &UnreachableError{Address: opts.HostPort, Namespace: opts.Namespace, Cause: err}
	}
	return &Connection{Client: c, Address: opts.HostPort, Namespace: opts.Namespace, TaskQueue: r.queue}, nil
}

// resolved is a target with everything filled in.
type resolved struct {
	options client.Options
	queue   string
	patient bool
}

// redial is the pause between attempts of a patient target.
const redial = 100 * time.Millisecond

func (r resolved) dial(ctx context.Context, opts client.Options) (client.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	for {
		c, err := client.DialContext(ctx, opts)
		if err == nil || !r.patient || pause(ctx, redial) != nil {
			return c, err
		}
	}
}

func resolve(t Target) (resolved, error) {
	opts, err := settings(t)
	if err != nil {
		return resolved{}, err
	}
	opts.HostPort = cmp.Or(t.Address, opts.HostPort)
	queue, local := t.TaskQueue, t.Local
	if dev, running := ReadDevFile(t.Project); running && opts.HostPort == "" {
		opts = client.Options{HostPort: dev.Address, Namespace: dev.Namespace}
		queue, local = cmp.Or(queue, dev.TaskQueue), true
	}
	opts.HostPort = cmp.Or(opts.HostPort, DefaultAddress)
	opts.Namespace = cmp.Or(t.Namespace, opts.Namespace, DefaultNamespace)
	return resolved{options: opts, queue: cmp.Or(queue, contract.TaskQueue), patient: local}, nil
}

// settings reads Temporal's own environment variables and configuration file.
func settings(t Target) (client.Options, error) {
	if t.Local {
		return client.Options{}, nil
	}
	opts, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{ConfigFileProfile: t.Profile})
	if err != nil {
		return opts, fmt.Errorf("read Temporal's connection settings: %w", err)
	}
	return opts, nil
}

func logger(t Target) sdklog.Logger {
	if t.Logger == nil {
		return sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler))
	}
	return sdklog.NewStructuredLogger(t.Logger)
}

// Polling reports whether a worker has asked the task queue for work lately.
func (c *Connection) Polling(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	d, err := c.DescribeTaskQueue(ctx, c.TaskQueue, workflowQueue)
	if err != nil {
		return false, fmt.Errorf("ask for workers of task queue %s: %w", c.TaskQueue, err)
	}
	for _, p := range d.GetPollers() {
		if time.Since(p.GetLastAccessTime().AsTime()) < freshPoll {
			return true, nil
		}
	}
	return false, nil
}

// freshPoll is how long ago a living worker may have begun its last long poll.
const freshPoll = 90 * time.Second

// Unreachable reports whether err says that no server answered.
func Unreachable(err error) bool {
	var u *UnreachableError
	return errors.As(err, &u)
}
