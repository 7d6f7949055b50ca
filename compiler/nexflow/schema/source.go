package schema

import (
	"embed"
	"io/fs"

	"terfyn/compiler/nexflow/manifest"
)

//go:embed v0.1
var files embed.FS

// folder is where the schemas of the draft are in a source of schemas.
const folder = "v" + manifest.SpecVersion

// base is what the addresses of the schemas begin with; the name of a schema
// follows. The scheme is nobody's, so that nothing can be fetched by mistake.
const base = "terfyn:///nexflow/" + manifest.SpecVersion + "/"

const suffix = ".schema.json"

// roots names the schema of each kind.
var roots = map[manifest.Kind]string{
	manifest.Project:             "project",
	manifest.ActorSet:            "actors",
	manifest.AgentSet:            "agents",
	manifest.AgentDefinitionSet:  "agent-definitions",
	manifest.CapabilitySet:       "capabilities",
	manifest.PermissionSet:       "permissions",
	manifest.TaskSet:             "tasks",
	manifest.Workflow:            "workflow",
	manifest.HandoffSet:          "handoffs",
	manifest.ContextSet:          "context",
	manifest.MemorySet:           "memory",
	manifest.ProviderSet:         "providers",
	manifest.ModelProfileSet:     "model-profiles",
	manifest.PromptSet:           "prompt-sets",
	manifest.RetrievalProfileSet: "retrieval-profiles",
	manifest.EventSet:            "events",
	manifest.ExtensionSet:        "extensions",
}

// embedded is the schemas that are part of the program.
func embedded() fs.FS { return files }
