package planner_test

import (
	"fmt"

	"terfyn/compiler/resource"
	"terfyn/planner"
)

// A grant that is added shows up as an update and as widened authority.
func ExampleCompute() {
	before := resource.Graph{Project: "desk", Agents: []resource.Agent{{Name: "writer"}}}
	after := resource.Graph{Project: "desk", Agents: []resource.Agent{{Name: "writer", Grants: []string{"tool.mail.send"}}}}
	plan, err := planner.Compute(planner.In{Environment: "local", Desired: after, Applied: planner.Resources(before, nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range plan.Operations {
		fmt.Println(o.Action, o.Target())
	}
	fmt.Println("autonomous authority", plan.Authority.Autonomous)
	// Output:
	// update Agent/writer
	// autonomous authority widened
}
