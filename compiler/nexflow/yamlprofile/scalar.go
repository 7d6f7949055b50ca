package yamlprofile

import (
	"math/big"
	"strings"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// scalar is the value of a scalar in the YAML 1.2 core schema. The library's idea
// of its tag counts only where a tag is written; text says that the tag is the lone
// one that makes a string.
func scalar(n *yaml.Node, text bool) (canon.Value, manifest.Reason) {
	if n.Style&yaml.TaggedStyle != 0 {
		return tagged(n)
	}
	if n.Style&quoted != 0 || text {
		return canon.String(n.Value), ""
	}
	return plain(n.Value)
}

// tagged is the value of a scalar with a written tag: one of the core schema's that
// fits the text.
func tagged(n *yaml.Node) (canon.Value, manifest.Reason) {
	if n.Tag == "!!str" {
		return canon.String(n.Value), ""
	}
	v, reason := plain(n.Value)
	fits := false
	switch n.Tag {
	case "!!null":
		fits = v.IsNull() && reason == ""
	case "!!bool":
		fits = v.Kind() == canon.KindBool
	case "!!int":
		fits = v.Kind() == canon.KindNumber && isInteger(n.Value)
	case "!!float":
		fits = v.Kind() == canon.KindNumber || reason == manifest.ReasonNonFinite
	}
	if !fits {
		return canon.Value{}, manifest.ReasonTag
	}
	return v, reason
}

// plain resolves an unquoted scalar.
func plain(s string) (canon.Value, manifest.Reason) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return canon.Null(), ""
	case "true", "True", "TRUE":
		return canon.Bool(true), ""
	case "false", "False", "FALSE":
		return canon.Bool(false), ""
	case ".nan", ".NaN", ".NAN":
		return canon.Value{}, manifest.ReasonNonFinite
	}
	switch strings.TrimLeft(s[:1], "+-") + s[1:] {
	case ".inf", ".Inf", ".INF":
		return canon.Value{}, manifest.ReasonNonFinite
	}
	spelling, isNumber := number(s)
	if !isNumber {
		return canon.String(s), ""
	}
	v, err := canon.Number(spelling)
	if err != nil { // beyond the range of a double
		return canon.Value{}, manifest.ReasonNonFinite
	}
	return v, ""
}

// number writes a number of the core schema as JSON does, and reports whether s is
// one.
func number(s string) (string, bool) {
	if c := s[len(s)-1]; c != '.' && (c < '0' || c > '9') && !strings.HasPrefix(s, "0x") {
		return "", false // most texts end here
	}
	if isInteger(s) {
		return integer(s), true
	}
	return float(s)
}

// isInteger reports whether s is an integer: decimal with or without a sign, octal
// after 0o or hexadecimal after 0x.
func isInteger(s string) bool {
	if rest, found := strings.CutPrefix(s, "0o"); found {
		return rest != "" && strings.Trim(rest, "01234567") == ""
	}
	if rest, found := strings.CutPrefix(s, "0x"); found {
		return rest != "" && strings.Trim(rest, "0123456789abcdefABCDEF") == ""
	}
	_, rest := sign(s)
	return rest != "" && leadingDigits(rest) == len(rest)
}

// integer writes an integer in decimal, exactly.
func integer(s string) string {
	switch {
	case strings.HasPrefix(s, "0o"):
		return fromBits(s[2:], 3)
	case strings.HasPrefix(s, "0x"):
		return fromBits(s[2:], 4)
	}
	minus, digits := sign(s)
	return minus + trimZeros(digits)
}

// fromBits writes digits of so many bits each in decimal. Package big reads digits
// in quadratic time, but not bytes.
func fromBits(digits string, width uint) string {
	bytes := make([]byte, (uint(len(digits))*width+7)/8)
	var kept, held uint
	at := len(bytes)
	for i := len(digits) - 1; i >= 0; i-- {
		kept |= digitValue(digits[i]) << held
		if held += width; held >= 8 {
			at--
			bytes[at], kept, held = byte(kept), kept>>8, held-8
		}
	}
	if held > 0 {
		bytes[at-1] = byte(kept)
	}
	return new(big.Int).SetBytes(bytes).String()
}

func digitValue(c byte) uint {
	switch {
	case c >= 'a':
		return uint(c-'a') + 10
	case c >= 'A':
		return uint(c-'A') + 10
	}
	return uint(c - '0')
}

// float writes [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
// as JSON does.
func float(s string) (string, bool) {
	minus, rest := sign(s)
	n := leadingDigits(rest)
	whole, rest := rest[:n], rest[n:]
	fraction := ""
	if after, found := strings.CutPrefix(rest, "."); found {
		n = leadingDigits(after)
		fraction, rest = after[:n], after[n:]
	}
	if whole == "" && fraction == "" {
		return "", false
	}
	exponent := ""
	if rest != "" {
		if rest[0] != 'e' && rest[0] != 'E' {
			return "", false
		}
		expMinus, digits := sign(rest[1:])
		if digits == "" || leadingDigits(digits) != len(digits) {
			return "", false
		}
		exponent = "e" + expMinus + digits
	}
	if fraction == "" {
		fraction = "0"
	}
	return minus + trimZeros(whole) + "." + fraction + exponent, true
}

// sign splits off a sign; a plus is dropped.
func sign(s string) (minus, rest string) {
	if s != "" && s[0] == '-' {
		return "-", s[1:]
	}
	return "", strings.TrimPrefix(s, "+")
}

func leadingDigits(s string) int {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// trimZeros drops leading zeros that JSON does not allow.
func trimZeros(digits string) string {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}
