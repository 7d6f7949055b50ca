package canon

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is the deepest nesting a Value may have (language.md 13.2).
const MaxDepth = 9000

// Parse reads exactly one JSON value. Trailing data, invalid UTF-8, numbers
// outside the model and nesting beyond MaxDepth are errors that name the byte
// offset.
func Parse(b []byte) (Value, error) {
	p := parser{src: b}
	p.space()
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.pos < len(p.src) {
		return Value{}, p.fail("unexpected %q after the value", p.src[p.pos])
	}
	return v, nil
}

// ParsePrefix reads one JSON value at the start of b and returns how many bytes
// it took; what follows is not looked at.
func ParsePrefix(b []byte) (v Value, n int, err error) {
	p := parser{src: b}
	p.space()
	v, err = p.value(0)
	return v, p.pos, err
}

// UnmarshalJSON lets encoding/json fill a Value.
func (v *Value) UnmarshalJSON(b []byte) error {
	parsed, err := Parse(b)
	if err != nil {
		return err
	}
	*v = parsed
	return nil
}

type parser struct {
	src []byte
	pos int
}

// SyntaxError says where a text is no JSON value of the model, and why.
type SyntaxError struct {
	Offset int // in bytes from the start
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("JSON at byte %d: %s", e.Offset, e.Reason) }

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{Offset: p.pos, Reason: fmt.Sprintf(format, args...)}
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (Value, error) {
	if depth > MaxDepth {
		return Value{}, p.fail("nested deeper than %d levels", MaxDepth)
	}
	if p.pos >= len(p.src) {
		return Value{}, p.fail("unexpected end")
	}
	switch c := p.src[p.pos]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		s, err := p.string()
		return Value{kind: KindString, text: s}, err
	case c == '-' || (c >= '0' && c <= '9'):
		return p.number()
	}
	for _, w := range [...]struct {
		text  string
		value Value
	}{{"null", Null()}, {"true", Bool(true)}, {"false", Bool(false)}} {
		if strings.HasPrefix(string(p.src[p.pos:min(len(p.src), p.pos+5)]), w.text) {
			p.pos += len(w.text)
			return w.value, nil
		}
	}
	return Value{}, p.fail("unexpected %q", p.src[p.pos])
}

func (p *parser) number() (Value, error) {
	end := p.pos
	for end < len(p.src) && strings.IndexByte("+-.eE0123456789", p.src[end]) >= 0 {
		end++
	}
	v, err := Number(string(p.src[p.pos:end]))
	if err != nil {
		return Value{}, p.fail("%v", err)
	}
	p.pos = end
	return v, nil
}

func (p *parser) array(depth int) (Value, error) {
	p.pos++
	var items []Value
	p.space()
	if p.take(']') {
		return List(), nil
	}
	for {
		p.space()
		item, err := p.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		items = append(items, item)
		p.space()
		if p.take(']') {
			return List(items...), nil
		}
		if !p.take(',') {
			return Value{}, p.fail("expected , or ] in an array")
		}
	}
}

func (p *parser) object(depth int) (Value, error) {
	p.pos++
	var fields []Field
	p.space()
	if p.take('}') {
		return Object(), nil
	}
	for {
		p.space()
		if p.pos >= len(p.src) || p.src[p.pos] != '"' {
			return Value{}, p.fail("expected a member name")
		}
		name, err := p.string()
		if err != nil {
			return Value{}, err
		}
		p.space()
		if !p.take(':') {
			return Value{}, p.fail("expected : after a member name")
		}
		p.space()
		v, err := p.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		fields = append(fields, Field{Name: name, Value: v})
		p.space()
		if p.take('}') {
			return Adopt(fields), nil
		}
		if !p.take(',') {
			return Value{}, p.fail("expected , or } in an object")
		}
	}
}

func (p *parser) take(c byte) bool {
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) string() (string, error) {
	start := p.pos
	p.pos++
	plain := p.pos // what stands for itself is copied at once
	for p.pos < len(p.src) && isPlain(p.src[p.pos]) {
		p.pos++
	}
	if p.pos < len(p.src) && p.src[p.pos] == '"' {
		p.pos++
		return string(p.src[plain : p.pos-1]), nil
	}
	out := append([]byte(nil), p.src[plain:p.pos]...)
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '"':
			p.pos++
			return string(out), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		case c < 0x20:
			return "", p.fail("control character in a string")
		case c < utf8.RuneSelf:
			out = append(out, c)
			p.pos++
		default:
			r, n := utf8.DecodeRune(p.src[p.pos:])
			if r == utf8.RuneError && n == 1 {
				return "", p.fail("invalid UTF-8")
			}
			out = append(out, p.src[p.pos:p.pos+n]...)
			p.pos += n
		}
	}
	p.pos = start
	return "", p.fail("unclosed string")
}

// escape reads one escape sequence; half a surrogate pair becomes U+FFFD.
func (p *parser) escape() (rune, error) {
	if p.pos+1 >= len(p.src) {
		return 0, p.fail("unclosed escape")
	}
	c := p.src[p.pos+1]
	if c != 'u' {
		i := strings.IndexByte(`"\/bfnrt`, c)
		if i < 0 {
			return 0, p.fail("unknown escape \\%c", c)
		}
		p.pos += 2
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	r, ok := hex4(p.src[p.pos+2:])
	if !ok {
		return 0, p.fail("\\u needs four hex digits")
	}
	p.pos += 6
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if rest := p.src[p.pos:]; len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
		if low, ok := hex4(rest[2:]); ok {
			if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
				p.pos += 6
				return full, nil
			}
		}
	}
	return utf8.RuneError, nil
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		i := strings.IndexByte(hexDigits, c|0x20)
		if i < 0 {
			return 0, false
		}
		r = r<<4 | rune(i)
	}
	return r, true
}
