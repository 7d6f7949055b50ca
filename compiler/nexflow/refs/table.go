package refs

import (
	"strings"

	"terfyn/compiler/nexflow/manifest"
)

// Condition is when a field refers to something, and how its target is named.
type Condition string

// The conditions. The empty Condition is that the field always refers to Row.To.
const (
	Always Condition = ""
	// WithActorSet holds in sets that have an ActorSet; elsewhere the field declares
	// instead of referring.
	WithActorSet Condition = "with ActorSet"
	// OwnKind takes the namespace from the member kind beside the id, and for steps
	// and stages the workflow from the member scope.
	OwnKind Condition = "typed by its own kind"
	// SameWorkflow looks only in the workflow of the document.
	SameWorkflow Condition = "same workflow"
	// EventShaped holds for texts that have the form of an event type; others are
	// words without a target.
	EventShaped Condition = "event-shaped"
	// ScopeOfTarget is the workflow in which the target beside it lies.
	ScopeOfTarget Condition = "scope of a target"
	// NeedsActorSet reports a missing ActorSet at the list of the references.
	NeedsActorSet Condition = "needs ActorSet"
)

// Row is one kind of reference (nexflow.md 6.2).
type Row struct {
	// Priority is the class of the NexFlow inventory, 0 to 3. It is an order of work
	// upstream; what is found does not depend on it.
	Priority int
	From     manifest.Kind
	// Pointer is a JSON Pointer with "*" for every element of an array.
	Pointer string
	// To is the target namespace; "" under OwnKind.
	To   Space
	When Condition
	// Selected is set for the references that inspect and graph show (nexflow.md
	// 10.4).
	Selected bool
	// Authority is set where naming somebody or something lets more happen. Findings
	// about such a field never propose an id for it.
	Authority bool
}

// Relation is the name of an edge that the field makes: the last segment of the
// pointer that is neither an element nor "id", in kebab-case.
func (r Row) Relation() string { return Relation(r.Pointer) }

// Relation is the relation of a pointer, of a pattern or of a value.
func Relation(pointer string) string {
	segments := strings.Split(pointer, "/")
	for i := len(segments) - 1; i > 0; i-- {
		s := segments[i]
		if s == "id" || s == "*" || s == "" || s[0] >= '0' && s[0] <= '9' {
			continue
		}
		return kebab(s)
	}
	return ""
}

func kebab(camel string) string {
	var b strings.Builder
	for _, c := range camel {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('-')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Table is every kind of reference. The slice is shared. The rows of a kind that lead
// to the same namespace stand in the order of nexflow.md 6.2, which decides what the
// first reference to a missing kind of document is.
func Table() []Row { return table }

// Roots of pointers that many rows share.
const (
	networkRule = "/project/policies/networkAccess/rules/*/"
	override    = "/project/policies/humanOverride/"
	gate        = "/project/approvalGates/*/"
	definition  = "/agentDefinitions/*/"
	step        = "/workflow/stages/*/steps/*/"
)
