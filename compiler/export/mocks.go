package export

import (
	"fmt"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// mockFiles writes the captured scripts of mock models and mock tools where the
// compiler looks for them.
func mockFiles(g resource.Graph, files Files, refusals *[]Refusal) {
	for _, a := range g.Agents {
		writer{resource.KindAgent, a.Name, refusals}.modelScript(files, "mockScript", a.Model, a.MockScript)
	}
	for _, e := range g.Environments {
		for _, name := range ordered.Keys(e.Agents) {
			o := e.Agents[name]
			writer{resource.KindEnvironment, e.Name, refusals}.modelScript(files, "overrides.agents."+name+".mockScript", o.Model, o.MockScript)
		}
	}
	for _, t := range g.Tools {
		w := writer{resource.KindTool, t.Name, refusals}
		switch {
		case t.MockScript == "":
		case t.Type != "mock":
			w.refuse("mockScript", "a tool of type %q takes no script", t.Type)
		default:
			w.script(files, "mockScript", t.Name, t.MockScript)
		}
	}
}

func (w writer) modelScript(files Files, field, model, script string) {
	name, mock := strings.CutPrefix(model, "mock/")
	switch {
	case script == "":
	case !mock || strings.Contains(name, "/"):
		w.refuse(field, "the model %q is no mock model, so no file can bring the script back", model)
	default:
		w.script(files, field, name, script)
	}
}

func (w writer) script(files Files, field, name, script string) {
	v, err := canon.Parse([]byte(script))
	if err != nil {
		w.refuse(field, "the captured script is no JSON: %v", err)
		return
	}
	file := "mocks/" + name + ".yaml"
	text := []byte(yamlText(v))
	if other, taken := files[file]; taken && string(other) != string(text) {
		w.refuse(field, "%s would have to hold two different scripts", file)
		return
	}
	files[file] = text
}

// yamlText writes v as YAML that reads back as exactly v: block collections,
// double-quoted strings, numbers as they are.
func yamlText(v canon.Value) string {
	var b strings.Builder
	writeYAML(&b, v, 0, false)
	return b.String()
}

// writeYAML writes v and a line end. dash says that the line is begun already, by a
// key or the dash of a list item.
func writeYAML(b *strings.Builder, v canon.Value, depth int, dash bool) {
	indent := strings.Repeat("  ", depth)
	switch {
	case v.Kind() == canon.KindObject && len(v.Fields()) > 0:
		for i, f := range v.Fields() {
			if i > 0 || !dash {
				b.WriteString(indent)
			}
			b.WriteString(yamlKey(f.Name) + ":")
			writeBelow(b, f.Value, depth)
		}
	case v.Kind() == canon.KindList && len(v.Items()) > 0:
		for i, item := range v.Items() {
			if i > 0 || !dash {
				b.WriteString(indent)
			}
			b.WriteString("- ")
			writeYAML(b, item, depth+1, true)
		}
	case v.Kind() == canon.KindString:
		s, _ := v.AsString()
		b.WriteString(yamlString(s) + "\n")
	default:
		b.WriteString(v.JSON() + "\n")
	}
}

// writeBelow writes the value of a key: collections on lines of their own.
func writeBelow(b *strings.Builder, v canon.Value, depth int) {
	if len(v.Fields())+len(v.Items()) > 0 {
		b.WriteByte('\n')
		writeYAML(b, v, depth+1, false)
		return
	}
	b.WriteByte(' ')
	writeYAML(b, v, depth, true)
}

// yamlKey quotes a key unless it is a word that no reader takes for anything else.
func yamlKey(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return yamlString(s)
	}
	if !isWord(s) {
		return yamlString(s)
	}
	return s
}

// yamlString quotes s for YAML, which breaks lines at more characters than JSON
// does and refuses some others.
func yamlString(s string) string {
	var b strings.Builder
	for _, r := range string(canon.AppendString(nil, s)) {
		switch {
		case r < 0x7f:
			b.WriteRune(r)
		case r < 0xa0 || r == '\u2028' || r == '\u2029' || r >= 0xe000 && r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
