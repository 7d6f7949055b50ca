// Package clock reads the clock in workflow code: workflowcheck must find it.
package clock

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// Run is a workflow that cannot be replayed.
func Run(workflow.Context) (time.Time, error) { return time.Now(), nil }
