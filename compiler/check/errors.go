package check

import (
	"errors"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
)

// Everything this package can complain about, one function each, beside what built
// programs can be wrong in as well (package complain).

// meant asks whether the known name nearest to word was meant, and offers to write
// it in its place.
func meant(d diag.Diagnostic, word syntax.Ident, known []string) diag.Diagnostic {
	return d.Meant(word.At, word.Name, known)
}

func dotted(path []string) string { return strings.Join(path, ".") }

// Names.

func unresolvedReference(name syntax.Ident, known []string) diag.Diagnostic {
	return complain.UnresolvedReference(name.At, name.Name, known)
}

func unknownCallee(name syntax.Ident, known []string) diag.Diagnostic {
	return complain.UnknownCallee(name.At, name.Name, known)
}

func unknownTool(name syntax.Ident, known []string) diag.Diagnostic {
	return complain.UnknownTool(name.At, name.Name, known)
}

func prefixedTool(callee syntax.Path) diag.Diagnostic {
	head, next := callee.Head(), callee.Parts[1]
	prefix := source.Span{File: head.At.File, Start: head.At.Start, End: next.At.Start}
	written := strings.TrimPrefix(callee.String(), head.Name+".")
	return diag.Errorf(diag.UnknownTool, head.At,
		"in a call write %s: the prefix `tool.` belongs to capabilities, as in grants", written).WithFix(prefix, "", "remove tool.")
}

func unclosedToken(at source.Span) diag.Diagnostic {
	return diag.Warnf(diag.UnclosedToken, at, "${ without a closing }: it goes out as plain text; write ${name} to put a value there")
}

func unknownOperation(at source.Span, tool, operation string, known []string) diag.Diagnostic {
	return complain.UnknownOperation(at, operationPlace(at, tool, operation), tool, operation, known)
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
	return complain.ImmutableParameter(name.At, name.Name)
}

func triggerNotConstant(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.BadTrigger, at, "the input of a trigger is constant, nothing is in scope there; write a literal, or read the value in the workflow")
}

// Calls.

func argumentTwice(at source.Span, key string, first source.Span) diag.Diagnostic {
	return complain.ArgumentTwice(at, key).With(first, "first given here")
}

func unknownParameter(name syntax.Ident, w *syntax.WorkflowDecl) diag.Diagnostic {
	return complain.UnknownParameter(name.At, name.Name, w.Name.Name, paramNames(w))
}

func parameterTwice(name syntax.Ident, workflow string, first source.Span) diag.Diagnostic {
	return complain.ParameterTwice(name.At, name.Name, workflow).With(first, "first given here")
}

func tooManyArguments(at source.Span, w *syntax.WorkflowDecl) diag.Diagnostic {
	return diag.Errorf(diag.TooManyArguments, at, "too many arguments: workflow %q has parameters for %d; remove this one", w.Name.Name, len(w.Params)).
		With(w.Parens, "its parameters")
}

func missingArgument(at source.Span, w *syntax.WorkflowDecl, param string) diag.Diagnostic {
	return complain.MissingArgument(at, w.Name.Name, param).With(w.Parens, "its parameters")
}

func undeclaredField(at source.Span, path string, err error) diag.Diagnostic {
	return complain.UndeclaredField(at, func(name string) source.Span {
		if length(at) != len(name) {
			return source.Span{} // the place is that of a whole string
		}
		return at
	}, path, err)
}

func brokenSchema(at source.Span, file string, err error) diag.Diagnostic {
	d := diag.Errorf(diag.BrokenSchema, at, "the schema %s cannot be used: %s", file, err)
	var syntax *types.SyntaxError
	if !errors.As(err, &syntax) {
		return d
	}
	there := source.Pos{Offset: syntax.Offset, Line: syntax.Line, Col: syntax.Col}
	return d.With(source.Span{File: file, Start: there, End: there}, "%s", syntax.Reason)
}

func nearSchema(name syntax.Ident, nearby string, known []string) diag.Diagnostic {
	return meant(diag.Warnf(diag.UnknownType, name.At,
		"the type %s has no schema and stays unchecked: there is no schemas/%s.json, but there is schemas/%s.json", name.Name, name.Name, nearby), name, known)
}

func missingSchema(at source.Span, file string) diag.Diagnostic {
	return diag.Errorf(diag.MissingSchema, at, "the schema %s does not exist; paths are relative to the project root", file)
}
