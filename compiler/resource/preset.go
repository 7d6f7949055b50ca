package resource

// Preset names a built-in policy.
type Preset string

// The presets.
const (
	// Strict asks for approval of every tool call and denies what nothing
	// permits explicitly.
	Strict Preset = "strict"
	// Permissive lets calls run unattended that neither requiredFor nor a tool's
	// requiresApproval names.
	Permissive Preset = "permissive"
	// ShellSafe classifies the command lines of shell operations (ShellOperation):
	// one that only reads runs unattended, any other one asks. For all other calls
	// it follows what tools say about their safety. It sets no field: a resolved
	// policy carries it in Preset.
	ShellSafe Preset = "shell_safe"
)

// Presets lists the presets in the order messages show them.
func Presets() []Preset { return []Preset{Permissive, ShellSafe, Strict} }

// DefaultPolicy is the implicit policy of a workflow that names none, if a
// policy of this name is declared (language.md 4.2).
const DefaultPolicy = "default"

// presetPolicy gives the fields a preset sets.
func presetPolicy(name Preset) (Policy, bool) {
	p := Policy{Name: string(name), Preset: string(name)}
	yes := true
	switch name {
	case Strict:
		p.Approvals.RequireAllTools = &yes
		p.ForbidUnknownTools = &yes
	case Permissive:
		p.Approvals.Permissive = &yes
	case ShellSafe:
	default:
		return Policy{}, false
	}
	return p, true
}

// ResolvePolicy returns the policy of that name as it governs: a declared policy
// layered over its preset, or a built-in preset. A declared policy wins over a
// preset of the same name. ok is false when neither exists or the declared
// policy names an unknown preset.
func (g Graph) ResolvePolicy(name string) (Policy, bool) {
	local, declared := g.Policy(name)
	if !declared {
		return presetPolicy(Preset(name))
	}
	if local.Preset == "" {
		return local, true
	}
	base, ok := presetPolicy(Preset(local.Preset))
	if !ok {
		return Policy{}, false
	}
	local.Approvals.RequireAllTools = orFlag(local.Approvals.RequireAllTools, base.Approvals.RequireAllTools)
	local.Approvals.Permissive = orFlag(local.Approvals.Permissive, base.Approvals.Permissive)
	local.ForbidUnknownTools = orFlag(local.ForbidUnknownTools, base.ForbidUnknownTools)
	return local, true
}

// GoverningPolicy returns the policy a workflow runs under: the one it names,
// else the project default, else a declared policy called default. safe is true
// when none of these is named and the built-in safety rules apply; ok is false
// when a named policy does not exist.
func (g Graph) GoverningPolicy(w Workflow) (p Policy, safe, ok bool) {
	name := w.Policy
	if name == "" {
		name = g.Defaults.Policy
	}
	if name == "" {
		if _, declared := g.Policy(DefaultPolicy); !declared {
			return Policy{}, true, true
		}
		name = DefaultPolicy
	}
	p, ok = g.ResolvePolicy(name)
	return p, false, ok
}

// ShellOperation reports whether an operation takes a command line that the
// preset shell_safe classifies: command.run of a native tool, the command in
// its argument "command".
func ShellOperation(t Tool, operation string) bool {
	return t.Type == "native" && operation == "command.run"
}

func orFlag(local, base *bool) *bool {
	if local != nil {
		return local
	}
	return base
}
