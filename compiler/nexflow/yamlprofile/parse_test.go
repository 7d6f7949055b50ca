package yamlprofile

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
)

// TestScalars reads one value in every spelling that matters.
func TestScalars(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// null
		"": "null", "~": "null", "null": "null", "Null": "null", "NULL": "null", "nULL": `"nULL"`, "# only a comment": "null",
		// booleans
		"true": "true", "True": "true", "TRUE": "true", "false": "false", "False": "false", "FALSE": "false", "tRUE": `"tRUE"`,
		"yes": `"yes"`, "Yes": `"Yes"`, "no": `"no"`, "on": `"on"`, "Off": `"Off"`, "y": `"y"`, "n": `"n"`,
		// integers
		"0": "0", "-0": "0", "+0": "0", "12": "12", "+12": "12", "-12": "-12", "010": "10", "-007": "-7", "0o10": "8", "0x1f": "31", "0xFF": "255", "0o0": "0", "0x0": "0",
		"123456789012345678901234567890": "123456789012345678901234567890",
		"0xffffffffffffffffffffffff":     "79228162514264337593543950335",
		"0o7777777777777777777777777777": "19342813113834066795298815",
		"-0x1f":                          `"-0x1f"`, "+0o7": `"+0o7"`, "0o8": `"0o8"`, "0x": `"0x"`, "0xg": `"0xg"`, "0O7": `"0O7"`, "0X1F": `"0X1F"`, "0b1": `"0b1"`, "1_000": `"1_000"`, "+": `"+"`, "--1": `"--1"`,
		// floats
		"1.5": "1.5", "-1.5": "-1.5", "+1.5": "1.5", ".5": "0.5", "-.5": "-0.5", "5.": "5", "1e3": "1000", "1E+3": "1000", "15e-1": "1.5", "007.5": "7.5", "1e25": "1e25", "1.": "1",
		".": `"."`, "e5": `"e5"`, "1e": `"1e"`, "1e5.": `"1e5."`, "1.5.": `"1.5."`, "1e5e5": `"1e5e5"`, "1..5": `"1..5"`, "-.": `"-."`, "1.2.3": `"1.2.3"`, "190:20:30": `"190:20:30"`, "1_0.5": `"1_0.5"`,
		"inf": `"inf"`, "NaN": `"NaN"`, ".iNF": `".iNF"`, "-.nan": `"-.nan"`,
		// what YAML 1.1 made of texts
		"2026-06-01": `"2026-06-01"`, "2026-06-01T10:00:00Z": `"2026-06-01T10:00:00Z"`, "<<": `"<<"`, "=": `"="`, "0.1": "0.1", "'0.1'": `"0.1"`,
		// quoting
		`"12"`: `"12"`, "'true'": `"true"`, `"~"`: `"~"`, "''": `""`, `"\x41\n"`: `"A\n"`, "|-\n  12": `"12"`, ">-\n  null": `"null"`,
		// written tags
		"!!str 12": `"12"`, "!!str": `""`, "!!str true": `"true"`, "!!int 12": "12", "!!int 0x1f": "31", "!!float 12": "12", "!!float 1.5": "1.5", "!!bool True": "true", "!!null ~": "null", "!!null": "null",
		"!!int '12'": "12", "!<tag:yaml.org,2002:str> 12": `"12"`, "!!seq [1]": "[1]", "!!map {b: 1}": `{"b":1}`,
		"! 12": `"12"`, "!": `""`, "&x ! 12": `"12"`, "! '12'": `"12"`, "! [12]": "[12]", "&x # y\n  ! 12": `"12"`, "!<!> 12": `"12"`, "&x\r\n  # y !\r\n  ! 12": `"12"`, "&x": "null", "&x\nb: ! 1": "null", "12 # ! 3": "12", "[! 1, 2, &y ! 3, ä, ! 4]": `["1",2,"3","ä","4"]`,
	} {
		v, r := Parse([]byte("a: " + text + "\n"))
		if r != nil {
			t.Errorf("a: %s: %v", text, r)
			continue
		}
		if got := v.At("a").JSON(); got != want {
			t.Errorf("a: %s is %s, want %s", text, got, want)
		}
	}
}

// TestDocuments reads whole texts.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: 1":                                   `{"a":1}`,
		"\ufeffa: 1":                             `{"a":1}`,
		"{\"a\":[1,{}]}":                         `{"a":[1,{}]}`,
		"{}":                                     `{}`,
		"---\na: 1\n...\n":                       `{"a":1}`,
		"# c\n\n%YAML  1.2 # d\n---\na:":         `{"a":null}`,
		"a: &x {b: 1}\nc: {<<: *x}":              `{"a":{"b":1},"c":{"<<":{"b":1}}}`,
		"a: &x b\n*x : 1":                        `{"a":"b","b":1}`,
		"a: &x 1\nb: &x 2\nc: *x":                `{"a":1,"b":2,"c":2}`,
		"'1': a\n\"true\": b\n!!str 2: c\n'': d": `{"":"d","1":"a","2":"c","true":"b"}`,
		"? |-\n  a\n: b":                         `{"a":"b"}`,
		"a:\n! b: 1":                             `{"a":null,"b":1}`,
		"a: \"\\u2028\\N\"":                      "{\"a\":\"\u2028\u0085\"}",
		"%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1":    `{"a":"1"}`,
		"a: \"x\n  y\"\nb: z # comment\n# ---\n":           `{"a":"x y","b":"z"}`,
		"yes: 1\non: 2\n2026-06-01: 3\n0b1: 4\n=: 5":       `{"0b1":4,"2026-06-01":3,"=":5,"on":2,"yes":1}`,
		"a: {b: {c: &x [1, 2]}}\nd: *x\ne: [*x, *x]\n":     `{"a":{"b":{"c":[1,2]}},"d":[1,2],"e":[[1,2],[1,2]]}`,
		"a: 1.0\nb: 1\nc: 1e0\nd: 100000000000000000000.0": `{"a":1,"b":1,"c":1,"d":1e20}`,
	} {
		v, r := Parse([]byte(text))
		if r != nil {
			t.Errorf("%q: %v", text, r)
			continue
		}
		if got := v.JSON(); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		reason manifest.Reason
		line   int
	}{
		{"a: \xff", manifest.ReasonEncoding, 0},
		{"a: \xed\xa0\x80", manifest.ReasonEncoding, 0},
		{"\xff\xfea\x00:\x00 \x001\x00", manifest.ReasonEncoding, 0},
		{"a\x00:\x00 \x001\x00", manifest.ReasonParse, 1},
		{"a: [", manifest.ReasonParse, 1},
		{"a: *x", manifest.ReasonParse, 1},
		{"a: \u2028b", manifest.ReasonParse, 1},
		{"a: 1\nb: |\n  x\u0085y", manifest.ReasonParse, 3},
		{"a: '\u2029'", manifest.ReasonParse, 1},
		{"a: \"\\ud800\"", manifest.ReasonParse, 1},
		{"a: \"\u0001\"", manifest.ReasonParse, 1},
		{"%YAML 2.0\n---\na: 1", manifest.ReasonParse, 1},
		{numberedTags(65) + "---\na: 1", manifest.ReasonParse, 0},
		{"", manifest.ReasonRootType, 0},
		{"\ufeff", manifest.ReasonRootType, 0},
		{"# only a comment\n", manifest.ReasonRootType, 0},
		{"---\n", manifest.ReasonRootType, 2},
		{"- a\n", manifest.ReasonRootType, 1},
		{"text", manifest.ReasonRootType, 1},
		{"~", manifest.ReasonRootType, 1},
		{"a: 1\n---\nb: 1\n", manifest.ReasonMultiDocument, 2},
		{"a: 1\n---\n", manifest.ReasonMultiDocument, 2},
		{"a: 1\n---\na: [\n", manifest.ReasonParse, 3},
		{"a: 1\nb: 2\na: 3\n", manifest.ReasonDuplicateKey, 3},
		{"a: {b: {c: 1, 'c': 2}}", manifest.ReasonDuplicateKey, 1},
		{"a: &x b\nb: 1\n*x : 2", manifest.ReasonDuplicateKey, 3},
		{"\"\\x61\": 1\na: 2", manifest.ReasonDuplicateKey, 2},
		{"<<: {}\n<<: {}", manifest.ReasonDuplicateKey, 2},
		{"a: 1\n1: x", manifest.ReasonKeyType, 2},
		{"true: x", manifest.ReasonKeyType, 1},
		{"null: x", manifest.ReasonKeyType, 1},
		{"~: x", manifest.ReasonKeyType, 1},
		{"?\n: x", manifest.ReasonKeyType, 1},
		{"1.5: x", manifest.ReasonKeyType, 1},
		{"0x1: x", manifest.ReasonKeyType, 1},
		{".inf: x", manifest.ReasonKeyType, 1},
		{"? [a]\n: x", manifest.ReasonKeyType, 1},
		{"? {a: b}\n: x", manifest.ReasonKeyType, 1},
		{"a: &x [1]\n*x : 1", manifest.ReasonKeyType, 2},
		{"a: !include other.yaml", manifest.ReasonTag, 1},
		{"a: !!timestamp 2026-06-01", manifest.ReasonTag, 1},
		{"a: !!binary aGk=", manifest.ReasonTag, 1},
		{"a: !!set {x}", manifest.ReasonTag, 1},
		{"a: !!omap [b: 1]", manifest.ReasonTag, 1},
		{"!!merge <<: {}", manifest.ReasonTag, 1},
		{"a: !!int x", manifest.ReasonTag, 1},
		{"a: !!int 1.5", manifest.ReasonTag, 1},
		{"a: !!int .inf", manifest.ReasonTag, 1},
		{"a: !!bool yes", manifest.ReasonTag, 1},
		{"a: !!null x", manifest.ReasonTag, 1},
		{"a: !!null .nan", manifest.ReasonTag, 1},
		{"a: !!map [1]", manifest.ReasonTag, 1},
		{"a: !!seq {b: 1}", manifest.ReasonTag, 1},
		{"a: !!str [1]", manifest.ReasonTag, 1},
		{"!x {a: 1}", manifest.ReasonTag, 1},
		{"%TAG !! tag:example.org,2000:\n---\na: !!int 1", manifest.ReasonTag, 3},
		{"a: &x [*x]", manifest.ReasonCycle, 1},
		{"a: &x\n  b: {c: [*x]}", manifest.ReasonCycle, 2},
		{"&x a: *x\nb: &y [1]", "", 0}, // the anchor stands on the key
		{"a: .inf", manifest.ReasonNonFinite, 1},
		{"a: -.INF", manifest.ReasonNonFinite, 1},
		{"a: +.Inf", manifest.ReasonNonFinite, 1},
		{"a: [.nan]", manifest.ReasonNonFinite, 1},
		{"a: !!float .NaN", manifest.ReasonNonFinite, 1},
		{"a: 1e999", manifest.ReasonNonFinite, 1},
	} {
		_, r := Parse([]byte(c.text))
		if got := reasonOf(r); got.Reason != c.reason || got.Line != c.line {
			t.Errorf("%q: got %+v, want %s at line %d", clip(c.text), got, c.reason, c.line)
		}
	}
}

func reasonOf(r *Refusal) Refusal {
	if r == nil {
		return Refusal{}
	}
	return *r
}

func clip(s string) string { return s[:min(len(s), 60)] }

// TestBounds looks at both sides of each bound.
func TestBounds(t *testing.T) {
	t.Parallel()
	nested := func(levels int) string { return strings.Repeat("{a: ", levels) + strings.Repeat("}", levels) }
	lists := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for _, c := range []struct {
		name, text string
		reason     manifest.Reason
	}{
		{"256 mappings", nested(256), ""},
		{"257 mappings", nested(257), manifest.ReasonParse},
		{"256 with lists", "a: " + lists(255), ""},
		{"257 with lists", "a: " + lists(256), manifest.ReasonParse},
		{"256 through an alias", "a: &x " + lists(200) + "\nb: " + strings.Repeat("[", 55) + "*x" + strings.Repeat("]", 55), ""},
		{"257 through an alias", "a: &x " + lists(200) + "\nb: " + strings.Repeat("[", 56) + "*x" + strings.Repeat("]", 56), manifest.ReasonParse},
		{"a scalar alias at the deepest place", "a: &x 1\nb: " + strings.Repeat("[", 255) + "*x" + strings.Repeat("]", 255), ""},
		{"100 aliases", "a: &x 1\nb: [" + strings.Repeat("*x, ", 100) + "]", ""},
		{"101 aliases", "a: &x 1\nb: [" + strings.Repeat("*x, ", 101) + "]", manifest.ReasonAliasLimit},
		{"101 aliases of many anchors", "a: [&x 1, &y 2]\nb: [" + strings.Repeat("*x, ", 51) + strings.Repeat("*y, ", 50) + "]", manifest.ReasonAliasLimit},
		{"aliases that double 18 times", doubling(18), ""},
		{"aliases that double 22 times", doubling(22), manifest.ReasonAliasLimit},
		{"aliases of a long text", "a: &x " + strings.Repeat("y", 1<<20) + "\nb: [" + strings.Repeat("*x, ", 30) + "]", ""},
		{"more text than may be", "a: &x " + strings.Repeat("y", 1<<20) + "\nb: [" + strings.Repeat("*x, ", 32) + "]", manifest.ReasonAliasLimit},
		{"64 tag directives", numberedTags(64) + "---\na: 1", ""},
	} {
		_, r := Parse([]byte(c.text))
		if got := reasonOf(r).Reason; got != c.reason {
			t.Errorf("%s: got %q, want %q", c.name, got, c.reason)
		}
	}
}

// doubling is a document of 2^times values or so.
func doubling(times int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := 1; i <= times; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return b.String()
}

func numberedTags(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "%%TAG !a%d! tag:example.org,2000:\n", i)
	}
	return b.String()
}

// TestSharing shows that an alias costs nothing where it is used.
func TestSharing(t *testing.T) {
	t.Parallel()
	v, r := Parse([]byte("a: &x [1, 2]\nb: *x"))
	if r != nil {
		t.Fatal(r)
	}
	if a, b := v.At("a").Items(), v.At("b").Items(); &a[0] != &b[0] {
		t.Error("the alias has a copy of the anchored list")
	}
}

func TestRefusalSaysNothingOfTheText(t *testing.T) {
	t.Parallel()
	_, r := Parse([]byte("a: 1\nsecret: *secret-anchor"))
	if r == nil || strings.Contains(r.Error(), "secret") {
		t.Errorf("got %v", r)
	}
	_, r = Parse([]byte("a: 1\n\nb: .inf"))
	if r == nil || r.Error() != "line 3 is outside the YAML profile: non-finite" {
		t.Errorf("got %v", r)
	}
}
