package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"terfyn/activities/guard"
	"terfyn/activities/model"
	"terfyn/activities/tool"
	"terfyn/compiler/resource"
)

// The types of retryable activity failures. Everything no retry cures is data in
// a result, so these are all there are; a store that does not answer is an
// ordinary error and retried without end.
const (
	failureNotSent = "not_sent"      // the request cannot have had an effect
	failureModel   = "model_retry"   // 429, 5xx, timeout, lost connection
	modelAttempts  = 5               // attempts at one model turn
	maxBackoff     = 2 * time.Minute // unless the server asks for more
	// maxTurnAttempts also counts attempts whose worker was lost.
	maxTurnAttempts = 20
)

// retryLater is the failure that makes Temporal run the activity again after the
// server's Retry-After or the tool's backoff.
func retryLater(r resource.Retry, attempt int, e *tool.Error) error {
	delay := e.RetryAfter
	if delay == 0 {
		delay = backoff(r.Backoff == "exponential", attempt)
	}
	return temporal.NewApplicationErrorWithOptions(e.Error(), failureNotSent, temporal.ApplicationErrorOptions{NextRetryDelay: delay, Category: temporal.ApplicationErrorCategoryBenign})
}

func backoff(exponential bool, attempt int) time.Duration {
	const first = 500 * time.Millisecond
	if !exponential || attempt < 1 {
		return first
	}
	return min(first<<min(attempt-1, 10), maxBackoff)
}

// retryRead is the retry of a read-only call, nil when there is none.
func (a *Activities) retryRead(ctx context.Context, adm guard.Admission, err error) error {
	var e *tool.Error
	if err == nil || !errors.As(err, &e) || (e.Class != tool.NotSent && e.Class != tool.Unknown) {
		return nil
	}
	attempt := int(activity.GetInfo(ctx).Attempt)
	if int64(attempt) >= adm.Tool.Retry.MaxAttempts {
		return nil
	}
	return retryLater(adm.Tool.Retry, attempt, e)
}

// retryModel is the retry of a model turn, nil when there is none.
func retryModel(ctx context.Context, err error) error {
	var e *model.Error
	if !errors.As(err, &e) || e.Class != model.Retryable {
		return nil
	}
	attempt := int(activity.GetInfo(ctx).Attempt)
	if attempt >= modelAttempts {
		return nil
	}
	delay := e.RetryAfter
	if delay == 0 {
		delay = backoff(true, attempt)
	}
	return temporal.NewApplicationErrorWithOptions(e.Error(), failureModel, temporal.ApplicationErrorOptions{NextRetryDelay: delay, Category: temporal.ApplicationErrorCategoryBenign})
}
