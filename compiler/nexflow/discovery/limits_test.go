package discovery_test

import (
	"testing"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/discovery"
)

// TestValuesAreBounded: the values of all documents count together, in the order of
// the files, and which file is one too many does not depend on what is parsed first.
func TestValuesAreBounded(t *testing.T) {
	t.Parallel()
	set, records := discovery.Discover(flows(), discovery.Selection{}, discovery.Limits{})
	if set == nil || len(records) > 0 {
		t.Fatal(records)
	}
	for range 20 {
		set, records := discovery.Discover(flows(), discovery.Selection{}, discovery.Limits{Values: 15})
		if set != nil || len(records) != 1 || records[0].Code != code.DiscoveryLimitExceeded || records[0].File != "flows/documentation.yml" {
			t.Fatalf("set %v, %v", set, records)
		}
	}
	repeated := flows().with("people/team.yml", flows()["people/team.yml"]+"x: &a [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\ny: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n")
	if _, records := discovery.Discover(repeated, discovery.Selection{}, discovery.Limits{Values: 100}); len(records) != 1 || records[0].File != "people/team.yml" {
		t.Errorf("what aliases repeat counts too: %v", records)
	}
}
