package archtest

import "slices"

// outside is what pure packages must not import: they get bytes and give values.
var outside = []string{"os", "os/exec", "os/user", "syscall", "plugin", "io/ioutil", "log/syslog", "net", "net/http", "database/sql", "math/rand", "math/rand/v2"}

// The other modules that more than one layer uses.
const (
	temporal = "go.temporal.io"
	protobuf = "google.golang.org/protobuf"
	schemas  = "github.com/santhosh-tekuri/jsonschema/v5"
	goose    = "github.com/pressly/goose/v3"
	yaml     = "go.yaml.in/yaml/v3"
)

// values are the packages everybody may import.
var values = []string{"internal/canon", "internal/conceal", "internal/ordered"}

// Terfyn is the law of this module, lowest layer first. docs/architecture.md
// explains it.
func Terfyn() Law {
	return Law{
		Module: "terfyn",
		Layers: slices.Concat(nexflowLayers(), compilerLayers(), storeLayers(), workflowLayers(), activityLayers(), topLayers(), commandLayers()),
		Reach: []Reach{
			{Of: "compiler/...", Never: []string{"net", "net/http", "os/exec", "database/sql", temporal + "/..."}, Except: []string{schemas}}, // the schema library checks the format e-mail with net/mail
			// The commands about manifest sets reach nothing that dials, runs, loads or stores.
			{Of: "compiler/nexflow/...", Own: slices.Concat(values, []string{"compiler/diag", "compiler/source", "compiler/internal/cores", "internal/conceal", "internal/sharedtest"}), Never: []string{"net", "net/http", "os/exec", "plugin", "database/sql", temporal + "/...", "github.com/jackc/pgx/v5/..."}, Except: []string{schemas}},
			{Of: "policy", Own: slices.Concat(values, []string{"compiler/resource"}), Never: []string{"net", "net/http", "os/exec", "database/sql", temporal + "/..."}},
			{Of: "policy/lint", Never: []string{"net", "net/http", "os/exec", "database/sql", temporal + "/..."}, Except: []string{schemas}},
			{Of: "planner/...", Own: slices.Concat(values, []string{"compiler/...", "policy"}), Never: []string{"net", "net/http", "os/exec", "database/sql", temporal + "/..."}, Except: []string{schemas}},
			{Of: "workflows/contract", Never: []string{temporal + "/..."}},
			{Of: "workflows/...", Own: slices.Concat(values, []string{"compiler/ir", "compiler/resource", "policy"}), Except: []string{temporal}},
			{Of: "store", Own: values, Never: []string{temporal + "/...", "database/sql"}},
		},
		TestOnly: []string{
			"internal/archtest", "internal/bigproject", "internal/cage/...", "internal/effectproof", "internal/golden", "internal/sharedtest",
			"compiler/nexflow/settest", "activities/model/modeltest", "activities/tool/tooltest",
			"store/storetest/...",
		},
	}
}

// nexflowLayers are the packages about manifest sets. They stand before the rest of
// the compiler because the first layer that fits a package holds.
func nexflowLayers() []Layer {
	const code, manifest, refs, team = "compiler/nexflow/code", "compiler/nexflow/manifest", "compiler/nexflow/refs", "compiler/nexflow/team"
	const yamlprofile, discovery, schema = "compiler/nexflow/yamlprofile", "compiler/nexflow/discovery", "compiler/nexflow/schema"
	const digraph, rules, budget = "compiler/nexflow/digraph", "compiler/nexflow/rules", "compiler/nexflow/budget"
	const report, view, starter = "compiler/nexflow/report", "compiler/nexflow/view", "compiler/nexflow/starter"
	return []Layer{
		{Of: code, Never: outside},
		{Of: digraph, Never: outside},
		{Of: starter, Never: outside},
		{Of: budget, Own: values, Never: outside},
		{Of: manifest, Own: slices.Concat(values, []string{code}), Never: outside},
		{Of: yamlprofile, Own: slices.Concat(values, []string{manifest}), Foreign: []string{yaml}, Never: outside},
		{Of: discovery, Own: slices.Concat(values, []string{"compiler/diag", "compiler/internal/cores", code, manifest, yamlprofile}), Never: outside},
		{Of: schema, Own: slices.Concat(values, []string{code, manifest}), Foreign: []string{schemas}, Never: outside},
		{Of: refs, Own: slices.Concat(values, []string{"compiler/diag", code, manifest}), Never: outside},
		{Of: team, Own: slices.Concat(values, []string{manifest, refs}), Never: outside},
		{Of: rules, Own: slices.Concat(values, []string{code, digraph, manifest, refs, team}), Never: outside},
		{Of: report, Own: slices.Concat(values, []string{budget, code, manifest}), Never: outside},
		{Of: view, Own: slices.Concat(values, []string{"compiler/diag", code, digraph, manifest, refs, report, schema, team}), Never: outside},
		{Of: "compiler/nexflow/settest", Own: slices.Concat(values, []string{manifest, refs, yamlprofile, "internal/sharedtest"})},
		{Of: "compiler/nexflow", Own: slices.Concat(values, []string{budget, code, discovery, manifest, refs, report, rules, schema, starter, view, yamlprofile}), Never: outside},
	}
}

func compilerLayers() []Layer {
	const source, diag, syntax = "compiler/source", "compiler/diag", "compiler/syntax"
	const graph, ir, types = "compiler/resource", "compiler/ir", "compiler/types"
	const steps = "compiler/steps"
	const cores, scopes, words = "compiler/internal/cores", "compiler/internal/scope", "compiler/internal/complain"
	const over = "compiler/internal/overlayfs"
	files := "compiler/internal/rootfs"
	return []Layer{
		{Of: "internal/ordered", Never: slices.Concat(outside, []string{"encoding/json"})},
		{Of: "internal/canon", Own: []string{"internal/ordered"}, Never: slices.Concat(outside, []string{"encoding/json"})},
		{Of: "internal/conceal", Never: outside},
		{Of: "internal/secret"},
		{Of: source, Never: outside},
		{Of: diag, Own: []string{source, "internal/conceal"}, Never: outside},
		{Of: syntax, Own: []string{source, diag}, Never: outside},
		{Of: "compiler/format", Own: []string{source, diag, syntax}, Never: outside},
		{Of: graph, Own: slices.Concat(values, []string{diag}), Never: outside},
		{Of: ir, Own: values, Never: outside},
		{Of: steps, Own: slices.Concat(values, []string{graph, ir}), Never: outside},
		{Of: files, Never: outside},
		{Of: cores, Never: outside},
		{Of: scopes, Own: slices.Concat(values, []string{types}), Never: outside},
		{Of: words, Own: slices.Concat(values, []string{source, diag, types}), Never: outside},
		{Of: "compiler/internal/yamlvalue", Own: values, Foreign: []string{yaml}, Never: outside},
		{Of: types, Own: values, Foreign: []string{schemas}, Never: outside},
		{Of: "compiler/validate", Own: slices.Concat(values, []string{source, diag, graph, types}), Foreign: []string{schemas}, Never: outside},
		{Of: "compiler/check", Own: slices.Concat(values, []string{source, diag, syntax, graph, ir, types, files, scopes, words}), Never: outside},
		{Of: "compiler/lower", Own: slices.Concat(values, []string{source, diag, syntax, graph, ir, types, steps, "compiler/check", cores}), Never: outside},
		{Of: "compiler/native", Own: slices.Concat(values, []string{graph}), Never: outside},
		{Of: "compiler/effects", Own: slices.Concat(values, []string{source, diag, graph, ir, cores}), Never: outside},
		{Of: "compiler/runnable", Own: slices.Concat(values, []string{source, diag, graph, ir, types, "compiler/validate"}), Never: outside},
		{Of: "compiler/verify", Own: slices.Concat(values, []string{source, diag, graph, ir, types, scopes, words}), Never: outside},
		{Of: "compiler/build", Own: slices.Concat(values, []string{graph, ir}), Never: outside},
		{Of: "compiler/config", Own: slices.Concat(values, []string{source, diag, graph, "compiler/internal/yamlvalue"}), Never: outside},
		{Of: over, Own: values, Never: outside},
		{Of: "compiler/export", Own: slices.Concat(values, []string{diag, syntax, graph, ir, "compiler/native", over, "compiler", "compiler/format"}), Never: outside},
		{Of: "compiler/migrate", Own: slices.Concat(values, []string{source, diag, syntax, graph, ir, files, over, "compiler", "compiler/export", "compiler/internal/yamlvalue"}), Foreign: []string{yaml}, Never: outside},
		{Of: "compiler/scaffold", Own: []string{source, diag, syntax, files, over, "compiler", "compiler/format"}, Never: outside},
		{Of: "compiler/...", Own: values, Never: outside},
		{Of: "policy", Own: slices.Concat(values, []string{graph, ir}), Never: outside},
		{Of: "policy/lint", Own: slices.Concat(values, []string{source, diag, graph, "compiler/effects", "policy"}), Never: outside},
		{Of: "planner/...", Own: slices.Concat(values, []string{"compiler/...", "policy"}), Never: outside},
	}
}

func storeLayers() []Layer {
	shared := []string{"store", "store/audit", "store/internal/sqlstore"}
	return []Layer{
		{Of: "store", Own: values, Never: outside},
		{Of: "store/audit", Own: slices.Concat(values, []string{"store"}), Never: outside},
		{Of: "store/internal/sqlstore", Own: slices.Concat(values, []string{"store", "store/audit"}), Foreign: []string{goose}},
		{Of: "store/postgres", Own: slices.Concat(values, shared), Foreign: []string{goose, "github.com/jackc/pgx/v5"}},
		{Of: "store/sqlite", Own: slices.Concat(values, shared), Foreign: []string{goose, "modernc.org/sqlite"}},
		{Of: "store/open", Own: []string{"store", "store/postgres", "store/sqlite"}},
		{Of: "store/storetest/...", Own: slices.Concat(values, []string{"store", "store/audit"}), Foreign: []string{"github.com/google/go-cmp", "github.com/jackc/pgx/v5"}},
	}
}

func workflowLayers() []Layer {
	pure := slices.Concat(values, []string{"compiler/ir", "compiler/resource", "policy"})
	never := slices.Concat(outside, []string{"encoding/json", "sync", "log/slog"})
	return []Layer{
		{Of: "workflows/contract", Own: pure, Never: never},
		{Of: "workflows/...", Own: pure, Foreign: []string{temporal}, Never: never},
	}
}

func activityLayers() []Layer {
	const model, tool = "activities/model", "activities/tool"
	const graph, secret, snapshot = "compiler/resource", "internal/secret", "deploy/snapshot"
	const native = "compiler/native"
	records := slices.Concat(values, []string{"store", "workflows/contract"})
	return []Layer{
		{Of: model, Own: values},
		{Of: "activities/model/...", Own: slices.Concat(values, []string{graph, secret}), Foreign: []string{"github.com/openai/openai-go/v3"}},
		{Of: "activities/tool/...", Own: slices.Concat(values, []string{graph, native, secret}), Never: []string{"database/sql"}},
		{Of: "activities/record", Own: records, Never: outside},
		{Of: "activities/payload", Own: slices.Concat(records, []string{graph, "compiler/ir"}), Foreign: []string{temporal, protobuf}},
		{Of: "activities/transcript", Own: slices.Concat(records, []string{model, "activities/record"})},
		{Of: "activities/guard", Own: slices.Concat(records, []string{graph, native, "policy", snapshot}), Never: outside},
		// The table of activities also puts the run workflow on a worker: both belong together.
		{Of: "activities/...", Own: slices.Concat(records, []string{graph, native, "compiler/ir", "compiler/runnable", "policy", snapshot, "workflows"}), Foreign: []string{temporal}},
	}
}

func topLayers() []Layer {
	return []Layer{
		{Of: "deploy/snapshot", Own: slices.Concat(values, []string{"compiler/ir", "compiler/resource", "compiler/types", "store"}), Never: outside},
		{Of: "deploy/...", Own: slices.Concat(values, []string{"compiler/...", "planner/...", "store"}), Foreign: []string{temporal}},
		{Of: "internal/bigproject", Never: outside},
		{Of: "internal/cage/..."},
		{Of: "internal/sharedtest"},
		{Of: "internal/effectproof", Never: outside}, // outside of its tests it is a page of text
		{Of: "internal/golden", Own: values, Foreign: []string{"github.com/google/go-cmp"}},
		{Of: "internal/archtest"},
		{Of: "internal/e2e"},
		{Of: "internal/soundness"},
		{Of: "examples/..."},
		// Outside of its tests it only carries pages.
		{Of: "docs", Never: outside},
	}
}

func commandLayers() []Layer {
	const buildinfo, follow, render = "cmd/internal/buildinfo", "cmd/internal/follow", "cmd/internal/render"
	const nexfile = "cmd/internal/nexfile"
	below := slices.Concat(values, []string{"compiler/...", "planner/...", "policy/...", "store", "workflows/contract"})
	return []Layer{
		{Of: buildinfo, Never: outside},
		{Of: "cmd/internal/supervise"},
		{Of: "cmd/internal/fileset", Own: values},
		{Of: nexfile, Own: []string{"compiler/nexflow/discovery", "compiler/nexflow/manifest", "compiler/nexflow/starter"}, Never: []string{"net", "net/http", "os/exec", "database/sql"}},
		{Of: "cmd/internal/nexflow/...", Own: slices.Concat(values, []string{"compiler/diag", "compiler/nexflow/...", nexfile, render}), Never: outside},
		{Of: follow, Own: slices.Concat(values, []string{"store", "workflows/contract"}), Foreign: []string{temporal}},
		{Of: render, Own: slices.Concat(below, []string{follow}), Foreign: []string{yaml}, Never: outside},
		// Only wire knows what a worker is made of.
		{Of: "cmd/internal/wire", Own: slices.Concat(below, []string{buildinfo, "activities/...", "deploy/snapshot"}), Foreign: []string{temporal, protobuf}},
		{
			Of:      "cmd/internal/cli",
			Own:     slices.Concat(below, []string{"store/audit", "store/open", "deploy/...", "cmd/internal/...", "docs"}),
			Foreign: []string{"github.com/spf13/cobra", "golang.org/x/term"},
		},
		{Of: "cmd/terfyn", Own: []string{"cmd/internal/cli"}, Never: []string{"net", "net/http", "os/exec", "database/sql"}},
	}
}
