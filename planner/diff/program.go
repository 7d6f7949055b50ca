package diff

import "terfyn/internal/canon"

// MaskProgram hides in the serialised form of a program what MaskLine hides in its
// dump: texts of arguments, object fields and bindings with sensitive names, and what
// looks like a secret inside of texts. References to data stay.
func MaskProgram(program canon.Value) canon.Value {
	switch program.Kind() {
	case canon.KindList:
		items := make([]canon.Value, len(program.Items()))
		for i, item := range program.Items() {
			items[i] = MaskProgram(item)
		}
		return canon.List(items...)
	case canon.KindObject:
		if program.Str("kind") == "literal" {
			return program.With("value", Mask(program.At("value")))
		}
		secret := isSensitive(segment{name: program.Str("name")})
		fields := make([]canon.Field, len(program.Fields()))
		for i, f := range program.Fields() {
			masked := MaskProgram(f.Value)
			if f.Name == "expr" && secret {
				masked = maskExpr(masked)
			}
			fields[i] = canon.F(f.Name, masked)
		}
		return canon.Object(fields...)
	case canon.KindString:
		text, _ := program.AsString()
		return canon.String(maskInside(text))
	default:
		return program
	}
}

// maskExpr hides the text of a value with a sensitive name.
func maskExpr(expr canon.Value) canon.Value {
	switch expr.Str("kind") {
	case "literal":
		return expr.With("value", hide(expr.At("value")))
	case "template":
		parts := make([]canon.Value, len(expr.At("parts").Items()))
		for i, part := range expr.At("parts").Items() {
			if text, ok := part.Get("text"); ok {
				part = part.With("text", hide(text))
			}
			parts[i] = part
		}
		return expr.With("parts", canon.List(parts...))
	}
	return expr
}

func hide(v canon.Value) canon.Value {
	if text, ok := v.AsString(); ok && text != "" && !isReference(text) {
		return canon.String(Masked)
	}
	return v
}
