package diag

import (
	"fmt"
	"maps"
	"slices"
)

// Codes of lexing and parsing, TF1.
const (
	BadCharacter       Code = "TF1001"
	InvalidUTF8        Code = "TF1002"
	UnclosedString     Code = "TF1003"
	UnclosedBlock      Code = "TF1004"
	UnknownEscape      Code = "TF1005"
	MalformedNumber    Code = "TF1006"
	FileTooLarge       Code = "TF1007"
	UnexpectedToken    Code = "TF1101"
	MissingBrace       Code = "TF1102"
	NestingTooDeep     Code = "TF1103"
	TooManyErrors      Code = "TF1104"
	ReservedWord       Code = "TF1105"
	NotADeclaration    Code = "TF1106"
	UnknownField       Code = "TF1201"
	DuplicateField     Code = "TF1202"
	DuplicateEntry     Code = "TF1203"
	UnknownWord        Code = "TF1204"
	NotACount          Code = "TF1205"
	BadCapability      Code = "TF1206"
	BadEffect          Code = "TF1207"
	CallInCondition    Code = "TF1301"
	ChainedComparison  Code = "TF1302"
	MissingLimit       Code = "TF1303"
	MisplacedParallel  Code = "TF1304"
	NotAStatement      Code = "TF1305"
	TrailingComma      Code = "TF1306"
	ObjectAsCollection Code = "TF1307"
)

// Codes of names, types and wiring, TF2.
const (
	UnresolvedReference  Code = "TF2001"
	UnknownCallee        Code = "TF2002"
	UnknownTool          Code = "TF2003"
	UnknownOperation     Code = "TF2004"
	UnknownPolicy        Code = "TF2005"
	UnknownProvider      Code = "TF2006"
	UnknownTarget        Code = "TF2007"
	DuplicateDeclaration Code = "TF2008"
	NameClash            Code = "TF2009"
	ImmutableParameter   Code = "TF2010"
	ReturnInParallel     Code = "TF2011"
	WorkflowRecursion    Code = "TF2012"
	RepeatedSingleton    Code = "TF2013"
	UnknownMockScript    Code = "TF2014"
	UnknownType          Code = "TF2015"
	UnclosedToken        Code = "TF2016"

	EmptyAgentCall   Code = "TF2101"
	UnverifiedCall   Code = "TF2102"
	UnknownParameter Code = "TF2103"
	ParameterTwice   Code = "TF2104"
	TooManyArguments Code = "TF2105"
	MissingArgument  Code = "TF2106"
	UndeclaredWiring Code = "TF2107"

	TypeMismatch    Code = "TF2201"
	UndeclaredField Code = "TF2202"
	BrokenSchema    Code = "TF2203"
	MissingSchema   Code = "TF2204"

	MissingModel       Code = "TF2301"
	NumberOutOfRange   Code = "TF2302"
	BadBaseURL         Code = "TF2303"
	MissingField       Code = "TF2304"
	UnknownChoice      Code = "TF2305"
	BadTransport       Code = "TF2306"
	BadEffectName      Code = "TF2307"
	BadOperationName   Code = "TF2308"
	CheckpointTruncate Code = "TF2309"
	ShownNameClash     Code = "TF2310"
	RepeatedCapability Code = "TF2311"
	BadSecretReference Code = "TF2312"
	InstructionsFile   Code = "TF2313"
	BadReconcile       Code = "TF2314"

	NoProject      Code = "TF2401"
	OldProject     Code = "TF2402"
	UnreadableFile Code = "TF2403"
	BadMockScript  Code = "TF2404"
	NotRunnable    Code = "TF2405"

	OldForm         Code = "TF2406"
	OldFieldLeftOut Code = "TF2407"
)

// Codes of rules over the finished graph, TF25.
const (
	NestedTooDeep       Code = "TF2501"
	UnknownApprover     Code = "TF2502"
	LiteralSecret       Code = "TF2503"
	PermitOverlap       Code = "TF2504"
	BadStep             Code = "TF2505"
	BadTrigger          Code = "TF2506"
	BadOperation        Code = "TF2507"
	MalformedCapability Code = "TF2508"
	TooFewApprovers     Code = "TF2509"
	BadName             Code = "TF2510"
	NoHTTPMethod        Code = "TF2511"
	SilenceForApprovers Code = "TF2512"
	NoNativeOperation   Code = "TF2513"
)

// Codes of programs that no source text stands behind, TF252.
const (
	BadProgram Code = "TF2520"
)

// Codes of effects, TF3.
const (
	EffectNotCovered   Code = "TF3001"
	EffectUnknown      Code = "TF3002"
	EffectUnreachable  Code = "TF3003"
	EffectNotPermitted Code = "TF3004"
	EffectUndecidable  Code = "TF3005"
)

// Codes of advice about policies, TF51. Advice never stops anything; package
// policy/lint grades it.
const (
	PolicyUnused          Code = "TF5101"
	PermissiveWithEffects Code = "TF5102"
	PermitsUnknownEffect  Code = "TF5103"
	ApprovalUnreachable   Code = "TF5104"
	PresetWeakened        Code = "TF5105"
	SubmitterMayDestroy   Code = "TF5106"
	SilenceApproves       Code = "TF5107"
	BroadHost             Code = "TF5108"
	NoCostCeiling         Code = "TF5109"
	PausesUnattended      Code = "TF5110"
	ReviewWithoutGate     Code = "TF5111"
	ClauseBeyondPolicy    Code = "TF5112"
	NobodyDecides         Code = "TF5113"
)

// Codes of the environment, TF8.
const (
	BadConfig        Code = "TF8001"
	UnknownConfigKey Code = "TF8002"
)

// Codes of bugs, TF9.
const (
	Internal Code = "TF9001"
)

// summaries is the registry: every code with the one line that never changes.
// Each area adds its constants above in a block of its own and its lines here
// under its heading. A code is never reused for another meaning.
var summaries = merge(
	// TF1: lexing and parsing.
	map[Code]string{
		BadCharacter:       "character outside the language",
		InvalidUTF8:        "source is not valid UTF-8",
		UnclosedString:     "string is not closed on its line",
		UnclosedBlock:      "block string is not closed",
		UnknownEscape:      "unknown escape in a string",
		MalformedNumber:    "malformed number",
		FileTooLarge:       "source file is too large",
		UnexpectedToken:    "unexpected token",
		MissingBrace:       "missing closing brace",
		NestingTooDeep:     "nesting is too deep",
		TooManyErrors:      "too many errors",
		ReservedWord:       "reserved word used as a name",
		NotADeclaration:    "expected a declaration",
		UnknownField:       "unknown field",
		DuplicateField:     "field given twice",
		DuplicateEntry:     "name given twice",
		UnknownWord:        "word is not one of the choices",
		NotACount:          "not an allowed whole number",
		BadCapability:      "malformed capability",
		BadEffect:          "malformed effect",
		CallInCondition:    "call in a condition",
		ChainedComparison:  "chained comparison",
		MissingLimit:       "loop without a limit",
		MisplacedParallel:  "parallel does not fit here",
		NotAStatement:      "not a statement",
		TrailingComma:      "trailing comma",
		ObjectAsCollection: "object as a collection",
	},
	// TF2: names, types and wiring.
	map[Code]string{
		UnresolvedReference:  "reference to a name that is not in scope",
		UnknownCallee:        "call of an unknown agent or workflow",
		UnknownTool:          "unknown tool",
		UnknownOperation:     "operation is not in the tool's manifest",
		UnknownPolicy:        "unknown policy",
		UnknownProvider:      "unknown model provider",
		UnknownTarget:        "unknown agent, workflow or policy",
		DuplicateDeclaration: "name declared twice",
		NameClash:            "agent and workflow of one name",
		ImmutableParameter:   "assignment to a parameter",
		ReturnInParallel:     "return inside parallel for",
		WorkflowRecursion:    "workflow calls itself",
		RepeatedSingleton:    "block may stand once in a project",
		UnknownMockScript:    "mock model without a script",
		UnknownType:          "type without a schema, near one that has one",
		UnclosedToken:        "token of a template is not closed",
		EmptyAgentCall:       "call of a typed agent without arguments",
		UnverifiedCall:       "arguments cannot be checked against the input type",
		UnknownParameter:     "argument for a parameter that does not exist",
		ParameterTwice:       "parameter given twice",
		TooManyArguments:     "too many arguments",
		MissingArgument:      "argument missing",
		UndeclaredWiring:     "input type has no such field",
		TypeMismatch:         "value does not fit the type",
		UndeclaredField:      "field is not declared",
		BrokenSchema:         "schema cannot be used",
		MissingSchema:        "schema file is missing",
		MissingModel:         "agent without a model",
		NumberOutOfRange:     "number is out of range",
		BadBaseURL:           "baseUrl is not an absolute http or https URL",
		MissingField:         "required field is missing",
		UnknownChoice:        "value is not one of the choices",
		BadTransport:         "transport block does not fit the tool",
		BadEffectName:        "malformed effect name",
		BadOperationName:     "malformed operation name",
		CheckpointTruncate:   "checkpoints cannot be truncated",
		ShownNameClash:       "two grants have one name for the model",
		RepeatedCapability:   "capability listed twice",
		BadSecretReference:   "secret reference is malformed",
		InstructionsFile:     "instructions file cannot be used",
		BadReconcile:         "reconcile operation is not read-only",
		NoProject:            "directory holds no project",
		OldProject:           "project.yaml is no longer a source",
		UnreadableFile:       "project file cannot be read",
		BadMockScript:        "mock script cannot be used",
		NotRunnable:          "construct compiles but is not run by this version",
		OldForm:              "part of the old YAML form cannot be converted",
		OldFieldLeftOut:      "field of the old YAML form is left out",
		NestedTooDeep:        "workflows call each other too deeply",
		UnknownApprover:      "approver that no environment defines",
		LiteralSecret:        "secret written as a literal",
		PermitOverlap:        "effect in both permit lists",
		BadStep:              "steps do not form a graph",
		BadTrigger:           "trigger cannot fire",
		BadOperation:         "operation contradicts itself",
		MalformedCapability:  "malformed capability",
		TooFewApprovers:      "more approvals asked for than people can give",
		BadName:              "malformed name",
		NoHTTPMethod:         "http operation without a method",
		SilenceForApprovers:  "silence would stand for named approvers",
		NoNativeOperation:    "native operation that this version does not have",
		BadProgram:           "program is malformed",
	},
	// TF3: effects.
	map[Code]string{
		EffectNotCovered:   "reachable effect outside the effects clause",
		EffectUnknown:      "reachable operation without declared effects",
		EffectUnreachable:  "effects clause lists an effect nothing reaches",
		EffectNotPermitted: "policy does not permit a reachable effect",
		EffectUndecidable:  "policy cannot permit an operation without declared effects",
	},
	// TF4: planning and apply.
	map[Code]string{},
	// TF5: policy and decisions.
	map[Code]string{
		PolicyUnused:          "policy governs nothing",
		PermissiveWithEffects: "permissive policy over untrusted side effects",
		PermitsUnknownEffect:  "permitted effect that no operation declares",
		ApprovalUnreachable:   "approval required for what nothing reaches",
		PresetWeakened:        "fields take back what the preset asks for",
		SubmitterMayDestroy:   "submitter alone may approve a destructive effect",
		SilenceApproves:       "silence approves",
		BroadHost:             "allowed host is broader than one host",
		NoCostCeiling:         "agents with tools and no cost ceiling",
		PausesUnattended:      "triggered runs wait for a person without end",
		ReviewWithoutGate:     "review options for calls that nothing gates",
		ClauseBeyondPolicy:    "effects clause beyond the policy",
		NobodyDecides:         "approvals that nobody can give in an environment",
	},
	// TF6: state and store.
	map[Code]string{},
	// TF7: runs.
	map[Code]string{},
	// TF8: environment and tools.
	map[Code]string{
		BadConfig:        "user-local configuration cannot be used",
		UnknownConfigKey: "unknown key in user-local configuration",
	},
	// TF9: bugs in terfyn itself.
	map[Code]string{
		Internal: "a bug in terfyn",
	},
)

// SummaryOf gives the fixed summary of a code and whether it is registered.
func SummaryOf(c Code) (string, bool) {
	s, ok := summaries[c]
	return s, ok
}

// Codes lists every registered code in order.
func Codes() []Code { return slices.Sorted(maps.Keys(summaries)) }

// merge joins the areas; one code in two areas is a bug found at start.
func merge(areas ...map[Code]string) map[Code]string {
	all := map[Code]string{}
	for i, area := range areas {
		prefix := fmt.Sprintf("TF%d", i+1)
		for _, c := range slices.Sorted(maps.Keys(area)) {
			if _, dup := all[c]; dup || len(c) != 6 || string(c[:3]) != prefix {
				panic(fmt.Sprintf("diag: code %q is registered twice or in the wrong area", string(c)))
			}
			all[c] = area[c]
		}
	}
	return all
}
