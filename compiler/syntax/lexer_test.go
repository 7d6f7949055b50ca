package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// lexAll gives kind:text@line:col of every token.
func lexAll(src string) (tokens []string, comments []Comment, problems diag.List) {
	l := newLexer(source.NewFile("main.agent", []byte(src)), func(d diag.Diagnostic) bool {
		problems.Add(d)
		return true
	})
	names := map[kind]string{kindIdent: "name", kindNumber: "num", kindString: "str", kindBlock: "block", kindModelID: "model", kindMark: "mark"}
	for t := l.next(); t.kind != kindEOF; t = l.next() {
		tokens = append(tokens, fmt.Sprintf("%s:%s@%s", names[t.kind], t.text, t.start))
	}
	return tokens, l.comments, problems
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"a-b _x9":                     "name:a-b@1:1 name:_x9@1:5",
		"1 -2 3.50 4e+2 -5.5E-1":      "num:1@1:1 num:-2@1:3 num:3.50@1:6 num:4e+2@1:11 num:-5.5E-1@1:16",
		"0 0.5 -0":                    "num:0@1:1 num:0.5@1:3 num:-0@1:7",
		"1.":                          "num:1@1:1 mark:.@1:2",
		"-> == != <= >= < > = && !":   "mark:->@1:1 mark:==@1:4 mark:!=@1:7 mark:<=@1:10 mark:>=@1:13 mark:<@1:16 mark:>@1:18 mark:=@1:20 mark:&&@1:22 mark:!@1:25",
		"m/gpt-4.1:x_y z":             "name:m@1:1 mark:/@1:2 model:gpt-4.1:x_y@1:3 name:z@1:15",
		"m/ x":                        "name:m@1:1 mark:/@1:2 name:x@1:4",
		"m//x":                        "name:m@1:1",
		"a\r\n\tb":                    "name:a@1:1 name:b@2:2",
		`"" "a\"\\\n\t\rb"`:           "str:@1:1 str:a\"\\\n\t\rb@1:4",
		`"//" "ü${x}"`:                "str://@1:1 str:ü${x}@1:6",
		"\"\"\"\n  a\n   b\n\"\"\" c": "block:a\n b@1:1 name:c@4:5",
		`"""a\n"b"" """`:              `block:a\n"b"" @1:1`,
		"\xEF\xBB\xBFa":               "name:a@1:1",
	} {
		t.Run(src, func(t *testing.T) {
			t.Parallel()
			tokens, _, problems := lexAll(src)
			if diff := cmp.Diff(want, strings.Join(tokens, " ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(problems) > 0 {
				t.Errorf("unexpected:\n%s", problems)
			}
		})
	}
}

func TestLexicalErrors(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"a ; b":           "1:3 TF1001",
		"a [ ü":           "1:3 TF1001 1:5 TF1001",
		"a \x00 b":        "1:3 TF1001",
		"a \xEF\xBB\xBFb": "1:3 TF1001",
		"a - b":           "1:3 TF1001",
		"a & b":           "1:3 TF1001",
		"a \xff\xfe b":    "1:3 TF1002",
		"// \xff\n\xff":   "1:4 TF1002",
		"\"\xff\"":        "1:2 TF1002",
		"\"abc\nx":        "1:1 TF1003",
		"\"abc\rx":        "1:1 TF1003",
		"\"abc":           "1:1 TF1003",
		"\"abc\\":         "1:1 TF1003",
		"\"\"\"abc\"\"":   "1:1 TF1004",
		`"\x\ü\q"`:        "1:2 TF1005 1:4 TF1005 1:7 TF1005",
		"007":             "1:1 TF1006",
		"-01":             "1:1 TF1006",
		"1e":              "1:1 TF1006",
		"12ab":            "1:1 TF1006",
	} {
		t.Run(src, func(t *testing.T) {
			t.Parallel()
			_, _, problems := lexAll(src)
			got := []string{}
			for _, d := range problems {
				got = append(got, fmt.Sprintf("%s %s", d.At.Start, d.Code))
			}
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBlockValue(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"x":                         "x",
		"":                          "",
		"\n":                        "",
		"\n\n":                      "",
		"\n\n\n":                    "\n",
		"\n  a\n    b\n  ":          "a\n  b",
		"\r\n  a\r\n  b\r\n":        "a\nb",
		"\n  a\r  b\n":              "a\nb",
		"\n\ta\n  b\n":              "\ta\n  b",
		"\n  \ta\n  b\n":            "\ta\nb",
		"\n  a\n \n\n  b\n":         "a\n\n\nb",
		"\n  a  \n  b\n":            "a  \nb",
		"  first\n  second":         "first\nsecond",
		" \t\n  a\n \t":             "a",
		"\n    Deep\n  Less\n    x": "  Deep\nLess\n  x",
	} {
		t.Run(fmt.Sprintf("%q", raw), func(t *testing.T) {
			t.Parallel()
			if got := BlockValue(raw); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestCommentClasses(t *testing.T) {
	t.Parallel()
	src := "// own  \n\t// indented\na // trailing\r\n//\n\"\"\"\n// inside\n\"\"\" // after block\n\"// string\"\n"
	_, comments, problems := lexAll(src)
	got := []string{}
	for _, c := range comments {
		got = append(got, fmt.Sprintf("%s %t %q", c.At.Start, c.Trailing, c.Text))
	}
	want := []string{`1:1 false "// own"`, `2:2 false "// indented"`, `3:3 true "// trailing"`, `4:1 false "//"`, `7:5 true "// after block"`}
	if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
		t.Errorf("-want +got:\n%s\n%s", diff, problems)
	}
}

func TestParseTemplate(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"":               "",
		"plain":          `"plain"`,
		"${a}":           "[a]",
		"${ a.b }":       "[a b]",
		"x ${a} y${b.c}": `"x " [a] " y" [b c]`,
		"${}":            "[]",
		"${ . }":         "[ ]",
		"${a":            `"${a"`,
		"$${a}}":         `"$" [a] "}"`,
		"$a {b}":         `"$a {b}"`,
	} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			parts, whole := ParseTemplate(value), ""
			got := []string{}
			for _, p := range parts {
				whole += p.Source
				if p.Ref {
					got = append(got, fmt.Sprint(p.Path))
				} else {
					got = append(got, fmt.Sprintf("%q", p.Literal))
				}
			}
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" || whole != value {
				t.Errorf("sources join to %q; -want +got:\n%s", whole, diff)
			}
			if _, single := SingleRef(parts); single != (len(parts) == 1 && parts[0].Ref) {
				t.Error("SingleRef disagrees")
			}
		})
	}
}
