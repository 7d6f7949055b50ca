package follow

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"terfyn/store"
	"terfyn/workflows/contract"
)

// FaultOf is the fault a closed run's row records, nil for other runs.
func FaultOf(r store.Run) *contract.Fault {
	if r.Status == store.RunCancelled && r.ErrorType == "" {
		return &contract.Fault{Type: contract.FaultCancelled, Message: "the run was cancelled"}
	}
	if r.ErrorType == "" {
		return nil
	}
	return &contract.Fault{Type: contract.FaultType(r.ErrorType), Message: r.ErrorText}
}

// faultOfError reads the failure of a workflow that left no row.
func faultOfError(err error) *contract.Fault {
	var app *temporal.ApplicationError
	var cancelled *temporal.CanceledError
	var terminated *temporal.TerminatedError
	switch {
	case errors.As(err, &app):
		return &contract.Fault{Type: contract.FaultType(app.Type()), Message: app.Message()}
	case errors.As(err, &cancelled):
		return &contract.Fault{Type: contract.FaultCancelled, Message: "the run was cancelled"}
	case errors.As(err, &terminated):
		return &contract.Fault{Type: contract.FaultCancelled, Message: "the run was terminated"}
	}
	return &contract.Fault{Type: contract.FaultInternal, Message: err.Error()}
}
