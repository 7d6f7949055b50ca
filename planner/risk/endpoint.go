package risk

import (
	"reflect"
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner/diff"
)

// sameEndpoint reports whether the calls of both go to the same place. Headers
// are compared apart.
func sameEndpoint(a, b resource.Tool) bool {
	return a.Type == b.Type && reflect.DeepEqual(withoutHeaders(a), withoutHeaders(b))
}

type endpoints struct {
	MCP      resource.MCP
	HTTP     resource.HTTP
	Temporal resource.Temporal
}

func withoutHeaders(t resource.Tool) endpoints {
	var e endpoints
	if t.MCP != nil {
		e.MCP = *t.MCP
		e.MCP.Headers = nil
	}
	if t.HTTP != nil {
		e.HTTP = *t.HTTP
		e.HTTP.Headers = nil
	}
	if t.Temporal != nil {
		e.Temporal = *t.Temporal
	}
	return e
}

// endpoint words where the calls of a tool go, with secrets masked.
func endpoint(t resource.Tool) string {
	e := withoutHeaders(t)
	shown := diff.Mask(canon.Object(canon.F("args", canon.Strings(e.MCP.Args)), canon.F("command", canon.String(e.MCP.Command))))
	parts := []string{t.Type, e.MCP.Transport, shown.Str("command")}
	for _, arg := range shown.At("args").Items() {
		parts = append(parts, arg.Text())
	}
	parts = append(parts, address(e.MCP.URL), address(e.HTTP.BaseURL), e.Temporal.Kind,
		label("task queue", e.Temporal.TaskQueue), label("namespace", e.Temporal.Namespace), label("endpoint", e.Temporal.Endpoint))
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

func label(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

// address hides the secrets in a URL.
func address(url string) string {
	shown, _ := diff.Mask(canon.String(url)).AsString()
	return shown
}
