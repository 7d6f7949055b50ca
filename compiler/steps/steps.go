package steps

import (
	"cmp"
	"slices"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// Project returns w with everything that follows from its program: parameters,
// result, steps, calls and the program's digest.
func Project(w resource.Workflow, program ir.Program) resource.Workflow {
	w.Params = nil
	for _, prm := range program.Params {
		w.Params = append(w.Params, resource.Param{Name: prm.Name, Schema: prm.Schema})
	}
	w.Result = program.Result
	w.ProgramDigest = string(program.Digest())
	c := &chain{ids: ir.Names{Mark: "_"}}
	c.block("", program.Body, []string{}, false)
	w.Steps, w.Calls = c.steps, c.calls
	slices.SortFunc(w.Calls, func(a, b resource.Reference) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Site, b.Site))
	})
	return w
}

// chain collects steps and calls of a program in source order.
type chain struct {
	steps []resource.Step
	calls []resource.Reference
	ids   ir.Names
}

// block adds the steps of nodes. Each needs the frontier before it; the frontier
// after the last is given back.
func (c *chain) block(prefix string, nodes []ir.Node, frontier []string, synthetic bool) []string {
	for _, n := range nodes {
		frontier = c.node(prefix+n.Site(), n, frontier, synthetic)
	}
	return frontier
}

// node adds the steps of one node. Bodies of control flow are synthetic: they are
// there for effects and never executed as steps. Branches of a fork are not; they
// start from one frontier and join theirs.
func (c *chain) node(site string, n ir.Node, frontier []string, synthetic bool) []string {
	switch n := n.(type) {
	case ir.If, ir.Fork:
		_, arms := n.(ir.If)
		var after []string
		for _, b := range ir.Blocks(n) {
			after = union(after, c.block(b.Prefix(site), b.Nodes, frontier, synthetic || arms))
		}
		if after == nil {
			return frontier
		}
		return after
	case ir.For, ir.While, ir.Retry:
		for _, b := range ir.Blocks(n) {
			frontier = c.block(b.Prefix(site), b.Nodes, frontier, true)
		}
		return frontier
	case ir.Graph:
		return c.graph(site, n, frontier, synthetic)
	default:
		return c.step(site, n, frontier, synthetic)
	}
}

// graph gives each task the joined frontiers of what it needs. Tasks stand in any
// order; one whose needs cannot be met comes last, from the frontier before.
func (c *chain) graph(site string, g ir.Graph, frontier []string, synthetic bool) []string {
	blocks := ir.Blocks(g)
	ends, needed := map[string][]string{}, map[string]bool{}
	known := map[string]bool{}
	for _, t := range g.Tasks {
		known[t.Name] = true
		for _, need := range t.Needs {
			needed[need] = true
		}
	}
	waiting := make([]int, len(g.Tasks))
	for i := range g.Tasks {
		waiting[i] = i
	}
	for len(waiting) > 0 {
		next := max(0, slices.IndexFunc(waiting, func(i int) bool {
			return !slices.ContainsFunc(g.Tasks[i].Needs, func(need string) bool { return known[need] && ends[need] == nil })
		}))
		i := waiting[next]
		waiting = slices.Delete(waiting, next, next+1)
		var start []string
		for _, need := range g.Tasks[i].Needs {
			start = union(start, ends[need])
		}
		if start == nil {
			start = frontier
		}
		ends[g.Tasks[i].Name] = c.block(blocks[i].Prefix(site), blocks[i].Nodes, start, synthetic)
	}
	var after []string
	for _, t := range g.Tasks {
		if !needed[t.Name] {
			after = union(after, ends[t.Name])
		}
	}
	if after == nil {
		return frontier
	}
	return after
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
	s.ID = c.ids.Take(name)
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
