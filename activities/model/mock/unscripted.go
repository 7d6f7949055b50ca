package mock

import (
	"strings"

	"terfyn/activities/model"
	"terfyn/internal/canon"
)

// line is what the unscripted mock says.
const line = "This is the mock model speaking."

// maxSample bounds how deep a sample follows a schema, which may refer to itself.
const maxSample = 16

// unscripted asks for a tool in its first turn, when it was shown one, and gives
// a JSON object in the next.
func unscripted(r model.Request, turn int) model.Response {
	if tools := r.Offered(); turn == 0 && len(tools) > 0 {
		t := preferred(tools)
		return model.Response{
			Stop: model.Tools, CostUSD: "0",
			Calls: []model.Call{askFor(turn, 0, t.Name, sample(t.Parameters, t.Parameters, 0))},
		}
	}
	out := canon.Object(canon.F("text", canon.String(line)))
	if r.OutputSchema.Kind() == canon.KindObject {
		out = sample(r.OutputSchema, r.OutputSchema, 0)
	}
	return model.Response{Text: out.JSON(), Stop: model.End, CostUSD: "0"}
}

// preferred is the first tool whose name holds "restart", else the first.
func preferred(tools []model.ToolDef) model.ToolDef {
	for _, t := range tools {
		if strings.Contains(t.Name, "restart") {
			return t
		}
	}
	return tools[0]
}

// sample makes a small value that suits schema: constants, first enum values and
// the required members. A schema that says nothing gives an empty object, which
// is what arguments and answers are.
func sample(root, schema canon.Value, depth int) canon.Value {
	if depth > maxSample {
		return canon.Null()
	}
	if ref := schema.Str("$ref"); strings.HasPrefix(ref, "#") {
		return sample(root, follow(root, ref), depth+1)
	}
	for _, key := range []string{"const", "default"} {
		if v, ok := schema.Get(key); ok {
			return v
		}
	}
	for _, key := range []string{"enum", "examples"} {
		if items := schema.At(key).Items(); len(items) > 0 {
			return items[0]
		}
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		if items := schema.At(key).Items(); len(items) > 0 {
			return sample(root, items[0], depth+1)
		}
	}
	return ofType(root, schema, depth)
}

func ofType(root, schema canon.Value, depth int) canon.Value {
	kind := schema.Str("type")
	if list := schema.At("type").Items(); len(list) > 0 {
		kind, _ = list[0].AsString()
	}
	switch kind {
	case "string":
		return canon.String(text(schema))
	case "integer", "number":
		if low := schema.At("minimum"); !low.IsNull() {
			return low
		}
		return canon.Int(1)
	case "boolean":
		return canon.Bool(true)
	case "null":
		return canon.Null()
	case "array":
		return items(root, schema, depth)
	}
	return members(root, schema, depth)
}

func text(schema canon.Value) string {
	s := line
	if most, ok := schema.At("maxLength").AsInt(); ok && most >= 0 && most < int64(len(s)) {
		s = s[:most]
	}
	return s
}

func items(root, schema canon.Value, depth int) canon.Value {
	least, _ := schema.At("minItems").AsInt()
	var out []canon.Value
	for range min(least, maxSample) {
		out = append(out, sample(root, schema.At("items"), depth+1))
	}
	return canon.List(out...)
}

func members(root, schema canon.Value, depth int) canon.Value {
	out := canon.Object()
	for _, part := range schema.At("allOf").Items() {
		for _, f := range sample(root, part, depth+1).Fields() {
			out = out.With(f.Name, f.Value)
		}
	}
	for _, name := range schema.At("required").Items() {
		n, _ := name.AsString()
		out = out.With(n, sample(root, schema.At("properties", n), depth+1))
	}
	return out
}

// follow resolves a local JSON pointer; what it does not find is null.
func follow(root canon.Value, ref string) canon.Value {
	v := root
	for part := range strings.SplitSeq(strings.Trim(strings.TrimPrefix(ref, "#"), "/"), "/") {
		if part != "" {
			v = v.At(strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		}
	}
	return v
}
