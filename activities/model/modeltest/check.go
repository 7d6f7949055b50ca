package modeltest

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/activities/model"
	"terfyn/internal/canon"
)

// check returns why a request is malformed, "" when it is not. It is stricter
// than any real provider: what passes here passes there.
func check(body canon.Value) string {
	if f := keys("request", body, "model", "messages", "tools", "tool_choice", "max_tokens", "max_completion_tokens", "temperature", "response_format"); f != "" {
		return f
	}
	if body.Str("model") == "" {
		return "model is missing"
	}
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		if v, ok := body.Get(name); ok {
			if n, isInt := v.AsInt(); !isInt || n < 1 {
				return name + " must be a whole number of at least 1"
			}
		}
	}
	if f := checkTools(body); f != "" {
		return f
	}
	if f := checkFormat(body); f != "" {
		return f
	}
	return checkMessages(body.At("messages").Items())
}

func keys(what string, v canon.Value, allowed ...string) string {
	if v.Kind() != canon.KindObject {
		return what + " must be an object"
	}
	for _, f := range v.Fields() {
		if !slices.Contains(allowed, f.Name) {
			return fmt.Sprintf("%s has the unknown field %s", what, f.Name)
		}
	}
	return ""
}

func checkTools(body canon.Value) string {
	tools, ok := body.Get("tools")
	if _, choice := body.Get("tool_choice"); choice && !ok {
		return "tool_choice without tools"
	}
	if !ok {
		return ""
	}
	if len(tools.Items()) == 0 {
		return "tools is empty"
	}
	var names []string
	for i, t := range tools.Items() {
		what := fmt.Sprintf("tools[%d]", i)
		if f := keys(what, t, "type", "function"); f != "" {
			return f
		}
		function := t.At("function")
		if f := keys(what+".function", function, "name", "description", "parameters", "strict"); f != "" {
			return f
		}
		name := function.Str("name")
		switch {
		case t.Str("type") != "function":
			return what + ".type must be function"
		case !model.ValidName(name):
			return fmt.Sprintf("%s.function.name %q does not match ^[a-zA-Z0-9_-]{1,128}$", what, name)
		case slices.Contains(names, name):
			return fmt.Sprintf("%s.function.name %q is there twice", what, name)
		case function.At("parameters").Str("type") != "object":
			return what + ".function.parameters must be a schema of type object"
		}
		names = append(names, name)
	}
	return ""
}

func checkFormat(body canon.Value) string {
	format, ok := body.Get("response_format")
	if !ok {
		return ""
	}
	if f := keys("response_format", format, "type", "json_schema"); f != "" {
		return f
	}
	schema := format.At("json_schema")
	if f := keys("response_format.json_schema", schema, "name", "schema", "strict", "description"); f != "" {
		return f
	}
	strict, _ := schema.At("strict").AsBool()
	if format.Str("type") != "json_schema" || !model.ValidName(schema.Str("name")) || schema.At("schema").Kind() != canon.KindObject || !strict {
		return "response_format must be a strict json_schema with a name and a schema"
	}
	return ""
}

func checkMessages(messages []canon.Value) string {
	if len(messages) == 0 {
		return "messages is empty"
	}
	var open []string // call ids that still need an answer
	for i, m := range messages {
		what := fmt.Sprintf("messages[%d]", i)
		role := m.Str("role")
		if role != "tool" && len(open) > 0 {
			return fmt.Sprintf("%s: the calls %s before it have no answer", what, strings.Join(open, ", "))
		}
		var fault string
		switch role {
		case "system":
			if i != 0 {
				return what + ": system is only allowed first"
			}
			fault = checkText(what, m)
		case "user":
			fault = checkText(what, m)
		case "assistant":
			open, fault = checkAssistant(what, m)
		case "tool":
			open, fault = checkResult(what, m, open)
		default:
			return fmt.Sprintf("%s has the unknown role %q", what, role)
		}
		if fault != "" {
			return fault
		}
	}
	if len(open) > 0 {
		return "the calls " + strings.Join(open, ", ") + " have no answer"
	}
	return ""
}

func checkText(what string, m canon.Value) string {
	if f := keys(what, m, "role", "content"); f != "" {
		return f
	}
	if m.At("content").Kind() != canon.KindString {
		return what + ".content must be a string"
	}
	return ""
}

func checkAssistant(what string, m canon.Value) (open []string, fault string) {
	if f := keys(what, m, "role", "content", "tool_calls"); f != "" {
		return nil, f
	}
	calls, ok := m.Get("tool_calls")
	if !ok && m.Str("content") == "" {
		return nil, what + " has neither content nor tool_calls"
	}
	if ok && len(calls.Items()) == 0 {
		return nil, what + ".tool_calls is empty"
	}
	for j, c := range calls.Items() {
		at := fmt.Sprintf("%s.tool_calls[%d]", what, j)
		if f := keys(at, c, "id", "type", "function"); f != "" {
			return nil, f
		}
		if f := keys(at+".function", c.At("function"), "name", "arguments"); f != "" {
			return nil, f
		}
		id := c.Str("id")
		arguments, err := canon.Parse([]byte(c.At("function").Str("arguments")))
		switch {
		case id == "" || slices.Contains(open, id):
			return nil, fmt.Sprintf("%s.id %q is empty or there twice", at, id)
		case c.Str("type") != "function" || !model.ValidName(c.At("function").Str("name")):
			return nil, at + " is no function call with a valid name"
		case err != nil || arguments.Kind() != canon.KindObject:
			return nil, at + ".function.arguments must be the text of a JSON object"
		}
		open = append(open, id)
	}
	return open, ""
}

// checkResult takes the next open id: answers come once each, in call order.
func checkResult(what string, m canon.Value, open []string) (rest []string, fault string) {
	if f := keys(what, m, "role", "content", "tool_call_id"); f != "" {
		return open, f
	}
	id := m.Str("tool_call_id")
	switch {
	case m.At("content").Kind() != canon.KindString:
		return open, what + ".content must be a string"
	case len(open) == 0 || !slices.Contains(open, id):
		return open, fmt.Sprintf("%s answers %q, which no call before it waits for", what, id)
	case open[0] != id:
		return open, fmt.Sprintf("%s answers %q before %q", what, id, open[0])
	}
	return open[1:], ""
}
