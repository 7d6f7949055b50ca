package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// workKinds is the tasks, workflows and handoffs of nexflow.md 3.3, and events and
// extensions.
var workKinds = []comparedKind{
	kindOfSpace(refs.Task, behaviour, append(
		texts("title", "description", "acceptanceCriteria"),
		behave("status", taskStatus),
		behave("owner", word),
		behave("participants", list(Added)),
		behave("dependsOn", list(Added)),
		behave("capabilitiesRequired", list(Added)),
		auth("approvalGates", list(Narrowed)),
		nested("artifacts"),
	)),
	kindOfSpace(refs.Artifact, behaviour, append(
		texts("description", "uri"),
		behave("type", hidden),
		behave("producedBy", word),
	)),
	kindOfSpace(refs.Workflow, behaviour, append(
		texts("displayName", "description"),
		behave("triggers", eventTriggers),
		behave("dependencies", objects(Added, "from", "to")).beside(restOfItems([]string{"from", "to"}, "type")),
		nested("stages"),
	)),
	kindOfSpace(refs.WorkflowStage, inert, append(texts("displayName"), nested("steps"))),
	kindOfSpace(refs.WorkflowStep, behaviour, []comparedField{
		behave("task", word),
		behave("dependsOn", list(Added)),
		auth("approvalGates", list(Narrowed)),
		behave("emits", list(Added)),
	}),
	kindOfSpace(refs.Handoff, behaviour, append(
		texts("reason", "nextAction", "status", "notes", "blockingIssues", "acceptanceCriteria"),
		behave("from", list(Added)),
		behave("to", list(Added)),
		behave("artifacts", list(Added)),
	)),
	kindOfSpace(refs.Event, behaviour, slices.Concat(texts("description", "retention"), conducts("payload"), switches("", "auditRequired"))),
	kindOfSpace(refs.Extension, inert, texts("namespace", "displayName", "description", "lifecycle", "documentation", "appliesTo", "requiredCapabilities")),
}

// taskStatus compares whether a task can run at all; the other words are no state.
func taskStatus(was, is manifest.Node, _ owners) []delta {
	stopped := func(n manifest.Node) bool { return n.Is("cancelled") || n.Is("blocked") }
	if !stopped(was) && !stopped(is) {
		return nil
	}
	return []delta{{class: Changed, from: shown(was), to: shown(is)}}
}

// eventTriggers compares the triggers that are event types; other words do nothing.
func eventTriggers(was, is manifest.Node, _ owners) []delta {
	events := func(n manifest.Node) []item {
		return slices.DeleteFunc(textItems(n), func(i item) bool { return !manifest.IsEventType(i.key) })
	}
	return entries(events(was), events(is), Added)
}
