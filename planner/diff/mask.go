package diff

import (
	"regexp"
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/conceal"
)

// Masked stands where a secret would be.
const Masked = "[REDACTED]"

// MaskedChange stands for a secret after a change that nothing else shows.
const MaskedChange = "[REDACTED, changed]"

// Mask hides secrets in a spec: literal header values, texts under sensitive
// names, and what looks like one in addresses, assignments and command lines. References (env:NAME, file:PATH)
// are shown: they name a secret and hold none.
func Mask(v canon.Value) canon.Value { return maskAt(nil, v) }

func maskAt(at path, v canon.Value) canon.Value {
	switch v.Kind() {
	case canon.KindString:
		text, _ := v.AsString()
		return canon.String(maskText(at, text))
	case canon.KindList:
		if len(at) > 0 && at[len(at)-1].name == "args" {
			return maskArgs(v.Items())
		}
		items := make([]canon.Value, len(v.Items()))
		for i, item := range v.Items() {
			next := at
			if name := item.Str("name"); name != "" {
				next = at.to(name, true)
			}
			items[i] = maskAt(next, item)
		}
		return canon.List(items...)
	case canon.KindObject:
		fields := make([]canon.Field, len(v.Fields()))
		for i, f := range v.Fields() {
			fields[i] = canon.F(f.Name, maskAt(at.to(f.Name, false), f.Value))
		}
		return canon.Object(fields...)
	default:
		return v
	}
}

// marked is the masked value after a change, with a mark in every text that became
// another one and looks the same masked.
func marked(before, after, was, is canon.Value) canon.Value {
	if !canon.Equal(was, is) && is.Kind() == canon.KindString || canon.Equal(before, after) {
		return is
	}
	switch is.Kind() {
	case canon.KindString:
		text, _ := is.AsString()
		return canon.String(strings.ReplaceAll(text, Masked, MaskedChange))
	case canon.KindList:
		if len(before.Items()) != len(after.Items()) {
			return is
		}
		items := make([]canon.Value, len(is.Items()))
		for i, item := range is.Items() {
			items[i] = marked(before.Items()[i], after.Items()[i], was.Items()[i], item)
		}
		return canon.List(items...)
	case canon.KindObject:
		fields := make([]canon.Field, len(is.Fields()))
		for i, f := range is.Fields() {
			fields[i] = canon.F(f.Name, marked(before.At(f.Name), after.At(f.Name), was.At(f.Name), f.Value))
		}
		return canon.Object(fields...)
	default:
		return is
	}
}

// MarkLines marks the added lines of a masked text that follow a removed line they
// look the same as.
func MarkLines(lines []Line) {
	var removed []string
	for i, l := range lines {
		switch l.Kind {
		case LineRemoved:
			removed = append(removed, l.Text)
		case LineAdded:
			if slices.Contains(removed, l.Text) {
				lines[i].Text = strings.ReplaceAll(l.Text, Masked, MaskedChange)
			}
		default:
			removed = nil
		}
	}
}

func maskText(at path, text string) string {
	if text == "" || isReference(text) {
		return text
	}
	if isHeaderValue(at) || len(at) > 0 && isSensitive(at[len(at)-1]) {
		return Masked
	}
	if isCommand(at) {
		return conceal.Replace(text, conceal.Command(text), Masked)
	}
	return maskInside(maskDocument(text))
}

// maskDocument hides secrets in a text that is itself a JSON object or list, as the
// inputs of triggers are kept. A text in which nothing is hidden stays as it is.
func maskDocument(text string) string {
	if text[0] != '{' && text[0] != '[' {
		return text
	}
	doc, err := canon.Parse([]byte(text))
	if err != nil {
		return text
	}
	if masked := Mask(doc); !canon.Equal(masked, doc) {
		return masked.JSON()
	}
	return text
}

// maskArgs hides the values of sensitive flags of a command line, written as
// --token=x or as --token x.
func maskArgs(args []canon.Value) canon.Value {
	out := make([]canon.Value, len(args))
	secret := false
	for i, arg := range args {
		text, _ := arg.AsString()
		flag, value, joined := strings.Cut(text, "=")
		sensitiveFlag := conceal.Flag(flag)
		switch {
		case secret && !isReference(text):
			out[i] = canon.String(Masked)
		case sensitiveFlag && joined && !isReference(value):
			out[i] = canon.String(flag + "=" + Masked)
		default:
			out[i] = canon.String(conceal.Replace(text, conceal.Command(text), Masked))
		}
		secret = sensitiveFlag && !joined
	}
	return canon.List(out...)
}

// written is a text beside its name, as dumps of programs have them.
var written = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_-]*)((?:: | = )(?:template )?)"(?:[^"\\]|\\.)*"`)

// MaskLine hides texts under sensitive names in one line of a program's dump.
func MaskLine(line string) string {
	return maskInside(written.ReplaceAllStringFunc(line, func(found string) string {
		m := written.FindStringSubmatch(found)
		text := found[len(m[1])+len(m[2])+1 : len(found)-1]
		if text == "" || isReference(text) || !isSensitive(segment{name: m[1]}) {
			return found
		}
		return m[1] + m[2] + `"` + Masked + `"`
	}))
}

// isHeaderValue recognises …headers[Name].value.
func isHeaderValue(at path) bool {
	n := len(at)
	return n >= 2 && at[n-1].name == "value" && !at[n-1].entry && (n >= 3 && at[n-2].entry && at[n-3].name == "headers" || at[n-2].name == "headers")
}

func isSensitive(s segment) bool { return !s.entry && resource.SecretName(s.name) }

// isReference reports whether text only names where a secret is kept.
func isReference(text string) bool { return resource.SecretReference(text) }

// isCommand recognises the fields that are run.
func isCommand(at path) bool {
	return len(at) > 0 && slices.Contains([]string{"command", "testCommand"}, at[len(at)-1].name)
}

// maskInside hides what looks like a secret inside of a text: in addresses and
// assignments.
func maskInside(text string) string { return conceal.Replace(text, conceal.Text(text), Masked) }
