package canon_test

import (
	"strings"
	"testing"

	"terfyn/internal/canon"
)

func parse(t *testing.T, s string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(s))
	if err != nil {
		t.Fatalf("Parse(%q): %v", s, err)
	}
	return v
}

func TestParseEncodesCanonically(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`9007199254740993`:                      `9007199254740993`,
		`616581622363398142`:                    `616581622363398142`,
		`18446744073709551615`:                  `18446744073709551615`,
		`-0`:                                    `0`,
		`-0.0`:                                  `0`,
		`0.1`:                                   `0.1`,
		`1.0`:                                   `1`,
		`1e6`:                                   `1000000`,
		`7.50`:                                  `7.5`,
		`1152921504606846976.0`:                 `1152921504606846976`,
		`1e300`:                                 `1e300`,
		`-1E-9`:                                 `-1e-9`,
		`9223372036854775808.0`:                 `9.223372036854776e18`,
		` {"b":1 , "a":[true,false,null,"x"]} `: `{"a":[true,false,null,"x"],"b":1}`,
		`{"a":1,"a":2}`:                         `{"a":2}`,
		`"\u00e9\n\u0001\ud83d\ude00\ud800"`:    "\"é\\n\\u0001😀\uFFFD\"",
		`"<&>"`:                                 `"<&>"`,
		`[]`:                                    `[]`,
		`{}`:                                    `{}`,
	} {
		got := parse(t, in).JSON()
		if got != want {
			t.Errorf("Parse(%s) encodes as %s, want %s", in, got, want)
		}
		if again := parse(t, got).JSON(); again != got {
			t.Errorf("encoding %s is not a fixed point: %s", got, again)
		}
	}
}

// Behaviour 225: what has no JSON form, or is too deep, is not a value.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", canon.MaxDepth+2) + strings.Repeat("]", canon.MaxDepth+2)
	for _, in := range []string{``, `01`, `1e999`, `1.`, `.5`, `+1`, `1 2`, `{"a"}`, `[1,]`, `"a`, "\"\xff\"", "\"\n\"", `"\x"`, `"\u12"`, `nul`, `NaN`, deep} {
		if v, err := canon.Parse([]byte(in)); err == nil {
			t.Errorf("Parse(%.40q) = %s, want an error", in, v.JSON())
		}
	}
}

// Behaviours 221, 224 and 226: numbers compare exactly, everything else by content.
func TestEqualAndCompareAreExact(t *testing.T) {
	t.Parallel()
	equal := [][2]string{{`1`, `1.0`}, {`[1,2]`, `[1,2.0]`}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`}, {`1152921504606846976.0`, `1152921504606846976`}}
	for _, c := range equal {
		if !canon.Equal(parse(t, c[0]), parse(t, c[1])) {
			t.Errorf("%s and %s are not equal", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{`9007199254740992`, `9007199254740993`}, {`null`, `false`}, {`0`, `""`}, {`[1,2]`, `[2,1]`}, {`{"a":1}`, `{"a":1,"b":1}`}} {
		if canon.Equal(parse(t, c[0]), parse(t, c[1])) {
			t.Errorf("%s and %s are equal", c[0], c[1])
		}
	}
	for _, c := range [][2]string{
		{`9007199254740992`, `9007199254740993`}, {`-5`, `3`}, {`-10`, `-9`}, {`9`, `10`},
		{`0.1`, `1`}, {`9007199254740992.5e0`, `9007199254740993`}, {`18446744073709551615`, `1e300`}, {`-1e300`, `-18446744073709551616`},
	} {
		if order, ok := canon.Compare(parse(t, c[0]), parse(t, c[1])); !ok || order >= 0 {
			t.Errorf("Compare(%s, %s) = %d, %v, want less", c[0], c[1], order, ok)
		}
	}
	if _, ok := canon.Compare(canon.Int(1), canon.String("1")); ok {
		t.Error("Compare ordered a number and a string")
	}
}

func TestObjectAccess(t *testing.T) {
	t.Parallel()
	v := canon.Object(canon.F("b", canon.Int(1)), canon.F("a", canon.Object(canon.F("x", canon.String("y")))))
	if got := v.At("a", "x").Text(); got != "y" {
		t.Errorf("At(a, x) = %q", got)
	}
	if !v.At("a", "gone", "deeper").IsNull() || !canon.Int(1).At("a").IsNull() {
		t.Error("a missing member is not null")
	}
	if got := v.With("b", canon.Bool(true)).Without("a").JSON(); got != `{"b":true}` {
		t.Errorf("With and Without give %s", got)
	}
	if v.JSON() != `{"a":{"x":"y"},"b":1}` {
		t.Errorf("the original changed: %s", v.JSON())
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	d := parse(t, `{"a":1,"b":2}`).Digest()
	if d != parse(t, `{ "b": 2.0, "a": 1 }`).Digest() {
		t.Error("layout and spelling changed the digest")
	}
	if !d.Valid() || canon.Digest("sha256:xyz").Valid() || canon.Digest("").Valid() {
		t.Error("Valid is wrong")
	}
	if len(d.Short()) != 12 {
		t.Errorf("Short() = %q", d.Short())
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null]}`, `1e-7`, `"\ud83d\ude00"`, `123456789012345678901234567890`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := canon.Parse(b)
		if err != nil {
			return
		}
		again, err := canon.Parse(v.Encode())
		if err != nil {
			t.Fatalf("canonical bytes %q do not parse: %v", v.Encode(), err)
		}
		if again.JSON() != v.JSON() || !canon.Equal(v, again) {
			t.Fatalf("%q is not a fixed point", v.Encode())
		}
	})
}
