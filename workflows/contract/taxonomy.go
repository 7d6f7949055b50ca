package contract

// EventType is one word of the closed trace taxonomy (execution.md section 9).
type EventType string

// The trace event types. memory_read and memory_write are reserved and never emitted.
const (
	RunStarted            EventType = "run_started"
	RunFinished           EventType = "run_finished"
	RunError              EventType = "run_error"
	LLMCompletion         EventType = "llm_completion"
	ToolSelection         EventType = "tool_selection"
	ToolExecution         EventType = "tool_execution"
	HitlRequestCreated    EventType = "hitl_request_created"
	HitlDecisionSubmitted EventType = "hitl_decision_submitted"
	HitlResolutionApplied EventType = "hitl_resolution_applied"
	SystemError           EventType = "system_error"
	LimitHit              EventType = "limit_hit"
	WorkflowCallStarted   EventType = "workflow_call_started"
	WorkflowCallFinished  EventType = "workflow_call_finished"
	EffectDispatching     EventType = "effect_dispatching"
	EffectOutcome         EventType = "effect_outcome"
	LeaseAcquired         EventType = "lease_acquired"
	LeaseReleased         EventType = "lease_released"
	EscalationRaised      EventType = "escalation_raised"
	ContinuedAsNew        EventType = "continued_as_new"
	ChildStarted          EventType = "child_started"
)

// EventTypes lists the vocabulary in the order of the documentation.
func EventTypes() []EventType {
	return []EventType{
		RunStarted, RunFinished, RunError, LLMCompletion, ToolSelection, ToolExecution,
		HitlRequestCreated, HitlDecisionSubmitted, HitlResolutionApplied, SystemError, LimitHit,
		WorkflowCallStarted, WorkflowCallFinished, "memory_read", "memory_write",
		EffectDispatching, EffectOutcome, LeaseAcquired, LeaseReleased, EscalationRaised, ContinuedAsNew, ChildStarted,
	}
}

// Actor types of trace events.
const (
	ActorUser   = "user"
	ActorAgent  = "agent"
	ActorSystem = "system"
)

// FaultType classes a Fault; it is the type of the workflow's ApplicationError,
// so other programs may switch on it.
type FaultType string

// The fault types.
const (
	FaultInput       FaultType = "invalid_input"
	FaultNoWorkflow  FaultType = "unknown_workflow"
	FaultNotDeployed FaultType = "not_deployed"
	FaultPolicy      FaultType = "policy_denied"
	FaultBudget      FaultType = "budget_exceeded"
	FaultRejected    FaultType = "rejected"
	FaultExpired     FaultType = "expired"
	FaultRevoked     FaultType = "revoked"
	FaultTool        FaultType = "tool_failed"
	FaultArguments   FaultType = "invalid_arguments" // of a tool call; FaultInput is about a run's input
	FaultAgent       FaultType = "agent_failed"
	FaultModel       FaultType = "model_failed"
	FaultEvaluation  FaultType = "evaluation_failed"
	FaultLimit       FaultType = "limit_exceeded"
	FaultRunID       FaultType = "run_id_taken"
	FaultSnapshot    FaultType = "snapshot_unusable"
	FaultCancelled   FaultType = "cancelled"
	FaultUnsupported FaultType = "unsupported"
	FaultInternal    FaultType = "internal"
)
