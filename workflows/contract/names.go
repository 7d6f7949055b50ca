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

// The activities. Those marked local run inside of the workflow task. The version
// stands before the name: replay checks compare what follows the last dot.
var (
	OpenRun        = Activity[OpenRunIn, OpenRunOut]{Name: "terfyn.v1.OpenRun"}                      // local
	LoadBundle     = Activity[LoadBundleIn, *Bundle]{Name: "terfyn.v1.LoadBundle"}                   // local
	Generate       = Activity[GenerateIn, GenerateOut]{Name: "terfyn.v1.Generate"}                   //
	CallTool       = Activity[CallToolIn, CallToolOut]{Name: "terfyn.v1.CallTool"}                   //
	ReadTool       = Activity[CallToolIn, CallToolOut]{Name: "terfyn.v1.ReadTool"}                   // local; short read-only operations
	SettleEffect   = Activity[SettleEffectIn, SettleEffectOut]{Name: "terfyn.v1.SettleEffect"}       // local
	OpenApproval   = Activity[OpenApprovalIn, OpenApprovalOut]{Name: "terfyn.v1.OpenApproval"}       // local
	RecordDecision = Activity[RecordDecisionIn, RecordDecisionOut]{Name: "terfyn.v1.RecordDecision"} //
	TraceRefusal   = Activity[RecordDecisionIn, RecordDecisionOut]{Name: "terfyn.v1.TraceRefusal"}   // local
	CloseApproval  = Activity[CloseApprovalIn, CloseApprovalOut]{Name: "terfyn.v1.CloseApproval"}    // local
	RecordEvents   = Activity[RecordEventsIn, RecordEventsOut]{Name: "terfyn.v1.RecordEvents"}       // local
	FinishRun      = Activity[FinishRunIn, FinishRunOut]{Name: "terfyn.v1.FinishRun"}                // local
)
