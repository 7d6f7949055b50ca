package migrate

import (
	"io/fs"
	"path"
	"strings"

	"terfyn/compiler/resource"
)

func (c *conversion) project(name string, o *object) {
	c.graph.Project = name
	if d := o.child("defaults"); d != nil {
		c.graph.Defaults = resource.Defaults{Policy: d.text("policy"), Model: d.text("model"), Runtime: d.text("runtime")}
		d.done()
	}
	c.graph.Limits = limits(o)
	if p := o.child("providers"); p != nil {
		if models := p.child("models"); models != nil {
			for _, key := range models.keys {
				c.graph.Providers = append(c.graph.Providers, provider(models, key.Value))
			}
		}
		p.done()
	}
	o.dropped("state", "where the state is stored is no part of a project; use --state or TERFYN_STATE")
	o.dropped("traces", "traces are always recorded in the state")
	if n := o.get("imports"); n != nil {
		for _, item := range o.items(n, "imports") {
			c.imported(span(o.file, item), o.scalar(item, "imports"))
		}
	}
}

func provider(o *object, alias string) resource.Provider {
	out := resource.Provider{Name: alias}
	if p := o.child(alias); p != nil {
		out.Type, out.BaseURL = p.text("type"), p.text("baseUrl")
		out.APIKeyFrom, out.WorkspaceIDFrom = p.text("apiKeyFrom"), p.text("workspaceIdFrom")
		p.done()
	}
	return out
}

func limits(o *object) resource.Limits {
	l := o.child("limits")
	if l == nil {
		return resource.Limits{}
	}
	defer l.done()
	return resource.Limits{
		MaxToolInputBytes:      l.whole("maxToolInputBytes"),
		MaxToolOutputBytes:     l.whole("maxToolOutputBytes"),
		MaxCheckpointBytes:     l.whole("maxCheckpointBytes"),
		MaxStateBytes:          l.whole("maxStateBytes"),
		MaxWorkflowNesting:     l.whole("maxWorkflowNesting"),
		MaxLoopIterations:      l.whole("maxLoopIterations"),
		ToolInputExceedPolicy:  resource.Exceed(l.text("toolInputExceedPolicy")),
		ToolOutputExceedPolicy: resource.Exceed(l.text("toolOutputExceedPolicy")),
		CheckpointExceedPolicy: resource.Exceed(l.text("checkpointExceedPolicy")),
	}
}

func (c *conversion) agent(name string, o *object) resource.Agent {
	out := resource.Agent{
		Name:          name,
		Model:         o.text("model"),
		Policy:        o.text("policy"),
		Description:   o.text("description"),
		Instructions:  o.text("instructions"),
		Constraints:   constraints(o),
		Grants:        grants(o),
		GrantsPresent: o.has("tools"),
		Input:         c.typed(o, "input"),
		Output:        c.typed(o, "output"),
	}
	o.dropped("memory", "agents keep nothing between runs")
	o.dropped("runtime", "where an agent runs is chosen for the whole project, in defaults")
	return out
}

func constraints(o *object) resource.Constraints {
	c := o.child("constraints")
	if c == nil {
		return resource.Constraints{}
	}
	defer c.done()
	return resource.Constraints{
		MaxIterations:           c.whole("maxIterations"),
		MaxTokens:               c.whole("maxTokens"),
		TimeoutSeconds:          c.whole("timeoutSeconds"),
		Temperature:             c.decimal("temperature"),
		RequireStructuredOutput: c.flag("requireStructuredOutput"),
	}
}

// grants reads tools. A bare tool name stands for one operation that only the old
// runtime knew; a later pass resolves it, since its tool may come later.
func grants(o *object) []string {
	n := o.get("tools")
	if n == nil {
		return nil
	}
	var out []string
	for _, item := range o.items(n, "tools") {
		grant := o.scalar(item, "tools")
		out = append(out, grant)
		if !strings.HasPrefix(grant, "tool.") {
			o.c.bare = append(o.c.bare, bareGrant{object: o, node: item, agent: len(o.c.graph.Agents), grant: len(out) - 1})
		}
	}
	return out
}

// typed reads input or output: the schema of a type, which stands in schemas/.
func (c *conversion) typed(o *object, field string) string {
	t := o.child(field)
	if t == nil {
		return ""
	}
	defer t.done()
	return c.typeOf(t)
}

// typeOf reads the field schema of an input or output.
func (c *conversion) typeOf(t *object) string {
	ref := c.schema(t, "schema")
	if ref != "" && (path.Dir(ref) != "schemas" || path.Ext(ref) != ".json") {
		t.failAt("schema", "the schema %s is not of the form schemas/<Name>.json, which is where the schema of a type stands; move the file there", ref)
	}
	return ref
}

// schema is a reference to a schema relative to the root; the file has to be there.
func (c *conversion) schema(o *object, field string) string {
	written := o.text(field)
	if written == "" {
		return ""
	}
	ref := path.Clean(written)
	if _, err := fs.Stat(c.fsys, ref); err != nil {
		o.failAt(field, "the schema %s cannot be read: %v", written, cause(err))
	}
	return ref
}
