package verify

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/types"
)

// Everything this package can complain about. The differential test of package
// compiler compares the words with those of package check.

func malformed(at source.Span, format string, args ...any) diag.Diagnostic {
	return diag.Errorf(diag.BadProgram, at, format, args...)
}

func wrongEnvelope(at source.Span, p ir.Program) diag.Diagnostic {
	return malformed(at, "the program of workflow %s must wrap its value exactly when a return is not an object; it says %t", p.Workflow, p.Envelope)
}

func nestedTooDeep(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.NestingTooDeep, at, "the program is nested more than %d levels deep; move inner parts to workflows of their own", maxDepth)
}

func returnInBranch(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ReturnInParallel, at, "return is not allowed inside a branch: the branches run at the same time; return after they joined")
}

func dotted(path []string) string { return strings.Join(path, ".") }

func meant(name string, known []string) string { return diag.DidYouMean(diag.Near(name, known)) }

// Names.

func unresolvedReference(at source.Span, name string, known []string) diag.Diagnostic {
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q: no parameter, binding or loop variable of this name is assigned on every way to this place%s", name, meant(name, known))
}

func unresolvedToken(at source.Span, name string, known []string) diag.Diagnostic {
	if name == "" {
		return diag.Errorf(diag.UnresolvedReference, at, `unresolved reference "" in interpolation: write a name between ${ and }`)
	}
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q in interpolation: no name in scope is spelled like this%s", name, meant(name, known))
}

func malformedToken(at source.Span, path []string) diag.Diagnostic {
	return diag.Errorf(diag.UnresolvedReference, at,
		"unresolved reference %q in interpolation: a token is a name followed by field names, joined by dots", dotted(path))
}

func unknownCallee(at source.Span, name string, known []string) diag.Diagnostic {
	return diag.Errorf(diag.UnknownCallee, at,
		"unresolved reference %q: no agent or workflow has this name, and a tool call names its operation (tool.operation)%s", name, meant(name, known))
}

func unknownTool(at source.Span, name string, known []string) diag.Diagnostic {
	return diag.Errorf(diag.UnknownTool, at, "unknown tool %q; declare it%s", name, meant(name, known))
}

func unknownOperation(at source.Span, t resource.Tool, operation string) diag.Diagnostic {
	var names []string
	for _, o := range t.Operations {
		names = append(names, o.Name)
	}
	manifest := "its manifest is empty, nothing can be called"
	if len(names) > 0 {
		manifest = "its manifest lists " + strings.Join(names, ", ")
	}
	return diag.Errorf(diag.UnknownOperation, at, "tool %q has no operation %q: %s%s", t.Name, operation, manifest, meant(operation, names))
}

func duplicateEntry(at source.Span, what, name string) diag.Diagnostic {
	return diag.Errorf(diag.DuplicateEntry, at, "duplicate %s %q; the first one is kept, rename or remove this one", what, name)
}

func immutableParameter(at source.Span, name string) diag.Diagnostic {
	return diag.Errorf(diag.ImmutableParameter, at, "%q is a parameter: parameters are immutable, bind another name", name)
}

func returnInParallel(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ReturnInParallel, at,
		"return is not allowed inside parallel for: its elements run at the same time; collect results and return after the loop, or use for")
}

func objectAsCollection(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ObjectAsCollection, at, "the collection of for cannot be an object literal; name a list")
}

func recursiveCall(at source.Span, cycle string) diag.Diagnostic {
	return diag.Errorf(diag.WorkflowRecursion, at, "workflows may not call themselves: %s; use while or retry for repetition", cycle)
}

// Numbers.

func notACount(at source.Span, loop string, limit int) diag.Diagnostic {
	return diag.Errorf(diag.NotACount, at, "the limit of %s is a whole number, 1 or more, written as plain digits; found the number %d", loop, limit)
}

func limitOutOfRange(at source.Span, limit int) diag.Diagnostic {
	return diag.Errorf(diag.NumberOutOfRange, at, "limit is %d, it must be at most %s", limit, strconv.Itoa(ir.MaxLimit))
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

func argumentTwice(at source.Span, key string) diag.Diagnostic {
	return diag.Errorf(diag.ParameterTwice, at, "argument %q is given twice; name the positional one", key)
}

func unknownParameter(at source.Span, name string, callee ir.Program) diag.Diagnostic {
	names := make([]string, len(callee.Params))
	for i, p := range callee.Params {
		names[i] = p.Name
	}
	has := "it has no parameters"
	if len(names) > 0 {
		has = "its parameters are " + strings.Join(names, ", ")
	}
	return diag.Errorf(diag.UnknownParameter, at, "workflow %q has no parameter %q: %s%s", callee.Workflow, name, has, meant(name, names))
}

func parameterTwice(at source.Span, name, workflow string) diag.Diagnostic {
	return diag.Errorf(diag.ParameterTwice, at, "parameter %q of workflow %q is given twice; remove one", name, workflow)
}

func missingArgument(at source.Span, workflow, param string) diag.Diagnostic {
	return diag.Errorf(diag.MissingArgument, at, "the call of workflow %q gives no value for parameter %q; add it", workflow, param)
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

func undeclaredField(at source.Span, path []string, err error) diag.Diagnostic {
	name, near := "", ""
	var undeclared *types.UndeclaredError
	if errors.As(err, &undeclared) {
		name, near = undeclared.Name, meant(undeclared.Name, undeclared.Known())
	}
	return diag.Errorf(diag.UndeclaredField, at, "%s: %s; add %q to the schema or read another field%s", dotted(path), err, name, near)
}
