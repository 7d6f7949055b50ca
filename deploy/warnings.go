package deploy

import (
	"fmt"
	"strings"

	"terfyn/compiler/resource"
)

// Warning is something an apply or run says and does not stop for.
type Warning struct {
	Class   string `json:"class"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Warnings lists what the graph stores although it should not: header values
// that are literals. The value itself is never part of the message.
func Warnings(g resource.Graph) []Warning {
	out := []Warning{}
	for _, t := range g.Tools {
		var headers []resource.Header
		if t.HTTP != nil {
			headers = append(headers, t.HTTP.Headers...)
		}
		if t.MCP != nil {
			headers = append(headers, t.MCP.Headers...)
		}
		for _, h := range headers {
			if h.Value == "" || strings.HasPrefix(h.Value, "env:") || strings.HasPrefix(h.Value, "file:") {
				continue
			}
			out = append(out, Warning{
				Class: "secret_literal", Reason: "header_literal",
				Message: fmt.Sprintf("Tool/%s stores the value of header %s as written; if it is a secret, use env:NAME.", t.Name, h.Name),
			})
		}
	}
	return out
}
