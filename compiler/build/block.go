package build

import (
	"cmp"
	"strings"

	"terfyn/compiler/ir"
)

// Block is a list of statements under construction. Every method adds one; those
// that bind a name give the reference to it. A name "" drops a result, and the
// reference is then of no use.
type Block struct {
	workflow *Workflow
	nodes    []ir.Node
	sites    *ir.Names
}

func (w *Workflow) block(write func(*Block)) []ir.Node {
	b := &Block{workflow: w, sites: ir.Sites()}
	if write != nil {
		write(b)
	}
	return b.nodes
}

func (b *Block) inner(write func(*Block)) []ir.Node { return b.workflow.block(write) }

// site reserves an id for a node, as the language does: its name, or the name with
// ~2, ~3, … when an earlier node of the block has it.
func (b *Block) site(segment string) string {
	return b.sites.Take(segment)
}

func (b *Block) add(n ir.Node, bind string) ir.Ref {
	b.nodes = append(b.nodes, n)
	if bind == "" {
		return ir.Ref{}
	}
	return Ref(bind)
}

// Let binds a value.
func (b *Block) Let(name string, value ir.Expr) ir.Ref {
	return b.add(ir.Let{ID: b.site(name), Name: name, Expr: value}, name)
}

// Agent runs an agent; document is its whole input.
func (b *Block) Agent(bind, agent string, document ir.Expr) ir.Ref {
	return b.add(ir.Agent{
		ID: b.site(cmp.Or(bind, agent)), Agent: agent, Bind: bind, WholeDocument: true, Args: []ir.Arg{Arg(ir.WholeArg, document)},
	}, bind)
}

// AgentWith runs an agent whose input is an object of these fields. Its fields are
// not compared with the agent's input type; Agent with an Object is checked.
func (b *Block) AgentWith(bind, agent string, fields ...ir.Arg) ir.Ref {
	return b.add(ir.Agent{ID: b.site(cmp.Or(bind, agent)), Agent: agent, Bind: bind, Args: fields}, bind)
}

// Tool makes one tool call.
func (b *Block) Tool(bind, tool, operation string, args ...ir.Arg) ir.Ref {
	last := operation[strings.LastIndexByte(operation, '.')+1:]
	return b.add(ir.Tool{ID: b.site(cmp.Or(bind, last)), Tool: tool, Operation: operation, Args: args, Bind: bind}, bind)
}

// Call runs another workflow; args are named for its parameters.
func (b *Block) Call(bind, workflow string, args ...ir.Arg) ir.Ref {
	return b.add(ir.Workflow{ID: b.site(cmp.Or(bind, workflow)), Workflow: workflow, Args: args, Bind: bind}, bind)
}

// Gate is what a person is asked.
type Gate struct {
	Description string
	RedactKeys  []string
	With        []ir.Arg // the payload, which the person may edit
}

// Approval stops for a person and binds the payload as it was approved.
func (b *Block) Approval(bind string, g Gate) ir.Ref {
	return b.add(ir.Approval{ID: b.site(bind), Description: g.Description, RedactKeys: g.RedactKeys, With: g.With, Bind: bind}, bind)
}

// Return ends the workflow.
func (b *Block) Return(value ir.Expr) { b.add(ir.Return{ID: b.site("return"), Expr: value}, "") }

// If runs one of two arms; nil is an empty arm.
func (b *Block) If(cond ir.Cond, then, otherwise func(b *Block)) {
	id := b.site("if")
	b.add(ir.If{ID: id, Cond: cond, Then: b.inner(then), Else: b.inner(otherwise)}, "")
}

// For runs its body for each element, in order.
func (b *Block) For(variable string, in ir.Expr, body func(b *Block, element ir.Ref)) {
	b.loop(variable, in, false, body)
}

// ParallelFor runs its body for all elements at the same time.
func (b *Block) ParallelFor(variable string, in ir.Expr, body func(b *Block, element ir.Ref)) {
	b.loop(variable, in, true, body)
}

func (b *Block) loop(variable string, in ir.Expr, parallel bool, body func(*Block, ir.Ref)) {
	id := b.site("for")
	nodes := b.inner(func(inner *Block) { body(inner, Ref(variable)) })
	b.add(ir.For{ID: id, Var: variable, In: in, Parallel: parallel, Body: nodes}, "")
}

// While repeats its body as long as cond holds, limit times at most.
func (b *Block) While(cond ir.Cond, limit int, body func(b *Block)) {
	id := b.site("while")
	b.add(ir.While{ID: id, Cond: cond, Limit: limit, Body: b.inner(body)}, "")
}

// Retry repeats its body until a condition on what it bound holds; using up limit
// rounds fails the run.
func (b *Block) Retry(until ir.Cond, limit int, body func(b *Block)) {
	id := b.site("retry")
	b.add(ir.Retry{ID: id, Until: until, Limit: limit, Body: b.inner(body)}, "")
}

// Parallel runs branches at the same time; afterwards their names are bound.
func (b *Block) Parallel(branches ...func(b *Block)) {
	n := ir.Fork{ID: b.site("parallel")}
	for _, write := range branches {
		n.Branches = append(n.Branches, b.inner(write))
	}
	b.add(n, "")
}

// Task is one task of Tasks.
type Task struct {
	Name  string
	Needs []string // names of other tasks
	Body  func(b *Block)
}

// Tasks runs every task once those it needs have ended; afterwards their names are
// bound.
func (b *Block) Tasks(tasks ...Task) {
	n := ir.Graph{ID: b.site("tasks")}
	for _, t := range tasks {
		n.Tasks = append(n.Tasks, ir.Task{Name: t.Name, Needs: t.Needs, Body: b.inner(t.Body)})
	}
	b.add(n, "")
}
