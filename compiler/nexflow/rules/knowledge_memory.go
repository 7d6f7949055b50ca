package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

func shownScope(n manifest.Node) string { return manifest.Shown(n.Get("scope").Text()) }

func memoryGates(c *checker) {
	for _, d := range c.firsts(refs.MemoryScope) {
		gate := d.Node.Get("approvalGate")
		if gate.Exists() {
			continue
		}
		mode := d.Node.Get("updateMode").Text()
		switch {
		case mode == "approval_required":
			c.report(gate, finding{
				severity: manifest.Error, code: code.MemoryGateMissing,
				message:    "The memory scope " + shownScope(d.Node) + " requires approval of updates and names no gate.",
				suggestion: "Name the gate.",
			})
		case durable(d.Node) && mode != "review_required" && mode != "prohibited":
			c.report(gate, finding{
				severity: manifest.Warning, code: code.MemoryDurableUngated,
				message:    "The memory scope " + shownScope(d.Node) + " outlives its task and is written without gate or review.",
				suggestion: "Name a gate, or require review of updates.",
			})
		}
	}
}

// durable reports whether what is written to a scope outlives the task.
func durable(scope manifest.Node) bool {
	switch scope.Get("scope").Text() {
	case "project", "team", "user", "organization":
		return true
	}
	return false
}

func memoryPromotion(c *checker) {
	for _, d := range c.firsts(refs.MemoryScope) {
		for _, ref := range d.Node.Get("allowedSourceScopes").Items() {
			source, ok := c.target(refs.MemoryScope, ref)
			if !ok {
				continue
			}
			if ref.Text() == d.ID {
				c.report(ref, finding{
					severity: manifest.Warning, code: code.MemoryPromotionSelf,
					message:    "The memory scope " + shownScope(d.Node) + " is its own source.",
					suggestion: "Drop it from its sources.",
				})
			}
			if manifest.Classifications.Above(source.Get("sensitivity").Text(), d.Node.Get("sensitivity").Text()) {
				c.report(ref, finding{
					severity: manifest.Error, code: code.MemoryPromotionLowersSensitivity,
					message:    "The memory scope " + shownScope(d.Node) + " takes content from the more sensitive scope " + shownScope(source) + ".",
					suggestion: "Drop the scope from the sources.",
				})
			}
		}
	}
}

func memoryRecords(c *checker) {
	for _, d := range c.firsts(refs.MemoryScope) {
		if writers := d.Node.Get("allowedWriters"); d.Node.Get("updateMode").Is("prohibited") && writers.Len() > 0 {
			c.report(writers, finding{
				severity: manifest.Warning, code: code.MemoryWriterConflict,
				message:    "The memory scope " + shownScope(d.Node) + " prohibits updates and lists writers.",
				suggestion: "Drop the writers.",
			})
		}
		if events := d.Node.Get("auditEvents"); d.Node.Get("sensitivity").Is("restricted") && events.Len() == 0 {
			c.report(events, finding{
				severity: manifest.Warning, code: code.AuditMemoryEventsMissing,
				message:    "The memory scope " + shownScope(d.Node) + " is restricted and names no audit events.",
				suggestion: "Name the events that record its use.",
			})
		}
	}
}
