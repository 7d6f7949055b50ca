package render_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/internal/golden"
	"terfyn/planner/chart"
)

func TestChartGoldens(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata/chart", func(t *testing.T, in map[string][]byte) map[string]string {
		fsys := fstest.MapFS{}
		for name, b := range in {
			fsys[name] = &fstest.MapFile{Data: b}
		}
		r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo", SkipPolicyBounds: true})
		if ds.HasErrors() {
			t.Fatal(ds.String())
		}
		c, err := chart.Build(r.Graph, r.Programs, r.Bounds, "")
		if err != nil {
			t.Fatal(err)
		}
		var text, dot, mermaid strings.Builder
		render.Chart(&text, c, render.Palette{})
		render.ChartDOT(&dot, c)
		render.ChartMermaid(&mermaid, c)
		return map[string]string{"text": text.String(), "dot": dot.String(), "mermaid": mermaid.String(), "json": render.Indented(c.JSON())}
	})
}

// A label cannot end itself or become markup, whatever it holds.
func TestChartLabelsAreEscaped(t *testing.T) {
	t.Parallel()
	c := chart.Chart{
		Nodes: []chart.Node{{ID: "workflow/w", Kind: chart.Workflow, Name: "w", Detail: "a\"] evil[\"b\\\n|<script>`x`;&#"}, {ID: "unknown", Kind: chart.Unknown, Name: "unknown effects"}},
		Edges: []chart.Edge{{From: "workflow/w", To: "unknown", Kind: chart.Causes, Authority: chart.Static}},
	}
	var dot, mermaid strings.Builder
	render.ChartDOT(&dot, c)
	render.ChartMermaid(&mermaid, c)
	if want := `label="workflow w\na\"] evil[\"b\\ |<script>` + "`x`" + `;&#"`; !strings.Contains(dot.String(), want) {
		t.Errorf("no %s in\n%s", want, &dot)
	}
	if want := `["workflow w<br/>a#quot;] evil[#quot;b\ #124;#lt;script#gt;#96;x#96;;#amp;#35;"]`; !strings.Contains(mermaid.String(), want) {
		t.Errorf("no %s in\n%s", want, &mermaid)
	}
	var empty strings.Builder
	render.Chart(&empty, chart.Chart{}, render.Palette{})
	if empty.String() != "Nothing is declared.\n" {
		t.Errorf("%q", &empty)
	}
}
