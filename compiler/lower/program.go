package lower

import (
	"fmt"
	"strconv"

	"terfyn/compiler/check"
	"terfyn/compiler/ir"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/internal/canon"
)

// program builds the execution program of one workflow.
type program struct {
	project   *check.Project
	names     map[string]bool // names the author binds; temporaries keep clear of them
	positions map[string]source.Span
}

func lowerProgram(p *check.Project, w *syntax.WorkflowDecl) (ir.Program, map[string]source.Span) {
	b := &program{project: p, names: map[string]bool{}, positions: map[string]source.Span{}}
	out := ir.Program{Workflow: w.Name.Name, Envelope: check.Enveloped(w)}
	if w.Result != nil {
		out.Result = p.SchemaPath(w.Result.Name)
	}
	for _, prm := range w.Params {
		out.Params = append(out.Params, ir.Param{Name: prm.Name.Name, Schema: p.SchemaPath(prm.Type.Name)})
		b.names[prm.Name.Name] = true
	}
	walk(w.Body, func(s syntax.Stmt) {
		if name := boundName(s); name != "" {
			b.names[name] = true
		}
	})
	out.Body = b.block("", w.Body)
	return out, b.positions
}

func boundName(s syntax.Stmt) string {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return s.Name.Name
	case *syntax.ApprovalStmt:
		return s.Name.Name
	case *syntax.ForStmt:
		return s.Var.Name
	default:
		return ""
	}
}

// block is one list of nodes under construction. prefix is the static call site
// of what holds it, with a slash at its end, "" for the body of the workflow.
type block struct {
	*program
	prefix string
	nodes  []ir.Node
	sites  *ir.Names
}

func (p *program) block(prefix string, b *syntax.Block) []ir.Node {
	out := &block{program: p, prefix: prefix, sites: ir.Sites()}
	if b != nil {
		for _, s := range b.Stmts {
			out.stmt(s)
		}
	}
	return out.nodes
}

// site reserves the segment of a node: its name, or the name with ~2, ~3, … when
// an earlier node of the block has it.
func (b *block) site(segment string, at source.Span) string {
	id := b.sites.Take(segment)
	b.positions[b.prefix+id] = at
	return id
}

func (b *block) add(n ir.Node) { b.nodes = append(b.nodes, n) }

func (b *block) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		b.assign(s)
	case *syntax.CallStmt:
		parts := s.Call.Callee.Parts
		segment := parts[len(parts)-1].Name
		h := b.hoist(segment)
		args := h.args(s.Call)
		b.call(s.Call, segment, "", args)
	case *syntax.IfStmt:
		b.branch(s)
	case *syntax.ParallelStmt:
		b.fork(s)
	case *syntax.ForStmt:
		b.loop(s)
	case *syntax.WhileStmt:
		id := b.site("while", s.At)
		b.add(ir.While{ID: id, Cond: cond(s.Cond), Limit: rounds(s.Limit), Body: b.program.block(b.prefix+id+"/", s.Body)})
	case *syntax.RetryStmt:
		id := b.site("retry", s.At)
		b.add(ir.Retry{ID: id, Until: cond(s.Cond), Limit: rounds(s.Limit), Body: b.program.block(b.prefix+id+"/", s.Body)})
	case *syntax.ApprovalStmt:
		b.approval(s)
	case *syntax.ReturnStmt:
		h := b.hoist("")
		value := h.expr(s.Value, true)
		b.add(ir.Return{ID: b.site("return", s.At), Expr: value})
	default:
		panic(fmt.Sprintf("lower: unknown statement %T", s))
	}
}

func (b *block) assign(s *syntax.AssignStmt) {
	h := b.hoist(s.Name.Name)
	if call, ok := s.Value.(*syntax.CallExpr); ok {
		args := h.args(call)
		b.call(call, s.Name.Name, s.Name.Name, args)
		return
	}
	h.enter = indexed // fields of an object literal count as arguments do
	value := h.expr(s.Value, false)
	b.add(ir.Let{ID: b.site(s.Name.Name, s.Span()), Name: s.Name.Name, Expr: value})
}

func (b *block) approval(s *syntax.ApprovalStmt) {
	n := ir.Approval{Bind: s.Name.Name}
	if s.Description != nil {
		n.Description = s.Description.Value
	}
	if s.RedactKeys != nil {
		for _, k := range s.RedactKeys.Items {
			n.RedactKeys = append(n.RedactKeys, k.Value)
		}
	}
	if s.With != nil {
		h := b.hoist(s.Name.Name)
		h.enter = indexed
		n.With = h.fields(s.With, true)
	}
	n.ID = b.site(s.Name.Name, s.At)
	b.add(n)
}

func (b *block) branch(s *syntax.IfStmt) {
	id := b.site("if", s.At)
	n := ir.If{ID: id, Cond: cond(s.Cond), Then: b.program.block(b.prefix+id+"/then/", s.Then)}
	otherwise := b.prefix + id + "/else/"
	if s.ElseIf != nil {
		inner := &block{program: b.program, prefix: otherwise, sites: ir.Sites()}
		inner.branch(s.ElseIf)
		n.Else = inner.nodes
	} else {
		n.Else = b.program.block(otherwise, s.Else)
	}
	b.add(n)
}

// fork lowers every branch to a block of its own, so that the calls hoisted out of
// its value run with it. A branch is numbered in call sites.
func (b *block) fork(s *syntax.ParallelStmt) {
	id := b.site("parallel", s.At)
	n := ir.Fork{ID: id}
	for i, branch := range s.Branches {
		inner := &block{program: b.program, prefix: b.prefix + id + "/" + strconv.Itoa(i) + "/", sites: ir.Sites()}
		inner.assign(branch)
		n.Branches = append(n.Branches, inner.nodes)
	}
	b.add(n)
}

func (b *block) loop(s *syntax.ForStmt) {
	in := b.hoist("for").expr(s.Collection, true) // before the loop, once
	id := b.site("for", s.At)
	b.add(ir.For{ID: id, Var: s.Var.Name, In: in, Parallel: s.Parallel, Body: b.program.block(b.prefix+id+"/", s.Body)})
}

// call adds the node of a call whose arguments are lowered.
func (b *block) call(call *syntax.CallExpr, segment, bind string, args []ir.Arg) {
	meaning, ok := b.project.Calls[call]
	if !ok {
		panic("lower: a call was not checked")
	}
	id := b.site(segment, call.Span())
	switch meaning.Kind {
	case check.ToolCallee:
		b.add(ir.Tool{ID: id, Tool: meaning.Name, Operation: meaning.Operation, Args: args, Bind: bind})
	case check.AgentCallee:
		b.add(ir.Agent{ID: id, Agent: meaning.Name, Args: args, WholeDocument: meaning.WholeDocument, Bind: bind})
	case check.WorkflowCallee:
		b.add(ir.Workflow{ID: id, Workflow: meaning.Name, Args: args, WholeDocument: meaning.WholeDocument,
			ProjectValue: meaning.ProjectValue, Bind: bind})
	default:
		panic("lower: a call of no kind")
	}
}

func rounds(n syntax.Number) int {
	i, err := strconv.Atoi(n.Spelling)
	if err != nil {
		panic("lower: a limit was not checked: " + n.Spelling)
	}
	return i
}

func number(n syntax.Number) ir.Literal {
	v, err := canon.Number(n.Spelling)
	if err != nil {
		panic("lower: a number was not checked: " + n.Spelling)
	}
	return ir.Literal{Value: v}
}
