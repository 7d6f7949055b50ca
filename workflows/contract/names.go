package contract

// Names known to Temporal clients.
const (
	// RunWorkflow is the workflow type of a run; its workflow id is the run id.
	RunWorkflow = "TerfynRun"
	// TaskQueue is the default task queue.
	TaskQueue = "terfyn"
	// UpdateDecide takes a Decision and answers with a Verdict or a refusal.
	UpdateDecide = "terfyn.decide"
	// SignalDecision takes the same Decision; invalid ones are traced and change nothing.
	SignalDecision = "terfyn.decision"
	// QueryState answers with a State.
	QueryState = "terfyn.state"
)

// Search attributes of a run, all of type Keyword.
const (
	AttrWorkflow    = "TerfynWorkflow"
	AttrEnvironment = "TerfynEnvironment"
	AttrStatus      = "TerfynStatus"
	AttrWaitingFor  = "TerfynWaitingFor"
	AttrSnapshot    = "TerfynSnapshot"
)

// Activity is a typed activity name: workflows call it and activities are bound
// to it, so a wrong signature does not compile.
type Activity[In, Out any] struct{ Name string }

// The activities. Those marked local run inside of the workflow task.
var (
	OpenRun        = Activity[OpenRunIn, OpenRunOut]{Name: "terfyn.OpenRun.v1"}                      // local
	LoadBundle     = Activity[LoadBundleIn, *Bundle]{Name: "terfyn.LoadBundle.v1"}                   // local
	Generate       = Activity[GenerateIn, GenerateOut]{Name: "terfyn.Generate.v1"}                   //
	CallTool       = Activity[CallToolIn, CallToolOut]{Name: "terfyn.CallTool.v1"}                   //
	ReadTool       = Activity[CallToolIn, CallToolOut]{Name: "terfyn.ReadTool.v1"}                   // local; short read-only operations
	SettleEffect   = Activity[SettleEffectIn, SettleEffectOut]{Name: "terfyn.SettleEffect.v1"}       // local
	OpenApproval   = Activity[OpenApprovalIn, OpenApprovalOut]{Name: "terfyn.OpenApproval.v1"}       // local
	RecordDecision = Activity[RecordDecisionIn, RecordDecisionOut]{Name: "terfyn.RecordDecision.v1"} //
	TraceRefusal   = Activity[RecordDecisionIn, RecordDecisionOut]{Name: "terfyn.TraceRefusal.v1"}   // local
	CloseApproval  = Activity[CloseApprovalIn, CloseApprovalOut]{Name: "terfyn.CloseApproval.v1"}    // local
	RecordEvents   = Activity[RecordEventsIn, RecordEventsOut]{Name: "terfyn.RecordEvents.v1"}       // local
	FinishRun      = Activity[FinishRunIn, FinishRunOut]{Name: "terfyn.FinishRun.v1"}                // local
)
