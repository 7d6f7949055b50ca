package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// selectionRules are those of nexflow.md 7.3 about the choice of models, and about
// fields of providers that draft 0.1 replaced.
var selectionRules = []func(*checker){pinnedModels, floatingModels, reviewedFallback, candidateConstraints, legacyProviderFields}

func pinnedModels(c *checker) {
	for _, d := range c.firsts(refs.ModelProfile) {
		selection := d.Node.Get("selection")
		pin := selection.Get("pinnedModel")
		pinned := selection.Get("mode").Is("pinned")
		switch {
		case pinned && !pin.Exists():
			c.report(pin, finding{
				severity: manifest.Error, code: code.SelectionPinMissing,
				message:    "The model profile " + shownID(d.Node) + " is pinned and names no model.",
				suggestion: "Name the model under pinnedModel.",
			})
		case !pinned && pin.Exists():
			c.report(pin, finding{
				severity: manifest.Warning, code: code.SelectionModeConflict,
				message:    "The model profile " + shownID(d.Node) + " names a pinned model, which its mode of selection does not use.",
				suggestion: "Pin the profile, or drop pinnedModel.",
			})
		}
		listed, ref := selection.Get("providerRefs"), pin.Get("providerRef")
		if provider, ok := c.target(refs.Provider, ref); ok && listed.Len() > 0 && !listed.Lists(ref.Text()) {
			c.report(ref, finding{
				severity: manifest.Warning, code: code.SelectionPinProvider,
				message:    "The model profile " + shownID(d.Node) + " pins a model of the provider " + shownID(provider) + ", which is not among its providers.",
				suggestion: "Pin a model of one of the listed providers.",
			})
		}
	}
}

func floatingModels(c *checker) {
	for _, d := range c.firsts(refs.ModelProfile) {
		selection := d.Node.Get("selection")
		floating := selection.Get("mode").Is("floating")
		if floating && selection.Get("floatingAlias").Text() == "" && selection.Get("resolutionPolicy").Text() == "" {
			c.report(selection.Get("floatingAlias"), finding{
				severity: manifest.Error, code: code.SelectionAliasMissing,
				message:    "The model profile " + shownID(d.Node) + " is floating, and neither an alias nor a policy says where to.",
				suggestion: "Pin the model, or name the alias.",
			})
		}
		recorded := d.Node.At("audit", "recordResolvedModel")
		if (floating || selection.Get("mode").Is("policy")) && !recorded.True() {
			c.report(recorded, finding{
				severity: manifest.Warning, code: code.SelectionUnrecordedFloat,
				message:    "The model of the model profile " + shownID(d.Node) + " may change, and the one that was used is not recorded.",
				suggestion: "Set recordResolvedModel to true.",
			})
		}
	}
}

func reviewedFallback(c *checker) {
	for _, d := range c.firsts(refs.ModelProfile) {
		fallback := d.Node.Get("fallback")
		if d.Node.At("selection", "mode").Is("pinned") && fallback.Get("allowed").True() && !fallback.Get("requiresApproval").True() {
			c.report(fallback.Get("requiresApproval"), finding{
				severity: manifest.Warning, code: code.SelectionFallbackUnreviewed,
				message:    "The model profile " + shownID(d.Node) + " is pinned and may fall back to another model without approval.",
				suggestion: "Set requiresApproval to true, or forbid the fallback.",
			})
		}
	}
}

// candidateConstraints looks at both lists of providers a model may come from. One
// entry gives one finding, also when it conflicts twice.
func candidateConstraints(c *checker) {
	for _, d := range c.firsts(refs.ModelProfile) {
		constraints := d.Node.Get("constraints")
		candidates := append(d.Node.At("selection", "providerRefs").Items(), d.Node.At("fallback", "candidateProviderRefs").Items()...)
		for _, ref := range candidates {
			provider, ok := c.target(refs.Provider, ref)
			if !ok {
				continue
			}
			offered := provider.Get("constraints")
			training := constraints.Get("trainingUse").Is("prohibited") && !prohibitsTraining(offered)
			sensitivity := manifest.Classifications.Above(constraints.Get("sensitivity").Text(), offered.Get("maxSensitivity").Text())
			if training || sensitivity {
				c.report(ref, finding{
					severity: manifest.Warning, code: code.SelectionConstraintConflict,
					message:    "The provider " + shownID(provider) + " is a candidate of the model profile " + shownID(d.Node) + " and allows what the profile forbids.",
					suggestion: "Drop the provider from the list.",
				})
			}
		}
	}
}

// prohibitsTraining reads the field of draft 0.1, or the legacy one.
func prohibitsTraining(constraints manifest.Node) bool {
	if use := constraints.Get("trainingUse"); use.Exists() {
		return use.Is("prohibited")
	}
	legacy := constraints.Get("allowTrainingUse")
	return legacy.Exists() && !legacy.True()
}

func legacyProviderFields(c *checker) {
	for _, d := range c.firsts(refs.Provider) {
		if field := d.Node.Get("capabilities"); field.Exists() {
			c.report(field, finding{
				severity: manifest.Warning, code: code.CompatProviderCapabilities,
				message:    "The provider " + shownID(d.Node) + " lists capabilities, which draft 0.1 calls features.",
				suggestion: "Write features instead.",
			})
		}
		if field := d.Node.At("constraints", "allowTrainingUse"); field.Exists() {
			c.report(field, finding{
				severity: manifest.Warning, code: code.CompatTrainingUse,
				message:    "The provider " + shownID(d.Node) + " has allowTrainingUse, which draft 0.1 calls trainingUse.",
				suggestion: "Write trainingUse with the same meaning.",
			})
		}
	}
}
