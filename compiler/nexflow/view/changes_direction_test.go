package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/settest"
)

// direction is one changed value of the estate, or of the estate after a first
// change, and the entries about authority: class, kind, id, field, item, and what
// became what.
type direction struct {
	first, script string
	want          []string
}

const (
	board     = `actors /actors/- := {"id": "board", "kind": "authority", "representedBy": [{"kind": "actor", "id": "owner"}]}`
	projectAt = "project /project/"
	networkAt = "project /project/policies/networkAccess/"
	ruleAt    = networkAt + "rules/0/"
	overrides = "project /project/policies/humanOverride/"
)

var directions = []direction{
	// the project
	{script: projectAt + `defaultAutonomy := "autonomous_safe"`, want: []string{"widened project - defaultAutonomy ask_before_changes>autonomous_safe"}},
	{script: projectAt + `defaultAutonomy delete`, want: []string{"narrowed project - defaultAutonomy ask_before_changes>"}},
	{script: projectAt + `policies/requireReview := false`, want: []string{"widened project - policies.requireReview true>false"}},
	{script: projectAt + `policies/networkAccess := "Be careful."`, want: []string{"widened project - policies.networkAccess policy>text"}},
	{script: projectAt + `policies/networkAccess delete`, want: []string{"widened project - policies.networkAccess policy>none"}},
	{script: projectAt + `policies/humanOverride delete`, want: []string{"widened human-override - -"}},
	{script: projectAt + `maintainers/- := {"id": "bot", "name": "B"}`, want: []string{"added maintainer bot -"}},
	// gates
	{script: projectAt + `approvalGates/0/requiredApprovers/- := "bot"`, want: []string{"narrowed approval-gate door requiredApprovers bot"}},
	{first: projectAt + `approvalGates/0/requiredApprovers := ["owner", "bot"]`, script: projectAt + `approvalGates/0/requiredApprovers := ["bot"]`, want: []string{"widened approval-gate door requiredApprovers owner"}},
	{script: projectAt + `approvalGates/1/requiredApprovers := ["owner"]`, want: []string{"changed approval-gate back requiredApprovers owner"}},
	{script: projectAt + `approvalGates/0/targets/- := {"kind": "workflow-step", "id": "step-sweep", "scope": {"kind": "workflow", "id": "day"}}`,
		want: []string{"narrowed approval-gate door targets workflow-step day step-sweep"}},
	{script: projectAt + `approvalGates/1 delete`, want: []string{"removed approval-gate back -"}},
	{script: projectAt + `approvalGates/0 delete`, want: []string{"widened approval-gate door -"}},
	// the network
	{script: networkAt + `transport/requireTls := false`, want: []string{"widened network-policy - transport.requireTls true>false"}},
	{script: networkAt + `transport/allowPrivateNetworks := true`, want: []string{"widened network-policy - transport.allowPrivateNetworks false>true"}},
	{script: networkAt + `transport/allowLoopback := true`, want: []string{"widened network-policy - transport.allowLoopback false>true"}},
	{script: networkAt + `transport/followRedirects := true`, want: []string{"widened network-policy - transport.followRedirects false>true"}},
	{script: networkAt + `transport/maxRedirects := 3`, want: []string{"widened network-policy - transport.maxRedirects 0>3"}},
	{script: ruleAt + `effect := "allow"`, want: []string{"widened network-rule outside effect approval_required>allow"}},
	{script: ruleAt + `effect := "deny"`, want: []string{"narrowed network-rule outside effect approval_required>deny"}},
	{script: ruleAt + `actors/- := "owner"`, want: []string{"widened network-rule outside actors owner"}},
	{script: networkAt + `rules/1/actors/- := "owner"`, want: []string{"narrowed network-rule never actors owner"}},
	{script: ruleAt + `capabilities delete`, want: []string{"widened network-rule outside capabilities 1>anything"}},
	{script: ruleAt + `capabilities/- := "look"`, want: []string{"widened network-rule outside capabilities look"}},
	{script: ruleAt + `purposes/- := "provider_request"`, want: []string{"widened network-rule outside purposes provider_request"}},
	{script: ruleAt + `destinations/domains/- := "c.example"`, want: []string{"widened network-rule outside destinations.domains 1>2"}},
	{script: networkAt + `rules/1/destinations/domains/- := "c.example"`, want: []string{"narrowed network-rule never destinations.domains 1>2"}},
	{script: ruleAt + `destinations/contextSources delete`, want: []string{"narrowed network-rule outside destinations.contextSources wiki"}},
	{script: ruleAt + `destinations/providers delete`, want: []string{"narrowed network-rule outside destinations.providers cloud"}},
	{script: ruleAt + `destinations/extensions delete`, want: []string{"narrowed network-rule outside destinations.extensions tracker"}},
	{script: ruleAt + `destinations/schemes/- := "http"`, want: []string{"widened network-rule outside destinations.schemes http"}},
	{script: ruleAt + `destinations/ports delete`, want: []string{"widened network-rule outside destinations.ports 1>anything"}},
	{script: ruleAt + `destinations/ports/- := 80`, want: []string{"widened network-rule outside destinations.ports 80"}},
	{script: ruleAt + `maxDataClassification := "public"`, want: []string{"narrowed network-rule outside maxDataClassification internal>public"}},
	{script: ruleAt + `maxDataClassification delete`, want: []string{"widened network-rule outside maxDataClassification internal>"}},
	{script: ruleAt + `approvalGate := "back"`, want: []string{"changed network-rule outside approvalGate door>back"}},
	{script: ruleAt + `effect := "allow"
		` + ruleAt + `approvalGate delete`, want: []string{"changed network-rule outside approvalGate door>", "widened network-rule outside effect approval_required>allow"}},
	{script: networkAt + `rules/0 delete`, want: []string{"narrowed network-rule outside -"}},
	{script: networkAt + `rules/1 delete`, want: []string{"widened network-rule never -"}},
	// human override
	{script: overrides + `authorities/- := {"kind": "actor", "id": "bot"}`, want: []string{"narrowed human-override - authorities bot"}},
	{script: overrides + `operations := []`, want: []string{"widened human-override - operations stop_agent"}},
	{script: overrides + `response/inFlightActions := "allow_safe_completion"`, want: []string{"widened human-override - response.inFlightActions request_stop>allow_safe_completion"}},
	{script: overrides + `resume/approvalGate := "back"`, want: []string{"changed human-override - resume.approvalGate door>back"}},
	// actors and definitions
	{script: `actors /actors/1/kind := "service"`, want: []string{"changed actor bot kind agent>service"}},
	{script: `actors /actors/1/agentRef/id := "other"`, want: []string{"changed actor bot agentRef bot-agent>other"}},
	{script: `actors /actors/2/operatedBy/- := {"kind": "actor", "id": "bot"}`, want: []string{"widened actor timer operatedBy bot"}},
	{script: `actors /actors/2/operatedBy/- := {"kind": "actor", "id": "ghost"}`, want: []string{"changed actor timer operatedBy ghost"}},
	{script: `actors /actors/1/kind := "human"`, want: []string{"narrowed actor bot kind agent>human"}},
	{script: `actors /actors/0/representedBy := [{"kind": "actor", "id": "bot"}]`, want: []string{"widened actor owner representedBy bot"}},
	{first: board, script: `actors /actors/3/representedBy := [{"kind": "actor", "id": "bot"}]`,
		want: []string{"changed actor board representedBy owner", "widened actor board representedBy bot"}},
	{first: board + `
		actors /actors/- := {"id": "second", "kind": "human"}`, script: `actors /actors/3/representedBy := [{"kind": "actor", "id": "second"}]`,
		want: []string{"changed actor board representedBy owner", "changed actor board representedBy second"}},
	{first: board + `
		actors /actors/- := {"id": "council", "kind": "authority", "representedBy": [{"kind": "actor", "id": "owner"}, {"kind": "actor", "id": "bot"}]}`,
		script: `actors /actors/3/representedBy/- := {"kind": "actor", "id": "council"}`, want: []string{"widened actor board representedBy council"}},
	{script: `agents /agents/- := {"id": "second"}`, want: []string{"added agent second -"}},
	{script: `definitions /agentDefinitions/0/agentRef := "other"`, want: []string{"changed agent-definition bot_one agentRef bot-agent>other"}},
	{script: `definitions /agentDefinitions/0/status := "draft"`, want: []string{"narrowed agent-definition bot_one status active>draft"}},
	{first: `definitions /agentDefinitions/0/status := "draft"`, script: `definitions /agentDefinitions/0/status := "retired"`, want: []string{"changed agent-definition bot_one status draft>retired"}},
	{script: `definitions /agentDefinitions/- := {"id": "bot_two", "agentRef": "bot-agent", "status": "draft"}`, want: []string{"added agent-definition bot_two -"}},
	{script: `definitions /agentDefinitions/0 delete`, want: []string{"narrowed agent-definition bot_one -"}},
	{script: `definitions /agentDefinitions/0/autonomyLevel := "autonomous_extended"`, want: []string{"widened agent-definition bot_one autonomyLevel ask_before_changes>autonomous_extended"}},
	{script: `definitions /agentDefinitions/0/autonomyLevel := "manual_only"`, want: []string{"narrowed agent-definition bot_one autonomyLevel ask_before_changes>manual_only"}},
	{script: `definitions /agentDefinitions/0/components/capabilityRefs/- := "look"`, want: []string{"widened agent-definition bot_one components.capabilityRefs look"}},
	{script: `definitions /agentDefinitions/0/components/contextSourceRefs := []`, want: []string{"narrowed agent-definition bot_one components.contextSourceRefs wiki"}},
	{script: `definitions /agentDefinitions/0/components/memoryScopes/- := "project"`, want: []string{"widened agent-definition bot_one components.memoryScopes project"}},
	{script: `definitions /agentDefinitions/0/components/extensionRefs delete`, want: []string{"removed agent-definition bot_one components.extensionRefs tracker"}},
	{script: `definitions /agentDefinitions/0/review/approvalGate delete`, want: []string{"widened agent-definition bot_one review.approvalGate door>"}},
	{script: `definitions /agentDefinitions/0/review/approvers := []`},
	// capabilities and permissions
	{script: `capabilities /capabilities/0/risk := "low"`, want: []string{"widened capability call risk high>low"}},
	{script: `capabilities /capabilities/0/requiresApprovalByDefault := true`, want: []string{"narrowed capability call requiresApprovalByDefault false>true"}},
	{script: `capabilities /capabilities/- := {"id": "fly", "risk": "critical"}`, want: []string{"added capability fly -"}},
	{script: `permissions /permissions/0/effect := "allow"`, want: []string{"widened effect bot - call approval_required>allow"}},
	{script: `permissions /permissions/0/effect := "deny"`, want: []string{"narrowed effect bot - call approval_required>deny"}},
	{script: `permissions /permissions/0/capabilities/- := "look"`, want: []string{"widened effect bot - look none>approval_required"}},
	{script: `permissions /permissions/0/subjects := []`, want: []string{"narrowed effect bot - call approval_required>none"}},
	{first: `permissions /permissions/0/effect := "deny"`, script: `permissions /permissions/0 delete`, want: []string{"removed permission may -", "widened effect bot - call deny>none"}},
	{script: `permissions /permissions/1/subjects/- := "bot"`, want: []string{"widened effect bot - look none>allow"}},
	{script: `permissions /permissions/- := {"id": "more", "subjects": ["bot"], "capabilities": ["call"], "effect": "approval_required", "approvalGate": "back"}`,
		want: []string{"added permission more -", "narrowed effect bot approvalGate call >back"}},
	{script: `permissions /permissions/- := {"id": "more", "subjects": ["bot"], "capabilities": ["call"], "effect": "approval_required", "approvalGate": "door"}`,
		want: []string{"added permission more -"}},
	{script: `permissions /permissions/0/approvalGate delete`, want: []string{"widened permission may approvalGate door>"}},
	{script: `permissions /permissions/1/approvalGate := "door"`, want: []string{"changed permission sees approvalGate >door"}},
	{script: `permissions /permissions/0/conditions := ["Only by day."]`, want: []string{"changed permission may conditions >present"}},
	{script: `permissions /permissions/0/scope := {"branch": "main"}`, want: []string{"changed permission may scope >present"}},
	// work
	{script: `tasks /tasks/0/approvalGates := []`, want: []string{"widened task sweep approvalGates door"}},
	{script: `workflow /workflow/stages/0/steps/0/approvalGates/- := "back"`, want: []string{"narrowed workflow-step step-sweep approvalGates back"}},
	// context
	{script: `context /contextSources/0/type := "web"`, want: []string{"changed context-source wiki type mcp>web"}},
	{script: `context /contextSources/0/access/default := "write"`, want: []string{"widened context-source wiki access.default read>write"}},
	{script: `context /contextSources/0/access/default := "query"`, want: []string{"changed context-source wiki access.default read>query"}},
	{script: `context /contextSources/0/access/allowedActors/- := "timer"`, want: []string{"widened context-source wiki access.allowedActors timer"}},
	{script: `context /contextSources/0/access/allowedActors delete`, want: []string{"widened context-source wiki access.allowedActors 2>anything"}},
	{script: `context /contextSources/0/access/deniedActors := []`, want: []string{"widened context-source wiki access.deniedActors timer"}},
	{script: `context /contextSources/0/classification := "public"`, want: []string{"widened context-source wiki classification internal>public"}},
	{script: `context /contextSources/0/allowedDomains/- := "c.example"`, want: []string{"widened context-source wiki allowedDomains 1>2"}},
	{script: `context /contextSources/0/allowedDomains := []`, want: []string{"widened context-source wiki allowedDomains 1>anything"}},
	{script: `context /contextSources/0/disallowedDomains delete`, want: []string{"widened context-source wiki disallowedDomains 1>0"}},
	{script: `context /contextSources/0/mcp/exposes/- := "tools"`, want: []string{"widened context-source wiki mcp.exposes tools"}},
	{script: `context /contextSources/0/mcp/allowedTools := ["touch"]`,
		want: []string{"changed context-source wiki mcp.allowedTools 1>1", "narrowed context-source wiki mcp.allowedTools 1>1", "widened context-source wiki mcp.allowedTools 1>1"}},
	{script: `context /contextSources/0/mcp/requiresApprovalForTools := false`, want: []string{"widened context-source wiki mcp.requiresApprovalForTools true>false"}},
	{script: `context /contextSources/0/approvalGates := []`, want: []string{"widened context-source wiki approvalGates door"}},
	// memory
	{script: `memory /memoryScopes/1/sensitivity := "restricted"`, want: []string{"narrowed memory-scope project sensitivity confidential>restricted"}},
	{script: `memory /memoryScopes/1/allowedConsumers/- := "bot"`, want: []string{"widened memory-scope project allowedConsumers bot"}},
	{script: `memory /memoryScopes/1/updateMode := "automatic"`, want: []string{"widened memory-scope project updateMode review_required>automatic"}},
	{script: `memory /memoryScopes/1/updateMode delete`, want: []string{"widened memory-scope project updateMode review_required>"}},
	{script: `memory /memoryScopes/1/updateMode := "prohibited"`, want: []string{"narrowed memory-scope project updateMode review_required>prohibited"}},
	{script: `memory /memoryScopes/1/allowedWriters/- := "bot"`, want: []string{"widened memory-scope project allowedWriters bot"}},
	{script: `memory /memoryScopes/1/allowedSourceScopes := []`, want: []string{"narrowed memory-scope project allowedSourceScopes task"}},
	{script: `memory /memoryScopes/1/approvalGate delete`, want: []string{"widened memory-scope project approvalGate door>"}},
	// retrieval
	{script: `retrieval /retrievalProfiles/0/sources/- := {"contextSourceRef": "news", "purpose": "P."}`, want: []string{"widened retrieval-profile search sources news"}},
	{script: `retrieval /retrievalProfiles/0/sources/0/accessMode := "admin"`, want: []string{"widened retrieval-profile search sources.accessMode wiki read>admin"}},
	{script: `retrieval /retrievalProfiles/0/sources/0/required := false`, want: []string{"changed retrieval-profile search sources.required wiki true>false"}},
	{script: `retrieval /retrievalProfiles/0/sources/0/maxClassification := "public"`, want: []string{"narrowed retrieval-profile search sources.maxClassification wiki internal>public"}},
	{script: `retrieval /retrievalProfiles/0/sources/0/purpose := "Everything."`},
	{script: `retrieval /retrievalProfiles/0/excludedSources/- := "news"`, want: []string{"narrowed retrieval-profile search excludedSources news"}},
	{script: `retrieval /retrievalProfiles/0/sensitivity/maxClassification := "restricted"`, want: []string{"widened retrieval-profile search sensitivity.maxClassification internal>restricted"}},
	{script: `retrieval /retrievalProfiles/0/sensitivity/allowCrossScopeReuse := true`, want: []string{"widened retrieval-profile search sensitivity.allowCrossScopeReuse false>true"}},
	{script: `retrieval /retrievalProfiles/0/sensitivity/excludedClassifications := ["public"]`, want: []string{"narrowed retrieval-profile search sensitivity.excludedClassifications public"}},
	// providers and models
	{script: `providers /providers/0/type := "custom"`, want: []string{"changed provider cloud type abstract>custom"}},
	{script: `providers /providers/0/constraints/trainingUse := "allowed"`, want: []string{"widened provider cloud constraints.trainingUse prohibited>allowed"}},
	{script: `providers /providers/0/constraints/trainingUse delete`, want: []string{"widened provider cloud constraints.trainingUse prohibited>"}},
	{script: `providers /providers/0/constraints/dataResidency := "any"`, want: []string{"widened provider cloud constraints.dataResidency regions>any"}},
	{script: `providers /providers/0/constraints/allowedRegions/- := "us"`, want: []string{"widened provider cloud constraints.allowedRegions 1>2"}},
	{script: `providers /providers/0/constraints/toolUse := "declared_tools_only"`, want: []string{"widened provider cloud constraints.toolUse none>declared_tools_only"}},
	{script: `providers /providers/0/constraints/maxSensitivity delete`, want: []string{"widened provider cloud constraints.maxSensitivity internal>"}},
	{script: `providers /providers/0/constraints/deployment := "local"`, want: []string{"changed provider cloud constraints.deployment remote>local"}},
	{script: `providers /providers/0/constraints/networkAccess := "prohibited"`, want: []string{"narrowed provider cloud constraints.networkAccess optional>prohibited"}},
	{script: `providers /providers/0/constraints/approvalRequired := false`, want: []string{"widened provider cloud constraints.approvalRequired true>false"}},
	{script: `providers /providers/0/constraints/dataRetention/mode := "provider_policy"`, want: []string{"widened provider cloud constraints.dataRetention.mode bounded>provider_policy"}},
	{script: `providers /providers/0/constraints/dataRetention/maxDuration := "P9D"`, want: []string{"changed provider cloud constraints.dataRetention.maxDuration"}},
	{script: `models /modelProfiles/0/selection/mode := "floating"`, want: []string{"changed model-profile balanced selection.mode pinned>floating"}},
	{script: `models /modelProfiles/0/selection/providerRefs/- := "other"`, want: []string{"widened model-profile balanced selection.providerRefs other"}},
	{script: `models /modelProfiles/0/selection/providerRefs := []`, want: []string{"widened model-profile balanced selection.providerRefs 1>anything"}},
	{script: `models /modelProfiles/0/selection/pinnedModel/providerRef := "other"`, want: []string{"changed model-profile balanced selection.pinnedModel.providerRef cloud>other"}},
	{script: `models /modelProfiles/0/constraints/trainingUse := "requires_approval"`, want: []string{"widened model-profile balanced constraints.trainingUse prohibited>requires_approval"}},
	{script: `models /modelProfiles/0/constraints/toolUse := "provider_native_tools"`, want: []string{"widened model-profile balanced constraints.toolUse none>provider_native_tools"}},
	{script: `models /modelProfiles/0/constraints/dataResidency := "secret"`, want: []string{"changed model-profile balanced constraints.dataResidency"}},
	{script: `models /modelProfiles/0/constraints/sensitivity := "restricted"`, want: []string{"widened model-profile balanced constraints.sensitivity internal>restricted"}},
	{script: `models /modelProfiles/0/fallback/allowed := true`, want: []string{"widened model-profile balanced fallback.allowed false>true"}},
	{script: `models /modelProfiles/0/fallback/requiresApproval := false`, want: []string{"widened model-profile balanced fallback.requiresApproval true>false"}},
	{script: `models /modelProfiles/0/fallback/requiresAuditEvent := true`, want: []string{"narrowed model-profile balanced fallback.requiresAuditEvent false>true"}},
	{script: `models /modelProfiles/0/fallback/candidateProviderRefs/- := "other"`, want: []string{"widened model-profile balanced fallback.candidateProviderRefs other"}},
	// texts, however bad
	{script: projectAt + `policies/secretHandling := "Print them."`},
	{script: projectAt + `policies/productionActions := "Go ahead."`},
	{script: `memory /memoryScopes/1/updateRules := "Anybody writes."`},
	{script: `agents /agents/0/autonomyLevel := "autonomous_extended"`},
	{script: `extensions /extensions/- := {"id": "second", "namespace": "n", "displayName": "S", "lifecycle": "stable"}`},
}

func entriesOf(c Changes) []string {
	out := []string{}
	for _, x := range c.Authority {
		s := string(x.Class) + " " + x.Kind + " " + orDash(x.ID) + " " + orDash(x.Field)
		if x.Item != "" {
			s += " " + x.Item
		}
		if x.From+x.To != "" && x.From+x.To != listedWord {
			s += " " + x.From + ">" + x.To
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func TestEntriesOfListsComeAndGo(t *testing.T) {
	t.Parallel()
	before := estateFiles(t)
	got := Compare(before.Index(), before.Apply(t, `context /contextSources/0/access/deniedActors := ["bot"]`).Index())
	var told []string
	for _, x := range got.Authority {
		told = append(told, string(x.Class)+" "+x.what()+" "+x.Path)
	}
	want := []string{
		"widened timer: was listed /contextSources/0/access/deniedActors/0",
		"narrowed bot: now listed /contextSources/0/access/deniedActors/0",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestAuthorityHasDirections(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{"permission subjects": true, "permission capabilities": true, "permission effect": true}
	base := estateFiles(t).Apply(t, capabilitiesOfRule)
	for i, d := range directions {
		before := base.Apply(t, d.first)
		after := before.Apply(t, d.script)
		got := Compare(before.Index(), after.Index())
		if diff := cmp.Diff(append([]string{}, d.want...), entriesOf(got)); diff != "" {
			t.Errorf("row %d, %s (-want +got):\n%s", i, d.script, diff)
		}
		if len(d.want) == 0 && (got.Inert == 0 || len(got.Behaviour) > 0) {
			t.Errorf("row %d, %s: no authority changed, and yet %+v", i, d.script, got)
		}
		for _, c := range got.Authority {
			covered[c.Kind+" "+c.Field] = true
			if c.File == "" || c.Path == "" {
				t.Errorf("row %d, %s: %+v has no place", i, d.script, c)
			}
		}
		checkMirror(t, d.script, before, after)
	}
	for _, k := range comparedKinds {
		for _, f := range k.fields {
			if f.means == authority && !covered[k.name+" "+f.path] && f.path != "sources" {
				t.Errorf("no row changes %s %s", k.name, f.path)
			}
		}
	}
}

// capabilitiesOfRule gives the rule of the estate a list to change.
const capabilitiesOfRule = ruleAt + `capabilities := ["call"]
`

// checkMirror compares in both directions.
func checkMirror(t *testing.T, what string, a, b settest.Files) {
	t.Helper()
	there, back := Compare(a.Index(), b.Index()), Compare(b.Index(), a.Index())
	turned := func(all []Change) []string {
		out := []string{}
		for _, c := range all {
			out = append(out, fmt.Sprint(c.Class.mirror(), c.Kind, c.Scope, c.ID, c.Field, c.Item, c.To, c.From, c.Went, c.Came))
		}
		slices.Sort(out)
		return out
	}
	plain := func(all []Change) []string {
		out := []string{}
		for _, c := range all {
			out = append(out, fmt.Sprint(c.Class, c.Kind, c.Scope, c.ID, c.Field, c.Item, c.From, c.To, c.Came, c.Went))
		}
		slices.Sort(out)
		return out
	}
	if diff := cmp.Diff(turned(there.Authority), plain(back.Authority)); diff != "" {
		t.Errorf("%s: authority there and back differ:\n%s", what, diff)
	}
	if diff := cmp.Diff(turned(there.Behaviour), plain(back.Behaviour)); diff != "" {
		t.Errorf("%s: behaviour there and back differ:\n%s", what, diff)
	}
	if there.Inert != len(there.Texts) || back.Inert != len(back.Texts) {
		t.Errorf("%s: there %d inert and %d texts; back %d and %d", what, there.Inert, len(there.Texts), back.Inert, len(back.Texts))
	}
	if there.Inert != back.Inert || len(there.Definitions) != len(back.Definitions) {
		t.Errorf("%s: there %d inert, %d agents; back %d, %d", what, there.Inert, len(there.Definitions), back.Inert, len(back.Definitions))
	}
}

func TestSetsDoNotDifferFromThemselves(t *testing.T) {
	t.Parallel()
	set := estateFiles(t)
	if got := Compare(set.Index(), set.Index()); !got.Empty() {
		t.Errorf("the estate differs from itself: %+v", got)
	}
	checkEveryValue(t, "estate", set)
}

// TestSampleSetsCompared includes pairs of sets that have nothing in common.
func TestSampleSetsCompared(t *testing.T) {
	t.Parallel()
	sets := map[string]settest.Files{}
	for _, name := range []string{"minimal-team", "software-team", "startup-team", "product-delivery-team", "open-source-maintainer"} {
		sets[name] = settest.Sample(t, "examples/"+name)
	}
	for name, set := range sets {
		if got := Compare(set.Index(), set.Index()); !got.Empty() {
			t.Errorf("%s differs from itself: %+v", name, got)
		}
		for other, second := range sets {
			if name < other {
				checkMirror(t, name+" and "+other, set, second)
			}
		}
	}
	checkEveryValue(t, "minimal-team", sets["minimal-team"])
}

// checkEveryValue takes away each declaration and each field in turn: something is
// always told.
func checkEveryValue(t *testing.T, name string, set settest.Files) {
	t.Helper()
	before := set.Index()
	for _, k := range comparedKinds {
		for _, d := range k.find(before) {
			for _, f := range k.fields {
				n := d.Node.At(strings.Split(f.path, ".")...)
				if !n.Exists() || n.Path() == "" || f.means == elsewhere {
					continue
				}
				got := Compare(before, set.Drop(t, n.File(), n.Path()).Index())
				empty := n.Len() == 0 && n.Value().Items() != nil
				if got.Empty() && !empty {
					t.Errorf("%s: %s#%s is gone and nothing tells", name, n.File(), n.Path())
				}
			}
		}
	}
}
