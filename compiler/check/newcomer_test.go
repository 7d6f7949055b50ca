package check_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler/diag"
)

// TestFirstSlips holds slips of people who are new to the language: each gives one
// message that says what to write.
func TestFirstSlips(t *testing.T) {
	t.Parallel()
	runTable(t, []verdict{
		{"tool prefix in a call", body(`tool.ws.read_file(a: i)`), []string{"in a call write ws.read_file"}},
		{"tool prefix before an unknown tool", body(`x = tool.desk.store(i)`), []string{"in a call write desk.store"}},
		{"a tool of that name", `tool tool { type native } ` + body(`tool.ws.read_file(i)`), nil},
		{"misspelt parameter", body(`W2(left: i, rigth: c)`), []string{`no parameter "rigth"`}},
		{"misspelt parameter before a positional one", body(`W2(lef: i, c)`), []string{`no parameter "lef"`}},
		{"misspelt parameter beside the right one", body(`W2(lefd: i, left: c)`), []string{`no value for parameter "right"`, `no parameter "lefd"`}},
		{"parameter that resembles none", body(`W2(left: i, colour: c)`), []string{`no value for parameter "right"`, `no parameter "colour"`}},
		{"unclosed token", body(`t.echo(m: "to ${i.name")`), []string{"W: ${ without a closing }"}},
		{"unclosed token behind a good one", body(`return { a: "${i} ${c" }`), []string{"W: goes out as plain text"}},
		{"unclosed token in plain text", body(`x = "${i"`), nil},
		{"broken schema of many", `agent a { model mock/m output Broken input Broken } agent b { model mock/m input Broken } workflow w(x: Broken) -> Broken { a(x) }`,
			[]string{"the schema schemas/Broken.json cannot be used: no JSON at line 1, column 9: unexpected end"}},
	})
}

// TestBrokenSchemaIsReportedAtItsFirstUse: whatever the order in which declarations
// are checked, and with the place in the schema where that is known.
func TestBrokenSchemaIsReportedAtItsFirstUse(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"schemas/A.json": {Data: []byte(`{"type":"objekt"}`)},
		"schemas/B.json": {Data: []byte("{\n  \"type\": \"object\",\n}")},
	}
	got := checkFiles(files, map[string]string{
		"a.agent": "workflow w(x: A) -> B { return x }\nagent c { model mock/m input A output B }",
		"b.agent": `tool t { type native operations { o { schema "schemas/A.json" } } }`,
	})
	want := []string{
		`a.agent:1:15: the schema schemas/A.json cannot be used: at /type: "objekt" is no JSON Schema type; one of array, boolean, integer, null, number, object, string`,
		`a.agent:1:21: the schema schemas/B.json cannot be used: no JSON at line 3, column 1: expected a member name`,
	}
	if len(got) != len(want) {
		t.Fatalf("got\n%s", got)
	}
	for i, d := range got {
		if !strings.HasPrefix(diag.Plain(d), want[i]) {
			t.Errorf("got %s, want %s", diag.Plain(d), want[i])
		}
	}
	if r := got[1].Related; len(r) != 1 || r[0].At.String() != "schemas/B.json:3:1" {
		t.Errorf("the place in the schema is %v", r)
	}
}

// TestToolPrefixIsRemoved: the offered change leaves the call.
func TestToolPrefixIsRemoved(t *testing.T) {
	t.Parallel()
	src := "workflow w(i: any) { tool.ws.op(i) } tool ws { type native }"
	got := checkFiles(fstest.MapFS{}, map[string]string{"a.agent": src})
	if len(got) != 1 || got[0].Fix == nil {
		t.Fatalf("got\n%s", got)
	}
	at := got[0].Fix.At
	if fixed := src[:at.Start.Offset] + got[0].Fix.Text + src[at.End.Offset:]; !strings.Contains(fixed, "{ ws.op(i) }") {
		t.Errorf("the fix gives %s", fixed)
	}
}
