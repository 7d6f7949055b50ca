package complain

import (
	"errors"
	"fmt"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/compiler/types"
)

// EmptyAgentCall: an agent with a typed input gets no argument.
func EmptyAgentCall(at source.Span, agent, input string) diag.Diagnostic {
	return diag.Errorf(diag.EmptyAgentCall, at, "agent %q takes an input of type %s and gets no argument; pass one value: %s(x)", agent, input, agent)
}

// UnverifiedCall warns of arguments that no type is compared with.
func UnverifiedCall(at source.Span, agent, input string) diag.Diagnostic {
	return diag.Warnf(diag.UnverifiedCall, at,
		"the arguments of agent %q are not verified against %s: pass one positional value, for example an object literal %s({ … })", agent, input, agent)
}

// UndeclaredWiring: the input schema of an agent has no place for a key.
func UndeclaredWiring(at source.Span, agent string, path []string, err error) diag.Diagnostic {
	return diag.Errorf(diag.UndeclaredWiring, at,
		"input %q of agent %q: %s; pass the whole document as one positional argument", strings.Join(path, "."), agent, err)
}

// ArgumentTwice: two arguments have one key.
func ArgumentTwice(at source.Span, key string) diag.Diagnostic {
	return diag.Errorf(diag.ParameterTwice, at, "argument %q is given twice; name the positional one", key)
}

// UnknownParameter: a workflow with the given parameters lacks one.
func UnknownParameter(at source.Span, name, workflow string, params []string) diag.Diagnostic {
	has := "it has no parameters"
	if len(params) > 0 {
		has = "its parameters are " + strings.Join(params, ", ")
	}
	return diag.Errorf(diag.UnknownParameter, at, "workflow %q has no parameter %q: %s", workflow, name, has).Meant(at, name, params)
}

// Meant counts the parameters that misspelt names stand for as given: one slip is not
// a parameter that is missing as well.
func Meant(misspelt, params []string, given map[string]bool) {
	for _, name := range misspelt {
		if near := diag.Near(name, params); near != "" {
			given[near] = true
		}
	}
}

// ParameterTwice: a call gives a parameter two values.
func ParameterTwice(at source.Span, name, workflow string) diag.Diagnostic {
	return diag.Errorf(diag.ParameterTwice, at, "parameter %q of workflow %q is given twice; remove one", name, workflow)
}

// MissingArgument: a call leaves a parameter without value.
func MissingArgument(at source.Span, workflow, param string) diag.Diagnostic {
	return diag.Errorf(diag.MissingArgument, at, "the call of workflow %q gives no value for parameter %q; add it", workflow, param)
}

// BadArgument: an argument does not fit. param is "" for the whole document.
func BadArgument(at source.Span, callee, param string, m types.Mismatch) diag.Diagnostic {
	what := fmt.Sprintf("the argument of %q", callee)
	if param != "" {
		what = fmt.Sprintf("argument %q of %q", param, callee)
	}
	return mismatch(at, what, m)
}

// BadReturn: a returned value does not fit the declared result.
func BadReturn(at source.Span, result string, m types.Mismatch) diag.Diagnostic {
	return mismatch(at, fmt.Sprintf("the returned value, declared as %s", result), m)
}

func mismatch(at source.Span, what string, m types.Mismatch) diag.Diagnostic {
	code := diag.TypeMismatch
	if m.Undeclared {
		code = diag.UndeclaredField
	}
	return diag.Errorf(code, at, "%s: %s", what, m.Message)
}

// UndeclaredField: a path reads a field that a schema does not declare, as err says.
// spelled gives the place of that name, zero when it is not known.
func UndeclaredField(at source.Span, spelled func(name string) source.Span, path string, err error) diag.Diagnostic {
	name, known := "", []string(nil)
	if u := (*types.UndeclaredError)(nil); errors.As(err, &u) {
		name, known = u.Name, u.Known()
	}
	return diag.Errorf(diag.UndeclaredField, at, "%s: %s; add %q to the schema or read another field", path, err, name).Meant(spelled(name), name, known)
}
