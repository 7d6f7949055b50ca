package diff

import (
	"regexp"
	"strings"

	"terfyn/internal/canon"
)

// Masked stands where a secret would be.
const Masked = "[REDACTED]"

// sensitive are the parts of lower-cased field names whose text is a secret
// unless it is a reference.
var sensitive = []string{"password", "passwd", "secret", "token", "apikey", "api_key", "api-key", "authorization", "cookie", "credential", "privatekey", "private_key"}

// Mask hides secrets in a spec: literal header values, texts under sensitive
// names and user information in addresses. References (env:NAME, file:PATH)
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

func maskText(at path, text string) string {
	if text == "" || isReference(text) {
		return text
	}
	if isHeaderValue(at) || len(at) > 0 && isSensitive(at[len(at)-1]) {
		return Masked
	}
	return maskUserInfo(maskDocument(text))
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
		sensitiveFlag := strings.HasPrefix(flag, "-") && isSensitive(segment{name: flag})
		switch {
		case secret && !isReference(text):
			out[i] = canon.String(Masked)
		case sensitiveFlag && joined && !isReference(value):
			out[i] = canon.String(flag + "=" + Masked)
		default:
			out[i] = canon.String(maskUserInfo(text))
		}
		secret = sensitiveFlag && !joined
	}
	return canon.List(out...)
}

// written is a text beside its name, as dumps of programs have them.
var written = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_-]*)((?:: | = )(?:template )?)"(?:[^"\\]|\\.)*"`)

// MaskLine hides texts under sensitive names in one line of a program's dump.
func MaskLine(line string) string {
	return written.ReplaceAllStringFunc(line, func(found string) string {
		m := written.FindStringSubmatch(found)
		text := found[len(m[1])+len(m[2])+1 : len(found)-1]
		if text == "" || isReference(text) || !isSensitive(segment{name: m[1]}) {
			return found
		}
		return m[1] + m[2] + `"` + Masked + `"`
	})
}

// isHeaderValue recognises …headers[Name].value.
func isHeaderValue(at path) bool {
	n := len(at)
	return n >= 2 && at[n-1].name == "value" && !at[n-1].entry && (n >= 3 && at[n-2].entry && at[n-3].name == "headers" || at[n-2].name == "headers")
}

func isSensitive(s segment) bool {
	if s.entry {
		return false
	}
	name := strings.ToLower(s.name)
	for _, part := range sensitive {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// isReference reports whether text only names where a secret is kept.
func isReference(text string) bool {
	return strings.HasPrefix(text, "env:") || strings.HasPrefix(text, "file:")
}

// maskUserInfo hides user:password@ of an address.
func maskUserInfo(text string) string {
	scheme := strings.Index(text, "://")
	if scheme < 0 {
		return text
	}
	rest := text[scheme+3:]
	authority := rest
	if end := strings.IndexAny(rest, "/?# \n"); end >= 0 {
		authority = rest[:end]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return text
	}
	return text[:scheme+3] + Masked + rest[at:]
}
