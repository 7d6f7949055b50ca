package view_test

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/view"
	"terfyn/internal/golden"
)

// troubled has everything that a drawing marks: circles of steps and tasks, a
// target that is not declared, one that is declared twice, one that is redacted.
func troubled(t *testing.T) settest.Files {
	t.Helper()
	f := settest.Parse(t, own)
	f = f.Put(t, "flow.yaml", "/workflow/stages/0/steps/1/dependsOn", `["read"]`)
	f = f.Put(t, "flow.yaml", "/workflow/dependencies/-", `{"from": "read", "to": "later"}`)
	f = f.Put(t, "tasks.yaml", "/tasks/1/dependsOn", `["review", "draft"]`)
	f = f.Put(t, "capabilities.yaml", "/capabilities/-", `{"id": "read_text"}`)
	return f.Put(t, "flow.yaml", "/workflow/stages/0/steps/0/emits", `["a.`+strings.Repeat("b", 130)+`"]`)
}

// withActors replaces the legacy participants.
func withActors(t *testing.T) settest.Files {
	t.Helper()
	f := settest.Parse(t, own+`
-- actors.yaml
kind: ActorSet
actors:
  - {id: keeper, kind: human}
  - {id: writer, kind: agent, agentRef: {kind: agent, id: writer}}
  - {id: reader, kind: automation, operatedBy: [{kind: actor, id: keeper}]}
  - {id: ghost, kind: authority, representedBy: [{kind: actor, id: keeper}]}
`)
	for n := range 11 {
		f = f.Put(t, "tasks.yaml", "/tasks/-", `{"id": "more-`+strings.Repeat("x", n+1)+`", "owner": "writer", "dependsOn": ["draft"]}`)
	}
	return f
}

func TestRenderings(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]settest.Files{"plain": settest.Parse(t, own), "troubled": troubled(t), "actors": withActors(t)} {
		g := graphed(t, f)
		for form, write := range map[string]func(io.Writer){
			"graph.txt": g.WriteText, "mmd": g.WriteMermaid, "dot": g.WriteDot, "inspect.txt": inspected(t, f.Index()).WriteText,
		} {
			t.Run(name+"/"+form, func(t *testing.T) {
				t.Parallel()
				var first, again bytes.Buffer
				write(&first)
				write(&again)
				if first.String() != again.String() {
					t.Error("two runs differ")
				}
				golden.File(t, filepath.Join("testdata", name+"."+form), first.Bytes())
			})
		}
	}
}

func TestCyclesAreNamed(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	graphed(t, troubled(t)).WriteText(&b)
	contains(t, b.String(), "  task: draft, review\n", "  workflow-step in publish: read, write\n",
		"read -> later (not declared)", "ghost (not declared)", "read_text (declared 2 times)", "capability read_text\n      declared at capabilities.yaml /capabilities/1, capabilities.yaml /capabilities/2\n")
}

var (
	mermaidBox   = regexp.MustCompile(`^ +([nu]\d+)\["([^"]*)"\]$`)
	mermaidArrow = regexp.MustCompile(`^  ([nu]\d+) (?:-->|-\.->)\|"([^"]*)"\| ([nu]\d+)$`)
	dotBox       = regexp.MustCompile(`^ +([nu]\d+) \[label="((?:[^"\\]|\\.)*)"(?:, style=dashed)?(?:, color="#cc0000", penwidth=2)?\];$`)
	dotArrow     = regexp.MustCompile(`^  ([nu]\d+) -> ([nu]\d+) \[label="((?:[^"\\]|\\.)*)"(?:, style=dashed)?(?:, color="#cc0000", penwidth=2)?\];$`)
)

// Drawings of every set, sample sets too, have balanced groups, arrows between
// boxes that are declared before, and no line that is none of these.
func TestDrawingsAreWellFormed(t *testing.T) {
	t.Parallel()
	sets := map[string]func(t *testing.T) settest.Files{"troubled": troubled, "actors": withActors}
	for _, s := range []string{"minimal-team", "software-team", "startup-team", "product-delivery-team", "open-source-maintainer"} {
		sets[s] = func(t *testing.T) settest.Files { return settest.Sample(t, "examples/"+s) }
	}
	for name, files := range sets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := graphed(t, files(t))
			var mermaid, dot bytes.Buffer
			g.WriteMermaid(&mermaid)
			g.WriteDot(&dot)
			boxes, arrows := drawn(t, mermaid.String(), mermaidBox, mermaidArrow, 3, `^(%% .*|flowchart LR|  subgraph g\d+\["[^"]*"\]|  end|  (classDef|class|linkStyle) .*)$`, "  subgraph ", "  end")
			boxes2, arrows2 := drawn(t, dot.String(), dotBox, dotArrow, 2, `^(digraph nexflow \{|\}|  label=.*;|  rankdir=LR;|  node \[shape=box\];|  subgraph cluster_\d+ \{|    label=.*;|  \})$`, "{", "}")
			if boxes != boxes2 || arrows != arrows2 || boxes < g.NodeCount {
				t.Errorf("Mermaid has %d boxes and %d arrows, DOT %d and %d, for %d nodes", boxes, arrows, boxes2, arrows2, g.NodeCount)
			}
		})
	}
}

// drawn checks a drawing line by line and counts boxes and arrows; to is the group
// of the arrow's expression that holds its end.
func drawn(t *testing.T, text string, box, arrow *regexp.Regexp, to int, other, opens, closes string) (boxes, arrows int) {
	t.Helper()
	rest := regexp.MustCompile(other)
	known := map[string]bool{}
	open := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 160 && !strings.Contains(line, "class ") && !strings.Contains(line, "linkStyle ") {
			t.Errorf("a line is %d wide: %s", len(line), line)
		}
		if m := box.FindStringSubmatch(line); m != nil {
			if known[m[1]] {
				t.Errorf("%s is drawn twice", m[1])
			}
			known[m[1]] = true
			boxes++
			continue
		}
		if m := arrow.FindStringSubmatch(line); m != nil {
			if !known[m[1]] || !known[m[to]] {
				t.Errorf("an end is not declared: %s", line)
			}
			arrows++
			continue
		}
		if !rest.MatchString(line) {
			t.Errorf("unexpected line %q", line)
		}
		switch {
		case strings.HasPrefix(line, opens) && opens != "{", opens == "{" && strings.HasSuffix(line, "{"):
			open++
		case line == closes, opens == "{" && strings.TrimSpace(line) == closes:
			open--
		}
	}
	if open != 0 {
		t.Errorf("%d groups are not closed", open)
	}
	return boxes, arrows
}

func TestTextIsBounded(t *testing.T) {
	t.Parallel()
	for _, f := range []settest.Files{troubled(t), withActors(t)} {
		var b bytes.Buffer
		g := graphed(t, f)
		g.WriteText(&b)
		inspected(t, f.Index()).WriteText(&b)
		for line := range strings.Lines(b.String()) {
			if len(line) > 101 {
				t.Errorf("a line is %d wide: %s", len(line), line)
			}
		}
	}
}

func TestManyArrowsAreAnnounced(t *testing.T) {
	t.Parallel()
	f := settest.Parse(t, own)
	for range 500 {
		f = f.Put(t, "permissions.yaml", "/permissions/0/subjects/-", `"writer"`)
	}
	var b bytes.Buffer
	graphed(t, f).WriteMermaid(&b)
	contains(t, b.String(), "%% 520 arrows; renderers that stop at 500 need a greater maxEdges\n")
	b.Reset()
	graphed(t, settest.Parse(t, own)).WriteMermaid(&b)
	if strings.Contains(b.String(), "maxEdges") {
		t.Error("a small drawing speaks of limits")
	}
}

func TestLabelsAreQuoted(t *testing.T) {
	t.Parallel()
	evil := "a\"];\n]|`<b>#\\&{}%%\x00\u202e" + strings.Repeat("long", 40)
	g := view.Graph{Nodes: []view.Node{{ID: "n0", Kind: "task", Identity: evil}}}
	var mermaid, dot bytes.Buffer
	g.WriteMermaid(&mermaid)
	g.WriteDot(&dot)
	contains(t, mermaid.String(), `    n0["a#quot;];]#124;#96;#lt;b#gt;#35;#92;#amp;{}%%long`)
	contains(t, dot.String(), `    n0 [label="a\"];]|`+"`"+`<b>#\\&{}%%long`)
	for _, text := range []string{mermaid.String(), dot.String()} {
		if strings.Contains(text, "\u202e") || strings.Contains(text, "\x00") || strings.Count(text, "long") > 12 {
			t.Errorf("a label is not bounded:\n%s", text)
		}
	}
}
