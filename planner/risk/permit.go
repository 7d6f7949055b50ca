package risk

import (
	"slices"

	"terfyn/compiler/resource"
)

// standing is what a policy does with an effect, from strict to lenient.
type standing int

const (
	refused standing = iota
	gated
	unattended
)

// standingOf applies the rules of coverage: what needs approval wins over what
// is permitted.
func standingOf(p resource.PolicyEffects, effect string) standing {
	covers := func(listed string) bool { return resource.EffectCovers(listed, effect) }
	switch {
	case slices.ContainsFunc(p.PermitWithApproval, covers):
		return gated
	case slices.ContainsFunc(p.Permit, covers):
		return unattended
	}
	return refused
}

// permits reports every effect name of either side that is treated more
// leniently now.
func (a *assessment) permits(target string, before, after resource.PolicyEffects) {
	if before.Declared && !after.Declared {
		a.add(EffectPermitWidening, High, target, "Effects are no longer restricted (%s).", target)
		return
	}
	names := slices.Concat(before.Permit, before.PermitWithApproval, after.Permit, after.PermitWithApproval)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, is := standingOf(before, name), standingOf(after, name)
		switch {
		case is <= was:
		case is == unattended && was == gated:
			a.add(EffectPermitWidening, High, target, "Effect %s needed approval and is now permitted unattended (%s).", name, target)
		case is == unattended:
			a.add(EffectPermitWidening, High, target, "Effect %s is now permitted unattended (%s).", name, target)
		default:
			a.add(EffectPermitWidening, Medium, target, "Effect %s is now permitted behind approval (%s).", name, target)
		}
	}
}

// egress reports hosts that http and mcp tools may reach now.
func (a *assessment) egress(target string, before, after resource.Policy) {
	if !before.EgressDeclared {
		return // every host was allowed
	}
	if !after.EgressDeclared {
		a.add(EgressWidening, High, target, "Hosts are no longer restricted (%s).", target)
		return
	}
	for _, host := range after.AllowHosts {
		if !slices.Contains(before.AllowHosts, host) {
			a.add(EgressWidening, High, target, "Host %s may now be reached (%s).", host, target)
		}
	}
}
