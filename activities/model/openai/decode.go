package openai

import (
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"terfyn/activities/model"
	"terfyn/internal/canon"
)

// decode reads the first choice of an answer.
func decode(r model.Request, got *sdk.ChatCompletion) (model.Response, error) {
	if len(got.Choices) == 0 {
		return model.Response{}, &model.Error{Class: model.Retryable, Message: "the answer of the provider holds no choice"}
	}
	choice := got.Choices[0]
	out := model.Response{
		Text: choice.Message.Content,
		Stop: stop(choice.FinishReason),
		Usage: model.Usage{
			Input:  max(got.Usage.PromptTokens, 0),
			Output: max(got.Usage.CompletionTokens, 0),
		},
	}
	if choice.Message.Refusal != "" && len(choice.Message.ToolCalls) == 0 {
		out.Stop = model.Filter
		if out.Text == "" {
			out.Text = choice.Message.Refusal
		}
	}
	used := usedIDs(r.Messages)
	for i, c := range choice.Message.ToolCalls {
		call := read(c)
		// Some providers send no id, or the same one each turn; answers need distinct ones.
		if call.ID == "" || used[call.ID] {
			call.ID = fmt.Sprintf("call_%d_%d", len(r.Messages), i)
		}
		used[call.ID] = true
		out.Calls = append(out.Calls, call)
	}
	return out.Settle()
}

func stop(reason string) model.Stop {
	switch reason {
	case "length":
		return model.Length
	case "content_filter":
		return model.Filter
	case "tool_calls", "function_call":
		return model.Tools
	}
	return model.End
}

func usedIDs(messages []model.Message) map[string]bool {
	ids := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls {
			ids[c.ID] = true
		}
	}
	return ids
}

// read takes the arguments from the text the model wrote, with exact numbers.
// What cannot be read is said in Invalid: the loop answers the call with it.
func read(c sdk.ChatCompletionMessageToolCallUnion) model.Call {
	call := model.Call{ID: c.ID, Name: c.Function.Name}
	if c.Type == "custom" {
		call.Name, call.Invalid = c.Custom.Name, "only function calls are supported"
		return call
	}
	text := strings.TrimSpace(c.Function.Arguments)
	if text == "" {
		text = "{}"
	}
	v, err := canon.Parse([]byte(text))
	switch {
	case err != nil:
		call.Invalid = "the arguments are not valid: " + err.Error()
	case v.Kind() != canon.KindObject:
		call.Invalid = model.NotAnObject(v)
	default:
		call.Arguments = v
	}
	return call
}
