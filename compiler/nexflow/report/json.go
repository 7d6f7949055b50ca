package report

import (
	"bytes"
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is the envelope as one object on one line. A result that cannot be encoded is
// a bug of the package that made it.
func (e Envelope) JSON() []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		panic("report: an answer cannot be encoded: " + err.Error())
	}
	return ASCII(b.Bytes())
}

// ASCII writes every character from DEL on, and every control character but the line
// feed, as \uXXXX, those above the basic plane as pairs. In JSON that changes
// spelling alone.
func ASCII(b []byte) []byte {
	if bytes.IndexFunc(b, func(r rune) bool { return r >= 0x7f || r < ' ' && r != '\n' }) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r < ' ' && r != '\n', r >= 0x7f && r <= 0xffff:
			out = escape(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = escape(escape(out, high), low)
		default:
			out = append(out, b[0])
		}
		b = b[n:]
	}
	return out
}

// escape appends a UTF-16 code unit.
func escape(out []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(out, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}
