package rules_test

import "testing"

func TestContextSources(t *testing.T) {
	t.Parallel()
	const source = "context /contextSources/1"
	tools := `{"id": "server", "type": "mcp", "description": "S.", "access": {"default": "query"}, "classification": "public",
		"mcp": {"serverId": "s", "exposes": ["context", "tools"], "allowedTools": ["look"], "requiresApprovalForTools": true}}`
	checkChanges(t, []change{
		{name: "restricted", script: source + `/classification := "restricted"`,
			want: []string{"W TERFYN-CONTEXT-RESTRICTED-UNGATED context /contextSources/1/approvalGates"}},
		{name: "restricted with an empty list of gates", script: source + `/classification := "restricted"
			` + source + `/approvalGates := []`,
			want: []string{"W TERFYN-CONTEXT-RESTRICTED-UNGATED context /contextSources/1/approvalGates"}},
		{name: "restricted and gated", script: source + `/classification := "restricted"
			` + source + `/approvalGates := ["desk"]`},
		{name: "restricted to a list", script: source + `/classification := "restricted"
			` + source + `/access/allowedActors := ["clerk"]`},
		{name: "web without domains", script: source + `/allowedDomains := []`,
			want: []string{"W TERFYN-CONTEXT-WEB-UNBOUNDED context /contextSources/1/allowedDomains"}},
		{name: "web without citation", script: source + `/freshness delete`,
			want: []string{"W TERFYN-CONTEXT-WEB-NO-CITATION context /contextSources/1/freshness/requiresCitation"}},
		{name: "no web", script: source + `/type := "docs"
			` + source + `/freshness delete
			` + source + `/allowedDomains delete`},
		{name: "allowed and denied", script: source + `/access/allowedActors := ["clerk", "librarian"]
			` + source + `/access/deniedActors := ["librarian"]`,
			want: []string{"W TERFYN-CONTEXT-ALLOW-DENY-CONFLICT context /contextSources/1/access/deniedActors"}},
		{name: "allowed and denied, not declared", script: source + `/access/allowedActors := ["clerk", "ghost"]
			` + source + `/access/deniedActors := ["ghost"]`},
		{name: "domains allowed and denied", script: source + `/allowedDomains := ["a.example", "b.example"]
			` + source + `/disallowedDomains := ["b.example", "a.example"]`,
			want: []string{"W TERFYN-CONTEXT-ALLOW-DENY-CONFLICT context /contextSources/1/disallowedDomains"}},
		{name: "tools without a gate", script: `context /contextSources/- := ` + oneLine(tools),
			want: []string{
				"W TERFYN-CONTEXT-MCP-UNGATED context /contextSources/2/approvalGates",
				"W TERFYN-CONTEXT-MCP-CAPABILITY context /contextSources/2/mcp",
			}},
		{name: "tools under a capability", script: `context /contextSources/- := ` + oneLine(tools) + `
			capabilities /capabilities/- := {"id": "access_mcp", "description": "M.", "risk": "low"}`,
			want: []string{"W TERFYN-CONTEXT-MCP-UNGATED context /contextSources/2/approvalGates"}},
		{name: "tools with a gate", script: `context /contextSources/- := ` + oneLine(tools) + `
			context /contextSources/2/approvalGates := ["desk"]`},
		{name: "prompts are not tools", script: `context /contextSources/- := ` + oneLine(tools) + `
			context /contextSources/2/mcp/exposes := ["context", "prompts", "resources"]`},
	})
}

func TestRetrievalProfiles(t *testing.T) {
	t.Parallel()
	const source = "retrieval /retrievalProfiles/0/sources/0"
	checkChanges(t, []change{
		{name: "excluded", script: `retrieval /retrievalProfiles/0/excludedSources := ["news", "ghost"]`,
			want: []string{"E TERFYN-RETRIEVAL-EXCLUDED-SOURCE retrieval /retrievalProfiles/0/sources/1/contextSourceRef"}},
		{name: "excluded and not declared", script: `retrieval /retrievalProfiles/0/excludedSources := ["ghost"]
			` + source + `/contextSourceRef := "ghost"
			` + source + `/accessMode := "admin"`},
		{name: "query is no more than read", script: source + `/accessMode := "query"`},
		{name: "write is more than read", script: source + `/accessMode := "write"`,
			want: []string{"W TERFYN-RETRIEVAL-ACCESS-EXCEEDS retrieval /retrievalProfiles/0/sources/0/accessMode"}},
		{name: "admin is more than write", script: source + `/accessMode := "admin"
			context /contextSources/0/access/default := "write"`,
			want: []string{"W TERFYN-RETRIEVAL-ACCESS-EXCEEDS retrieval /retrievalProfiles/0/sources/0/accessMode"}},
		{name: "no more than admin", script: source + `/accessMode := "write"
			context /contextSources/0/access/default := "admin"`},
		{name: "class below the source", script: source + `/maxClassification := "public"`,
			want: []string{"W TERFYN-RETRIEVAL-CLASSIFICATION retrieval /retrievalProfiles/0/sources/0/maxClassification"}},
		{name: "class above the source", script: source + `/maxClassification := "restricted"`},
	})
}

func TestMemoryScopes(t *testing.T) {
	t.Parallel()
	const scope = "memory /memoryScopes/1"
	checkChanges(t, []change{
		{name: "approval without a gate", script: scope + `/approvalGate delete`,
			want: []string{"E TERFYN-MEMORY-GATE-MISSING memory /memoryScopes/1/approvalGate"}},
		{name: "approval without a gate in a short-lived scope", script: `memory /memoryScopes/0/updateMode := "approval_required"`,
			want: []string{"E TERFYN-MEMORY-GATE-MISSING memory /memoryScopes/0/approvalGate"}},
		{name: "durable and automatic", script: scope + `/approvalGate delete
			` + scope + `/updateMode := "automatic"`,
			want: []string{"W TERFYN-MEMORY-DURABLE-UNGATED memory /memoryScopes/1/approvalGate"}},
		{name: "durable and silent", script: scope + `/approvalGate delete
			` + scope + `/updateMode delete
			` + scope + `/scope := "organization"`,
			want: []string{"W TERFYN-MEMORY-DURABLE-UNGATED memory /memoryScopes/1/approvalGate"}},
		{name: "durable under review", script: scope + `/approvalGate delete
			` + scope + `/updateMode := "review_required"`},
		{name: "durable, actors ask, gated", script: scope + `/updateMode := "actor_requested"`},
		{name: "short-lived and automatic", script: `memory /memoryScopes/0/updateMode := "automatic"`},
		{name: "promotion downwards", script: `memory /memoryScopes/0/sensitivity := "restricted"
			memory /memoryScopes/0/auditEvents := ["network.decision"]`,
			want: []string{"E TERFYN-MEMORY-PROMOTION-LOWERS-SENSITIVITY memory /memoryScopes/1/allowedSourceScopes/0"}},
		{name: "promotion upwards", script: scope + `/sensitivity := "confidential"`},
		{name: "promotion from itself", script: scope + `/allowedSourceScopes := ["task", "project"]`,
			want: []string{"W TERFYN-MEMORY-PROMOTION-SELF memory /memoryScopes/1/allowedSourceScopes/1"}},
		{name: "promotion from what is not declared", script: scope + `/sensitivity := "public"
			` + scope + `/allowedSourceScopes := ["team"]`},
		{name: "prohibited with writers", script: scope + `/updateMode := "prohibited"`,
			want: []string{"W TERFYN-MEMORY-WRITER-CONFLICT memory /memoryScopes/1/allowedWriters"}},
		{name: "prohibited without writers", script: scope + `/updateMode := "prohibited"
			` + scope + `/allowedWriters := []`},
		{name: "restricted without events", script: scope + `/sensitivity := "restricted"`,
			want: []string{"W TERFYN-AUDIT-MEMORY-EVENTS-MISSING memory /memoryScopes/1/auditEvents"}},
		{name: "restricted with events", script: scope + `/sensitivity := "restricted"
			` + scope + `/auditEvents := ["network.decision"]`},
		{name: "a second declaration stands for nothing", script: `memory /memoryScopes/- := {"scope": "project", "sensitivity": "restricted", "allowedConsumers": []}`},
	})
}
