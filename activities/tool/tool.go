// Package tool owns the seam between a permitted call and the system that does
// it: one call, one result, and errors that say what may have happened outside.
//
// A transport makes exactly one attempt. The package leaves out permission,
// schemas, the effect ledger and retries (activities/guard and the workflow): a
// call that arrives here has been decided on.
package tool

import (
	"context"
	"time"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// Transport is the seam: each tool type is one implementation, and tooltest
// holds the suite every one of them passes.
type Transport interface {
	// Call makes one attempt. Errors are *Error; one that ended with the context
	// also wraps the context's error.
	Call(ctx context.Context, c Call) (Result, error)
}

// Call is one call of one operation.
type Call struct {
	Tool        resource.Tool
	Operation   resource.Operation
	Arguments   canon.Value   // an object
	OperationID string        // id in the effect ledger, "" for read-only operations
	ProjectRoot string        // directory that relative paths of the tool start from
	Timeout     time.Duration // 0 = the context alone bounds the call
}

// Remote is the operation's name at the other end.
func (c Call) Remote() string {
	if c.Operation.RemoteName != "" {
		return c.Operation.RemoteName
	}
	return c.Operation.Name
}

// HasEffects reports whether a lost answer leaves an open question: true unless
// the operation is read-only or its tool has no side effects.
func (c Call) HasEffects() bool {
	if c.Operation.ReadOnly != nil {
		return !*c.Operation.ReadOnly
	}
	return c.Tool.HasSideEffects(c.Operation.Name)
}

// Within returns a context that ends with the call's timeout.
func (c Call) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.Timeout)
}

// Result is what an operation gave back.
type Result struct {
	Output     canon.Value
	ProviderID string // the other side's id of what it did, "" = none given
	Truncated  bool   // the transport itself had to cut the answer
}

// ProviderID reads the id of a created thing from an output: its member id.
func ProviderID(output canon.Value) string {
	id := output.At("id")
	if s, ok := id.AsString(); ok {
		return s
	}
	n, _ := id.NumberText()
	return n
}

// Registry finds the transport of a tool by its type. The zero Registry knows none.
type Registry struct {
	byType map[string]Transport
}

// NewRegistry returns a registry of the given transports by tool type.
func NewRegistry(byType map[string]Transport) Registry { return Registry{byType: byType} }

// Types returns the known tool types in order.
func (r Registry) Types() []string { return ordered.Keys(r.byType) }

// Call dispatches to the transport of the tool's type. An unknown type is refused.
func (r Registry) Call(ctx context.Context, c Call) (Result, error) {
	t, ok := r.byType[c.Tool.Type]
	if !ok {
		return Result{}, Failf(BadInput, "unknown_tool_type", "tool %s has the type %q, which no transport here serves", c.Tool.Name, c.Tool.Type)
	}
	return t.Call(ctx, c)
}
