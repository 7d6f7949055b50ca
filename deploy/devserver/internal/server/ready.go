package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	readyTimeout = 30 * time.Second
	askTimeout   = 2 * time.Second // for one question
	askInterval  = 10 * time.Millisecond
)

// waitReady returns when the frontend answers for every namespace and each has
// the search attributes.
func waitReady(ctx context.Context, address string, namespaces []string, attrs map[string]enumspb.IndexedValueType) error {
	conn, err := grpc.NewClient("passthrough:///"+address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: askInterval, Multiplier: 1, MaxDelay: askInterval},
			MinConnectTimeout: askTimeout,
		}))
	if err != nil {
		return fmt.Errorf("connect to the server at %s: %w", address, err)
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for _, ns := range namespaces {
		if err := untilOK(ctx, func(ctx context.Context) error {
			_, err := workflowservice.NewWorkflowServiceClient(conn).DescribeNamespace(ctx,
				&workflowservice.DescribeNamespaceRequest{Namespace: ns})
			return err
		}); err != nil {
			return fmt.Errorf("wait for namespace %q to answer: %w", ns, err)
		}
		if err := ensureAttributes(ctx, operatorservice.NewOperatorServiceClient(conn), ns, attrs); err != nil {
			return fmt.Errorf("register the search attributes of namespace %q: %w", ns, err)
		}
	}
	return nil
}

// untilOK asks again until the answer is good or ctx is done; then it returns the
// last answer.
func untilOK(ctx context.Context, ask func(context.Context) error) error {
	tick := time.NewTicker(askInterval)
	defer tick.Stop()
	for {
		one, cancel := context.WithTimeout(ctx, askTimeout)
		err := ask(one)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (last answer: %w)", context.Cause(ctx), err)
		case <-tick.C:
		}
	}
}

// ensureAttributes adds the search attributes that the namespace lacks: one from
// an older database keeps those it was created with.
func ensureAttributes(ctx context.Context, c operatorservice.OperatorServiceClient, ns string, want map[string]enumspb.IndexedValueType) error {
	if len(want) == 0 {
		return nil
	}
	have, err := c.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: ns})
	if err != nil {
		return fmt.Errorf("list those it has: %w", err)
	}
	missing := make(map[string]enumspb.IndexedValueType)
	for _, attr := range slices.Sorted(maps.Keys(want)) {
		switch typ, ok := have.GetCustomAttributes()[attr]; {
		case !ok:
			missing[attr] = want[attr]
		case typ != want[attr]:
			return fmt.Errorf("%s is %s in the database and %s was asked for; use another name or another database", attr, typ, want[attr])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = c.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{Namespace: ns, SearchAttributes: missing})
	if err != nil {
		return fmt.Errorf("add %v: %w", slices.Sorted(maps.Keys(missing)), err)
	}
	return nil
}

// readyNote is the content of the ready file.
type readyNote struct {
	Address    string   `json:"address"`
	PID        int      `json:"pid"`
	Namespaces []string `json:"namespaces"`
}

// writeReadyFile puts the note at path in one step: who sees the file sees all of it.
func writeReadyFile(path string, note readyNote) error {
	text, err := json.Marshal(note)
	if err != nil {
		return fmt.Errorf("encode the ready file: %w", err)
	}
	part := fmt.Sprintf("%s.%d", path, note.PID)
	if err := os.WriteFile(part, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("move the ready file into place: %w", err)
	}
	return nil
}
