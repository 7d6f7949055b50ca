package verify

import (
	"strconv"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

// Everything this package can complain about beside what source can be wrong in as
// well (package complain).

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

// Names.

func unknownOperation(at source.Span, t resource.Tool, operation string) diag.Diagnostic {
	var names []string
	for _, o := range t.Operations {
		names = append(names, o.Name)
	}
	return complain.UnknownOperation(at, source.Span{}, t.Name, operation, names)
}

func unknownParameter(at source.Span, name string, callee ir.Program) diag.Diagnostic {
	return complain.UnknownParameter(at, name, callee.Workflow, paramNames(callee))
}

func paramNames(callee ir.Program) []string {
	names := make([]string, len(callee.Params))
	for i, p := range callee.Params {
		names[i] = p.Name
	}
	return names
}

func undeclaredField(at source.Span, path []string, err error) diag.Diagnostic {
	return complain.UndeclaredField(at, func(string) source.Span { return source.Span{} }, strings.Join(path, "."), err)
}

func duplicateEntry(at source.Span, what, name string) diag.Diagnostic {
	return diag.Errorf(diag.DuplicateEntry, at, "duplicate %s %q; the first one is kept, rename or remove this one", what, name)
}

func objectAsCollection(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ObjectAsCollection, at, "the collection of for cannot be an object literal; name a list")
}

// Numbers.

func notACount(at source.Span, loop string, limit int) diag.Diagnostic {
	return diag.Errorf(diag.NotACount, at, "the limit of %s is a whole number, 1 or more, written as plain digits; found the number %d", loop, limit)
}

func limitOutOfRange(at source.Span, limit int) diag.Diagnostic {
	return diag.Errorf(diag.NumberOutOfRange, at, "limit is %d, it must be at most %s", limit, strconv.Itoa(ir.MaxLimit))
}
