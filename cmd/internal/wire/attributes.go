package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/types/known/durationpb"

	"terfyn/workflows/contract"
)

const workflowQueue = enums.TASK_QUEUE_TYPE_WORKFLOW

// SearchAttributes are the names runs are listed by, all of type Keyword.
func SearchAttributes() []string {
	return []string{contract.AttrWorkflow, contract.AttrEnvironment, contract.AttrStatus, contract.AttrWaitingFor, contract.AttrSnapshot}
}

// Registered reports whether the namespace knows all of our search attributes.
func (c *Connection) Registered(ctx context.Context) (bool, error) {
	missing, err := c.missingAttributes(ctx)
	return err == nil && len(missing) == 0, err
}

func (c *Connection) missingAttributes(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	known, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: c.Namespace})
	if err != nil {
		return nil, fmt.Errorf("list the search attributes of namespace %s: %w", c.Namespace, err)
	}
	var missing []string
	for _, name := range SearchAttributes() {
		t, ok := known.GetCustomAttributes()[name]
		if ok && t != enums.INDEXED_VALUE_TYPE_KEYWORD {
			return nil, fmt.Errorf("search attribute %s of namespace %s has the type %s, it must be Keyword; remove it with Temporal's own tools first", name, c.Namespace, t)
		}
		if !ok {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// Prepared tells what Setup had to do.
type Prepared struct {
	Namespace  bool     // it was created
	Attributes []string // those that were added
}

// Setup creates the namespace and the search attributes that are not there yet.
func (c *Connection) Setup(ctx context.Context, retention time.Duration) (Prepared, error) {
	var out Prepared
	_, err := c.WorkflowService().RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace: c.Namespace, WorkflowExecutionRetentionPeriod: durationpb.New(retention), Description: "Runs of terfyn.",
	})
	var exists *serviceerror.NamespaceAlreadyExists
	if err != nil && !errors.As(err, &exists) {
		return out, fmt.Errorf("create namespace %s: %w", c.Namespace, err)
	}
	out.Namespace = err == nil
	out.Attributes, err = c.awaitMissing(ctx, out.Namespace)
	if err != nil || len(out.Attributes) == 0 {
		return out, err
	}
	add := map[string]enums.IndexedValueType{}
	for _, name := range out.Attributes {
		add[name] = enums.INDEXED_VALUE_TYPE_KEYWORD
	}
	_, err = c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{Namespace: c.Namespace, SearchAttributes: add})
	var raced *serviceerror.AlreadyExists
	if err != nil && !errors.As(err, &raced) {
		return out, fmt.Errorf("add search attributes to namespace %s: %w", c.Namespace, err)
	}
	return out, nil
}

// namespacePatience is how long a new namespace may stay unknown to a part of the server.
const namespacePatience = 15 * time.Second

// awaitMissing asks again while a namespace that was just created is not known
// everywhere yet.
func (c *Connection) awaitMissing(ctx context.Context, fresh bool) ([]string, error) {
	deadline := time.Now().Add(namespacePatience)
	for {
		missing, err := c.missingAttributes(ctx)
		var unknown *serviceerror.NamespaceNotFound
		if !fresh || !errors.As(err, &unknown) || time.Now().After(deadline) {
			return missing, err
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// pause waits for d or for the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
