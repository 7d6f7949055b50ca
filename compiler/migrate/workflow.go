package migrate

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// flow converts the steps of one workflow to a program. Its sites are only for
// messages: the real ones follow from the text that is made of it.
type flow struct {
	param string          // the one parameter: the input document
	ids   map[string]bool // of all steps
}

// step is one step of the old form.
type step struct {
	object *object
	id     string
	needs  []string
	wired  bool // needs is written, be it empty
	node   ir.Node
	gate   bool
}

func (c *conversion) workflow(name string, o *object) {
	w := resource.Workflow{Name: name, Description: o.text("description"), Policy: o.text("policy")}
	if t := o.child("trigger"); t != nil {
		if kind := t.text("type"); kind != "manual" {
			t.failAt("type", "a trigger of type %q has no form to convert; write trigger schedule or trigger event into the result", kind)
		}
		t.done()
	}
	f := &flow{param: "input", ids: map[string]bool{}}
	steps := f.read(c, o)
	p := ir.Program{Workflow: name, Params: []ir.Param{{Name: f.param, Schema: c.typed(o, "input")}}}
	for _, s := range steps {
		s.node = f.convert(s)
		s.object.done()
	}
	p.Body = f.order(o, steps)
	if out := o.child("output"); out != nil {
		p.Result = c.typeOf(out)
		if v := out.get("value"); v != nil {
			result := f.value(out, v)
			_, object := result.(ir.Object)
			p.Body, p.Envelope = append(p.Body, ir.Return{ID: "return", Expr: result}), !object
		}
		out.done()
	}
	c.graph.Workflows = append(c.graph.Workflows, w)
	c.programs = append(c.programs, p)
}

// read lists the steps and chooses a name for the input that no step has.
func (f *flow) read(c *conversion, o *object) []*step {
	n := o.get("steps")
	if n == nil {
		return nil
	}
	var out []*step
	for _, item := range o.items(n, "steps") {
		so := c.object(o.file, item, "steps.")
		if so == nil {
			continue
		}
		so.resource = o.resource
		s := &step{object: so, id: so.text("id"), needs: so.texts("needs"), wired: so.has("needs")}
		switch {
		case s.id == "":
			so.fail(item, "a step has an id")
		case f.ids[s.id]:
			so.failAt("id", "the step id %q stands twice", s.id)
		}
		f.ids[s.id] = true
		out = append(out, s)
	}
	for f.ids[f.param] {
		f.param += "_document"
	}
	return out
}

// convert makes the node of a step: a call, or a stop for a person.
func (f *flow) convert(s *step) ir.Node {
	o := s.object
	var kinds []string
	for _, field := range []string{"uses", "agent", "workflow", "approval"} {
		if o.get(field) != nil {
			kinds = append(kinds, field)
		}
	}
	if len(kinds) != 1 {
		o.fail(o.node, "a step has exactly one of uses, agent, workflow and approval")
		return ir.Let{ID: s.id, Name: s.id}
	}
	args := f.with(o)
	document := []ir.Arg{{Name: ir.WholeArg, Expr: ir.Object{Fields: args}}}
	switch kinds[0] {
	case "uses":
		tool, operation, ok := resource.SplitCapability(o.text("uses"))
		if !ok {
			o.failAt("uses", "%q is not of the form tool.NAME.OPERATION", o.text("uses"))
		}
		return ir.Tool{ID: s.id, Tool: tool, Operation: operation, Args: args, Bind: s.id}
	case "agent":
		return ir.Agent{ID: s.id, Agent: o.text("agent"), Args: document, WholeDocument: true, Bind: s.id}
	case "workflow":
		return ir.Workflow{ID: s.id, Workflow: o.text("workflow"), Args: document, WholeDocument: true, Bind: s.id}
	}
	s.gate = true
	n := ir.Approval{ID: s.id, With: args, Bind: s.id}
	if o.get("approval").Kind == yaml.ScalarNode {
		if on := o.flag("approval"); on != nil && !*on {
			o.failAt("approval", "a step with approval: false does nothing; remove it")
		}
	} else if a := o.child("approval"); a != nil {
		n.Description, n.RedactKeys = a.text("description"), a.texts("redactKeys")
		a.done()
	}
	return n
}

func (f *flow) with(o *object) []ir.Arg {
	w := o.child("with")
	if w == nil {
		return nil
	}
	return f.fields(w)
}

// order puts the steps in line. Without needs they are a chain as they stand. With
// needs, the steps that can start together run in parallel { }, and the next ones
// when all of them are done. A stop for a person has no place in parallel { }, so
// it comes after the others of its round.
func (f *flow) order(o *object, steps []*step) []ir.Node {
	var out []ir.Node
	if !slices.ContainsFunc(steps, func(s *step) bool { return s.wired }) {
		for _, s := range steps {
			out = append(out, s.node)
		}
		return out
	}
	for _, s := range steps {
		for _, need := range s.needs {
			if !f.ids[need] {
				s.object.failAt("needs", "the step %s needs %q, which does not exist", s.id, need)
				return nil
			}
		}
	}
	done := map[string]bool{}
	for left := steps; len(left) > 0; {
		var round, later []*step
		for _, s := range left {
			if slices.ContainsFunc(s.needs, func(n string) bool { return !done[n] }) {
				later = append(later, s)
			} else {
				round = append(round, s)
			}
		}
		if len(round) == 0 {
			o.failAt("steps", "the steps need each other in a circle")
			return nil
		}
		for _, s := range round {
			done[s.id] = true
		}
		out = append(out, together(round)...)
		left = later
	}
	return out
}

// together runs the calls of a round side by side, then its gates one by one.
func together(round []*step) []ir.Node {
	var calls, gates []ir.Node
	for _, s := range round {
		if s.gate {
			gates = append(gates, s.node)
		} else {
			calls = append(calls, s.node)
		}
	}
	if len(calls) < 2 {
		return append(calls, gates...)
	}
	fork := ir.Fork{ID: "parallel"}
	for _, n := range calls {
		fork.Branches = append(fork.Branches, []ir.Node{n})
	}
	return append([]ir.Node{fork}, gates...)
}
