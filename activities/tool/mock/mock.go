// Package mock owns tools of type mock: answers come from the tool's captured
// script, and an operation without one answers with its own name. It dials
// nothing. The form of scripts is compiler/resource's.
package mock

import (
	"context"

	"terfyn/activities/tool"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// Transport plays scripts. The zero value is ready.
type Transport struct{}

// Call gives the first scripted answer whose match fits the arguments.
func (Transport) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	if ctx.Err() != nil {
		return tool.Result{}, tool.Ended(ctx, c, false)
	}
	if c.Tool.MockScript == "" {
		return unscripted(c), nil
	}
	v, err := canon.Parse([]byte(c.Tool.MockScript))
	if err != nil {
		return tool.Result{}, tool.Failf(tool.BadInput, "mock_script", "the mock script of tool %s is no JSON: %v", c.Tool.Name, err)
	}
	script, err := resource.ParseMockToolScript(v)
	if err != nil {
		return tool.Result{}, tool.Failf(tool.BadInput, "mock_script", "the mock script of tool %s: %v", c.Tool.Name, err)
	}
	a, ok := script.Answer(c.Operation.Name, c.Arguments)
	if !ok {
		return unscripted(c), nil
	}
	if a.Error != nil {
		return tool.Result{}, tool.Failf(tool.Class(a.Error.Class), "mock", "%s", a.Error.Message)
	}
	return tool.Result{Output: a.Output, ProviderID: tool.ProviderID(a.Output)}, nil
}

func unscripted(c tool.Call) tool.Result {
	return tool.Result{Output: canon.Object(
		canon.F("capability", canon.String(resource.Capability(c.Tool.Name, c.Operation.Name))),
		canon.F("mock", canon.Bool(true)),
	)}
}
