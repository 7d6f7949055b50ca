package canon

import (
	"strconv"
	"unicode/utf8"
)

// Encode returns the canonical bytes of v: sorted keys, no insignificant space,
// canonical numbers, the shortest escapes.
func (v Value) Encode() []byte { return v.append(nil) }

// JSON returns the canonical text of v.
func (v Value) JSON() string { return string(v.append(nil)) }

// MarshalJSON lets encoding/json carry a Value inside of other documents.
func (v Value) MarshalJSON() ([]byte, error) { return v.Encode(), nil }

// Digest is the digest of the canonical bytes.
func (v Value) Digest() Digest { return Sum(v.Encode()) }

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
		for i, item := range v.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	default:
		dst = append(dst, '{')
		for i, f := range v.fields {
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

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string: only the quote, the backslash and
// control characters are escaped; invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
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
