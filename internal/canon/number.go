package canon

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Number reads a JSON number spelling and returns its canonical Value. Spellings
// that are no JSON number, and those beyond the double range such as 1e999, are
// errors.
func Number(spelling string) (Value, error) {
	if !validNumber(spelling) {
		return Value{}, fmt.Errorf("%q is not a JSON number", clip(spelling))
	}
	if isInteger(spelling) {
		if spelling == "-0" {
			spelling = "0"
		}
		return Value{kind: KindNumber, text: spelling}, nil
	}
	f, err := strconv.ParseFloat(spelling, 64)
	if err != nil {
		return Value{}, fmt.Errorf("number %s is outside the range of a double", clip(spelling))
	}
	return Float(f)
}

// Float returns the canonical Value of f; NaN and infinities have none.
func Float(f float64) (Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, fmt.Errorf("%v has no JSON form", f)
	}
	const two63 = 1 << 63
	if f == math.Trunc(f) && f >= -two63 && f < two63 {
		return Int(int64(f)), nil
	}
	return Value{kind: KindNumber, text: spellDouble(f)}, nil
}

// spellDouble is the shortest JSON spelling that reads back as f and is not an
// integer spelling: a whole double beyond 64 bits keeps its exponent, so that it
// is never mistaken for an exact integer.
func spellDouble(f float64) string {
	abs := math.Abs(f)
	if abs >= 1e-6 && abs < 1e19 {
		if s := strconv.FormatFloat(f, 'f', -1, 64); !isInteger(s) {
			return s
		}
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exp, _ := strings.Cut(s, "e")
	sign := strings.TrimRight(exp[:1], "+")
	return mantissa + "e" + sign + strings.TrimLeft(exp[1:], "0")
}

func isInteger(s string) bool { return !strings.ContainsAny(s, ".eE") }

// validNumber applies the JSON number grammar.
func validNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, s := digits(s)
	if whole == "" || (len(whole) > 1 && whole[0] == '0') {
		return false
	}
	if rest, ok := strings.CutPrefix(s, "."); ok {
		frac, after := digits(rest)
		if frac == "" {
			return false
		}
		s = after
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		exp, after := digits(s)
		if exp == "" {
			return false
		}
		s = after
	}
	return s == ""
}

func digits(s string) (head, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// compareNumbers orders two canonical spellings by value, never rounding.
func compareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	if isInteger(a) && isInteger(b) {
		return compareIntegers(a, b)
	}
	ra, okA := new(big.Rat).SetString(a)
	rb, okB := new(big.Rat).SetString(b)
	if !okA || !okB {
		panic("canon: a number Value holds no number")
	}
	return ra.Cmp(rb)
}

func compareIntegers(a, b string) int {
	negA, negB := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case negA && !negB:
		return -1
	case negB && !negA:
		return 1
	case negA:
		return compareMagnitudes(b[1:], a[1:])
	}
	return compareMagnitudes(a, b)
}

func compareMagnitudes(a, b string) int {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
