package risk_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/planner"
	"terfyn/planner/risk"
)

// side is a project in source, its main file and its schema documents.
type side struct {
	source  string
	schemas map[string]string
}

const (
	strictDoc = `{"type":"object","required":["q"],"additionalProperties":false,"properties":{"q":{"type":"string"}}}`
	looseDoc  = `{"type":"object"}`
)

var documents = map[string]string{"Strict": strictDoc, "Same": strictDoc, "Loose": looseDoc}

// planned is the plan of after where before is applied, for environment prod.
func planned(t *testing.T, before, after side) planner.Plan {
	t.Helper()
	var graphs [2]resource.Graph
	var in [2]planner.In
	for i, s := range []side{before, after} {
		files := fstest.MapFS{"main.agent": &fstest.MapFile{Data: []byte(s.source)}}
		for name, doc := range s.schemas {
			files["schemas/"+name+".json"] = &fstest.MapFile{Data: []byte(doc)}
		}
		r, ds := compiler.Compile(files, compiler.Options{Project: "p", SkipPolicyBounds: true})
		if ds.HasErrors() {
			t.Fatal(ds.String())
		}
		g, err := resource.Overlay(r.Graph, "prod")
		if err != nil {
			g = r.Graph // prod is not declared
		}
		schemas := map[string]canon.Value{}
		for _, path := range ordered.Keys(r.Schemas) {
			if schemas[path], err = canon.Parse(r.Schemas[path]); err != nil {
				t.Fatal(err)
			}
		}
		graphs[i] = g
		in[i] = planner.In{Environment: "prod", Desired: g, Programs: r.Programs, Schemas: schemas}
	}
	in[1].Applied = planner.Resources(resource.Normalize(planner.Pin(graphs[0], in[0].Programs)), in[0].Schemas)
	in[1].Previous = in[0].Programs
	p, err := planner.Compute(in[1])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	house = ` {
    execution { maxTotalCostUsd 1 maxWallClockSeconds 5 }
    approvals { approvers { group:x } minApprovals 2 requiredFor { tool.t.send } signed true }
    egress { allowHosts { "a.example" } }
    tools { forbidUnknownTools true }
    hitl { redactKeys { "pw" } }
}
`
	sender = "tool t { type mock operations { send { effects { mail.send } } } }\n"
	asks   = "agent a { model openai/gpt-4 }\n"
	under  = "workflow w() policy %P { t.send(text: \"x\") }\n"
	event  = "workflow w(input: string) trigger event \"in\" { %E } { x = 1 }\n"
	timed  = "workflow w(input: string) trigger schedule { cron \"0 9 * * *\" %E } { x = 1 }\n"
	alias  = "provider openai { type openai baseUrl \"https://other.example/v1\" apiKeyFrom \"env:OPENAI_API_KEY\" }\n"
	group  = "policy house { approvals { approvers { group:x } signed true requiredFor { tool.t.send } } }\n"
	people = "environment prod { approvers { ann \"ssh-ed25519 AAAA\" group x { ann } } }\n"
)

func with(template, mark, text string) string { return strings.ReplaceAll(template, mark, text) }

// A guard that falls is an item of the plan, whatever way the sources let it fall.
func TestNoGuardFallsSilently(t *testing.T) {
	t.Parallel()
	limited := "tool t { type mock limits { maxToolOutputBytes 100 toolOutputExceedPolicy fail } operations { send { effects { mail.send } maxInputBytes 10 maxOutputBytes 10 timeoutSeconds 5 } } }\n"
	typed := func(name string) string { return "agent a { model mock/default input " + name + " }\n" }
	taking := func(param string) string { return "workflow w(" + param + ") { x = 1 }\n" }
	for _, test := range []struct {
		name, before, after string
		category            risk.Category
		target, reason      string
	}{
		{"deleted policy permissive", "policy permissive" + house + sender + with(under, "%P", "permissive"), sender + with(under, "%P", "permissive"), risk.BudgetRelaxation, "Policy/permissive", "Cost ceiling of 1 USD removed"},
		{"its gates", "policy permissive" + house + sender + with(under, "%P", "permissive"), sender + with(under, "%P", "permissive"), risk.ApprovalRemoval, "Policy/permissive", "tool.t.send"},
		{"its persons", "policy permissive" + house + sender + with(under, "%P", "permissive"), sender + with(under, "%P", "permissive"), risk.ApproverRelaxation, "Policy/permissive", "Fewer persons"},
		{"its signatures", "policy permissive" + house + sender + with(under, "%P", "permissive"), sender + with(under, "%P", "permissive"), risk.SignatureRelaxation, "Policy/permissive", ""},
		{"its hosts", "policy permissive" + house + sender + with(under, "%P", "permissive"), sender + with(under, "%P", "permissive"), risk.EgressWidening, "Policy/permissive", ""},
		{"its rules", "policy permissive" + house + sender + with(under, "%P", "permissive"), sender + with(under, "%P", "permissive"), risk.PolicyRelaxation, "Policy/permissive", "forbidUnknownTools"},
		{"its redaction", "policy permissive" + house + sender + with(under, "%P", "permissive"), sender + with(under, "%P", "permissive"), risk.PolicyRelaxation, "Policy/permissive", `"pw"`},
		{"deleted policy strict", "policy strict" + house + sender + with(under, "%P", "strict"), sender + with(under, "%P", "strict"), risk.BudgetRelaxation, "Policy/strict", "Time ceiling"},
		{"deleted policy shell_safe", "policy shell_safe" + house + sender + with(under, "%P", "shell_safe"), sender + with(under, "%P", "shell_safe"), risk.PolicyRelaxation, "Policy/shell_safe", "only read run unattended"},
		{"deleted policy of an agent", "policy strict" + house + sender + "agent a { model mock/default policy strict }\n", sender + "agent a { model mock/default policy strict }\n", risk.SignatureRelaxation, "Policy/strict", ""},
		{"deleted policy default", "policy default" + house + sender + with(under, "policy %P ", ""), sender + with(under, "policy %P ", ""), risk.SignatureRelaxation, "Workflow/w", ""},
		{"declared over a preset", sender + with(under, "%P", "strict"), "policy strict { }\n" + sender + with(under, "%P", "strict"), risk.ApprovalRemoval, "Policy/strict", "all tools"},

		{"alias over a built-in provider", asks, asks + alias, risk.ModelChange, "Agent/a", "reaches models of openai in another way"},
		{"alias removed", asks + alias, asks, risk.ModelChange, "Agent/a", "the built-in provider takes the place"},

		{"other input", typed("Strict"), typed("Loose"), risk.PolicyRelaxation, "Agent/a", "The input of Agent/a is checked against schemas/Loose.json instead of schemas/Strict.json"},
		{"other output", with(typed("Strict"), "input", "output"), with(typed("Loose"), "input", "output"), risk.PolicyRelaxation, "Agent/a", "The output"},
		{"other parameter", taking("q: Strict"), taking("q: Loose"), risk.PolicyRelaxation, "Workflow/w", "The parameter q of"},
		{"untyped parameter", taking("q: Strict"), taking("q: string"), risk.PolicyRelaxation, "Workflow/w", "no longer checked"},
		{"renamed and untyped", taking("q: Strict"), taking("text: string"), risk.PolicyRelaxation, "Workflow/w", "The parameter text (was q) of Workflow/w is no longer checked"},
		{"renamed behind another", taking("n: string, q: Strict"), taking("n: string, text: Loose"), risk.PolicyRelaxation, "Workflow/w", "The parameter text (was q)"},
		{"other result", "workflow w() -> Strict { return { q: \"x\" } }\n", "workflow w() -> Loose { return { q: \"x\" } }\n", risk.PolicyRelaxation, "Workflow/w", "The result"},

		{"first environment", group + sender + with(under, "%P", "house"), group + people + sender + with(under, "%P", "house"), risk.ApproverRelaxation, "Environment/prod", "The group x, which stood for nobody"},
		{"first keys", group + sender + with(under, "%P", "house"), group + people + sender + with(under, "%P", "house"), risk.ApproverRelaxation, "Environment/prod", "ann is a new approver"},
		{"deleted environment", "environment prod { runtime { namespace \"n\" } }\n" + sender, sender, risk.RuntimeTargetChange, "Environment/prod", ""},

		{"input bytes", limited, with(limited, "maxInputBytes 10", ""), risk.ToolSurfaceChange, "Tool/t", "Inputs of tool.t.send may have 262144 bytes instead of 10"},
		{"output bytes", limited, with(limited, "maxOutputBytes 10 ", "maxOutputBytes 11 "), risk.ToolSurfaceChange, "Tool/t", "Outputs of tool.t.send may have 11 bytes"},
		{"timeout", limited, with(limited, "timeoutSeconds 5", ""), risk.ToolSurfaceChange, "Tool/t", "A call of tool.t.send may take 60 seconds instead of 5"},
		{"limits of a tool", limited, with(limited, "limits { maxToolOutputBytes 100 toolOutputExceedPolicy fail }", ""), risk.ToolSurfaceChange, "Tool/t", "Outputs of Tool/t may have 262144 bytes"},
		{"exceed policy of a tool", limited, with(limited, "toolOutputExceedPolicy fail", ""), risk.ToolSurfaceChange, "Tool/t", "outputs of Tool/t are cut off"},
		{"exceed policy over the project's", "limits { toolInputExceedPolicy fail }\n" + sender, "limits { toolInputExceedPolicy fail }\n" + with(sender, "operations", "limits { toolInputExceedPolicy truncate } operations"), risk.ToolSurfaceChange, "Tool/t", "inputs of Tool/t are cut off"},
		{"limits of the project", "limits { maxToolOutputBytes 100 }\n", "limits { maxToolInputBytes 100 }\n", risk.PolicyRelaxation, "Project/p", "A tool output may have 262144 bytes"},

		{"buffered", with(timed, "%E", "overlap skip"), with(timed, "%E", "overlap bufferOne"), risk.TriggerAdded, "Workflow/w", "wait for the one before"},
		{"overlapping", with(timed, "%E", "overlap bufferOne"), with(timed, "%E", "overlap allowAll"), risk.TriggerAdded, "Workflow/w", "may overlap"},
		{"timezone", with(timed, "%E", `timezone "Europe/Berlin"`), with(timed, "%E", `timezone "Asia/Tokyo"`), risk.TriggerAdded, "Workflow/w", "timezone is Asia/Tokyo"},
		{"input of a schedule", with(timed, "%E", `input { input: "a" }`), with(timed, "%E", `input { input: "b" }`), risk.TriggerAdded, "Workflow/w", "another input"},
		{"dedupe", with(event, "%E", `dedupe event.id`), with(event, "%E", `dedupe event.at`), risk.TriggerAdded, "Workflow/w", "is told apart by"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := planned(t, side{test.before, documents}, side{test.after, documents})
			if !slices.ContainsFunc(p.RiskItems, func(i risk.Item) bool {
				return i.Category == test.category && i.Target == test.target && strings.Contains(i.Reason, test.reason)
			}) {
				t.Errorf("no %s of %s with %q in %+v", test.category, test.target, test.reason, p.RiskItems)
			}
		})
	}
}

// What only looks like a loosening is no item.
func TestSameGuardIsNoItem(t *testing.T) {
	t.Parallel()
	typed := func(name string) string {
		return "agent a { model mock/default output " + name + " version \"1\" }\nworkflow w(q: " + name + ") { x = 1 }\n"
	}
	for name, test := range map[string][2]string{
		"the same content under another name": {typed("Strict"), typed("Same")},
		"a policy nobody runs under":          {"policy strict" + house + sender, sender},
		"an alias that changes nothing":       {asks, asks + "provider openai { type openai }\n"},
		"a provider nobody uses":              {asks, asks + with(alias, "provider openai", "provider far")},
		"persons where anybody could decide":  {sender + "workflow w() { t.send(text: \"x\") }\n", sender + people + "workflow w() { t.send(text: \"x\") }\n"},
		"a stricter overlap":                  {with(timed, "%E", "overlap bufferOne"), with(timed, "%E", "overlap skip")},
		"renamed parameter, same check":       {"workflow w(q: Strict) { x = 1 }\n", "workflow w(text: Same) { x = 1 }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if p := planned(t, side{test[0], documents}, side{test[1], documents}); len(p.RiskItems) != 0 {
				t.Errorf("%+v", p.RiskItems)
			}
		})
	}
}

// The content of a schema belongs to the definition of the agents that use it.
func TestSchemaContentNeedsANewVersion(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"input", "output"} {
		source := "agent a { model mock/default " + field + " Strict version \"1\" }\n"
		changed := map[string]string{"Strict": looseDoc}
		p := planned(t, side{source, documents}, side{source, changed})
		if !has(p.RiskItems, risk.DefinitionUnversioned, risk.Medium, "Agent/a") || len(p.Definitions) != 1 || !p.Definitions[0].Unversioned {
			t.Errorf("%s: %+v %+v", field, p.RiskItems, p.Definitions)
		}
		p = planned(t, side{source, documents}, side{strings.ReplaceAll(source, `"1"`, `"2"`), changed})
		if has(p.RiskItems, risk.DefinitionUnversioned, risk.Medium, "Agent/a") {
			t.Errorf("%s under a new version: %+v", field, p.RiskItems)
		}
	}
}
