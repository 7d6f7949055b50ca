package yamlvalue_test

import (
	"strings"
	"testing"

	"terfyn/compiler/internal/yamlvalue"
)

func TestParse(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"": `null`,
		"a: 123456789012345678901234567890\nb: x":    `{"a":123456789012345678901234567890,"b":"x"}`,
		"[0x1F, 0o17, 1_000, +5, -3, .5, 2., 1e2]":   `[31,15,1000,5,-3,0.5,2,100]`,
		"[true, False, null, ~, 'true', 2001-01-01]": `[true,false,null,null,"true","2001-01-01"]`,
		"a: &x {k: 1}\nb: *x":                        `{"a":{"k":1},"b":{"k":1}}`,
		"a: |\n  two\n  lines\n":                     `{"a":"two\nlines\n"}`,
		"1: one":                                     `{"1":"one"}`,
	}
	for in, want := range cases {
		v, err := yamlvalue.Parse([]byte(in))
		if err != nil || v.JSON() != want {
			t.Errorf("Parse(%q) = %s, %v; want %s", in, v.JSON(), err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 8 {
		from, to := string(rune('a'+i)), string(rune('b'+i))
		bomb += to + ": &" + to + " [" + strings.TrimSuffix(strings.Repeat("*"+from+",", 10), ",") + "]\n"
	}
	cases := map[string]string{
		"a: [":                       "line",
		"a: 1\na: 2":                 `"a" stands twice`,
		"a: .inf":                    "no JSON form",
		"a: !own x":                  "!own",
		"b: &b {k: 1}\nc:\n  <<: *b": "merge keys",
		"a: &a [*a]":                 "contains itself",
		"? [a]\n: 1":                 "a key must be",
		strings.Repeat("[", 300) + "1" + strings.Repeat("]", 300): "deeper",
		bomb: "more than",
	}
	for in, want := range cases {
		if _, err := yamlvalue.Parse([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.60q): %v, want %q", in, err, want)
		}
	}
}

func TestParsePlaced(t *testing.T) {
	t.Parallel()
	v, places, err := yamlvalue.ParsePlaced([]byte("a: 1\nb:\n  c: [x]\n  d: &x {e: 2}\nf: *x\n"))
	if err != nil || v.At("f", "e").JSON() != "2" {
		t.Fatalf("%s, %v", v.JSON(), err)
	}
	want := map[string]yamlvalue.Member{
		"a":     {Key: yamlvalue.Place{Line: 1, Col: 1}, Value: yamlvalue.Place{Line: 1, Col: 4}},
		"b.c":   {Key: yamlvalue.Place{Line: 3, Col: 3}, Value: yamlvalue.Place{Line: 3, Col: 6}},
		"b.d.e": {Key: yamlvalue.Place{Line: 4, Col: 10}, Value: yamlvalue.Place{Line: 4, Col: 13}},
		"f.e":   {Key: yamlvalue.Place{Line: 4, Col: 10}, Value: yamlvalue.Place{Line: 4, Col: 13}},
	}
	for path, m := range want {
		if places[path] != m {
			t.Errorf("%s stands at %+v, want %+v", path, places[path], m)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"a: 1\na: 2": 2, "a: [": 1, "x: 1\na: b: c": 2, "a: b: c": 0} {
		_, err := yamlvalue.Parse([]byte(in))
		if err == nil {
			t.Fatalf("%q parses", in)
		}
		line, text := yamlvalue.Line(err)
		if line != want || text == "" || strings.HasPrefix(text, "line ") {
			t.Errorf("Line(%q) = %d, %q; want %d", err, line, text, want)
		}
	}
}
