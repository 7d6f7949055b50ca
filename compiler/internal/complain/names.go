package complain

import (
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// UnresolvedReference: name is not assigned at a place; known are the names that are.
func UnresolvedReference(at source.Span, name string, known []string) diag.Diagnostic {
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q: no parameter, binding or loop variable of this name is assigned on every way to this place", name).Meant(at, name, known)
}

// UnresolvedToken is UnresolvedReference in a template. The place is that of the
// whole string, so nothing is offered to be written there.
func UnresolvedToken(at source.Span, name string, known []string) diag.Diagnostic {
	if name == "" {
		return diag.Errorf(diag.UnresolvedReference, at, `unresolved reference "" in interpolation: write a name between ${ and }`)
	}
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q in interpolation: no name in scope is spelled like this", name).Meant(source.Span{}, name, known)
}

// MalformedToken: a token of a template is no path.
func MalformedToken(at source.Span, path []string) diag.Diagnostic {
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q in interpolation: a token is a name followed by field names, joined by dots", strings.Join(path, "."))
}

// UnknownCallee: a call names neither agent nor workflow; known are those that are.
func UnknownCallee(at source.Span, name string, known []string) diag.Diagnostic {
	return diag.Errorf(diag.UnknownCallee, at,
		"unresolved reference %q: no agent or workflow has this name, and a tool call names its operation (tool.operation)", name).Meant(at, name, known)
}

// UnknownTool: there is no tool of that name.
func UnknownTool(at source.Span, name string, known []string) diag.Diagnostic {
	return diag.Errorf(diag.UnknownTool, at, "unknown tool %q; declare it", name).Meant(at, name, known)
}

// UnknownOperation: the manifest of a tool, which lists known, lacks the operation.
// spelled is where the operation stands, zero when that is not known.
func UnknownOperation(at, spelled source.Span, tool, operation string, known []string) diag.Diagnostic {
	manifest := "its manifest is empty, nothing can be called"
	if len(known) > 0 {
		manifest = "its manifest lists " + strings.Join(known, ", ")
	}
	return diag.Errorf(diag.UnknownOperation, at, "tool %q has no operation %q: %s", tool, operation, manifest).Meant(spelled, operation, known)
}

// ImmutableParameter: a parameter is assigned to.
func ImmutableParameter(at source.Span, name string) diag.Diagnostic {
	return diag.Errorf(diag.ImmutableParameter, at, "%q is a parameter: parameters are immutable, bind another name", name)
}

// ReturnInParallel: an element of a parallel for returns.
func ReturnInParallel(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ReturnInParallel, at,
		"return is not allowed inside parallel for: its elements run at the same time; collect results and return after the loop, or use for")
}

// RecursiveCall: workflows call each other in the given cycle.
func RecursiveCall(at source.Span, cycle string) diag.Diagnostic {
	return diag.Errorf(diag.WorkflowRecursion, at, "workflows may not call themselves: %s; use while or retry for repetition", cycle)
}
