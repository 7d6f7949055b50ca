package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/team"
)

// overrideAuthorities finds override authorities that do not come down to humans.
func overrideAuthorities(c *checker) {
	control := team.NewControl(c.index)
	for _, a := range c.set.Project().At("policies", "humanOverride", "authorities").Items() {
		id := a.Get("id")
		if control.Verdict(id.Text()) != team.ComesDownToOthers {
			continue
		}
		c.report(id, finding{
			severity: manifest.Error, code: code.OverrideAuthorityNotHuman,
			message:    "Override authority " + manifest.Shown(id.Text()) + " is neither a human nor an authority that only humans represent, so that control does not rest with people.",
			suggestion: "Name an actor of kind human.",
		})
	}
}
