package canon

import (
	"strconv"
	"unicode/utf8"
)

// Encode returns the canonical bytes of v: sorted keys, no insignificant space,
// canonical numbers, the shortest escapes.
func (v Value) Encode() []byte { return v.append(make([]byte, 0, v.length())) }

// JSON returns the canonical text of v.
func (v Value) JSON() string { return string(v.Encode()) }

// MarshalJSON lets encoding/json carry a Value inside of other documents.
func (v Value) MarshalJSON() ([]byte, error) { return v.Encode(), nil }

// Digest is the digest of the canonical bytes.
func (v Value) Digest() Digest { return Sum(v.Encode()) }

// length is how many bytes Encode gives when no string needs an escape.
func (v Value) length() int {
	switch v.kind {
	case KindNull, KindBool:
		return len("false")
	case KindNumber:
		return len(v.text)
	case KindString:
		return len(v.text) + 2
	}
	n := 2
	for _, item := range v.Items() {
		n += item.length() + 1
	}
	for _, f := range v.Fields() {
		n += len(f.Name) + 4 + f.Value.length()
	}
	return n
}

func (v Value) append(dst []byte) []byte {
	switch v.kind {
	case KindNull:
		return append(dst, "null"...)
	case KindBool:
		return strconv.AppendBool(dst, v.flag)
	case KindNumber:
		return append(dst, v.text...)
	case KindString:
		return AppendString(dst, v.text)
	case KindList:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	default:
		dst = append(dst, '{')
		for i, f := range v.Fields() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, f.Name)
			dst = append(dst, ':')
			dst = f.Value.append(dst)
		}
		return append(dst, '}')
	}
}

// isPlain tells bytes that stand for themselves in a JSON string.
func isPlain(c byte) bool { return c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' }

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string: only the quote, the backslash and
// control characters are escaped; invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0 // what needs no escape is copied at once
	for plain < len(s) && isPlain(s[plain]) {
		plain++
	}
	dst = append(dst, s[:plain]...)
	for _, r := range s[plain:] {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
