package validate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

func flag(b bool) *bool { return &b }

// valid is a graph no rule complains about.
func valid() resource.Graph {
	return resource.Graph{
		Project:   "demo",
		Defaults:  resource.Defaults{Policy: "house", Model: "mock/gpt-4", Runtime: "local"},
		Limits:    resource.Limits{CheckpointExceedPolicy: resource.Fail, ToolInputExceedPolicy: resource.Truncate},
		Providers: []resource.Provider{{Name: "lab", Type: "openai", BaseURL: "https://models.example/v1", APIKeyFrom: "env:LAB_KEY"}},
		Tools: []resource.Tool{
			{Name: "tracker", Type: "mcp", MCP: &resource.MCP{Transport: "stdio", Command: "srv"}, Retry: resource.Retry{MaxAttempts: 3, Backoff: "fixed"}, Operations: []resource.Operation{
				{Name: "issue.read", Effects: []string{"tracker.read"}, ReadOnly: flag(true), Schema: "schemas/Ref.json"},
				{Name: "issue.close", Effects: []string{"tracker.write", "destructive"}, Reconcile: "issue.read", Idempotency: "key"},
			}},
			{Name: "weather", Type: "http", HTTP: &resource.HTTP{BaseURL: "https://w.example", Headers: []resource.Header{{Name: "Authorization", Value: "env:W"}, {Name: "Accept", Value: "application/json"}}}},
			{Name: "pages", Type: "http", HTTP: &resource.HTTP{BaseURL: "https://p.example"}, Operations: []resource.Operation{{Name: "get.v1.page"}, {Name: "put"}, {Name: "send", RemoteName: "post /page"}}},
			{Name: "jobs", Type: "temporal", Temporal: &resource.Temporal{Kind: "activity", TaskQueue: "q"}},
			{Name: "sealed", Type: "mock", OperationsDeclared: true},
		},
		Policies: []resource.Policy{{
			Name: "house", Preset: "strict", Execution: resource.Execution{MaxTotalCostUSD: "2.5"},
			Approvals:  resource.Approvals{RequiredFor: []string{"tool.tracker.issue.close", "tool.weather.get"}, Approvers: []string{"ada", "group:ops"}, MinApprovals: 2},
			Effects:    resource.PolicyEffects{Permit: []string{"tracker.read"}, PermitWithApproval: []string{"tracker.write", "destructive"}},
			Hitl:       resource.Hitl{InterruptOn: map[string]resource.Review{"tracker": {AllowedDecisions: []string{"approve", "switch"}, AllowedEditTools: []string{"issue.read"}, SwitchMap: map[string][]string{"issue.close": {"issue.read"}}}}, ToolSwitchMap: map[string][]string{"tracker": {"issue.read"}, "issue.close": {"issue.read"}}},
			AllowHosts: []string{"w.example"},
		}},
		Agents: []resource.Agent{
			{Name: "Fixer", Model: "lab/big", Input: "schemas/Ref.json", Grants: []string{"tool.tracker.issue.read", "tool.weather.get", "agent.Other", "workflow.inner"}, Constraints: resource.Constraints{Temperature: "2"}},
			{Name: "Other", FallbackModels: []string{"openai/x"}},
		},
		Workflows: []resource.Workflow{
			{Name: "inner", Calls: []resource.Reference{{Kind: "tool", Name: "tracker.issue.close", Site: "c"}}},
			{Name: "outer", Policy: "shell_safe", Params: []resource.Param{{Name: "in", Schema: "schemas/Ref.json"}}, Effects: []string{"tracker"},
				Calls:    []resource.Reference{{Kind: "workflow", Name: "inner", Site: "a"}, {Kind: "agent", Name: "Fixer", Site: "b"}},
				Steps:    []resource.Step{{ID: "a", Kind: "workflow", Needs: []string{}}, {ID: "b", Kind: "agent", Needs: []string{"a"}}},
				Triggers: []resource.Trigger{{Kind: "schedule", Cron: "0 4 * * *", Overlap: "skip"}, {Kind: "event", Event: "push"}}},
		},
		Environments: []resource.Environment{{
			Name: "prod", Agents: map[string]resource.AgentOverride{"Fixer": {Model: "mock/x"}}, Policies: map[string]resource.Policy{"house": {Approvals: resource.Approvals{RequiredFor: []string{"tool.weather.post"}}}},
			Tools:     map[string]resource.ToolOverride{"weather": {HTTP: &resource.HTTP{BaseURL: "https://prod.example"}}},
			Approvers: map[string]string{"ada": "k1", "bo": "k2"}, Groups: map[string][]string{"ops": {"bo", "ada"}},
		}},
	}
}

func schemas() map[string][]byte {
	return map[string][]byte{"schemas/Ref.json": []byte(`{"type":"object"}`), "schemas/Broken.json": []byte(`{"type":"text"}`), "schemas/Far.json": []byte(`{"$ref":"Ref.json"}`)}
}

func TestValid(t *testing.T) {
	t.Parallel()
	if got := Graph(valid(), schemas(), nil); len(got) != 0 {
		t.Errorf("unexpected:\n%s", got)
	}
	if got := Graph(resource.Graph{}, nil, nil); len(got) != 0 {
		t.Errorf("empty graph:\n%s", got)
	}
}

// change is one slip in a valid graph and what must be said about it, and
// nothing else: the code, then fragments of the text.
type change struct {
	slip func(*resource.Graph)
	want []string
}

func run(t *testing.T, cases map[string]change) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := resource.Normalize(valid()) // a copy to change
			c.slip(&g)
			got := Graph(g, schemas(), nil)
			if len(got) != 1 {
				t.Fatalf("%d diagnostics, want 1:\n%s", len(got), got)
			}
			text := diag.Plain(got[0])
			for _, fragment := range c.want {
				if !strings.Contains(text, fragment) {
					t.Errorf("lacks %q: %s", fragment, text)
				}
			}
		})
	}
}

func policyOf(g *resource.Graph) *resource.Policy { return &g.Policies[0] }

func toolOf(g *resource.Graph, name string) *resource.Tool {
	for i := range g.Tools {
		if g.Tools[i].Name == name {
			return &g.Tools[i]
		}
	}
	panic("no tool " + name)
}

func TestTools(t *testing.T) {
	t.Parallel()
	ops := func(g *resource.Graph) []resource.Operation { return toolOf(g, "tracker").Operations } // issue.close, issue.read
	run(t, map[string]change{
		"no type":         {func(g *resource.Graph) { toolOf(g, "sealed").Type = "" }, []string{"TF2304", "tool sealed has no type"}},
		"type word":       {func(g *resource.Graph) { toolOf(g, "sealed").Type = "soap" }, []string{"TF2305", `"soap"`, "native, mock, mcp, http, temporal"}},
		"no block":        {func(g *resource.Graph) { toolOf(g, "jobs").Temporal = nil }, []string{"TF2306", "no temporal block"}},
		"foreign block":   {func(g *resource.Graph) { toolOf(g, "sealed").HTTP = &resource.HTTP{BaseURL: "https://x.example"} }, []string{"TF2306", "also a block http"}},
		"command and url": {func(g *resource.Graph) { toolOf(g, "tracker").MCP.URL = "https://x.example" }, []string{"TF2306", "keep one"}},
		"mcp transport":   {func(g *resource.Graph) { toolOf(g, "tracker").MCP.Transport = "" }, []string{"TF2306", "names no transport"}},
		"stdio command":   {func(g *resource.Graph) { toolOf(g, "tracker").MCP.Command = "" }, []string{"TF2306", "needs a command"}},
		"base url":        {func(g *resource.Graph) { toolOf(g, "weather").HTTP.BaseURL = "ftp://x" }, []string{"TF2303", "baseUrl", "ftp://x"}},
		"task queue":      {func(g *resource.Graph) { toolOf(g, "jobs").Temporal.TaskQueue = "" }, []string{"TF2306", "taskQueue"}},
		"nexus endpoint":  {func(g *resource.Graph) { toolOf(g, "jobs").Temporal.Kind = "nexus" }, []string{"TF2306", "endpoint"}},
		"negative retry":  {func(g *resource.Graph) { toolOf(g, "tracker").Retry.MaxAttempts = -1 }, []string{"TF2302", "maxAttempts", "-1"}},
		"backoff":         {func(g *resource.Graph) { toolOf(g, "tracker").Retry.Backoff = "linear" }, []string{"TF2305", "backoff"}},
		"limits":          {func(g *resource.Graph) { toolOf(g, "tracker").Limits.MaxToolInputBytes = -5 }, []string{"TF2302", "maxToolInputBytes"}},
		"tool checkpoint": {func(g *resource.Graph) { toolOf(g, "tracker").Limits.CheckpointExceedPolicy = "truncate" }, []string{"TF2309", "checkpointExceedPolicy of tool tracker"}},
		"operation name":  {func(g *resource.Graph) { toolOf(g, "sealed").Operations = []resource.Operation{{Name: "Read"}} }, []string{"TF2308", `"Read"`}},
		"http method":     {func(g *resource.Graph) { toolOf(g, "pages").Operations = []resource.Operation{{Name: "fetch.page"}} }, []string{"TF2511", "operation fetch.page of tool pages", `name "GET /items"`}},
		"http remote name": {func(g *resource.Graph) {
			toolOf(g, "pages").Operations = []resource.Operation{{Name: "get.page", RemoteName: "FETCH /page"}}
		}, []string{"TF2511", `its name "FETCH /page"`}},
		"operation twice": {func(g *resource.Graph) {
			toolOf(g, "sealed").Operations = []resource.Operation{{Name: "a"}, {Name: "a"}}
		}, []string{"TF2008", "duplicate operation a"}},
		"effect prefix":     {func(g *resource.Graph) { ops(g)[1].Effects = []string{"tool.tracker.x"} }, []string{"TF2307", "capabilities"}},
		"effect form":       {func(g *resource.Graph) { ops(g)[1].Effects = []string{"Tracker.read"} }, []string{"TF2307", `"Tracker.read"`}},
		"empty effect":      {func(g *resource.Graph) { ops(g)[1].Effects = []string{""} }, []string{"TF2307", `""`}},
		"idempotency":       {func(g *resource.Graph) { ops(g)[0].Idempotency = "always" }, []string{"TF2305", "key, safe, none"}},
		"reconcile target":  {func(g *resource.Graph) { ops(g)[0].Reconcile = "issue.find" }, []string{"TF2004", `"issue.find"`, "it offers"}},
		"reconcile writes":  {func(g *resource.Graph) { ops(g)[1].ReadOnly = nil }, []string{"TF2314", "issue.read", "not read-only"}},
		"read-only destroy": {func(g *resource.Graph) { ops(g)[0].ReadOnly = flag(true) }, []string{"TF2507", "destructive"}},
		"schema missing":    {func(g *resource.Graph) { ops(g)[1].Schema = "schemas/None.json" }, []string{"TF2204", "schemas/None.json"}},
		"schema broken":     {func(g *resource.Graph) { ops(g)[1].Schema = "schemas/Broken.json" }, []string{"TF2203", "schemas/Broken.json", "/type"}},
		"schema external":   {func(g *resource.Graph) { ops(g)[1].OutputSchema = "schemas/Far.json" }, []string{"TF2203", "another document", `"Ref.json"`}},
		"literal header":    {func(g *resource.Graph) { toolOf(g, "weather").HTTP.Headers[1].Value = "canary" }, []string{"TF2503", "warning:", "Authorization"}},
		"literal value":     {func(g *resource.Graph) { toolOf(g, "weather").HTTP.Headers[0].Value = "Bearer canary" }, []string{"TF2503", "warning:", "Accept"}},
	})
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	approvals := func(f func(*resource.Approvals)) func(*resource.Graph) {
		return func(g *resource.Graph) { f(&policyOf(g).Approvals) }
	}
	review := func(r resource.Review) func(*resource.Graph) {
		return func(g *resource.Graph) { policyOf(g).Hitl.InterruptOn["tracker"] = r }
	}
	run(t, map[string]change{
		"preset":                {func(g *resource.Graph) { policyOf(g).Preset = "loose" }, []string{"TF2305", "permissive, shell_safe, strict"}},
		"cost":                  {func(g *resource.Graph) { policyOf(g).Execution.MaxTotalCostUSD = "-0.5" }, []string{"TF2302", "maxTotalCostUsd", "-0.5"}},
		"cost spelling":         {func(g *resource.Graph) { policyOf(g).Execution.MaxTotalCostUSD = "1/2" }, []string{"TF2302"}},
		"wall clock":            {func(g *resource.Graph) { policyOf(g).Execution.MaxWallClockSeconds = -1 }, []string{"TF2302", "maxWallClockSeconds"}},
		"capability form":       {approvals(func(a *resource.Approvals) { a.RequiredFor = []string{"tracker.issue.close"} }), []string{"TF2508", "tool.<name>.<operation>"}},
		"unknown tool":          {approvals(func(a *resource.Approvals) { a.RequiredFor = []string{"tool.git.push"} }), []string{"TF2003", `"git"`}},
		"unknown operation":     {approvals(func(a *resource.Approvals) { a.RequiredFor = []string{"tool.tracker.issue.open"} }), []string{"TF2004", "issue.open", "it offers issue.close, issue.read"}},
		"sealed":                {approvals(func(a *resource.Approvals) { a.RequiredFor = []string{"tool.sealed.x"} }), []string{"TF2004", "nothing of it can be called"}},
		"twice":                 {approvals(func(a *resource.Approvals) { a.RequiredFor = []string{"tool.weather.get", "tool.weather.get"} }), []string{"TF2311", "tool.weather.get"}},
		"timeout word":          {approvals(func(a *resource.Approvals) { a.OnTimeout = "ignore" }), []string{"TF2305", "onTimeout"}},
		"loop word":             {approvals(func(a *resource.Approvals) { a.InLoop = "ask" }), []string{"TF2305", "inLoop"}},
		"approver":              {approvals(func(a *resource.Approvals) { a.Approvers = []string{"ada", "bo", "eve"} }), []string{"TF2502", "eve"}},
		"group":                 {approvals(func(a *resource.Approvals) { a.Approvers = []string{"group:ops", "group:sec"} }), []string{"TF2502", "group:sec"}},
		"silence for approvers": {approvals(func(a *resource.Approvals) { a.TimeoutSeconds, a.OnTimeout = 5, "approve" }), []string{"TF2512", "onTimeout approve"}},
		"too many":              {approvals(func(a *resource.Approvals) { a.MinApprovals = 3 }), []string{"TF2509", "3 approvals", "at most 2"}},
		"permit effect":         {func(g *resource.Graph) { policyOf(g).Effects.Permit = []string{"tool.tracker"} }, []string{"TF2307"}},
		"overlap":               {func(g *resource.Graph) { policyOf(g).Effects.Permit = []string{"tracker.write.label"} }, []string{"TF2504", "warning:", "approval is required"}},
		"interrupt tool":        {func(g *resource.Graph) { policyOf(g).Hitl.InterruptOn = map[string]resource.Review{"git": {}} }, []string{"TF2003", "interruptOn", "tool names"}},
		"decision word":         {review(resource.Review{AllowedDecisions: []string{"defer"}}), []string{"TF2305", "defer"}},
		"edit tools":            {review(resource.Review{AllowedEditTools: []string{"weather"}}), []string{"TF2004", `"weather"`}},
		"switch target":         {review(resource.Review{SwitchMap: map[string][]string{"issue.close": {"issue.drop"}}}), []string{"TF2004", "issue.drop"}},
		"switch table": {func(g *resource.Graph) {
			policyOf(g).Hitl.ToolSwitchMap = map[string][]string{"tracker": {"issue.drop"}}
		}, []string{"TF2004", "issue.drop"}},
		"allow host": {func(g *resource.Graph) { policyOf(g).AllowHosts = []string{"https://w.example/x"} }, []string{"TF2510", "allowHosts"}},
	})
}

func TestAgentsAndProject(t *testing.T) {
	t.Parallel()
	run(t, map[string]change{
		"no model":        {func(g *resource.Graph) { g.Agents[1].Model, g.Defaults.Model = "", "" }, []string{"TF2301", "agent Other"}},
		"model form":      {func(g *resource.Graph) { g.Agents[0].Model = "big" }, []string{"TF2006", "provider/model"}},
		"provider":        {func(g *resource.Graph) { g.Agents[0].Model = "acme/big" }, []string{"TF2006", `"acme"`}},
		"fallback":        {func(g *resource.Graph) { g.Agents[1].FallbackModels = []string{"acme/x"} }, []string{"TF2006", "acme/x"}},
		"policy":          {func(g *resource.Graph) { g.Agents[0].Policy = "nope" }, []string{"TF2005", `"nope"`}},
		"temperature":     {func(g *resource.Graph) { g.Agents[0].Constraints.Temperature = "2.5" }, []string{"TF2302", "temperature", "from 0 to 2"}},
		"tokens":          {func(g *resource.Graph) { g.Agents[0].Constraints.MaxTokens = -1 }, []string{"TF2302", "maxTokens"}},
		"grant tool":      {func(g *resource.Graph) { g.Agents[0].Grants = []string{"tool.git.push"} }, []string{"TF2003", "grants of agent Fixer", `"git"`}},
		"grant operation": {func(g *resource.Graph) { g.Agents[0].Grants = []string{"tool.tracker.issue.drop"} }, []string{"TF2004", "issue.drop"}},
		"grant form":      {func(g *resource.Graph) { g.Agents[0].Grants = []string{"tool.weather.a..b"} }, []string{"TF2508", "tool.weather.a..b"}},
		"grant effect":    {func(g *resource.Graph) { g.Agents[0].Grants = []string{"tracker.read"} }, []string{"TF2508", "tracker.read"}},
		"grant agent":     {func(g *resource.Graph) { g.Agents[0].Grants = []string{"agent.Nobody"} }, []string{"TF2007", `agent "Nobody"`}},
		"grant workflow":  {func(g *resource.Graph) { g.Agents[0].Grants = []string{"workflow.none"} }, []string{"TF2007", `workflow "none"`}},
		"shown names":     {func(g *resource.Graph) { g.Agents[0].Grants = []string{"tool.weather.a_b", "tool.weather.a.b"} }, []string{"TF2310", "weather_a_b"}},
		"output schema":   {func(g *resource.Graph) { g.Agents[0].Output = "schemas/None.json" }, []string{"TF2204"}},
		"agent twice":     {func(g *resource.Graph) { g.Agents = append(g.Agents, g.Agents[1]) }, []string{"TF2008", "agent Other is declared twice"}},
		"agent name": {func(g *resource.Graph) {
			g.Agents = append(g.Agents, resource.Agent{Name: "a.b", Model: "mock/x", Policy: "house"})
		}, []string{"TF2510", `"a.b"`}},
		"agent = workflow": {func(g *resource.Graph) { g.Agents = append(g.Agents, resource.Agent{Name: "outer", Model: "mock/x"}) }, []string{"TF2009", "outer"}},
		"default runtime":  {func(g *resource.Graph) { g.Defaults.Runtime = "cloud" }, []string{"TF2305", "runtime of the project"}},
		"checkpoint":       {func(g *resource.Graph) { g.Limits.CheckpointExceedPolicy = "truncate" }, []string{"TF2309", "checkpointExceedPolicy"}},
		"provider type":    {func(g *resource.Graph) { g.Providers[0].Type = "" }, []string{"TF2304", "provider lab has no type"}},
		"provider url":     {func(g *resource.Graph) { g.Providers[0].BaseURL = "https://" }, []string{"TF2303", "baseUrl"}},
		"provider key":     {func(g *resource.Graph) { g.Providers[0].APIKeyFrom = "sk-canary" }, []string{"TF2312", "apiKeyFrom"}},
	})
}

func TestWorkflows(t *testing.T) {
	t.Parallel()
	outer := func(f func(*resource.Workflow)) func(*resource.Graph) {
		return func(g *resource.Graph) { f(&g.Workflows[1]) }
	}
	run(t, map[string]change{
		"policy":       {outer(func(w *resource.Workflow) { w.Policy = "nope" }), []string{"TF2005", `"nope"`, "permissive, shell_safe, strict"}},
		"parameter":    {outer(func(w *resource.Workflow) { w.Params = append(w.Params, w.Params[0]) }), []string{"TF2008", "parameter in"}},
		"result":       {outer(func(w *resource.Workflow) { w.Result = "schemas/None.json" }), []string{"TF2204"}},
		"effect":       {outer(func(w *resource.Workflow) { w.Effects = []string{"tool.x"} }), []string{"TF2307"}},
		"callee agent": {outer(func(w *resource.Workflow) { w.Calls[0].Name = "Nobody" }), []string{"TF2007", "Nobody"}},
		"callee flow":  {outer(func(w *resource.Workflow) { w.Calls[1].Name = "none" }), []string{"TF2007", "none"}},
		"callee tool":  {outer(func(w *resource.Workflow) { w.Calls[0] = resource.Reference{Kind: "tool", Name: "tracker.issue.drop"} }), []string{"TF2004", "issue.drop"}},
		"callee kind":  {outer(func(w *resource.Workflow) { w.Calls[0].Kind = "thing" }), []string{"TF2305", "thing"}},
		"self":         {outer(func(w *resource.Workflow) { w.Calls[1].Name = "outer" }), []string{"TF2012", "outer -> outer", "recursion"}},
		"mutual": {func(g *resource.Graph) {
			g.Workflows[0].Calls = []resource.Reference{{Kind: "workflow", Name: "outer"}}
		}, []string{"TF2012", "inner -> outer -> inner"}},
		"too deep": {func(g *resource.Graph) {
			g.Limits.MaxWorkflowNesting = 1
			g.Workflows = append(g.Workflows, resource.Workflow{Name: "top", Calls: []resource.Reference{{Kind: "workflow", Name: "outer"}}})
		}, []string{"TF2501", "maxWorkflowNesting is 1", "top -> outer -> inner"}},
		"cron":        {outer(func(w *resource.Workflow) { w.Triggers[1].Cron = "" }), []string{"TF2506", "no cron"}},
		"cron fields": {outer(func(w *resource.Workflow) { w.Triggers[1].Cron = "0 4 *" }), []string{"TF2506", "3 fields"}},
		"event":       {outer(func(w *resource.Workflow) { w.Triggers[0].Event = "" }), []string{"TF2506", "no event"}},
		"overlap":     {outer(func(w *resource.Workflow) { w.Triggers[1].Overlap = "queue" }), []string{"TF2305", "overlap"}},
		"step id":     {outer(func(w *resource.Workflow) { w.Steps[1].ID = "a/b" }), []string{"TF2505", "contains /"}},
		"step twice":  {outer(func(w *resource.Workflow) { w.Steps[1] = w.Steps[0] }), []string{"TF2505", "used twice"}},
		"step needs":  {outer(func(w *resource.Workflow) { w.Steps[1].Needs = []string{"z"} }), []string{"TF2505", `needs "z"`}},
		"step cycle":  {outer(func(w *resource.Workflow) { w.Steps[0].Needs = []string{"b"} }), []string{"TF2505", "a -> b -> a"}},
		"step kind":   {outer(func(w *resource.Workflow) { w.Steps[0].Kind = "" }), []string{"TF2305", "(none)"}},
		"timeout":     {outer(func(w *resource.Workflow) { w.TimeoutSeconds = -2 }), []string{"TF2302", "timeoutSeconds"}},
	})
}

func TestEnvironments(t *testing.T) {
	t.Parallel()
	prod := func(f func(*resource.Environment)) func(*resource.Graph) {
		return func(g *resource.Graph) { f(&g.Environments[0]) }
	}
	run(t, map[string]change{
		"agent": {prod(func(e *resource.Environment) { e.Agents["Nobody"] = resource.AgentOverride{} }), []string{"TF2007", `agent "Nobody"`}},
		"model": {prod(func(e *resource.Environment) { e.Agents["Fixer"] = resource.AgentOverride{Model: "acme/x"} }), []string{"TF2006", "environment prod"}},
		"constraints": {prod(func(e *resource.Environment) {
			e.Agents["Fixer"] = resource.AgentOverride{Constraints: resource.Constraints{Temperature: "3"}}
		}), []string{"TF2302", "temperature"}},
		"policy": {prod(func(e *resource.Environment) { e.Policies["none"] = resource.Policy{} }), []string{"TF2007", `policy "none"`}},
		"requiredFor": {prod(func(e *resource.Environment) {
			e.Policies["house"] = resource.Policy{Approvals: resource.Approvals{RequiredFor: []string{"tool.git.x"}}}
		}), []string{"TF2003", `"git"`}},
		"tool": {prod(func(e *resource.Environment) { e.Tools["none"] = resource.ToolOverride{} }), []string{"TF2007", `tool "none"`}},
		"transport": {prod(func(e *resource.Environment) {
			e.Tools["sealed"] = resource.ToolOverride{HTTP: &resource.HTTP{BaseURL: "https://x.example"}}
		}), []string{"TF2306", "sealed"}},
		"endpoint": {prod(func(e *resource.Environment) {
			e.Tools["weather"] = resource.ToolOverride{HTTP: &resource.HTTP{BaseURL: "nowhere"}}
		}), []string{"TF2303", "nowhere"}},
		"group": {prod(func(e *resource.Environment) { e.Groups["qa"] = []string{"eve"} }), []string{"TF2502", "eve"}},
	})
}

func TestApproversNeedEnvironments(t *testing.T) {
	t.Parallel()
	g := valid()
	g.Environments[0].Approvers, g.Environments[0].Groups = nil, nil
	if got := Graph(g, schemas(), nil); len(got) != 0 {
		t.Errorf("no environment says who people are, yet:\n%s", got)
	}
}

func TestDefaultNestingLimit(t *testing.T) {
	t.Parallel()
	chain := func(n int) resource.Graph {
		var g resource.Graph
		for i := range n {
			w := resource.Workflow{Name: string(rune('a' + i))}
			if i+1 < n {
				w.Calls = []resource.Reference{{Kind: "workflow", Name: string(rune('b' + i))}}
			}
			g.Workflows = append(g.Workflows, w)
		}
		return g
	}
	if got := Graph(chain(9), nil, nil); len(got) != 0 {
		t.Errorf("eight nested calls are allowed:\n%s", got)
	}
	if got := Graph(chain(10), nil, nil); len(got) != 1 || got[0].Code != diag.NestedTooDeep {
		t.Errorf("nine nested calls:\n%s", got)
	}
}

func TestBrokenSchemaIsReportedOnce(t *testing.T) {
	t.Parallel()
	g := valid()
	g.Agents[0].Input, g.Agents[1].Output = "schemas/Broken.json", "schemas/Broken.json"
	if got := Graph(g, schemas(), nil); len(got) != 1 {
		t.Errorf("%d diagnostics:\n%s", len(got), got)
	}
}

func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	g := valid()
	g.Providers[0].APIKeyFrom, g.Providers[0].WorkspaceIDFrom = "canary", "canary"
	g.Tools[1].HTTP.Headers[0].Value = "canary"
	got := Graph(g, schemas(), nil)
	if len(got) != 3 || strings.Contains(got.String(), "canary") {
		t.Errorf("%s", got)
	}
}

func TestPlacesWiden(t *testing.T) {
	t.Parallel()
	at := func(file string, line int) source.Span {
		return source.Span{File: file, Start: source.Pos{Line: line, Col: 1}, End: source.Pos{Line: line, Col: 2}}
	}
	known := map[string]source.Span{"Tool tracker operations.issue.close": at("t.agent", 7), "Agent Fixer ": at("a.agent", 2)}
	g := valid()
	g.Tools[0].Operations[1].Idempotency = "always"
	g.Agents[0].Grants = []string{"tool.git.push"}
	got := Graph(g, schemas(), func(kind resource.Kind, name, field string) source.Span {
		return known[string(kind)+" "+name+" "+field]
	})
	if len(got) != 2 || got[0].At != known["Agent Fixer "] || got[1].At != known["Tool tracker operations.issue.close"] {
		t.Errorf("%s", got)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	broken := func() resource.Graph {
		g := valid()
		g.Providers[0].BaseURL = "x"
		g.Agents[0].Model, g.Agents[1].Policy = "acme/x", "nope"
		g.Tools[0].MCP, g.Tools[3].Retry.MaxAttempts = nil, -1
		g.Policies = append(g.Policies, resource.Policy{Name: "p2", Preset: "x"}, resource.Policy{Name: "p1", Preset: "x"})
		g.Environments = append(g.Environments, resource.Environment{Name: "b", Agents: map[string]resource.AgentOverride{"n": {}, "m": {}}}, resource.Environment{Name: "a", Tools: map[string]resource.ToolOverride{"n": {}}})
		return g
	}
	want := Graph(broken(), schemas(), nil)
	if len(want) < 10 {
		t.Fatalf("only %d diagnostics", len(want))
	}
	for seed := range uint64(50) {
		r, g := rand.New(rand.NewPCG(seed, 3)), broken()
		r.Shuffle(len(g.Agents), func(i, j int) { g.Agents[i], g.Agents[j] = g.Agents[j], g.Agents[i] })
		r.Shuffle(len(g.Tools), func(i, j int) { g.Tools[i], g.Tools[j] = g.Tools[j], g.Tools[i] })
		r.Shuffle(len(g.Policies), func(i, j int) { g.Policies[i], g.Policies[j] = g.Policies[j], g.Policies[i] })
		r.Shuffle(len(g.Environments), func(i, j int) { g.Environments[i], g.Environments[j] = g.Environments[j], g.Environments[i] })
		if diff := cmp.Diff(want, Graph(g, schemas(), nil)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}
