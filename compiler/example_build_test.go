package compiler_test

import (
	"fmt"

	"terfyn/compiler"
	"terfyn/compiler/build"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// A producer in Go builds a whole project as values and compiles it as if it had
// been written.
func ExampleBuild() {
	p := build.New("press")
	p.Defaults(resource.Defaults{Model: "mock/default"})
	story := p.Schema("Story", `{"type": "object", "properties": {"headline": {"type": "string"}, "text": {"type": "string"}}}`)
	p.Agent(resource.Agent{Name: "Editor", Instructions: "Tighten the story.", Input: story, Output: story})
	p.Tool(resource.Tool{Name: "press", Type: "mock", Operations: []resource.Operation{{Name: "publish", Effects: []string{"press.write"}}}})
	p.Policy(resource.Policy{
		Name:      "newsroom",
		Approvals: resource.Approvals{RequiredFor: []string{"tool.press.publish"}},
		Effects:   resource.PolicyEffects{PermitWithApproval: []string{"press.write"}},
	})
	p.Workflow(
		resource.Workflow{Name: "release", Policy: "newsroom", Effects: []string{"press.write"}},
		[]ir.Param{build.Param("story", story)},
		func(b *build.Block) {
			tight := b.Agent("tight", "Editor", build.Ref("story"))
			b.If(build.Compare(build.Field(tight, "headline"), ir.Ne, build.Text("")), func(b *build.Block) {
				b.Tool("", "press", "publish", build.Arg("headline", build.Field(tight, "headline")))
			}, nil)
			b.Return(build.Object(build.Arg("story", tight), build.Arg("from", build.Template(build.Words("press: "), build.Token(tight)))))
		},
	)

	graph, programs, schemas := p.Parts()
	result, diagnostics := compiler.Build(compiler.Input{Graph: graph, Programs: programs, Schemas: schemas}, compiler.Options{})
	fmt.Println(len(diagnostics), "diagnostics")
	fmt.Print(result.Programs[0].Dump())
	for _, step := range result.Graph.Workflows[0].Steps {
		fmt.Println("step", step.ID, step.Kind, step.Uses, "needs", step.Needs)
	}
	fmt.Print(result.Bounds.Dump())
	// Output:
	// 0 diagnostics
	// workflow release(story: schemas/Story.json)
	//   tight: agent Editor(whole arg0: story) -> tight
	//   if: if (tight.headline != "")
	//     publish: tool press.publish(headline: tight.headline)
	//   return: return {story: tight, from: template "press: ${tight}"}
	// step tight agent Editor needs []
	// step publish tool press.publish needs [tight]
	// Agent Editor
	//   unreachable press.write: tool.press.publish
	// Workflow release
	//   effect press.write static: workflow release -> step if/then/publish -> tool.press.publish
	//   operation tool.press.publish static
}
