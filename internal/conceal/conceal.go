// Package conceal owns how secrets look that stand in clear in a text: which names
// are those of secrets, and which parts of an address, an assignment or a command
// line hold one.
//
// It leaves out what is shown instead, and secrets that are only referred to
// (internal/secret).
package conceal

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// parts are the parts of lower-cased field names whose text is a secret unless it is
// a reference.
var parts = []string{"password", "passwd", "secret", "token", "apikey", "api_key", "api-key", "authorization", "cookie", "credential", "privatekey", "private_key"}

// short are names that only beside a value, in a query, an assignment or a flag, are
// those of secrets: elsewhere they are too common.
var short = []string{"auth", "code", "jwt", "pass", "passphrase", "pat", "pwd", "sas", "sig"}

// Name reports whether a text under this key is taken for a secret.
func Name(key string) bool {
	lower := strings.ToLower(key)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(lower, part) })
}

// Parameter reports whether the value of this parameter of a query, variable or flag
// is taken for a secret.
func Parameter(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	lower := strings.ToLower(strings.TrimLeft(name, "-"))
	return Name(lower) || strings.HasSuffix(lower, "key") || strings.Contains(lower, "signature") || slices.Contains(short, lower)
}

// Flag reports whether an argument of a command is a flag and the next one a secret.
func Flag(arg string) bool {
	return arg == "-p" || strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") && Parameter(arg)
}

// Reference reports whether text only names where a secret is kept.
func Reference(text string) bool {
	return strings.HasPrefix(text, "env:") || strings.HasPrefix(text, "file:")
}

var (
	userInfo = regexp.MustCompile(`://([^/?#\s"]+)@`)
	// bare is name:password@host as the whole text; image:tag@sha256:… is none.
	bare = regexp.MustCompile(`^([^\s/:@?#=]+:\S+)@([^\s@]+)$`)
	// query takes its values up to the next pair, quote or space.
	query = regexp.MustCompile(`[?&;#]([^=&#\s?;"'\\]+)=([^&#\s"'\\]+)`)
	// assigned is NAME=value and --name=value.
	assigned = regexp.MustCompile(`(?:^|[\s"';,])(-{0,2}[A-Za-z_][A-Za-z0-9_-]*)=("[^"]*"|'[^']*'|[^\s"'&;,]+)`)
	// flagged is --name value.
	flagged = regexp.MustCompile(`(?:^|[\s"'])(-{1,2}[A-Za-z][A-Za-z0-9_-]*)[ \t]+("[^"]*"|'[^']*'|[^\s"']+)`)
	// header is Name: value up to a quote.
	header = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_-]*):[ \t]+([^"'\n]+)`)
)

// UserInfo gives the place of user:password in the first address with one; ok is
// false where there is none.
func UserInfo(text string) (at Span, ok bool) {
	m := userInfo.FindStringSubmatchIndex(text)
	if m == nil {
		return Span{}, false
	}
	return Span{m[2], m[3]}, true
}

// Text finds secrets in addresses and assignments anywhere in a text, in order and
// apart from each other.
func Text(text string) []Span {
	var out []Span
	for _, m := range userInfo.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, Span{m[2], m[3]})
	}
	if m := bare.FindStringSubmatchIndex(text); m != nil && !strings.HasPrefix(text[m[4]:], "sha256:") && !strings.Contains(text, "://") {
		out = append(out, Span{m[2], m[3]})
	}
	return joined(append(out, slices.Concat(pairs(text, query, Parameter), pairs(text, assigned, Parameter))...))
}

// Command finds what Text finds in a command line, and the values of flags and
// headers in it.
func Command(text string) []Span {
	return joined(slices.Concat(Text(text), pairs(text, flagged, Flag), pairs(text, header, Name)))
}

// pairs finds the values of secret names. A value that is taken from elsewhere, by
// a reference or from data, is none.
func pairs(text string, form *regexp.Regexp, secret func(string) bool) []Span {
	var out []Span
	for from := 0; from < len(text); {
		m := form.FindStringSubmatchIndex(text[from:])
		if m == nil {
			break
		}
		name, value := text[from+m[2]:from+m[3]], text[from+m[4]:from+m[5]]
		if !secret(name) {
			from += m[3] // its value may be the next name
			continue
		}
		if !Reference(value) && !(strings.HasPrefix(value, "${") && strings.HasSuffix(value, "}")) {
			out = append(out, Span{from + m[4], from + m[5]})
		}
		from += m[5]
	}
	return out
}

// joined sorts spans and makes one of those that overlap.
func joined(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Replace puts shown in the place of every span; they are in order and apart.
func Replace(text string, spans []Span, shown string) string {
	var b strings.Builder
	from := 0
	for _, s := range spans {
		b.WriteString(text[from:s.Start])
		b.WriteString(shown)
		from = s.End
	}
	b.WriteString(text[from:])
	return b.String()
}
