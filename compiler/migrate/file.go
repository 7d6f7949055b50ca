package migrate

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/diag"
	"terfyn/compiler/internal/rootfs"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

// file reads the documents of one file, each file once.
func (c *conversion) file(name string) {
	if c.sources[name] != nil {
		return
	}
	b, err := rootfs.Read(c.fsys, name)
	if err != nil {
		c.ds.Add(diag.Errorf(diag.UnreadableFile, source.Span{File: name}, "%s cannot be read: %v", name, err))
		return
	}
	f := source.NewFile(name, b)
	c.sources[name] = f
	c.order = append(c.order, name)
	d := yaml.NewDecoder(bytes.NewReader(b))
	for {
		var doc yaml.Node
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			c.ds.Add(notYAML(f, err))
			return
		}
		if len(doc.Content) == 1 && doc.Content[0].ShortTag() != "!!null" {
			c.document(f, doc.Content[0])
		}
	}
}

// notYAML puts the error of the reader at the line it names.
func notYAML(f *source.File, err error) diag.Diagnostic {
	text, at := strings.TrimPrefix(err.Error(), "yaml: "), source.Span{File: f.Path}
	if number, rest, ok := strings.Cut(strings.TrimPrefix(text, "line "), ": "); ok {
		if n, err := strconv.Atoi(number); err == nil && f.Line(n) != nil {
			text = rest
			at = f.Span(lineStart(f, n), lineStart(f, n)+len(f.Line(n)))
		}
	}
	return diag.Errorf(diag.OldForm, at, "this is no YAML: %s", text)
}

// document reads the envelope of one resource and then its spec.
func (c *conversion) document(f *source.File, n *yaml.Node) {
	o := c.object(f, n, "")
	if o == nil {
		return
	}
	if v := o.text("apiVersion"); v != resource.APIVersion {
		o.failAt("apiVersion", "apiVersion is %q, and only %q can be converted", v, resource.APIVersion)
	}
	kind := resource.Kind(o.text("kind"))
	meta, spec := o.child("metadata"), o.child("spec")
	if meta == nil || spec == nil {
		o.fail(n, "a resource has metadata and spec")
		return
	}
	name := meta.text("name")
	if name == "" {
		meta.failAt("name", "metadata.name is missing")
	}
	meta.droppedUnlessEmpty("labels", "the .agent form has no labels")
	meta.droppedUnlessEmpty("annotations", "the .agent form has no annotations; write a comment")
	meta.done()
	c.place(kind, name, meta.at("name"))
	spec.resource = string(kind) + "/" + name
	c.spec(kind, name, o, spec)
	o.done()
}

// place notes where a resource stands; a second one of the name is an error.
func (c *conversion) place(kind resource.Kind, name string, at source.Span) {
	key := placeKey(kind, name)
	if first, twice := c.places[key]; twice {
		c.ds.Add(diag.Errorf(diag.DuplicateDeclaration, at, "%s is declared twice", key).With(first, "the first is here"))
	}
	c.places[key] = at
}

func (c *conversion) spec(kind resource.Kind, name string, o, spec *object) {
	switch kind {
	case resource.KindProject:
		c.project(name, spec)
	case resource.KindAgent:
		c.graph.Agents = append(c.graph.Agents, c.agent(name, spec))
	case resource.KindTool:
		c.graph.Tools = append(c.graph.Tools, tool(name, spec))
	case resource.KindPolicy:
		c.graph.Policies = append(c.graph.Policies, policy(name, spec))
	case resource.KindEnvironment:
		c.graph.Environments = append(c.graph.Environments, environment(name, spec))
	case resource.KindWorkflow:
		c.workflow(name, spec)
	default:
		o.failAt("kind", "kind is %q; the kinds are Project, Agent, Tool, Workflow, Policy and Environment", string(kind))
		return
	}
	spec.done()
}

// span is the place of a node, from its first character to the end of its line's
// part of it.
func span(f *source.File, n *yaml.Node) source.Span {
	line := f.Line(n.Line)
	offset := 0
	for i := 1; i < n.Column && offset < len(line); i++ {
		_, size := utf8.DecodeRune(line[offset:])
		offset += size
	}
	start := lineStart(f, n.Line) + offset
	length := len(line) - offset
	if n.Kind == yaml.ScalarNode && len(n.Value) < length {
		length = len(n.Value)
	}
	return f.Span(start, start+max(length, 0))
}

// lineStart is the offset of the first byte of line n, which counts from 1.
func lineStart(f *source.File, n int) int {
	at := f.Start()
	for ; n > 1; n-- {
		at += bytes.IndexByte(f.Bytes[at:], '\n') + 1
	}
	return at
}
