package export_test

import (
	"errors"
	"strings"
	"testing"

	"terfyn/compiler/export"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/steps"
	"terfyn/internal/canon"
)

// machine is a project no source text stands behind, with one workflow w(in).
func machine(body ...ir.Node) export.Compiled {
	p := ir.Program{Workflow: "w", Params: []ir.Param{{Name: "in"}}, Body: body}
	return export.Compiled{
		Graph: resource.Normalize(resource.Graph{
			Project:   "demo",
			Agents:    []resource.Agent{{Name: "A", Model: "mock/default"}},
			Tools:     []resource.Tool{{Name: "t", Type: "mock"}},
			Workflows: []resource.Workflow{steps.Project(resource.Workflow{Name: "w"}, p)},
		}),
		Programs: []ir.Program{p},
	}
}

func op(bind string, args ...ir.Arg) ir.Tool {
	id := bind
	if id == "" {
		id = "op"
	}
	return ir.Tool{ID: id, Tool: "t", Operation: "op", Args: args, Bind: bind}
}

func arg(name string, e ir.Expr) ir.Arg { return ir.Arg{Name: name, Expr: e} }

func ref(path ...string) ir.Ref { return ir.Ref{Path: path} }

func lit(json string) ir.Literal {
	v, err := canon.Parse([]byte(json))
	if err != nil {
		panic(err)
	}
	return ir.Literal{Value: v}
}

// refusal is a project and a part of what is said about it.
type refusal struct {
	c    export.Compiled
	want string
}

func with(change func(c *export.Compiled), body ...ir.Node) export.Compiled {
	c := machine(body...)
	change(&c)
	return c
}

func agent(change func(a *resource.Agent)) export.Compiled {
	return with(func(c *export.Compiled) { change(&c.Graph.Agents[0]) })
}

func value(e ir.Expr) export.Compiled { return machine(op("", arg("a", e))) }

// checkRefusals demands the resource, the field and the reason.
func checkRefusals(t *testing.T, cases map[string]refusal) {
	t.Helper()
	for name, test := range cases {
		files, err := export.Project(test.c)
		var refused *export.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) || files != nil {
			t.Errorf("%s: %v; want %q", name, err, test.want)
		}
	}
}

func TestProgramsThatCannotBeSaid(t *testing.T) {
	t.Parallel()
	checkRefusals(t, map[string]refusal{
		"array":            {value(lit(`[1]`)), "Workflow/w, program, op: a value: the language has no array literals"},
		"null":             {value(lit(`null`)), "no null literal"},
		"object constant":  {value(lit(`{"a":1}`)), "no constant objects"},
		"nested null":      {value(ir.Object{Fields: []ir.Arg{arg("k", lit(`null`))}}), "no null literal"},
		"token in a text":  {value(lit(`"${in}"`)), "would be read as a template"},
		"step metadata":    {value(ref("steps", "x", "status")), `"steps.x.status" is to no parameter and no binding`},
		"bad key":          {value(ir.Object{Fields: []ir.Arg{arg("two words", lit(`1`))}}), `the key "two words"`},
		"bad argument":     {machine(op("", arg("return", lit(`1`)))), `the argument "return"`},
		"bad part":         {value(ref("in", "two words")), `"two words" is not a name`},
		"split text":       {value(ir.Template{Parts: []ir.Part{{Text: "a"}, {Text: "b"}, {Ref: []string{"in"}}}}), "does not read back"},
		"template in let":  {machine(ir.Let{ID: "x", Name: "x", Expr: ir.Template{Parts: []ir.Part{{Ref: []string{"in"}}}}}), "is plain text"},
		"template no ref":  {value(ir.Template{Parts: []ir.Part{{Text: "a"}}}), "does not read back"},
		"graph node":       {machine(ir.Graph{ID: "graph", Tasks: []ir.Task{{Name: "a", Body: []ir.Node{op("")}}}}), "Workflow/w, program, graph: a graph of tasks"},
		"long branch":      {machine(ir.Fork{ID: "parallel", Branches: [][]ir.Node{{op("a"), op("b")}}}), "branch 0 of parallel"},
		"bad binding":      {machine(op("two words")), `"two words" is not a name that a body can bind`},
		"unreadable name":  {machine(op("x~2"), op("", arg("a", ref("x~2", "y")))), `"x~2"`},
		"lost temporary":   {machine(op("x_arg0~2"), op("x", arg("a", lit(`1`)))), `"x_arg0~2" is used where a call cannot be written`},
		"object condition": {machine(ir.If{ID: "if", Cond: ir.Test{Expr: ir.Object{}}}), "conditions hold names"},
		"null condition":   {machine(ir.If{ID: "if", Cond: ir.Test{Expr: lit(`null`)}}), "in a condition: the language has no null literal"},
		"short and":        {machine(ir.If{ID: "if", Cond: ir.And{Of: []ir.Cond{ir.Test{Expr: ref("in")}}}}), "two conditions or more"},
		"whole document":   {machine(ir.Agent{ID: "A", Agent: "A", WholeDocument: true}), "0 arguments instead of one"},
		"other site":       {machine(ir.Tool{ID: "elsewhere", Tool: "t", Operation: "op"}), "Workflow/w, program: the language says only a program"},
		"head and":         {machine(ir.While{ID: "while", Limit: 1, Cond: ir.And{Of: []ir.Cond{ir.And{Of: []ir.Cond{ir.Test{Expr: ref("in")}, ir.Test{Expr: ref("in")}}}, ir.Test{Expr: ref("in")}}}}), "Workflow/w, program"},
	})
}

func TestGraphsThatCannotBeSaid(t *testing.T) {
	t.Parallel()
	checkRefusals(t, map[string]refusal{
		"envelope":   {with(func(c *export.Compiled) { c.Programs[0].Envelope = true }), "Workflow/w, program.envelope"},
		"no program": {with(func(c *export.Compiled) { c.Programs = nil }), "the workflow has no program"},
		"own steps": {with(func(c *export.Compiled) { c.Graph.Workflows[0].Steps[0].Needs = []string{"other"} }, op("a"), op("b")),
			"Workflow/w, steps: "},
		"schema elsewhere":  {agent(func(a *resource.Agent) { a.Input = "contracts/In.json" }), `Agent/A, input: the schema "contracts/In.json" is not of the form schemas/<Name>.json`},
		"schema missing":    {agent(func(a *resource.Agent) { a.Output = "schemas/Gone.json" }), "Agent/A, output"},
		"schema outside":    {with(func(c *export.Compiled) { c.Schemas = map[string][]byte{"../x.json": []byte(`{}`)} }), "outside of the project"},
		"schema source":     {with(func(c *export.Compiled) { c.Schemas = map[string][]byte{"x.agent": []byte(`{}`)} }), "the name of a source file"},
		"schema unreferred": {with(func(c *export.Compiled) { c.Schemas = map[string][]byte{"x.json": []byte(`{}`)} }), "no resource refers to it"},
		"agent name":        {agent(func(a *resource.Agent) { a.Name = "two.words" }), `Agent/two.words, name: "two.words" is not a name`},
		"model":             {agent(func(a *resource.Agent) { a.Model = "lab/family/model" }), "Agent/A, model"},
		"grant":             {agent(func(a *resource.Agent) { a.Grants = []string{"read"} }), `"read" is not a capability`},
		"script":            {agent(func(a *resource.Agent) { a.Model, a.MockScript = "openai/x", "{}" }), "Agent/A, mockScript"},
		"text":              {agent(func(a *resource.Agent) { a.Description = "bad \xff" }), "does not load"},
		"trigger":           {with(func(c *export.Compiled) { c.Graph.Workflows[0].Triggers = []resource.Trigger{{Kind: "moon"}} }), "Workflow/w, triggers.moon"},
		"trigger input": {with(func(c *export.Compiled) {
			c.Graph.Workflows[0].Triggers = []resource.Trigger{{Kind: "event", Event: "e", Input: `{"a":[1]}`}}
		}), "Workflow/w, triggers.event.input.a: the language has no array literals"},
		"override": {with(func(c *export.Compiled) {
			c.Graph.Environments = []resource.Environment{{Name: "e", Policies: map[string]resource.Policy{"p": {Name: "p", Preset: "strict"}}}}
		}), "Environment/e, overrides.policies.p"},
	})
}
