package ir

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/canon"
)

// everyKind uses every node, expression and condition kind once.
func everyKind(t testing.TB) Program {
	t.Helper()
	big, err := canon.Number("123456789012345678901234567890")
	if err != nil {
		t.Fatal(err)
	}
	one := []Arg{{WholeArg, Ref{[]string{"a", "b"}}}}
	leaf := []Node{Return{ID: "return", Expr: Object{[]Arg{{"n", Literal{big}}}}}}
	return Program{
		Workflow: "w", Result: "schemas/R.json", Envelope: true,
		Params: []Param{{"a", "schemas/T.json"}, {"b", ""}},
		Body: []Node{
			Let{"x", "x", Literal{canon.Null()}},
			Agent{ID: "y", Agent: "A", Args: one, WholeDocument: true, Bind: "y"},
			Tool{ID: "op", Tool: "t", Operation: "o.p", Args: []Arg{{"m", Template{[]Part{{Text: "n "}, {Ref: []string{"a"}}}}}}},
			Workflow{ID: "z", Workflow: "W", Args: one, WholeDocument: true, ProjectValue: true, Bind: "z"},
			Approval{ID: "g", Description: "d", RedactKeys: []string{"k"}, With: one, Bind: "g"},
			If{"if", Or{[]Cond{And{[]Cond{Not{Test{Ref{[]string{"a"}}}}, Test{Literal{canon.Bool(true)}}}}, Compare{Ge, Test{Ref{[]string{"b"}}}, Test{Literal{canon.Int(3)}}}}}, leaf, leaf},
			For{"for", "v", Ref{[]string{"a"}}, true, leaf},
			While{"while", Test{Ref{[]string{"a"}}}, 3, leaf},
			Retry{"retry", Test{Ref{[]string{"a"}}}, 4, leaf},
			Fork{"fork", [][]Node{leaf, leaf}},
			Graph{"graph", []Task{{"one", nil, leaf}, {"two", []string{"one"}, leaf}}},
		},
	}
}

func TestSetRoundTrip(t *testing.T) {
	t.Parallel()
	p := everyKind(t)
	q := Program{Workflow: "a"}
	got, err := DecodeSet(EncodeSet([]Program{p, q}))
	if err != nil {
		t.Fatal(err)
	}
	want := []Program{q, p} // sets are in name order
	if diff := cmp.Diff(want, got, cmp.Comparer(canon.Equal)); diff != "" {
		t.Errorf("decode after encode differs (-want +got):\n%s", diff)
	}
	if got[1].Digest() != p.Digest() {
		t.Error("the digest changed on the way")
	}
	if got[1].Dump() != p.Dump() {
		t.Error("the dump changed on the way")
	}
}

func TestDigestSeesArms(t *testing.T) {
	t.Parallel()
	arm := func(s string) []Node { return []Node{Return{ID: "return", Expr: Literal{canon.String(s)}}} }
	cond := Test{Ref{[]string{"c"}}}
	a := Program{Workflow: "w", Body: []Node{If{"if", cond, arm("x"), arm("y")}}}
	b := Program{Workflow: "w", Body: []Node{If{"if", cond, arm("y"), arm("x")}}}
	w := Program{Workflow: "w", Body: []Node{While{"if", cond, 1, arm("x")}}}
	if a.Digest() == b.Digest() || a.Digest() == w.Digest() {
		t.Error("swapped arms, or another kind of node, must change the digest")
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	body := func(nodes string) string {
		return `{"formatVersion":1,"programs":[{"formatVersion":1,"workflow":"w","body":[` + nodes + `]}]}`
	}
	cases := map[string]struct{ in, want string }{
		"not JSON":        {`{`, "decode program set"},
		"set version":     {`{"formatVersion":2,"programs":[]}`, "format version 2"},
		"no version":      {`{"programs":[]}`, "format version none"},
		"program version": {`{"formatVersion":1,"programs":[{"workflow":"w"}]}`, "set.programs[0]"},
		"set field":       {`{"formatVersion":1,"extra":1}`, `unknown field "extra"`},
		"node kind":       {body(`{"kind":"goto","id":"x"}`), `unknown node kind "goto"`},
		"node field":      {body(`{"kind":"let","id":"x","name":"x","expr":{"kind":"literal","value":1},"line":3}`), `unknown field "line"`},
		"expression kind": {body(`{"kind":"return","id":"r","expr":{"kind":"sum"}}`), `unknown expression kind "sum"`},
		"condition kind":  {body(`{"kind":"if","id":"i","cond":{"kind":"maybe"}}`), `unknown condition kind "maybe"`},
		"operator":        {body(`{"kind":"if","id":"i","cond":{"kind":"compare","op":"~"}}`), `unknown operator "~"`},
		"limit":           {body(`{"kind":"while","id":"i","cond":{"kind":"test","expr":{"kind":"ref","path":["a"]}},"limit":0}`), "from 1 to"},
		"slash in id":     {body(`{"kind":"let","id":"a/b","name":"x","expr":{"kind":"literal","value":1}}`), "holds / or #"},
		"id twice": {body(`{"kind":"tool","id":"a","tool":"t","operation":"o"},{"kind":"tool","id":"a","tool":"t","operation":"o"}`),
			"used twice"},
		"flag":        {body(`{"kind":"agent","id":"a","agent":"A","wholeDocument":true}`), "exactly one argument"},
		"callee flag": {body(`{"kind":"workflow","id":"a","workflow":"W","wholeDocument":true}`), "exactly one argument"},
		"workflows":   {`{"formatVersion":1,"programs":[{"formatVersion":1,"workflow":"w"},{"formatVersion":1,"workflow":"w"}]}`, "repeated"},
		"part":        {body(`{"kind":"return","id":"r","expr":{"kind":"template","parts":[{"text":"a","ref":["b"]}]}}`), `unknown field "text"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeSet([]byte(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(EncodeSet([]Program{everyKind(f)}))
	f.Add(EncodeSet(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := DecodeSet(b)
		if err != nil {
			return
		}
		encoded := EncodeSet(first)
		second, err := DecodeSet(encoded)
		if err != nil {
			t.Fatalf("own output refused: %v\n%s", err, encoded)
		}
		if diff := cmp.Diff(first, second, cmp.Comparer(canon.Equal)); diff != "" {
			t.Fatalf("round trip differs:\n%s", diff)
		}
		if again := EncodeSet(second); string(again) != string(encoded) {
			t.Fatalf("encoding is not stable:\n%s\n%s", encoded, again)
		}
	})
}
