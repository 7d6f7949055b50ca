package cli

import (
	"errors"
	"fmt"
	"strings"

	"terfyn/deploy"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// Exit is a process exit code. The values are a contract with scripts.
type Exit int

// The exit codes.
const (
	ExitOK        Exit = 0  // success, also a run that waits for a person
	ExitFailure   Exit = 1  // anything without a code of its own
	ExitInvalid   Exit = 2  // validation, or how the command was called
	ExitConflict  Exit = 3  // the state or the project is not what was expected
	ExitExecution Exit = 4  // a run failed, was rejected or cancelled
	ExitDenied    Exit = 5  // refused by policy or budget
	ExitChanges   Exit = 10 // plan --detailed-exitcode: there are changes
	ExitWidened   Exit = 11 // plan --detailed-exitcode: authority widens
)

// coded is an error with an exit code. Without a cause everything was said.
type coded struct {
	code  Exit
	cause error
}

func (e *coded) Error() string {
	if e.cause == nil {
		return ""
	}
	return e.cause.Error()
}

func (e *coded) Unwrap() error { return e.cause }

// exit ends a command with code after its result was shown; nil for success.
func exit(code Exit) error {
	if code == ExitOK {
		return nil
	}
	return &coded{code: code}
}

func failf(code Exit, format string, args ...any) error {
	return &coded{code: code, cause: fmt.Errorf(format, args...)}
}

func usagef(format string, args ...any) error { return failf(ExitInvalid, format, args...) }

// codeOf is the exit code of err.
func codeOf(err error) Exit {
	var c *coded
	var refused *deploy.RefusedError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &c):
		return c.code
	case errors.As(err, &refused):
		return ExitDenied
	case errors.Is(err, store.ErrConflict):
		return ExitConflict
	}
	return ExitFailure
}

// faultCode is the exit code of a run that ended with a fault.
func faultCode(t contract.FaultType) Exit {
	switch t {
	case "":
		return ExitOK
	case contract.FaultPolicy, contract.FaultBudget, contract.FaultRevoked, contract.FaultExpired:
		return ExitDenied
	case contract.FaultInput, contract.FaultNoWorkflow, contract.FaultUnsupported:
		return ExitInvalid
	case contract.FaultNotDeployed:
		return ExitConflict
	default:
		return ExitExecution
	}
}

// refusalCode is the exit code of a refused decision.
func refusalCode(c policy.RefusalCode) Exit {
	switch c {
	case policy.RefusedDecided, policy.RefusedLate:
		return ExitExecution
	case policy.RefusedActor:
		return ExitDenied
	case policy.RefusedStale, policy.RefusedNotAllowed, policy.RefusedEdit, policy.RefusedMalformed:
		return ExitInvalid
	default:
		return ExitFailure
	}
}

// message is err on one line. That an error is a conflict is for programs; its
// text says what conflicts.
func message(err error) string {
	text := err.Error()
	if errors.Is(err, store.ErrConflict) {
		text = strings.TrimSuffix(text, ": "+store.ErrConflict.Error())
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", "; ")), " ")
}
