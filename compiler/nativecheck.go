package compiler

import (
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/validate"
)

// unknownNative warns about entries of closed manifests of native tools that no
// native operation stands behind. It is no error: the manifest says what may be
// called, and a later version may have the operation.
func unknownNative(g resource.Graph, at validate.Locator) diag.List {
	var out diag.List
	for _, t := range g.Tools {
		for _, o := range t.Operations {
			if _, ok := native.Of(t, o); ok || t.Type != native.ToolType {
				continue
			}
			name := o.Name
			if o.RemoteName != "" {
				name = o.RemoteName
			}
			span := at(resource.KindTool, t.Name, "operations."+o.Name)
			d := diag.Warnf(diag.NoNativeOperation, span,
				"operation %s of tool %s: this version has no native operation %s, so every call of it fails; there are %s",
				o.Name, t.Name, name, strings.Join(native.Names(), ", "))
			if name != o.Name {
				span = source.Span{} // that of the operation, and not of its name elsewhere
			}
			out.Add(d.Meant(span, name, native.Names()))
		}
	}
	return out
}
