package lower

import (
	"cmp"
	"slices"
	"strconv"

	"terfyn/compiler/check"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
)

// workflow is the resource side of a workflow. Steps and calls are read off the
// program, which already holds hoisted calls and call sites.
func workflow(p *check.Project, w *syntax.WorkflowDecl, program ir.Program) resource.Workflow {
	out := resource.Workflow{
		Name:           w.Name.Name,
		Description:    text(w.Description),
		Policy:         ident(w.Policy),
		Effects:        effects(w.Effects),
		EffectsBound:   w.Effects != nil,
		TimeoutSeconds: whole(w.TimeoutSeconds),
		Result:         program.Result,
		ProgramDigest:  string(program.Digest()),
	}
	for _, prm := range program.Params {
		out.Params = append(out.Params, resource.Param{Name: prm.Name, Schema: prm.Schema})
	}
	c := &chain{taken: map[string]bool{}}
	c.block("", program.Body, []string{}, false)
	out.Steps = c.steps
	out.Calls = c.calls
	slices.SortFunc(out.Calls, func(a, b resource.Reference) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Site, b.Site))
	})
	return out
}

// chain collects steps and calls of a program in source order.
type chain struct {
	steps []resource.Step
	calls []resource.Reference
	taken map[string]bool
}

// block adds the steps of nodes. Each needs the frontier before it; the frontier
// after the last is given back. Bodies of control flow are synthetic: they are
// there for effects and never executed as steps.
func (c *chain) block(prefix string, nodes []ir.Node, frontier []string, synthetic bool) []string {
	for _, n := range nodes {
		site := prefix + n.Site()
		switch n := n.(type) {
		case ir.If:
			then := c.block(site+"/then/", n.Then, frontier, true)
			otherwise := c.block(site+"/else/", n.Else, frontier, true)
			frontier = union(then, otherwise)
		case ir.While:
			frontier = c.block(site+"/", n.Body, frontier, true)
		default:
			frontier = c.step(site, n, frontier, synthetic)
		}
	}
	return frontier
}

// step adds the step of a node that calls something; others leave the frontier.
func (c *chain) step(site string, n ir.Node, frontier []string, synthetic bool) []string {
	s := resource.Step{Needs: frontier, Synthetic: synthetic}
	name := ""
	switch n := n.(type) {
	case ir.Agent:
		s.Kind, s.Uses, s.WholeDocument, name = "agent", n.Agent, n.WholeDocument, cmp.Or(n.Bind, n.Agent)
	case ir.Tool:
		s.Kind, s.Uses, name = "tool", n.Tool+"."+n.Operation, cmp.Or(n.Bind, lastSegment(n.Operation))
	case ir.Workflow:
		s.Kind, s.Uses, s.WholeDocument, name = "workflow", n.Workflow, n.WholeDocument, cmp.Or(n.Bind, n.Workflow)
	case ir.Approval:
		s.Kind, s.Uses, name = "approval", n.Bind, n.Bind
	default:
		return frontier
	}
	if s.Kind != "approval" {
		c.calls = append(c.calls, resource.Reference{Kind: s.Kind, Name: s.Uses, Site: site})
	}
	s.ID = name
	for i := 2; c.taken[s.ID]; i++ {
		s.ID = name + "_" + strconv.Itoa(i)
	}
	c.taken[s.ID] = true
	c.steps = append(c.steps, s)
	return []string{s.ID}
}

func lastSegment(operation string) string {
	for i := len(operation) - 1; i >= 0; i-- {
		if operation[i] == '.' {
			return operation[i+1:]
		}
	}
	return operation
}

// union joins two frontiers in order, each step once.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, id := range b {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
