package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"terfyn/internal/canon"
)

// Redacted replaces the value of a sensitive key.
const Redacted = "[REDACTED]"

// sensitive are the default key fragments, matched in lower case anywhere in a key.
var sensitive = []string{
	"password", "passwd", "secret", "token", "authorization", "apikey", "api_key", "api-key",
	"credential", "private_key", "privatekey", "cookie", "passphrase",
}

// Caps of the trace view.
const (
	maxTraceText  = 256     // characters of one string
	maxTraceBytes = 65536   // bytes of one event
	maxViewDepth  = 64      // nesting shown to people
	maxViewBytes  = 1 << 20 // bytes of one stored view
)

// View returns v as people may see it: values under sensitive keys are masked at
// any depth, nothing is shortened below the stored size. keys are added to the
// defaults and match in the same way. v is not changed.
func View(v canon.Value, keys ...string) canon.Value {
	out := mask(v, fragments(keys), 0, 0)
	if n := len(out.Encode()); n > maxViewBytes {
		return truncated(out, n, maxViewBytes)
	}
	return out
}

// Trace returns v as trace events hold it: masked, long strings cut, the whole
// bounded; what is too large becomes a preview.
func Trace(v canon.Value, keys ...string) canon.Value {
	out := mask(v, fragments(keys), 0, maxTraceText)
	if n := len(out.Encode()); n > maxTraceBytes {
		return truncated(out, n, maxTraceBytes)
	}
	return out
}

// Masks reports whether a value under key is masked.
func Masks(key string, keys ...string) bool { return matches(key, fragments(keys)) }

func fragments(keys []string) []string {
	if len(keys) == 0 {
		return sensitive
	}
	out := slices.Clone(sensitive)
	for _, k := range keys {
		out = append(out, strings.ToLower(k))
	}
	return out
}

func matches(key string, fragments []string) bool {
	key = strings.ToLower(key)
	return slices.ContainsFunc(fragments, func(f string) bool { return f != "" && strings.Contains(key, f) })
}

// mask copies v; maxText 0 keeps strings whole.
func mask(v canon.Value, fragments []string, depth, maxText int) canon.Value {
	if depth > maxViewDepth {
		return canon.String("[nested too deeply to show]")
	}
	switch v.Kind() {
	case canon.KindObject:
		fields := make([]canon.Field, 0, len(v.Fields()))
		for _, f := range v.Fields() {
			w := f.Value
			if matches(f.Name, fragments) {
				w = canon.String(Redacted)
			} else {
				w = mask(w, fragments, depth+1, maxText)
			}
			fields = append(fields, canon.F(f.Name, w))
		}
		return canon.Object(fields...)
	case canon.KindList:
		items := make([]canon.Value, 0, len(v.Items()))
		for _, item := range v.Items() {
			items = append(items, mask(item, fragments, depth+1, maxText))
		}
		return canon.List(items...)
	case canon.KindString:
		if s, _ := v.AsString(); maxText > 0 {
			return canon.String(Cut(s, maxText))
		}
	}
	return v
}

// Cut shortens s to at most n characters, the last of them an ellipsis.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// truncated stands for a document that is too large to show whole.
func truncated(v canon.Value, size, limit int) canon.Value {
	const preview = 2048
	text := v.JSON()
	return canon.Object(
		canon.F("payload_truncated", canon.Bool(true)),
		canon.F("bytes", canon.Int(int64(size))), canon.F("limit", canon.Int(int64(limit))),
		canon.F("digest", canon.String(string(v.Digest()))),
		canon.F("preview", canon.String(strings.ToValidUTF8(text[:min(preview, len(text))], ""))),
	)
}

// Clean makes text that came from outside storable: invalid UTF-8 and zero bytes
// become U+FFFD.
func Clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Text bounds a message that came from outside.
func Text(s string) string {
	const maxText = 4096
	s = Clean(s)
	if len(s) > maxText {
		return strings.ToValidUTF8(s[:maxText], "") + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return s
}
