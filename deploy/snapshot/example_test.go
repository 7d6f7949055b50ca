package snapshot_test

import (
	"fmt"

	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
)

// Presence of the operations block is meaning: an empty one closes the tool.
func ExampleManifest_Allows() {
	m := snapshot.NewManifest(resource.Graph{Tools: []resource.Tool{
		{Name: "open", Type: "mock"},
		{Name: "shut", Type: "mock", OperationsDeclared: true},
	}}, nil)
	fmt.Println(m.Allows("open", "anything"), m.Allows("shut", "anything"))
	// Output: true false
}
