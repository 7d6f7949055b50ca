package check

import (
	"io/fs"
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
)

// Input is what Check works on.
type Input struct {
	Units []*syntax.Unit
	// Files is the project: schemas, instruction files. Only files the
	// declarations name are read.
	Files fs.FS
	// Partial says that parsing gave errors: a declaration that seems to be
	// missing may be among what was lost, so such complaints are held back.
	Partial bool
}

// Project is a checked project. When Check gave errors only its diagnostics are
// of use.
type Project struct {
	Agents       []*syntax.AgentDecl // each kind sorted by name
	Tools        []*syntax.ToolDecl
	Policies     []*syntax.PolicyDecl
	Workflows    []*syntax.WorkflowDecl
	Environments []*syntax.EnvironmentDecl
	Providers    []*syntax.ProviderDecl
	Defaults     *syntax.DefaultsDecl // nil when absent
	Limits       *syntax.LimitsDecl   // nil when absent

	// Calls says what every call expression means.
	Calls map[*syntax.CallExpr]Call
	// Instructions holds the system prompt of every agent that has one, files
	// included.
	Instructions map[*syntax.AgentDecl]string

	docs *documents
}

// SchemaPath is the project-relative path of the schema a type name denotes, ""
// when there is none and the type is untyped.
func (p *Project) SchemaPath(typeName string) string {
	if name := typePath(typeName); p.docs.loaded[name].schema != nil {
		return name
	}
	return ""
}

// Schemas gives the bytes of every schema the project refers to, by path.
func (p *Project) Schemas() map[string][]byte {
	out := map[string][]byte{}
	for name, d := range p.docs.loaded {
		if d.schema != nil {
			out[name] = d.bytes
		}
	}
	return out
}

// Check checks a project. The list is sorted; the Project is never nil.
func Check(in Input) (*Project, diag.List) {
	in.Units = slices.Clone(in.Units)
	slices.SortFunc(in.Units, func(a, b *syntax.Unit) int { return strings.Compare(a.File.Path, b.File.Path) })
	c := &checker{
		in: in,
		project: &Project{
			Calls:        map[*syntax.CallExpr]Call{},
			Instructions: map[*syntax.AgentDecl]string{},
			docs:         &documents{files: in.Files, loaded: map[string]document{}},
		},
		names:  newSymbols(),
		edges:  map[string][]edge{},
		broken: map[string]source.Span{},
	}
	c.collect()
	c.declarations()
	c.recursion()
	c.brokenSchemas()
	c.diags.Sort()
	return c.project, c.diags
}

type checker struct {
	in      Input
	project *Project
	names   symbols
	edges   map[string][]edge      // workflow calls by caller
	broken  map[string]source.Span // where each broken schema is first used
	diags   diag.List
}

func (c *checker) add(d diag.Diagnostic) { c.diags.Add(d) }

// missing adds a complaint about a declaration that cannot be found.
func (c *checker) missing(d diag.Diagnostic) {
	if !c.in.Partial {
		c.add(d)
	}
}

func (c *checker) declarations() {
	if d := c.project.Defaults; d != nil {
		c.defaults(d)
	}
	if l := c.project.Limits; l != nil {
		c.limits(l.Limits)
	}
	each(c.project.Providers, c.provider)
	each(c.project.Tools, c.tool)
	each(c.project.Policies, c.policy)
	each(c.project.Environments, c.environment)
	each(c.project.Agents, c.agent)
	each(c.project.Workflows, c.workflow)
}

// each checks the declarations that parsed without errors.
func each[D syntax.Decl](decls []D, check func(D)) {
	for _, d := range decls {
		if !d.Broken() {
			check(d)
		}
	}
}

// typeOf is the type a name denotes, with a complaint at the name when its
// schema is broken.
func (c *checker) typeOf(name *syntax.Ident) types.Type {
	if name == nil {
		return types.Untyped()
	}
	d := c.project.docs.load(typePath(name.Name))
	switch {
	case d.absent:
		c.nearType(*name)
	case d.err != nil:
		c.brokenSchema(typePath(name.Name), name.At)
	}
	return types.Of(d.schema)
}

// schemaReference checks a schema named by its path, which must exist.
func (c *checker) schemaReference(ref *syntax.Text) {
	if ref == nil {
		return
	}
	switch d := c.project.docs.load(ref.Value); {
	case d.absent:
		c.add(missingSchema(ref.At, ref.Value))
	case d.err != nil:
		c.brokenSchema(ref.Value, ref.At)
	}
}
