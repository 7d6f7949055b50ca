package openai

import (
	"fmt"

	"terfyn/activities/model"
	"terfyn/internal/canon"
)

// errorMark starts the text of a failed result: the protocol has no flag for it.
const errorMark = "ERROR: "

// encode writes the request body.
func encode(r model.Request, capName string) ([]byte, error) {
	body := canon.Object(
		canon.F("model", canon.String(r.Model)),
		canon.F("messages", messages(r)),
	)
	if tools := r.Offered(); len(tools) > 0 {
		list, err := definitions(tools)
		if err != nil {
			return nil, err
		}
		body = body.With("tools", list)
	}
	if r.MaxTokens > 0 {
		body = body.With(capName, canon.Int(r.MaxTokens))
	}
	if r.Temperature != "" {
		t, err := canon.Number(r.Temperature)
		if err != nil {
			return nil, &model.Error{Class: model.Config, Message: "temperature: " + err.Error()}
		}
		body = body.With("temperature", t)
	}
	if r.Structured {
		if r.OutputSchema.IsNull() {
			return nil, model.NoSchema()
		}
		body = body.With("response_format", responseFormat(r.OutputSchema))
	}
	return body.Encode(), nil
}

func responseFormat(schema canon.Value) canon.Value {
	return canon.Object(
		canon.F("type", canon.String("json_schema")),
		canon.F("json_schema", canon.Object(
			canon.F("name", canon.String("output")),
			canon.F("schema", schema),
			canon.F("strict", canon.Bool(true)),
		)),
	)
}

func definitions(tools []model.ToolDef) (canon.Value, error) {
	list := make([]canon.Value, 0, len(tools))
	for _, t := range tools {
		if !model.ValidName(t.Name) {
			return canon.Value{}, &model.Error{Class: model.Config, Message: fmt.Sprintf(
				"tool name %q cannot be shown to a model: use letters, digits, _ and -, at most 128", t.Name)}
		}
		parameters := t.Parameters
		if parameters.IsNull() {
			parameters = canon.Object(canon.F("type", canon.String("object")), canon.F("properties", canon.Object()))
		}
		function := canon.Object(canon.F("name", canon.String(t.Name)), canon.F("parameters", parameters))
		if t.Description != "" {
			function = function.With("description", canon.String(t.Description))
		}
		list = append(list, canon.Object(canon.F("type", canon.String("function")), canon.F("function", function)))
	}
	return canon.List(list...), nil
}

func messages(r model.Request) canon.Value {
	var list []canon.Value
	if r.System != "" {
		list = append(list, said("system", r.System))
	}
	for _, m := range model.Repair(r.Messages) {
		switch m.Role {
		case model.Assistant:
			list = append(list, assistant(m))
		case model.Tool:
			for _, res := range m.Results {
				list = append(list, answered(res))
			}
		default:
			list = append(list, said("user", m.Text))
		}
	}
	return canon.List(list...)
}

func said(role, text string) canon.Value {
	return canon.Object(canon.F("role", canon.String(role)), canon.F("content", canon.String(text)))
}

// assistant leaves content out of a turn that only calls tools: some providers
// refuse an empty text there, none needs one.
func assistant(m model.Message) canon.Value {
	if len(m.Calls) == 0 {
		return said("assistant", m.Text)
	}
	calls := make([]canon.Value, 0, len(m.Calls))
	for _, c := range m.Calls {
		arguments := c.Arguments
		if arguments.Kind() != canon.KindObject {
			arguments = canon.Object()
		}
		calls = append(calls, canon.Object(
			canon.F("id", canon.String(c.ID)),
			canon.F("type", canon.String("function")),
			canon.F("function", canon.Object(
				canon.F("name", canon.String(c.Name)),
				canon.F("arguments", canon.String(arguments.JSON())),
			)),
		))
	}
	out := canon.Object(canon.F("role", canon.String("assistant")), canon.F("tool_calls", canon.List(calls...)))
	if m.Text != "" {
		out = out.With("content", canon.String(m.Text))
	}
	return out
}

func answered(res model.Result) canon.Value {
	text := res.Text
	if res.IsError {
		text = errorMark + text
	}
	return said("tool", text).With("tool_call_id", canon.String(res.CallID))
}
