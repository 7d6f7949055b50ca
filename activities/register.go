package activities

import (
	"context"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"terfyn/workflows"
	"terfyn/workflows/contract"
)

// Register puts the run workflow and all activities on a worker.
func Register(r worker.Registry, a *Activities) {
	r.RegisterWorkflowWithOptions(workflows.Run, workflow.RegisterOptions{Name: contract.RunWorkflow})
	bind(r, contract.OpenRun, a.openRun)
	bind(r, contract.LoadBundle, a.loadBundle)
	bind(r, contract.Generate, a.generate)
	bind(r, contract.CallTool, a.callTool)
	bind(r, contract.ReadTool, a.callTool)
	bind(r, contract.SettleEffect, a.settleEffect)
	bind(r, contract.OpenApproval, a.openApproval)
	bind(r, contract.RecordDecision, a.recordDecision)
	bind(r, contract.TraceRefusal, a.traceRefusal)
	bind(r, contract.CloseApproval, a.closeApproval)
	bind(r, contract.RecordEvents, a.recordEvents)
	bind(r, contract.FinishRun, a.finishRun)
}

// bind registers fn under the name of c; a signature that differs from the
// contract does not compile.
func bind[In, Out any](r worker.ActivityRegistry, c contract.Activity[In, Out], fn func(context.Context, In) (Out, error)) {
	r.RegisterActivityWithOptions(fn, activity.RegisterOptions{Name: c.Name})
}
