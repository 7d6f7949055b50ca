package check

import (
	"fmt"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
)

// Everything this package can complain about, one function each.

// meant asks whether the known name nearest to word was meant, and offers to write
// it in its place.
func meant(d diag.Diagnostic, word syntax.Ident, known []string) diag.Diagnostic {
	return d.Meant(word.At, word.Name, known)
}

func dotted(path []string) string { return strings.Join(path, ".") }

// Names.

func unresolvedReference(name syntax.Ident, known []string) diag.Diagnostic {
	return meant(diag.Errorf(diag.UnresolvedReference, name.At,
		"unresolved reference %q: no parameter, binding or loop variable of this name is assigned on every way to this place", name.Name), name, known)
}

func unresolvedToken(at source.Span, name string, known []string) diag.Diagnostic {
	if name == "" {
		return diag.Errorf(diag.UnresolvedReference, at, `unresolved reference "" in interpolation: write a name between ${ and }`)
	}
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q in interpolation: no name in scope is spelled like this%s", name, diag.DidYouMean(diag.Near(name, known)))
}

func malformedToken(at source.Span, path []string) diag.Diagnostic {
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q in interpolation: a token is a name followed by field names, joined by dots", dotted(path))
}

func unknownCallee(name syntax.Ident, known []string) diag.Diagnostic {
	return meant(diag.Errorf(diag.UnknownCallee, name.At,
		"unresolved reference %q: no agent or workflow has this name, and a tool call names its operation (tool.operation)", name.Name), name, known)
}

func unknownTool(name syntax.Ident, known []string) diag.Diagnostic {
	return meant(diag.Errorf(diag.UnknownTool, name.At, "unknown tool %q; declare it", name.Name), name, known)
}

func unknownOperation(at source.Span, tool, operation string, known []string) diag.Diagnostic {
	manifest := "its manifest is empty, nothing can be called"
	if len(known) > 0 {
		manifest = "its manifest lists " + strings.Join(known, ", ")
	}
	d := diag.Errorf(diag.UnknownOperation, at, "tool %q has no operation %q: %s", tool, operation, manifest)
	return d.Meant(operationPlace(at, tool, operation), operation, known)
}

func unknownPolicy(name syntax.Ident, known []string) diag.Diagnostic {
	return meant(diag.Errorf(diag.UnknownPolicy, name.At, "unknown policy %q: no policy or preset has this name", name.Name), name, known)
}

func unknownProvider(name syntax.Ident, known []string) diag.Diagnostic {
	return meant(diag.Errorf(diag.UnknownProvider, name.At,
		"unknown model provider %q; declare `provider %s { … }` or use one of %s", name.Name, name.Name, strings.Join(providers, ", ")), name, known)
}

func unknownTarget(name syntax.Ident, kind string, known []string) diag.Diagnostic {
	return meant(diag.Errorf(diag.UnknownTarget, name.At, "unknown %s %q; declare it", kind, name.Name), name, known)
}

func duplicateDeclaration(name syntax.Ident, kind string, first source.Span) diag.Diagnostic {
	return diag.Errorf(diag.DuplicateDeclaration, name.At,
		"%s %q is declared twice, first at %s; rename or remove one", kind, name.Name, first).With(first, "first declared here")
}

func nameClash(name syntax.Ident, agent source.Span) diag.Diagnostic {
	return diag.Errorf(diag.NameClash, name.At,
		"workflow %q has the name of an agent, declared at %s; a call could mean either, rename one", name.Name, agent).With(agent, "the agent")
}

func repeatedSingleton(at source.Span, word string, first source.Span) diag.Diagnostic {
	return diag.Errorf(diag.RepeatedSingleton, at,
		"a second `%s` block; a project has at most one, the first is at %s; join them", word, first).With(first, "the first block")
}

func immutableParameter(name syntax.Ident) diag.Diagnostic {
	return diag.Errorf(diag.ImmutableParameter, name.At, "%q is a parameter: parameters are immutable, bind another name", name.Name)
}

func triggerNotConstant(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.BadTrigger, at, "the input of a trigger is constant, nothing is in scope there; write a literal, or read the value in the workflow")
}

func returnInParallel(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ReturnInParallel, at,
		"return is not allowed inside parallel for: its elements run at the same time; collect results and return after the loop, or use for")
}

func recursiveCall(at source.Span, cycle string) diag.Diagnostic {
	return diag.Errorf(diag.WorkflowRecursion, at, "workflows may not call themselves: %s; use while or retry for repetition", cycle)
}

// Calls.

func emptyAgentCall(at source.Span, agent, input string) diag.Diagnostic {
	return diag.Errorf(diag.EmptyAgentCall, at, "agent %q takes an input of type %s and gets no argument; pass one value: %s(x)", agent, input, agent)
}

func unverifiedCall(at source.Span, agent, input string) diag.Diagnostic {
	return diag.Warnf(diag.UnverifiedCall, at,
		"the arguments of agent %q are not verified against %s: pass one positional value, for example an object literal %s({ … })", agent, input, agent)
}

func undeclaredWiring(at source.Span, agent string, path []string, err error) diag.Diagnostic {
	return diag.Errorf(diag.UndeclaredWiring, at,
		"input %q of agent %q: %s; pass the whole document as one positional argument", dotted(path), agent, err)
}

func argumentTwice(at source.Span, key string, first source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ParameterTwice, at, "argument %q is given twice; name the positional one", key).With(first, "first given here")
}

func unknownParameter(name syntax.Ident, w *syntax.WorkflowDecl) diag.Diagnostic {
	names := make([]string, len(w.Params))
	for i, p := range w.Params {
		names[i] = p.Name.Name
	}
	has := "it has no parameters"
	if len(names) > 0 {
		has = "its parameters are " + strings.Join(names, ", ")
	}
	return meant(diag.Errorf(diag.UnknownParameter, name.At, "workflow %q has no parameter %q: %s", w.Name.Name, name.Name, has), name, names)
}

func parameterTwice(name syntax.Ident, workflow string, first source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ParameterTwice, name.At, "parameter %q of workflow %q is given twice; remove one", name.Name, workflow).With(first, "first given here")
}

func tooManyArguments(at source.Span, w *syntax.WorkflowDecl) diag.Diagnostic {
	return diag.Errorf(diag.TooManyArguments, at, "too many arguments: workflow %q has parameters for %d; remove this one", w.Name.Name, len(w.Params)).
		With(w.Parens, "its parameters")
}

func missingArgument(at source.Span, w *syntax.WorkflowDecl, param string) diag.Diagnostic {
	return diag.Errorf(diag.MissingArgument, at, "the call of workflow %q gives no value for parameter %q; add it", w.Name.Name, param).
		With(w.Parens, "its parameters")
}

// Types.

func badArgument(at source.Span, callee, param string, m types.Mismatch) diag.Diagnostic {
	what := fmt.Sprintf("the argument of %q", callee)
	if param != "" {
		what = fmt.Sprintf("argument %q of %q", param, callee)
	}
	return mismatch(at, what, m)
}

func badReturn(at source.Span, result string, m types.Mismatch) diag.Diagnostic {
	return mismatch(at, fmt.Sprintf("the returned value, declared as %s", result), m)
}

func mismatch(at source.Span, what string, m types.Mismatch) diag.Diagnostic {
	code := diag.TypeMismatch
	if m.Undeclared {
		code = diag.UndeclaredField
	}
	return diag.Errorf(code, at, "%s: %s", what, m.Message)
}

func undeclaredField(at source.Span, path string, err error) diag.Diagnostic {
	name, known := undeclared(err)
	d := diag.Errorf(diag.UndeclaredField, at, "%s: %s; add %q to the schema or read another field", path, err, name)
	if length(at) != len(name) {
		return d.Meant(source.Span{}, name, known) // the place is that of a whole string
	}
	return d.Meant(at, name, known)
}

func brokenSchema(at source.Span, file string, err error) diag.Diagnostic {
	return diag.Errorf(diag.BrokenSchema, at, "the schema %s cannot be used: %s", file, err)
}

func nearSchema(name syntax.Ident, nearby string, known []string) diag.Diagnostic {
	return meant(diag.Warnf(diag.UnknownType, name.At,
		"the type %s has no schema and stays unchecked: there is no schemas/%s.json, but there is schemas/%s.json", name.Name, name.Name, nearby), name, known)
}

func missingSchema(at source.Span, file string) diag.Diagnostic {
	return diag.Errorf(diag.MissingSchema, at, "the schema %s does not exist; paths are relative to the project root", file)
}
