package syntax

import (
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// Everything this package can complain about, one function each.

func badCharacter(at source.Span, r rune) diag.Diagnostic {
	return diag.Errorf(diag.BadCharacter, at, "the character %q has no meaning outside a string; remove it", r)
}

func invalidUTF8(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.InvalidUTF8, at, "the source is not valid UTF-8 from this byte on; save the file as UTF-8")
}

func unclosedString(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.UnclosedString, at, `the string is not closed on its line; add a closing quote, or use """ for several lines`)
}

func unclosedBlock(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.UnclosedBlock, at, `the block string opened here is never closed; add """ after its text`)
}

func unknownEscape(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.UnknownEscape, at, `unknown escape; a string knows \" \\ \n \t \r, and a literal backslash is written \\`)
}

func malformedNumber(at source.Span, text string) diag.Diagnostic {
	return diag.Errorf(diag.MalformedNumber, at, "malformed number %s; write digits without a leading zero, such as 10 or 2.5", clip(text))
}

func fileTooLarge(at source.Span, size, limit int) diag.Diagnostic {
	return diag.Errorf(diag.FileTooLarge, at, "the file has %d bytes, at most %d are read; split it", size, limit)
}

func unexpected(at source.Span, want string, got token) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "expected %s, found %s", want, got.describe())
}

func missingBrace(at source.Span, what string, opened source.Span) diag.Diagnostic {
	return diag.Errorf(diag.MissingBrace, at, "missing } of %s opened at line %d, column %d", what, opened.Start.Line, opened.Start.Col).
		With(opened, "%s opens here", what)
}

func tooDeep(at source.Span, limit int) diag.Diagnostic {
	return diag.Errorf(diag.NestingTooDeep, at, "nesting is deeper than %d levels; bind inner parts to names or move them to a workflow of their own", limit)
}

func tooManyErrors(at source.Span, limit int) diag.Diagnostic {
	return diag.Errorf(diag.TooManyErrors, at, "too many errors: parsing stopped after %d; fix the ones above first", limit)
}

func reservedWord(at source.Span, what string, name string) diag.Diagnostic {
	return diag.Errorf(diag.ReservedWord, at, "%q is a word of the language and cannot be %s; choose another name", name, what)
}

func notADeclaration(at source.Span, got token) diag.Diagnostic {
	d := diag.Errorf(diag.NotADeclaration, at,
		"expected a declaration (agent, workflow, tool, policy, environment, provider, defaults or limits), found %s", got.describe())
	return meant(d, at, got, declarationWords)
}

// declarationWords open a declaration.
var declarationWords = []string{"agent", "workflow", "tool", "policy", "environment", "provider", "defaults", "limits"}

// statementWords open a statement.
var statementWords = []string{"return", "if", "else", "for", "while", "parallel", "approval", "retry"}

// meant asks whether the nearest of some words was meant by a token at a place, and
// offers to write it there.
func meant(d diag.Diagnostic, at source.Span, got token, words []string) diag.Diagnostic {
	if got.kind != kindIdent {
		return d
	}
	return d.Meant(at, got.text, words)
}

func unknownField(at source.Span, name, what string, known []string) diag.Diagnostic {
	d := diag.Errorf(diag.UnknownField, at, "unknown field %q in %s; known: %s", clip(name), what, strings.Join(known, ", "))
	return d.Meant(at, name, known)
}

// duplicateField complains about the word at a place. whole is the field with its
// value, and read tells that the value could be read to its end.
func duplicateField(at source.Span, name, what string, first, whole source.Span, read bool) diag.Diagnostic {
	d := diag.Errorf(diag.DuplicateField, at, "duplicate field %q in %s; the first one is kept, remove this one", name, what).
		With(first, "first given here")
	if !read {
		return d
	}
	return d.WithFix(whole, "", "remove the second "+name)
}

func duplicateEntry(at source.Span, what, name string, first source.Span) diag.Diagnostic {
	return diag.Errorf(diag.DuplicateEntry, at, "duplicate %s %q; the first one is kept, rename or remove this one", what, clip(name)).
		With(first, "first given here")
}

func unknownWord(at source.Span, what string, choices []string, got token) diag.Diagnostic {
	return meant(diag.Errorf(diag.UnknownWord, at, "%s is one of %s; found %s", what, strings.Join(choices, ", "), got.describe()), at, got, choices)
}

func notACount(at source.Span, what, lowest string, got token) diag.Diagnostic {
	return diag.Errorf(diag.NotACount, at, "%s is a whole number, %s or more, written as plain digits; found %s", what, lowest, got.describe())
}

func bareGrant(path Path, delegation bool) diag.Diagnostic {
	what, words := "a capability starts with `tool.`", []string{"tool"}
	if delegation {
		what, words = "a grant starts with `tool.` (or is agent.NAME or workflow.NAME)", []string{"tool", "agent", "workflow"}
	}
	head, name := path.Head(), path.String()
	d := diag.Errorf(diag.BadCapability, path.Span(), "%s: write tool.TOOL.OPERATION instead of %q", what, clip(name))
	if diag.Near(head.Name, words) != "" {
		return d.Meant(head.At, head.Name, words)
	}
	if len(path.Parts) == 1 {
		return d
	}
	return d.WithFix(source.Span{File: head.At.File, Start: head.At.Start, End: head.At.Start}, "tool.", "write tool."+clip(name))
}

func badCapability(at source.Span, name, shape string) diag.Diagnostic {
	return diag.Errorf(diag.BadCapability, at, "%q is not a capability; it has the form %s", clip(name), shape)
}

func prefixedEffect(at source.Span, name string) diag.Diagnostic {
	return diag.Errorf(diag.BadEffect, at,
		"an effect has no `tool.` prefix: %q names a capability; write the effect its operation declares", clip(name))
}

func callInCondition(at source.Span, callee string) diag.Diagnostic {
	return diag.Errorf(diag.CallInCondition, at, "a call is not allowed in a condition; bind it first: name = %s(…), then test the name", clip(callee))
}

func chainedComparison(at source.Span, op string) diag.Diagnostic {
	return diag.Errorf(diag.ChainedComparison, at, "a second comparison %q cannot follow the first; use && or parentheses", op)
}

// usualLimit is the limit that is offered for a loop without one.
const usualLimit = "limit 10 "

func missingLimit(at source.Span, loop string, got token) diag.Diagnostic {
	d := diag.Errorf(diag.MissingLimit, at, "%s needs `limit N` after its condition: the limit is required so that the loop ends", loop)
	if got.is("{") {
		return d.WithFix(source.Span{File: at.File, Start: at.Start, End: at.Start}, usualLimit, "add "+usualLimit+"or another number")
	}
	return meant(d, at, got, []string{"limit"})
}

func parallelLoop(at source.Span, word string) diag.Diagnostic {
	d := diag.Errorf(diag.MisplacedParallel, at, "parallel %s does not exist: rounds depend on each other; remove parallel, or use parallel for", word)
	return d.WithFix(at, "", "remove parallel")
}

func parallelAlone(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.MisplacedParallel, at, "parallel is followed by { or by for")
}

func onlyAssignments(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.MisplacedParallel, at, "only assignments are allowed in a parallel block; bind the call's result to a name first")
}

func notAStatement(at source.Span, what string) diag.Diagnostic {
	return diag.Errorf(diag.NotAStatement, at, "%s is not a statement; assign it (name = …), call it, or return it", what)
}

// strayReference is a statement that only names something, a misspelt word perhaps.
func strayReference(path Path) diag.Diagnostic {
	d := notAStatement(path.Span(), "the reference "+clip(path.String()))
	if len(path.Parts) > 1 {
		return d
	}
	return d.Meant(path.Span(), path.Head().Name, statementWords)
}

func fieldAssignment(at source.Span, path string) diag.Diagnostic {
	return diag.Errorf(diag.NotAStatement, at, "cannot assign to the field %q; bind a whole object to a plain name", clip(path))
}

func strayElse(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.NotAStatement, at, "else without an if before it")
}

func trailingComma(at source.Span, what string) diag.Diagnostic {
	return diag.Errorf(diag.TrailingComma, at, "a trailing comma is not allowed in %s; remove it", what).WithFix(at, "", "remove the comma")
}

func objectAsCollection(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.ObjectAsCollection, at, "the collection of for cannot be an object literal; name a list")
}

func comparisonSpelling(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.UnexpectedToken, at, "= assigns; write == to compare").WithFix(at, "==", "write ==")
}
