package schema_test

import (
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/schema"
)

// at is the names of the members in one place; "*" stands for the elements of a list.
func at(k manifest.Kind, path ...string) string {
	s := schema.ShapeOf(k)
	for _, name := range path {
		if name == "*" {
			s = s.Items
			continue
		}
		s, _ = s.Find(name)
	}
	var names []string
	for _, m := range s.Members {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind manifest.Kind
		path string
		want string
	}{
		{manifest.ContextSet, "", "contextSources kind metadata specVersion"},
		{manifest.ContextSet, "metadata", "description labels name project"},
		{manifest.ContextSet, "contextSources * access", "allowedActors default deniedActors"},
		{manifest.ContextSet, "contextSources * extensions * config", ""},
		{manifest.Project, "", "kind manifests metadata project specVersion"},
		{manifest.Project, "project policies networkAccess transport", "allowLoopback allowPrivateNetworks followRedirects maxRedirects requireTls"},
		{manifest.Project, "project policies networkAccess rules *", "actors approvalGate capabilities description destinations effect id maxDataClassification purposes"},
		{manifest.Project, "project approvalGates *", "appliesTo description events id requiredApprovers targets"},
		{manifest.AgentDefinitionSet, "agentDefinitions * components",
			"capabilityRefs contextSourceRefs extensionRefs memoryScopes modelProfileRef permissionRefs promptSetRef retrievalProfileRef"},
		{manifest.PromptSet, "promptSets * compatibility", "affectedAgents affectedWorkflows impact notes replaces"},
		{manifest.PermissionSet, "permissions * scope", ""},
		{manifest.EventSet, "events * payload", ""},
		{"Nothing", "", ""},
	} {
		if got := at(row.kind, strings.Fields(row.path)...); got != row.want {
			t.Errorf("%s %s has %q, want %q", row.kind, row.path, got, row.want)
		}
	}
	for _, info := range manifest.Kinds() {
		if _, ok := schema.ShapeOf(info.Kind).Find(info.List); !ok {
			t.Errorf("a %s is not known to have %s", info.Kind, info.List)
		}
	}
}
