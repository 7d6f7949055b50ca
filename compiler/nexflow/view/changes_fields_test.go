package view

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// schemaFields is every field below the declarations of a kind of document, as its
// schema has it: members by dots, elements of lists as "*".
type schemaFields struct {
	files map[string]canon.Value
	found map[string]bool
}

func readSchemas(t *testing.T) map[string]canon.Value {
	t.Helper()
	out := map[string]canon.Value{}
	dir := os.DirFS("../schema/v0.1")
	names, err := fs.Glob(dir, "*.schema.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("list the schemas: %v, %d found", err, len(names))
	}
	for _, name := range names {
		b, err := fs.ReadFile(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := canon.Parse(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[strings.TrimSuffix(name, ".schema.json")] = v
	}
	return out
}

// walk adds the fields of a schema below path. file is where local references
// lead.
func (s *schemaFields) walk(file string, schema canon.Value, path string) {
	if ref := schema.Str("$ref"); ref != "" {
		name, pointer, _ := strings.Cut(ref, "#")
		if name == "" {
			name = file
		}
		target := s.files[name]
		for _, segment := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
			if segment != "" {
				target = target.At(segment)
			}
		}
		s.walk(name, target, path)
	}
	for _, f := range schema.At("properties").Fields() {
		if allowed, isBool := f.Value.AsBool(); isBool && !allowed {
			continue
		}
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		s.found[at] = true
		s.walk(file, f.Value, at)
	}
	if items, ok := schema.Get("items"); ok {
		s.walk(file, items, path+".*")
	}
	for _, union := range []string{"anyOf", "oneOf"} {
		for _, branch := range schema.At(union).Items() {
			s.walk(file, branch, path)
		}
	}
}

// declarationPaths is where declarations stand in the documents of their kinds.
var declarationPaths = map[string]string{
	"project": "Project project", "maintainer": "Project project.maintainers.*", "approval-gate": "Project project.approvalGates.*",
	"network-policy": "Project project.policies.networkAccess", "network-rule": "Project project.policies.networkAccess.rules.*",
	"human-override": "Project project.policies.humanOverride",
	"actor":          "ActorSet actors.*", "agent": "AgentSet agents.*", "agent-definition": "AgentDefinitionSet agentDefinitions.*",
	"capability": "CapabilitySet capabilities.*", "permission": "PermissionSet permissions.*", "task": "TaskSet tasks.*", "artifact": "TaskSet tasks.*.artifacts.*",
	"workflow": "Workflow workflow", "workflow-stage": "Workflow workflow.stages.*", "workflow-step": "Workflow workflow.stages.*.steps.*",
	"handoff": "HandoffSet handoffs.*", "event": "EventSet events.*", "extension": "ExtensionSet extensions.*",
	"context-source": "ContextSet contextSources.*", "memory-scope": "MemorySet memoryScopes.*", "prompt-set": "PromptSet promptSets.*",
	"prompt": "PromptSet promptSets.*.prompts.*", "retrieval-profile": "RetrievalProfileSet retrievalProfiles.*",
	"provider": "ProviderSet providers.*", "model-profile": "ModelProfileSet modelProfiles.*",
}

// TestEveryFieldHasAMeaning compares the tables with the schemas: no field is
// forgotten, and none is made up.
func TestEveryFieldHasAMeaning(t *testing.T) {
	t.Parallel()
	schemas := readSchemas(t)
	used := map[string]bool{}
	for _, info := range manifest.Kinds() {
		s := &schemaFields{files: schemas, found: map[string]bool{}}
		for name, schema := range schemas {
			if schema.Str("title") == string(info.Kind) {
				s.walk(name, schema, "")
			}
		}
		if len(s.found) == 0 {
			t.Fatalf("no schema has the title %s", info.Kind)
		}
		for field := range s.found {
			if field != info.List && !strings.HasPrefix(field, info.List+".") {
				continue
			}
			k, rest := declaringKind(string(info.Kind) + " " + field)
			if k.name == "" || rest == "" || rest == identityOf(k.name) || rest == "components.memoryPolicyRef" {
				continue // the last is in the schema because it is always refused
			}
			if !k.covers(rest, used) {
				t.Errorf("%s %s, a field of a %s, has no meaning", info.Kind, field, k.name)
			}
		}
	}
	for _, k := range comparedKinds {
		for _, f := range k.fields {
			_, declares := declaringKind(declarationPaths[k.name] + "." + f.path)
			if !used[k.name+" "+f.path] && declares != "" {
				t.Errorf("the %s has no field %s in its schema", k.name, f.path)
			}
		}
	}
}

func identityOf(kind string) string {
	switch kind {
	case "memory-scope":
		return "scope"
	case "event":
		return "type"
	case "project":
		return ""
	}
	return "id"
}

// declaringKind is the kind of the innermost declaration around a field, and the
// rest of the path below it.
func declaringKind(field string) (k comparedKind, rest string) {
	best := ""
	for _, candidate := range comparedKinds {
		at := declarationPaths[candidate.name]
		if (field == at || strings.HasPrefix(field, at+".")) && len(at) > len(best) {
			best, k, rest = at, candidate, strings.TrimPrefix(strings.TrimPrefix(field, at), ".")
		}
	}
	return k, rest
}

// covers reports whether a field, one above or one below it is in the table.
func (k comparedKind) covers(path string, used map[string]bool) bool {
	ok := false
	for _, f := range k.fields {
		if f.path == path {
			used[k.name+" "+f.path] = true
			ok = true
		}
		if strings.HasPrefix(path, f.path+".") || strings.HasPrefix(f.path, path+".") {
			ok = true
		}
	}
	return ok
}

// TestFieldsAreReportedByTheirMeaning changes every field that is no authority and
// looks where the change goes. Authority has a table of its own.
func TestFieldsAreReportedByTheirMeaning(t *testing.T) {
	t.Parallel()
	base := estateFiles(t)
	before := base.Index()
	candidates := []string{`"zz"`, `true`, `["zz"]`, `["zz.yy"]`, `"cancelled"`, `[{"from": "a", "to": "b"}]`, `{"kind": "extension", "id": "zz"}`, `false`}
	for _, k := range comparedKinds {
		at := estatePlaces[k.name]
		for _, f := range k.fields {
			if f.means != behaviour && f.means != inert {
				continue
			}
			pointer := at.pointer + "/" + strings.ReplaceAll(f.path, ".", "/")
			told := slices.ContainsFunc(candidates, func(value string) bool {
				got := Compare(before, base.Put(t, at.file+".yaml", pointer, value).Index())
				if len(got.Authority) > 0 {
					t.Errorf("%s %s := %s is reported as authority: %+v", k.name, f.path, value, got.Authority)
				}
				if f.means == inert {
					if len(got.Behaviour) > 0 {
						t.Errorf("%s %s := %s is reported as behaviour: %+v", k.name, f.path, value, got.Behaviour)
					}
					return got.Inert == 1
				}
				return slices.ContainsFunc(got.Behaviour, func(c Change) bool { return c.Kind == k.name && c.Field == f.path })
			})
			if !told {
				t.Errorf("%s %s changes and nothing tells", k.name, f.path)
			}
		}
	}
}
