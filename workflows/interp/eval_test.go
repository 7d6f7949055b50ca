package interp

import (
	"strings"
	"testing"

	"terfyn/compiler/ir"
	"terfyn/internal/canon"
)

func val(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func ref(path string) ir.Expr            { return ir.Ref{Path: strings.Split(path, ".")} }
func test(path string) ir.Cond           { return ir.Test{Expr: ref(path)} }
func lit(t *testing.T, s string) ir.Cond { return ir.Test{Expr: ir.Literal{Value: val(t, s)}} }

func TestConditions(t *testing.T) {
	t.Parallel()
	s := scope{"a": val(t, `{"yes":true,"no":false,"n":9007199254740993,"big":18446744073709551615,"s":"x","l":[1,2],"o":{"k":1}}`)}
	cmp := func(op ir.CompareOp, l, r ir.Cond) ir.Cond { return ir.Compare{Op: op, Left: l, Right: r} }
	cases := []struct {
		name string
		cond ir.Cond
		want bool
		err  string
	}{
		{"boolean", test("a.yes"), true, ""},
		{"null counts as false", test("a.gone.deeper"), false, ""},
		{"a string is no condition", test("a.s"), false, "a string"},
		{"not", ir.Not{Of: test("a.no")}, true, ""},
		{"and stops early", ir.And{Of: []ir.Cond{test("a.no"), test("a.s")}}, false, ""},
		{"or stops early", ir.Or{Of: []ir.Cond{test("a.yes"), test("a.s")}}, true, ""},
		{"and goes on", ir.And{Of: []ir.Cond{test("a.yes"), test("a.s")}}, false, "a string"},
		{"exact equality", cmp(ir.Eq, test("a.n"), lit(t, "9007199254740992")), false, ""},
		{"exact order", cmp(ir.Gt, test("a.n"), lit(t, "9007199254740992")), true, ""},
		{"beyond 64 bits", cmp(ir.Lt, test("a.n"), test("a.big")), true, ""},
		{"integer equals its decimal", cmp(ir.Eq, lit(t, "1"), lit(t, "1.0")), true, ""},
		{"lists by value", cmp(ir.Eq, test("a.l"), lit(t, "[1,2.0]")), true, ""},
		{"kinds never mix", cmp(ir.Eq, lit(t, "0"), lit(t, `""`)), false, ""},
		{"null equals null only", cmp(ir.Eq, test("a.gone"), lit(t, "null")), true, ""},
		{"different", cmp(ir.Ne, test("a.o"), lit(t, `{"k":2}`)), true, ""},
		{"order of other kinds", cmp(ir.Le, test("a.s"), lit(t, "1")), false, "compares numbers, got a string and a number"},
		{"at least", cmp(ir.Ge, lit(t, "2"), lit(t, "2")), true, ""},
		{"unbound", test("ghost"), false, `"ghost" is not bound`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := s.test("here", c.cond)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Fatalf("error %v, want %q", err, c.err)
			}
			if got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// Behaviours 222 and 261: numbers are spelled plainly, one token keeps its value.
func TestTemplates(t *testing.T) {
	t.Parallel()
	s := scope{"a": val(t, `{"n":1000000,"f":0.1,"s":"x","o":{"k":[1,null]},"b":true}`)}
	part := func(path string) ir.Part { return ir.Part{Ref: strings.Split(path, ".")} }
	for _, c := range []struct {
		parts []ir.Part
		want  string
	}{
		{[]ir.Part{part("a.o")}, `{"k":[1,null]}`},
		{[]ir.Part{part("a.gone")}, `null`},
		{[]ir.Part{{Text: "n="}, part("a.n"), {Text: " f="}, part("a.f")}, `"n=1000000 f=0.1"`},
		{[]ir.Part{part("a.s"), part("a.b"), part("a.gone"), part("a.o")}, `"xtruenull{\"k\":[1,null]}"`},
		{[]ir.Part{{Text: "plain"}}, `"plain"`},
		{nil, `""`},
	} {
		v, err := s.eval("here", ir.Template{Parts: c.parts})
		if err != nil || v.JSON() != c.want {
			t.Errorf("got %s, %v, want %s", v.JSON(), err, c.want)
		}
	}
}

func TestBindAndOutput(t *testing.T) {
	t.Parallel()
	doc := val(t, `{"a":1,"b":2}`)
	if s := bind([]ir.Param{{Name: "doc"}}, doc); s["doc"].JSON() != doc.JSON() {
		t.Error("a single parameter is not the whole document")
	}
	if s := bind([]ir.Param{{Name: "a"}, {Name: "z"}}, doc); s["a"].JSON() != "1" || !s["z"].IsNull() {
		t.Error("several parameters are not the fields")
	}
	one := canon.Int(1)
	for _, c := range []struct {
		envelope bool
		returned *canon.Value
		want     string
	}{{false, nil, `{}`}, {true, nil, `{}`}, {false, &doc, `{"a":1,"b":2}`}, {true, &one, `{"value":1}`}} {
		if got := output(ir.Program{Envelope: c.envelope}, c.returned).JSON(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
