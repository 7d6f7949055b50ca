package mock_test

import (
	"errors"
	"testing"

	"terfyn/activities/tool"
	"terfyn/activities/tool/mock"
	"terfyn/activities/tool/tooltest"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

func call(script string) tool.Call {
	return tool.Call{
		Tool:      resource.Tool{Name: "helper", Type: "mock", MockScript: script},
		Operation: resource.Operation{Name: "default"},
		Arguments: canon.Object(canon.F("to", canon.String("x"))),
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tooltest.Exercise(t, tooltest.Driver{Open: func(_ *testing.T, a tooltest.Answer) (tool.Transport, tool.Call) {
		script := `{"operations":{"default":[{"output":` + a.JSON + `}]}}`
		if a.Fail != "" {
			message := canon.Object(canon.F("class", canon.String("failed")), canon.F("message", canon.String(a.Fail)))
			script = `{"operations":{"default":[{"error":` + message.JSON() + `}]}}`
		}
		return mock.Transport{}, call(script)
	}})
}

// Behaviour 256: without a script the result names the capability.
func TestScripts(t *testing.T) {
	t.Parallel()
	const script = `{"operations":{"default":[{"match":{"to":"y"},"output":{"id":"wrong"}},{"match":{"to":"x"},"output":{"id":"m-1"}}]}}`
	got, err := mock.Transport{}.Call(t.Context(), call(script))
	if err != nil || got.ProviderID != "m-1" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, unscripted := range []string{"", `{"operations":{"other":[{"output":1}]}}`} {
		got, err = mock.Transport{}.Call(t.Context(), call(unscripted))
		if err != nil || got.Output.Str("capability") != "tool.helper.default" {
			t.Errorf("unscripted: %s, %v", got.Output.JSON(), err)
		}
	}
	for _, class := range resource.MockClasses {
		_, err = mock.Transport{}.Call(t.Context(), call(`{"operations":{"default":[{"error":{"class":"`+class+`","message":"m"}}]}}`))
		if e, ok := errors.AsType[*tool.Error](err); !ok || string(e.Class) != class || e.Message != "m" {
			t.Errorf("class %s: %v", class, err)
		}
	}
	_, err = mock.Transport{}.Call(t.Context(), call(`{"operations":{"default":[{}]}}`))
	if e, ok := errors.AsType[*tool.Error](err); !ok || e.Code != "mock_script" {
		t.Errorf("bad script: %v", err)
	}
}
