package check

import (
	"fmt"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// The complaints about fields of declarations.

func missingModel(agent syntax.Ident) diag.Diagnostic {
	return diag.Errorf(diag.MissingModel, agent.At, "agent %q has no model and defaults name none; add `model PROVIDER/ID`", agent.Name)
}

func missingField(at source.Span, what, field string, choices []string) diag.Diagnostic {
	hint := ""
	if len(choices) > 0 {
		hint = ", one of " + strings.Join(choices, ", ")
	}
	return diag.Errorf(diag.MissingField, at, "%s: the field `%s` is missing%s", what, field, hint)
}

func unknownChoice(word syntax.Ident, what string, choices []string) diag.Diagnostic {
	return meant(choiceError(word.At, what, word.Name, choices), word, choices)
}

// unknownChoiceText is unknownChoice for a value written as a string.
func unknownChoiceText(value syntax.Text, what string, choices []string) diag.Diagnostic {
	return choiceError(value.At, what, value.Value, choices).Meant(unquoted(value), value.Value, choices)
}

func choiceError(at source.Span, what, found string, choices []string) diag.Diagnostic {
	return diag.Errorf(diag.UnknownChoice, at, "%s is one of %s; found %q", what, strings.Join(choices, ", "), found)
}

func numberOutOfRange(at source.Span, what, spelling, want string) diag.Diagnostic {
	if len(spelling) > 40 {
		spelling = spelling[:40] + "…"
	}
	return diag.Errorf(diag.NumberOutOfRange, at, "%s is %s, it must be %s", what, spelling, want)
}

func takenBack(at source.Span, field string) diag.Diagnostic {
	return diag.Errorf(diag.UnknownChoice, at,
		"%s in an override can only be true: an environment may ask for it and cannot take it back; remove it here, and from the policy if other environments must not have it", field)
}

func missingTransport(kind syntax.Ident, tool string) diag.Diagnostic {
	return diag.Errorf(diag.BadTransport, kind.At, "tool %q is of type %s and needs a block `%s { … }` that says how to reach it", tool, kind.Name, kind.Name)
}

func strayTransport(at source.Span, block string, kind syntax.Ident) diag.Diagnostic {
	return diag.Errorf(diag.BadTransport, at, "a block `%s` does not fit a tool of type %s; remove it or change the type", block, kind.Name)
}

func mixedTransport(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.BadTransport, at, "`url` together with `command` or `args`: an MCP server is started or reached, not both; remove one")
}

func badURL(at source.Span, field, value string) diag.Diagnostic {
	return diag.Errorf(diag.BadBaseURL, at, "%s must be an absolute http or https URL with a host; found %q", field, value)
}

func badSecretReference(at source.Span, field string) diag.Diagnostic {
	return diag.Errorf(diag.BadSecretReference, at, "%s names where the secret is kept, in the form env:NAME; never write the secret itself", field)
}

func badEffectName(at source.Span, name string) diag.Diagnostic {
	return diag.Errorf(diag.BadEffectName, at, "%q is not an effect name: lower-case segments [a-z][a-z0-9_]* joined by dots", name)
}

func badOperationName(at source.Span, name string) diag.Diagnostic {
	return diag.Errorf(diag.BadOperationName, at,
		"%q is not an operation name: lower-case segments [a-z][a-z0-9_]* joined by dots; give another remote spelling with `name`", name)
}

func badReconcile(at source.Span, target syntax.Path) diag.Diagnostic {
	return diag.Errorf(diag.BadReconcile, at, "operation %q looks up what happened and must be declared `readOnly true`", target.String()).
		With(target.Span(), "declared here")
}

func checkpointTruncate(at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.CheckpointTruncate, at, "checkpointExceedPolicy cannot be truncate: a shortened checkpoint could not be resumed; write fail")
}

func shownNameClash(g, first syntax.Capability, name string) diag.Diagnostic {
	return diag.Errorf(diag.ShownNameClash, g.Span(), "%s and %s would both be shown to the model as %q; grant one of them or rename an operation", g, first, name).
		With(first.Span(), "the other grant")
}

func grantedTwice(g syntax.Capability, first source.Span) diag.Diagnostic {
	return diag.Warnf(diag.RepeatedCapability, g.Span(), "%s is granted twice; remove one", g).With(first, "first granted here")
}

func requiredTwice(g syntax.Capability, first source.Span) diag.Diagnostic {
	return diag.Errorf(diag.RepeatedCapability, g.Span(), "%s is listed twice in requiredFor; remove one", g).With(first, "first listed here")
}

func unreadableInstructions(at source.Span, file string, err error) diag.Diagnostic {
	return diag.Errorf(diag.InstructionsFile, at, "the instructions file %q cannot be used: %s; it stands inside the project, relative to this source file", file, err)
}

func instructionsNotText(at source.Span, file string, offset int) diag.Diagnostic {
	return diag.Errorf(diag.InstructionsFile, at, "the instructions file %q is not valid UTF-8 from byte %s on; save it as UTF-8", file, fmt.Sprint(offset))
}
